import { STATUS_CODES } from 'node:http'
import type { OutsideError, OutsideErrorCode } from '../../outside/errors'
import type { UnreadPage } from './pageRead'

/** Why a page was not read: one row a cause, each a sentence that names the value and the remedy. */
const reasons = {
  no_address: (url) => `"${url}" is no address of a page: give one that starts with https:// or http://.`,
  robots: (host) =>
    `${host} asks programs not to read this page (robots.txt). If the site is yours, allow Parley there; else copy the text into a text source.`,
  robots_away: (value) => `${value}, so it is not known which pages may be read. Try again later.`,
  login: (host) =>
    `The page is behind a login of ${host}, and Parley has no account there. Make it public, or copy its text into a text source.`,
  refused: (host) =>
    `${host} refuses to give the page to programs. If the site is yours, let Parley in; else copy the text into a text source.`,
  missing: (url) => `There is no page at ${url} any more. Check the address, or delete this source.`,
  says_missing: (url) =>
    `The page at ${url} says itself that it was not found. Check the address, or delete this source.`,
  busy: (host) => `${host} is too busy to answer now. Try again later.`,
  failing: (value) => `${value}. The fault is there: try again later.`,
  status: (value) => `${value}, which is no page. Check the address.`,
  redirect_loop: (url) => `The address leads in a circle, back to ${url}. Give the address that a browser ends at.`,
  too_many_redirects: (url) => `The address was redirected too many times, at last to ${url}. Give the final address.`,
  slow: (seconds) => `The page did not arrive within ${seconds} s. Try again later, or check the address.`,
  too_large: (limit) => `What lies at the address is larger than ${limit}. Give the address of a smaller part of it.`,
  no_text: (type) => `The address gives ${type}, not a page with text. Give the address of a page, or of a PDF.`,
  scripted: (host) =>
    `The page has no text until scripts run in a browser, and Parley runs none. Give another page of ${host}, or copy its text into a text source.`,
  empty: () => 'The page holds no text. Check the address, or copy the text into a text source.',
  unreadable: (why) =>
    `The page could not be taken apart: ${why}. Give another page, or copy its text into a text source.`,
} as const satisfies Record<string, (value: string) => string>
type ReasonCode = keyof typeof reasons
/** Why: one of ours, or of a call's. */
export type UnreadCode = ReasonCode | OutsideErrorCode

/** What may be otherwise soon. */
const PASSING = new Set<ReasonCode>(['robots_away', 'busy', 'failing', 'slow'])
const PASSING_OUTSIDE = new Set<OutsideErrorCode>(['timeout', 'refused', 'unreachable', 'closed', 'aborted'])

export const unread = (code: ReasonCode, value = ''): UnreadPage => ({
  ok: false,
  code,
  reason: reasons[code](value.length > 200 ? `${value.slice(0, 200)}…` : value),
  passing: PASSING.has(code),
})

/** What a call failed with, as it is said of a page. @param timeoutMs what it was given */
export function unreadSince({ code, message }: OutsideError, timeoutMs: number): UnreadPage {
  if (code === 'timeout') return unread('slow', String(timeoutMs / 1_000))
  return { ok: false, code, reason: message, passing: PASSING_OUTSIDE.has(code) }
}

/** What a status that is no page is said to be; null for one that gives a page. */
export function unreadByStatus(status: number, url: URL, headers: Record<string, string>): UnreadPage | null {
  if (status >= 200 && status < 300) return null
  const said = `${url.host} answered with status ${status}${STATUS_CODES[status] ? ` (${STATUS_CODES[status]})` : ''}`
  if (headers['cf-mitigated'] === 'challenge') return unread('refused', url.host)
  if (status === 401 || status === 407) return unread('login', url.host)
  // most of those want a login; many, though, are shut for programs alone
  if (status === 403) return unread('refused', url.host)
  if (status === 404 || status === 410) return unread('missing', url.href)
  if (status === 429 || status === 503) return unread('busy', url.host)
  return unread(status >= 500 ? 'failing' : 'status', said)
}
