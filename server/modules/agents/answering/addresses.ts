import { withoutEnd } from '../../../../engine/values/withoutEnd'
import type { Passage } from '../../knowledge/knowledge'

/** Decides what happens to an address in an answer. */
export interface Addresses {
  /** the address if it may be linked; null: it is not one of the sources', or it is hidden */
  allowed(address: string): string | null
  /** removes hidden parts of addresses from a text */
  withoutHidden(text: string): string
}

const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"'`\])}|\\^]+|(?:mailto|tel):[^\s<>"'`\])}|\\^]+/gi
/** Punctuation after an address that does not belong to it. */
export const AFTER_ADDRESS = `.,;:!?…'"*_)]`
/** A run of characters that may be a web address, with or without scheme. */
const WORD = /[^\s<>"'`()[\]]+/g
const isPlace = (word: string): boolean => word.includes('/') || /[\p{L}\p{N}](?:\.|%2e)\p{L}{2}/iu.test(word)

/**
 * The addresses that may be linked: those of sources, and those in FAQ entries, texts, documents and instructions; of
 * addresses within crawled pages only those on the same site, since anybody may write comments there.
 * @param hidden parts of addresses that are never linked or shown, ignoring case
 */
export function createAddresses(
  passages: readonly Passage[],
  instructions: string,
  hidden: readonly string[],
): Addresses {
  const parts = hidden.map((part) => part.trim().toLowerCase()).filter((part) => part !== '')
  const isHidden = (text: string) => {
    const small = text.toLowerCase()
    const plain = decoded(small)
    return parts.some((part) => small.includes(part) || plain.includes(part))
  }
  const hosts = new Set(passages.flatMap(({ source }) => hostOf(source.url ?? '') ?? []))
  const known = new Set<string>()
  const add = (address: string) => void known.add(canonical(address))
  for (const { source, text } of passages) {
    if (source.url !== null) add(source.url)
    for (const address of addressesIn(text)) {
      const host = hostOf(address)
      if (source.kind !== 'link' || (host !== null && hosts.has(host))) add(address)
    }
  }
  for (const address of addressesIn(instructions)) add(address)
  return {
    allowed(address) {
      const full = /^www\./i.test(address) ? `https://${address}` : address
      return known.has(canonical(full)) && !isHidden(full) ? full : null
    },
    withoutHidden: (text) =>
      parts.length === 0 ? text : text.replace(WORD, (word) => (isPlace(word) && isHidden(word) ? '' : word)),
  }
}

/** For a model that answers on its own: any web address, unless it is hidden. */
export function anyAddresses(hidden: readonly string[]): Addresses {
  const { withoutHidden } = createAddresses([], '', hidden)
  return {
    allowed(address) {
      const full = /^www\./i.test(address) ? `https://${address}` : address
      return hostOf(full) !== null && withoutHidden(full) === full ? full : null
    },
    withoutHidden,
  }
}

const addressesIn = (text: string): string[] =>
  Array.from(text.matchAll(ADDRESS), ([address]) => withoutEnd(address, AFTER_ADDRESS))

/** A canonical form of an address; invalid ones stay as they are. */
function canonical(address: string): string {
  const full = /^www\./i.test(address) ? `https://${address}` : address
  if (!URL.canParse(full)) return full
  const { protocol, host, pathname, search } = new URL(full)
  // the same page, whether or not it is encrypted
  const scheme = protocol === 'http:' ? 'https:' : protocol
  return `${scheme}//${host.replace(/^www\./, '')}${withoutEnd(pathname, '/')}${search}`
}

function hostOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, host } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? host.replace(/^www\./, '') : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
