import type { FeedOptions } from '../../../contracts/feeds'
import { OutboundError } from '../../../platform/outbound/errors'
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
      /** what is new or was edited; all that it names, where that can't be told */
      pages: LinkedPage[]
      /** addresses of all its articles: others are gone. null: what it does not name stays */
      named: readonly string[] | null
      /** what of it is not used, and why, in a sentence */
      note: string | null
      /** of the state that was read, where it has one */
      mark?: string | null
    }
  /** it is as it was when it was read last */
  | { unchanged: true }
  | { failed: string }

/** What is known of a list from before. */
export interface KnownOfFeed {
  /** marks of its articles, by their addresses */
  marks: ReadonlyMap<string, string>
  /** whether a member has deleted an article */
  isLeftOut: (address: string) => boolean
  /** is told how many pages the reading has found so far */
  onFound: (count: number) => Promise<void>
}

export type ReadFeed = (
  feed: { url: string; most: number; options: FeedOptions; mark: string | null },
  query: Pick<PageQuery, 'owner' | 'signal'>,
  known: KnownOfFeed,
) => Promise<FeedRead>

/** What a list has more of than is used, in a sentence; null: nothing. */
export function restOf({ more, pages }: { more: boolean; pages: readonly LinkedPage[] }): string | null {
  if (!more) return null
  if (pages.length === 0) return 'Nothing that everybody may read was found in what was read of it.'
  return `It names more pages than are used: these are the newest ${pages.length}.`
}

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
      const { title, entries, more } = feed
      return { title, pages: entries, named: null, note: restOf({ more, pages: entries }) }
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
  if (error instanceof OutboundError || error instanceof Refused) return { failed: error.message }
  if (error instanceof TaskError) return { failed: `What ${host} answered takes too much time or memory to read.` }
  throw error
}

/** Thrown where an answer is a refusal; its message is a sentence with the remedy. */
export class Refused extends Error {}
