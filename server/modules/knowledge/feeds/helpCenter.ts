import type { OutboundResponse } from '../../../platform/outbound/outboundFetch'
import { runTask } from '../../../platform/workers/runTask'
import type { PageQuery } from '../page/pageRead'
import type { Pages } from '../page/readPage'
import { parseArticle, parseArticles, parseLocales } from '../tasks'
import type { LinkedPage } from '../training/addLinks'
import type { Content } from '../training/content'
import { type FeedRead, type ReadFeed, Refused, restOf, whyUnread } from './feedRead'
import { type ArticlePage, type ListedArticle, MOST_BYTES } from './readArticle'

type Query = Pick<PageQuery, 'owner' | 'signal'>
/** Reads an article as it is now. A failure is a sentence with the remedy. */
export type ReadArticle = (
  url: string,
  query: Query,
) => Promise<Pick<Content, 'title' | 'markdown' | 'language'> | { failed: string }>

/** Articles of one page of the list, the API's limit. */
const AT_ONCE = 100
/** Pages of the list: 20,000 articles. Of one that is longer nothing is known to be gone. */
const MOST_PAGES = 200
/** How often it is asked again after it has asked for a pause; the host's gate waits for as long as it said. */
const MOST_PAUSES = 3
const GONE = 'This article is no longer public. It is deleted here when its Help Center is read next.'
const CLOSED =
  'asks for a log-in. Only a Help Center that everybody may read can be followed: a chatbot would tell visitors what it says.'

/**
 * Lists the articles of a Zendesk Help Center that a visitor without an account may read. It is asked without one, so
 * that it keeps internal articles to itself; what it says of each is checked all the same.
 */
export function createHelpCenterReader(pages: Pick<Pages, 'fetch'>): ReadFeed {
  return async ({ url, most }, query) => {
    const given = new URL(url)
    const api = `${given.origin}/api/v2/help_center`
    const ask = async (address: string) => {
      const answer = await fetchPatiently(pages, address, query)
      if (answer.status === 401 || answer.status === 403) throw new Refused(`${given.host} ${CLOSED}`)
      if (answer.status === 404) throw new Refused(`There is no Help Center at ${given.host}. Check the address.`)
      if (answer.status >= 300) throw new Refused(`${given.host} answered with status ${answer.status}.`)
      return answer
    }

    async function read(): Promise<FeedRead> {
      const inPath = /^\/hc\/([a-z]{2}[a-z0-9-]{0,10})(?:\/|$)/i.exec(given.pathname)?.[1]
      const locale = inPath ?? (await parsed(parseLocales, await ask(`${api}/locales`), query))?.main
      if (!locale) return { failed: `There is no Help Center at ${given.host}. Check the address.` }
      const articles = new Map<number, ListedArticle>()
      const seen = new Set<string>()
      let next: string | null = `${api}/${locale}/articles?page[size]=${AT_ONCE}&sort_by=updated_at&sort_order=desc`
      // to its end, however many are wanted: what it does not name is gone. A server that has no end of pages is left
      while (next !== null && !seen.has(next) && seen.size < MOST_PAGES) {
        seen.add(next)
        const page: ArticlePage | null = await parsed(parseArticles, await ask(next), query)
        if (!page) return { failed: `${given.host} did not answer as a Help Center does. Try again later.` }
        for (const article of page.articles.slice(0, AT_ONCE)) articles.set(article.id, article)
        // where the list goes on is the server's word
        if (page.next !== null && !isAt(page.next, given.host))
          return { failed: `The list of ${given.host} goes on at another server, where it is not read.` }
        next = page.next
      }
      const isWhole = next === null
      const all = [...articles.values()]
      const found = all.slice(0, most).map((article) => pageOf(article, api))
      const named = isWhole ? all.map((article) => addressOf(article, api)) : null
      return {
        title: given.host,
        pages: found,
        named,
        note: restOf({ more: !isWhole || all.length > most, pages: found }),
      }
    }
    return read().catch((error) => {
      if (query.signal?.aborted) throw error
      return whyUnread(error, given.host)
    })
  }
}

/** Zendesk limits calls by the minute: 200 for the smallest plan. */
async function fetchPatiently(pages: Pick<Pages, 'fetch'>, url: string, query: Query): Promise<OutboundResponse> {
  for (let pauses = 0; ; pauses++) {
    const answer = await pages.fetch(url, MOST_BYTES, query)
    if (pauses === MOST_PAUSES || (answer.status !== 429 && answer.status !== 503)) return answer
  }
}

const isAt = (url: string, host: string): boolean => URL.canParse(url) && new URL(url).host === host

const addressOf = ({ id, locale }: ListedArticle, api: string): string => `${api}/${locale}/articles/${id}`

const pageOf = (article: ListedArticle, api: string): LinkedPage => ({
  url: article.url,
  title: article.title,
  article: { url: addressOf(article, api), mark: article.mark },
})

async function parsed<Result>(
  task: Parameters<typeof runTask<{ bytes: Uint8Array }, Result>>[0],
  { body }: OutboundResponse,
  { owner, signal }: Query,
): Promise<Result> {
  return runTask(task, { bytes: body }, { owner, signal })
}

/** Creates what reads single articles when they are trained. */
export function createArticleReader(pages: Pick<Pages, 'fetch'>): ReadArticle {
  return async (url, query) => {
    const { host } = new URL(url)
    try {
      const answer = await fetchPatiently(pages, url, query)
      if ([401, 403, 404].includes(answer.status)) return { failed: GONE }
      if (answer.status >= 300) return { failed: `${host} answered with status ${answer.status}. Try again later.` }
      const article = await parsed(parseArticle, answer, query)
      if (!article) return { failed: GONE }
      if (article.markdown.trim() === '') return { failed: 'This article has no text.' }
      return article
    } catch (error) {
      if (query.signal?.aborted) throw error
      return { failed: whyUnread(error, host).failed }
    }
  }
}
