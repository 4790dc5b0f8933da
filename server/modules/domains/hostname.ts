import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { domainMessage, parseDomain } from '../../../engine/values/rules'
import type { Config } from '../../platform/config/config'

const EXAMPLE = 'chat.example.com'

export interface Hostname {
  /** in lower case, international names in their ASCII form */
  hostname: string
  /** it is a registered domain itself */
  apex: boolean
}

/**
 * Parses a user's input as a chatbot's host; takes the host of a URL.
 * @param own hosts of this installation, which can't be custom domains
 * @returns the host, or what is wrong with it (SPEC.md 5)
 */
export function readHostname(input: string, own: ReadonlySet<string>): Hostname | { wrong: string } {
  const wrong = { wrong: domainMessage(EXAMPLE) }
  const text = input
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\.?\/?$/, '')
  // rejects the other parts of URLs, which the parser would drop
  if (text.length > 253 || /[/:@?#\\%[\]\s]/.test(text)) return wrong
  const hostname = domainToASCII(text)
  // only international names contain two hyphens in a row; their ASCII form must be the same after decoding and
  // encoding
  const spelled = hostname
    .split('.')
    .map((label) => (label.startsWith('xn--') && isPunycode(label) ? 'x' : label))
    .join('.')
  if (hostname === '' || hostname.length > 253 || parseDomain(spelled) === null) return wrong
  if (isIP(hostname) > 0 || own.has(hostname)) return wrong
  const { domain, isIp } = parse(hostname, { allowPrivateDomains: true })
  // null: a public suffix, which many people share
  if (isIp || domain === null) return wrong
  return { hostname, apex: domain === hostname }
}

function isPunycode(label: string): boolean {
  const unicode = domainToUnicode(label)
  return unicode !== '' && unicode !== label && domainToASCII(unicode) === label
}

/** The hosts of the application itself. */
export function ownHosts({ publicUrl, chatUrl, host, domains }: OwnAddresses): Set<string> {
  const urls = [publicUrl, ...(chatUrl ? [chatUrl] : [])]
  return new Set([...urls.map((url) => new URL(url).hostname), host, ...domains.target].map(plainHost))
}
type OwnAddresses = Pick<Config, 'publicUrl' | 'chatUrl' | 'host' | 'domains'>

/** A request's host in lower case, without its port and a final dot. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')

/**
 * The record that a custom domain needs.
 * @returns its type: a CNAME points to a name; an apex domain can't have one, so it needs the provider's ALIAS, or an
 *   address
 */
export function recordFor(apex: boolean, { publicUrl, chatUrl, domains }: OwnAddresses) {
  const targets = domains.target.length > 0 ? domains.target : [plainHost(new URL(chatUrl ?? publicUrl).hostname)]
  const name = targets.find((target) => isIP(target) === 0)
  const address = targets.find((target) => isIP(target) > 0)
  if (address && (apex || !name)) return { type: isIP(address) === 6 ? 'AAAA' : 'A', value: address }
  return { type: apex ? 'ALIAS' : 'CNAME', value: name ?? '' }
}
