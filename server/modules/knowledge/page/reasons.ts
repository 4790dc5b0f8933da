import { STATUS_CODES } from 'node:http'
import type { OutboundError, OutboundErrorCode } from '../../../platform/outbound/errors'

/** Why a page was not read, one row per cause: a sentence that names the value and the remedy. */
const reasons = {
  no_address: (url) => `"${url}" is not a page URL. Enter one that starts with https:// or http://.`,
  robots: (host) =>
    `${host} does not allow this page to be read (robots.txt). If it is your site, allow Parley; otherwise add the text as a text source.`,
  robots_away: (value) => `${value}, so robots.txt could not be checked. Try again later.`,
  login: (host) => `The page requires a login at ${host}. Make it public, or add its text as a text source.`,
  refused: (host) =>
    `${host} blocks automated visitors. If it is your site, allow Parley; otherwise add the text as a text source.`,
  missing: (url) => `There is no page at ${url}. Check the URL, or delete this source.`,
  says_missing: (url) => `The page at ${url} says that it was not found. Check the URL, or delete this source.`,
  busy: (host) => `${host} is too busy. Try again later.`,
  failing: (value) => `${value}. Try again later.`,
  status: (value) => `${value}. Check the URL.`,
  redirect_loop: (url) => `The URL redirects in a circle, back to ${url}. Enter the final URL.`,
  too_many_redirects: (url) => `The URL redirects too many times, last to ${url}. Enter the final URL.`,
  slow: (seconds) => `The page did not load within ${seconds} s. Try again later, or check the URL.`,
  too_large: (limit) => `The page is larger than ${limit}. Enter the URL of a smaller page.`,
  no_text: (type) => `The URL returns ${type}, not a page with text. Enter the URL of a page or a PDF.`,
  scripted: (host) =>
    `The page only has text after scripts run, and Parley runs none. Use another page of ${host}, or add its text as a text source.`,
  empty: () => 'The page has no text. Check the URL, or add the text as a text source.',
  unreadable: (why) => `The page could not be parsed: ${why}. Use another page, or add its text as a text source.`,
} as const satisfies Record<string, (value: string) => string>
type ReasonCode = keyof typeof reasons
/** One of our own, or of an outgoing call. */
export type UnreadCode = ReasonCode | OutboundErrorCode

/** Temporary causes. */
const PASSING = new Set<ReasonCode>(['robots_away', 'busy', 'failing', 'slow'])
const PASSING_OUTSIDE = new Set<OutboundErrorCode>(['timeout', 'refused', 'unreachable', 'closed', 'aborted'])

export const unread = (code: ReasonCode, value = ''): UnreadPage => ({
  ok: false,
  code,
  reason: reasons[code](value.length > 200 ? `${value.slice(0, 200)}…` : value),
  passing: PASSING.has(code),
})

/** Converts a call's error for a page. @param timeoutMs its time limit */
export function unreadSince({ code, message }: OutboundError, timeoutMs: number): UnreadPage {
  if (code === 'timeout') return unread('slow', String(timeoutMs / 1_000))
  return { ok: false, code, reason: message, passing: PASSING_OUTSIDE.has(code) }
}

/** The reason for a status; null if the response is a page. */
export function unreadByStatus(status: number, url: URL, headers: Record<string, string>): UnreadPage | null {
  if (status >= 200 && status < 300) return null
  const said = `${url.host} answered with status ${status}${STATUS_CODES[status] ? ` (${STATUS_CODES[status]})` : ''}`
  if (headers['cf-mitigated'] === 'challenge') return unread('refused', url.host)
  if (status === 401 || status === 407) return unread('login', url.host)
  // most of these need a login; but many only refuse programs
  if (status === 403) return unread('refused', url.host)
  if (status === 404 || status === 410) return unread('missing', url.href)
  if (status === 429 || status === 503) return unread('busy', url.host)
  return unread(status >= 500 ? 'failing' : 'status', said)
}

export interface UnreadPage {
  ok: false
  code: UnreadCode
  /** a sentence with the remedy, for the person who gave the address */
  reason: string
  /** it may well be read later: the server was busy, slow or away */
  passing: boolean
}
