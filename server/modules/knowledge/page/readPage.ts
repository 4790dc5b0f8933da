import type { ServerContext } from '../../../platform/context'
import { OutboundError } from '../../../platform/outbound/errors'
import { networksAt } from '../../../platform/outbound/operatorNetworks'
import { createOutboundFetch, type OutboundResponse } from '../../../platform/outbound/outboundFetch'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { runTask } from '../../../platform/workers/runTask'
import { readContent } from '../tasks'
import { contentKind, kindBySaying, mediaType } from './contentKind'
import { createHostGate, type HostGateOptions } from './hostGate'
import { normalizeUrl } from './normalizeUrl'
import type { Page, PageQuery, PageRead } from './pageRead'
import type { PageContent } from './readContent'
import { unread, unreadByStatus, unreadSince } from './reasons'
import { createRobots, type Robots, type RobotsAsker, RobotsUnavailable } from './robots'

export interface PageOptions extends HostGateOptions {
  /** ms per page; default: 30 s */
  timeoutMs?: number
}
export interface Pages {
  /** Reads a web page after checking robots.txt, at its host's pace. Never throws; private addresses are refused. */
  read(url: string, query?: PageQuery): Promise<PageRead>
  /** The robots.txt of an address's site: what may be read, and its sitemaps. Throws what `createRobots` does. */
  robots(url: string, query: Pick<PageQuery, 'owner'>): Promise<Robots>
  /** Fetches another file of a host, at its pace. @throws OutboundError */
  fetch(url: string, maxBytes: number, query: Pick<PageQuery, 'owner' | 'signal'>): Promise<OutboundResponse>
}

const MOST_REDIRECTS = 8
/** The most bytes of a page; the rest is not read. */
const MOST_OF_A_PAGE = 5_000_000
const MOST_OF_A_PDF = 50_000_000
const TIMEOUT = 30_000
/** Pages of a server that demands a longer pause are retried later. */
const LONGEST_REST = 60_000
const MOST_MARK = 500
const LOGIN =
  /(?:^|[/._-])(?:log-?in|sign-?in|logon|sso|auth|oauth2?|saml2?|anmelden|connexion|iniciar-sesion)(?:[/._?-]|$)/i
const ACCEPT = 'text/html,application/xhtml+xml,text/markdown,text/plain,application/pdf;q=0.9,*/*;q=0.1'

/** Creates the page reader of a process. */
export function createPages(
  context: Pick<ServerContext, 'db' | 'config'>,
  options: PageOptions = context.config.pages ?? {},
): Pages {
  const { timeoutMs = TIMEOUT } = options
  const fetchOutbound = createOutboundFetch({ allowed: context.config.outboundAllow })
  const gate = createHostGate(options)
  const robotsOf = createRobots(fetchOutbound)

  /** The identity for robots.txt: the project itself if it has networks of its own. */
  async function askerOf(owner: string | undefined): Promise<RobotsAsker> {
    const everybodys = context.config.outboundAllow
    if (owner === undefined) return { owner: null, allowed: everybodys }
    const allowed = await networksOf(context, owner)
    return { owner: allowed.length > everybodys.length ? owner : null, allowed }
  }

  /** Requests one address, at its host's pace. */
  async function ask(
    url: URL,
    { delay }: Robots,
    { allowed }: RobotsAsker,
    { etag, signal }: PageQuery,
  ): Promise<OutboundResponse> {
    const call = () =>
      fetchOutbound({
        url: url.href,
        headers: [['accept', ACCEPT], ...conditions(etag)],
        timeoutMs,
        maxBytes: ({ status, headers }) => mostBytes(status, headers),
        maxRedirects: 0,
        signal,
        allowed,
      })
    const answer = await gate.enter(url.host, call, { delay, signal })
    const rest = restOf(answer, new Date())
    if (rest > 0) gate.rest(url.host, rest)
    return answer
  }

  async function read(given: string, query: PageQuery = {}): Promise<PageRead> {
    const start = URL.canParse(given) ? new URL(given) : null
    if (!start || !/^https?:$/.test(start.protocol)) return unread('no_address', given)
    const asker = await askerOf(query.owner)
    const seen = new Set<string>()
    for (let url = start; ; ) {
      url.hash = ''
      if (seen.has(url.href)) return unread('redirect_loop', url.href)
      if (seen.size > MOST_REDIRECTS) return unread('too_many_redirects', url.href)
      seen.add(url.href)
      const robots = await robotsOf(url.href, asker)
      if (!robots.allows(url.href)) return unread('robots', url.host)
      const answer = await ask(url, robots, asker, query)
      const next = await settle(answer, url, start, query)
      if (!(next instanceof URL)) return next
      url = next
    }
  }

  /** The result of a response, or a redirect's target. */
  async function settle(answer: OutboundResponse, url: URL, start: URL, query: PageQuery): Promise<PageRead | URL> {
    const { status, headers, body } = answer
    if (status === 304 && query.etag) return { ok: true, unchanged: true }
    const { location } = headers
    if (status >= 300 && status < 400 && location && URL.canParse(location, url.href))
      return new URL(location, url.href)
    const failed = unreadByStatus(status, url, headers)
    if (failed) return failed
    const kind = contentKind(headers['content-type'], body)
    const about = { etag: markOf(headers) }
    if (kind === 'other') return unread('no_text', mediaType(headers['content-type']) || 'something')
    if (kind === 'pdf')
      return answer.cut
        ? unread('too_large', `${MOST_OF_A_PDF / 1e6} MB`)
        : { ok: true, url: url.href, pdf: body, fingerprint: await digestOf(body), ...about }
    const note = answer.cut ? `The page is larger than ${MOST_OF_A_PAGE / 1e6} MB: what follows that is missing.` : null
    const given = { bytes: body, contentType: headers['content-type'], kind, url: url.href }
    const content = await runTask(readContent, given, { owner: query.owner, signal: query.signal })
    const wall = kind === 'html' && LOGIN.test(url.pathname) && !LOGIN.test(start.pathname) && url.href !== start.href
    return contentPage(content, url, wall, { ...about, note })
  }

  return {
    read: (url, query) => read(url, query).catch((error) => whyUnread(error, timeoutMs)),
    robots: async (url, { owner }) => robotsOf(url, await askerOf(owner)),
    async fetch(url, maxBytes, { owner, signal }) {
      const { allowed } = await askerOf(owner)
      const { host } = new URL(url)
      // a Help Center may be where the operator says that Zendesk is: the sandbox
      const there = networksAt(context.config.vendors.zendesk.url, url)
      const call = () => fetchOutbound({ url, maxBytes, timeoutMs, signal, allowed: [...allowed, ...there] })
      const answer = await gate.enter(host, call, { signal })
      const rest = restOf(answer, new Date())
      if (rest > 0) gate.rest(host, rest)
      return answer
    },
  }
}

