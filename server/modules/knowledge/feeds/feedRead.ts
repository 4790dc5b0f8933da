import { OutsideError } from '../../../platform/outbound/errors'
import { runTask } from '../../../platform/workers/runTask'
import { TaskError } from '../../../platform/workers/taskError'
import type { PageQuery } from '../page/pageRead'
import type { Pages } from '../page/readPage'
import { parseFeed } from '../tasks'
import type { LinkedPage } from '../training/addLinks'
import { MOST_BYTES } from './parseFeed'

/** What a list names at present, or why it could not be read: a sentence with the remedy. */
export type FeedRead =
  | {
      title: string
      pages: LinkedPage[]
      /** it has more than were wanted */
      more: boolean
      /** what it does not name is gone */
      isWhole: boolean
    }
  | { failed: string }

export type ReadFeed = (
  feed: { url: string; most: number },
  query: Pick<PageQuery, 'owner' | 'signal'>,
) => Promise<FeedRead>

/** Creates the reader of RSS, Atom and JSON Feeds: they hold the newest entries alone, so that older pages stay. */
export function createFeedReader(pages: Pick<Pages, 'fetch'>): ReadFeed {
  return async ({ url, most }, query) => {
    const { host } = new URL(url)
    try {
      const { status, headers, body, cut } = await pages.fetch(url, MOST_BYTES, query)
      if (status >= 300) return { failed: `${url} answered with status ${status}. Check the address.` }
      if (cut) return { failed: `The feed is larger than ${MOST_BYTES / 1e6} MB.` }
      const given = { bytes: body, contentType: headers['content-type'], url, most }
      const feed = await runTask(parseFeed, given, query)
      if (!feed) return { failed: NO_FEED }
      return { title: feed.title, pages: feed.entries, more: feed.more, isWhole: false }
    } catch (error) {
      if (query.signal?.aborted) throw error
      return whyUnread(error, host)
    }
  }
}

const NO_FEED =
  'There is no RSS, Atom or JSON Feed at this address. Look on the site for a link named RSS or Feed, or add the site’s pages instead.'

/** Why a list was not read; throws what is no fault of the server that has it. */
export function whyUnread(error: unknown, host: string): { failed: string } {
  if (error instanceof OutsideError || error instanceof Refused) return { failed: error.message }
  if (error instanceof TaskError) return { failed: `What ${host} answered takes too much time or memory to read.` }
  throw error
}

/** Thrown where an answer is a refusal; its message is a sentence with the remedy. */
export class Refused extends Error {}
