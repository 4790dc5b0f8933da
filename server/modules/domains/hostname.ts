import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { domainMessage, parseDomain } from '../../../engine/values/rules'
import type { Config } from '../../platform/config/config'

const EXAMPLE = 'chat.example.com'

export interface Hostname {
  /** in small letters, names of other scripts in their ASCII form */
  hostname: string
  /** it is a registered domain itself */
  apex: boolean
}

/**
 * Reads what somebody enters as a chatbot's own host; an address in the place of a host is read as its host.
 * @param own hosts of this installation, which are nobody's domain
 * @returns the host, or what is wrong with it (SPEC.md 5)
 */
export function readHostname(input: string, own: ReadonlySet<string>): Hostname | { wrong: string } {
  const wrong = { wrong: domainMessage(EXAMPLE) }
  const text = input
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\.?\/?$/, '')
  // what an address may have besides a host would be read as no part of it
  if (text.length > 253 || /[/:@?#\\%[\]\s]/.test(text)) return wrong
  const hostname = domainToASCII(text)
  // two hyphens in a row stand in no name but those of other scripts, which have to come out the same when they are read and written again
  const spelled = hostname
    .split('.')
    .map((label) => (label.startsWith('xn--') && isPunycode(label) ? 'x' : label))
    .join('.')
  if (hostname === '' || hostname.length > 253 || parseDomain(spelled) === null) return wrong
  if (isIP(hostname) > 0 || own.has(hostname)) return wrong
  const { domain, isIp } = parse(hostname, { allowPrivateDomains: true })
  // null: a public suffix, which is many people's
  if (isIp || domain === null) return wrong
  return { hostname, apex: domain === hostname }
}

function isPunycode(label: string): boolean {
  const unicode = domainToUnicode(label)
  return unicode !== '' && unicode !== label && domainToASCII(unicode) === label
}

/** The hosts at which the application itself is reached. */
export function ownHosts({ publicUrl, chatUrl, host, domains }: OwnAddresses): Set<string> {
  const urls = [publicUrl, ...(chatUrl ? [chatUrl] : [])]
  return new Set([...urls.map((url) => new URL(url).hostname), host, ...domains.target].map(plainHost))
}
type OwnAddresses = Pick<Config, 'publicUrl' | 'chatUrl' | 'host' | 'domains'>

/** A host as a request names it, without its port and a dot at the end, in small letters. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')

/**
 * What the record at a custom domain is to hold.
 * @returns its type: a CNAME leads to a name; an apex can have none, so a provider's ALIAS does, or an address
 */
export function recordFor(apex: boolean, { publicUrl, chatUrl, domains }: OwnAddresses) {
  const targets = domains.target.length > 0 ? domains.target : [plainHost(new URL(chatUrl ?? publicUrl).hostname)]
  const name = targets.find((target) => isIP(target) === 0)
  const address = targets.find((target) => isIP(target) > 0)
  if (address && (apex || !name)) return { type: isIP(address) === 6 ? 'AAAA' : 'A', value: address }
  return { type: apex ? 'ALIAS' : 'CNAME', value: name ?? '' }
}
