/** Parameters that say who came from where, or which visit it is: the page is the same without them. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|twclid|ttclid|yclid|igshid|li_fat_id|mc_[ce]id|_hs\w+|hsctatracking|mkt_tok|vero_id|oly_\w+_id|_ga|_gl|pk_\w+|mtm_\w+|wt_mc|s_cid|ref_src|srsltid)$/i
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|sessionid|session_id|sess_?id|sid)$/i
/** A session's id in the path, as servlets write it, and in brackets, as ASP.NET does. */
const SESSION_IN_PATH = /;jsessionid=[^/?#]*|\/\([as]\([a-z0-9]{8,}\)\)/gi

/** Characters of an address, more than crawls and fields take: names of hosts cost more to read than by their length. */
const LONGEST = 4_096

/**
 * The address of a page as it is asked for and kept: without fragment, tracking, sessions and default ports, its parameters in order.
 * What is no address of the web gives null. @param base for an address that is relative
 */
export function normalizeUrl(text: string, base?: string): string | null {
  if (text.length > LONGEST || !URL.canParse(text, base)) return null
  const url = new URL(text, base)
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') return null
  url.hash = ''
  url.pathname = url.pathname.replace(SESSION_IN_PATH, '').replace(/\/{2,}/g, '/') || '/'
  const params = [...url.searchParams].filter(([name]) => !TRACKING.test(name) && !SESSION.test(name))
  if (params.length < url.searchParams.size || !inOrder(params)) {
    params.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    url.search = new URLSearchParams(params).toString()
  }
  // a question mark with nothing behind it goes
  if (url.search === '') url.search = ''
  return url.href
}

const inOrder = (params: [string, string][]): boolean =>
  params.every(([name], at) => at === 0 || (params[at - 1]?.[0] ?? '') <= name)

/** Names of a folder's own page. */
const INDEX = /\/(?:index|default)\.(?:html?|php|aspx?)$/i

/** Addresses with one key are one page: http and https, with www and without, with a slash at the end and without. */
export function urlKey(url: string): string {
  const { host, pathname, search } = new URL(url)
  const path = pathname.replace(INDEX, '/').replace(/\/+$/, '')
  return `${host.replace(/^www\./, '')}${path}${search}`
}

/** What tells a site from another: the host, with www or without. */
export const siteOf = (url: string): string => new URL(url).host.replace(/^www\./, '')