/** Also for unexpected errors: one page must not fail the others. */
function whyUnread(error: unknown, timeoutMs: number): PageRead {
  if (error instanceof OutboundError) return unreadSince(error, timeoutMs)
  if (error instanceof RobotsUnavailable) return unread('robots_away', error.message)
  if (error instanceof Error && error.name === 'AbortError') return unreadSince(new OutboundError('aborted'), timeoutMs)
  return unread('unreadable', error instanceof Error ? error.message : String(error))
}

/** In libuv's thread pool: a document may have 50 MB. */
const digestOf = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('base64')

/** @param wall whether the address redirected to what looks like a login page */
function contentPage(
  content: PageContent,
  url: URL,
  wall: boolean,
  about: Pick<Page, 'etag' | 'note'>,
): PageRead | URL {
  const { markdown, title, language, canonical, links, noindex, refresh, length, fingerprint, blocks } = content
  if (content.login || (wall && length < 600)) return unread('login', url.host)
  if (refresh && length < 600 && new URL(refresh).href !== url.href) return new URL(refresh)
  if (content.missing) return unread('says_missing', url.href)
  if (length === 0 || content.unfinished) return content.scripted ? unread('scripted', url.host) : unread('empty')
  const where = { url: canonical ?? normalizeUrl(url.href) ?? url.href, address: url.href }
  return {
    ok: true,
    ...where,
    title: title || url.host,
    markdown,
    language,
    links,
    noindex,
    fingerprint,
    blocks,
    ...about,
  }
}

/** The mark of a state: the ETag, otherwise the last modification. */
function markOf({ etag, 'last-modified': changed }: Record<string, string>): string | null {
  const mark = etag || (changed && `changed ${changed}`) || null
  return mark && mark.length <= MOST_MARK ? mark : null
}

function conditions(mark: string | null | undefined): (readonly [string, string])[] {
  if (!mark) return []
  const changed = /^changed (.+)$/.exec(mark)?.[1]
  return changed ? [['if-modified-since', changed]] : [['if-none-match', mark]]
}

/** Reads nothing of other file types, and never more than the type's limit. */
function mostBytes(status: number, headers: Record<string, string>): number {
  if (status < 200 || status >= 300) return 0
  const kind = kindBySaying(headers['content-type'])
  if (kind === 'other') return 0
  return kind === 'html' || kind === 'text' ? MOST_OF_A_PAGE : MOST_OF_A_PDF
}

/** The pause in ms that a host demands. */
function restOf({ status, headers }: OutboundResponse, now: Date): number {
  if (status !== 429 && status !== 503) return 0
  const after = headers['retry-after'] ?? ''
  const ms = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - now.getTime()
  return Math.min(Math.max(Number.isNaN(ms) ? 5_000 : ms, 0), LONGEST_REST)
}
