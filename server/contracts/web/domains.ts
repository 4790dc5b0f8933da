/** Domains whose pages may hold a chatbot, as editors write them: `example.com`, `*.example.com`, `localhost:3000`. */

/** An entry as it is kept: what a pasted address has around its host is taken off. */
export const tidyDomain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.(?=$|:)/, '')

const SHAPE = /^(\*\.)?([^\s*:/@\\]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/

interface Domain {
  /** all below it, and not itself */
  below: boolean
  /** as browsers write it: names of other scripts in punycode */
  host: string
  /** empty: any */
  port: string
}

/**
 * SPEC.md 5, domain: no double hyphen (but in what punycode begins with), no leading or trailing hyphen. Null for what
 * is none.
 */
function parseDomain(text: string): Domain | null {
  const [, wildcard, name = '', port = ''] = SHAPE.exec(tidyDomain(text)) ?? []
  if (!name || !URL.canParse(`http://${name}`)) return null
  const host = new URL(`http://${name}`).hostname
  const labels = host.startsWith('[') ? [] : host.split('.')
  const wrong = labels.some((label) => !label || /^-|-$|^(?!xn--).*--/.test(label))
  if (wrong || Number(port || 1) > 65_535 || Number(port || 1) < 1) return null
  // below an address there is nothing
  if (wildcard && (host.startsWith('[') || /^[\d.]+$/.test(host))) return null
  return { below: wildcard !== undefined, host, port }
}

export const isDomain = (text: string): boolean => parseDomain(text) !== null

/**
 * Whether pages of an origin may hold the chatbot.
 * @param domains none: pages of all
 * @param origin as the browser says it; `null` (sandboxed pages, files) is nobody's
 */
export function mayEmbed(domains: readonly string[], origin: string): boolean {
  if (domains.length === 0) return true
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
  const { hostname, protocol, port: given } = new URL(origin)
  const port = given || (protocol === 'https:' ? '443' : '80')
  return domains.some((text) => {
    const domain = parseDomain(text)
    if (!domain || (domain.port && domain.port !== port)) return false
    const { below, host } = domain
    return below ? hostname.endsWith(`.${host}`) && hostname.length > host.length + 1 : hostname === host
  })
}

/** The same as sources of `frame-ancestors` (Content Security Policy, level 3). */
export function frameAncestors(domains: readonly string[]): string {
  if (domains.length === 0) return '*'
  const sources = domains.flatMap((text) => {
    const domain = parseDomain(text)
    if (!domain) return []
    const host = `${domain.below ? '*.' : ''}${domain.host}:${domain.port || '*'}`
    return [`http://${host}`, `https://${host}`]
  })
  return ["'self'", ...sources].join(' ')
}
