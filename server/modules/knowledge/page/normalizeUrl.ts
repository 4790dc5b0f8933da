/** Parameters for tracking or sessions, which don't change the page. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|twclid|ttclid|yclid|igshid|li_fat_id|mc_[ce]id|_hs\w+|hsctatracking|mkt_tok|vero_id|oly_\w+_id|_ga|_gl|pk_\w+|mtm_\w+|wt_mc|s_cid|ref_src|srsltid)$/i
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|sessionid|session_id|sess_?id|sid)$/i
/** A session id in the path, as servlets and ASP.NET write it. */
const SESSION_IN_PATH = /;jsessionid=[^/?#]*|\/\([as]\([a-z0-9]{8,}\)\)/gi

/** Longer addresses are refused (crawls and fields accept less): parsing host names is not linear. */
const LONGEST = 4_096

/**
 * Normalises a page's address for requests and storage: without fragment, tracking, sessions and default ports,
 * parameters sorted. Null if it is not a web address. @param base for a relative address
 */
export function normalizeUrl(text: string, base?: string): string | null {
  const url = text.length > LONGEST ? null : parsed(text, base)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') return null
  // each part that is set parses the address anew: a page has hundreds
  if (url.href.includes('#')) url.hash = ''
  const path = url.pathname.replace(SESSION_IN_PATH, '').replace(/\/{2,}/g, '/') || '/'
  if (path !== url.pathname) url.pathname = path
  if (!url.href.includes('?')) return url.href
  const params = [...url.searchParams].filter(([name]) => !TRACKING.test(name) && !SESSION.test(name))
  if (params.length < url.searchParams.size || !inOrder(params)) {
    params.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    url.search = new URLSearchParams(params).toString()
  }
  // remove an empty query
  if (url.search === '') url.search = ''
  return url.href
}

/** By one parse: asking beforehand whether it can be parsed takes another. */
function parsed(text: string, base: string | undefined): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

const inOrder = (params: [string, string][]): boolean =>
  params.every(([name], at) => at === 0 || (params[at - 1]?.[0] ?? '') <= name)

/** File names of a folder's index page. */
const INDEX = /\/(?:index|default)\.(?:html?|php|aspx?)$/i

/**
 * A key that is equal for addresses of the same page: with http or https, with www or without, with a trailing slash or
 * without.
 */
export function urlKey(url: string): string {
  const { host, pathname, search } = new URL(url)
  const path = pathname.replace(INDEX, '/').replace(/\/+$/, '')
  return `${host.replace(/^www\./, '')}${path}${search}`
}

/** Identifies a site: the host without www. */
export const siteOf = (url: string): string => new URL(url).host.replace(/^www\./, '')
