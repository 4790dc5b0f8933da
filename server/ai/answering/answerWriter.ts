import type { Addresses } from './addresses'

/** What a model writes first, and alone, when the passages do not hold the answer. */
export const NOT_FOUND_MARKER = 'NO_ANSWER_IN_PASSAGES'

/** Takes an answer as it is written and gives what of it may be shown. */
export interface AnswerWriter {
  /** @returns what may be shown now; may be empty while something is not complete */
  write(delta: string): string
  /** @returns what was held back */
  end(): string
  /** everything that was given */
  text(): string
  /** the passages that it cites: at n - 1 the places (from 0) behind the number n of the text */
  cites(): number[][]
  /** it says that the passages hold no answer */
  saysNotFound(): boolean
  /** how many numbers, addresses and pictures were taken out */
  removed(): { citations: number; addresses: number; images: number }
}

interface Rules {
  addresses: Addresses
  /** by the number that a passage was given (from 1): which source it belongs to; the same source has one number in the answer */
  sources: readonly string[]
}

/** Characters that are waited for until a bracket or an address closes; a longer one is none. */
const LONGEST = 2_500

/** What may begin a citation, a link, a picture or an address. */
const SPECIAL = /!?\[|【|<|https?:\/\/|www\.|(?:mailto|tel):/i
const NUMBERS = /^\^?\s*(?:passages?\s*|sources?\s*)?#?\s*\d{1,3}(?:\s*(?:[,;–-]|and)\s*\^?#?\s*\d{1,3})*\s*$/i
const ADDRESS = /^[^\s<>"'`|\\^【】[\]]+/
const TRAILING = /[.,;:!?…'"*_)\]]+$/u
const MARKER_LEAD = /^[\s*_`"'“„«([{<#>-]+/u

/**
 * Citations are checked against the passages that were given and numbered in the order in which they come up, links against the addresses
 * of the sources; pictures and tags are left out. All of it happens before a letter is given out, so that nothing that was shown has to be
 * taken back.
 */
export function createAnswerWriter({ addresses, sources }: Rules): AnswerWriter {
  let held = ''
  let shown = ''
  let began = false
  let notFound = false
  /** in an address that is too long to be one */
  let swallowing = false
  const numbers = new Map<string, number>()
  const places: number[][] = []
  const removed = { citations: 0, addresses: 0, images: 0 }

  function cite(written: string): string {
    const wanted = [...new Set(written.match(/\d+/g)?.map(Number))]
    const found = wanted.flatMap((number) => {
      const source = sources[number - 1]
      if (source === undefined) {
        removed.citations++
        return []
      }
      const own = numbers.get(source) ?? numbers.size + 1
      numbers.set(source, own)
      const cited = places[own - 1] ?? []
      if (!cited.includes(number - 1)) cited.push(number - 1)
      places[own - 1] = cited
      return own
    })
    return [...new Set(found)].map((number) => `[${number}]`).join('')
  }

  /** An address that stands by itself. */
  function bare(address: string): string {
    const written = address.replace(TRAILING, '')
    const after = address.slice(written.length)
    const allowed = addresses.allowed(written)
    if (allowed === null) removed.addresses++
    return `${allowed === null ? '' : written}${after}`
  }

  function link(label: string, target: string): string {
    const address = target.trim().replace(/^<([^>]*)>.*$|^(\S+).*$/s, '$1$2')
    const words = plain(label)
    const allowed = addresses.allowed(address)
    if (allowed === null) {
      removed.addresses++
      return words
    }
    return `[${words === '' ? allowed : words}](${allowed.replaceAll('(', '%28').replaceAll(')', '%29')})`
  }

  /** A label's own addresses, pictures and brackets. */
  const plain = (label: string): string =>
    addresses
      .withoutHidden(label)
      .replace(/!?\[|\]|<[^>]*>/g, '')
      .replace(/(?:https?:\/\/|www\.)\S+/gi, bare)
      .trim()

  /** Takes what begins at the start of `text`. @returns null while its end has not come */
  function special(text: string, atEnd: boolean): { take: number; give: string } | null {
    const open = atEnd || text.length > LONGEST
    const literal = { take: 1, give: text.slice(0, 1) }
    if (text.startsWith('【')) {
      const close = text.indexOf('】')
      if (close < 0) return open ? literal : null
      return { take: close + 1, give: cite(text.slice(1, close).replace(/[†:].*$/s, '')) }
    }
    if (text.startsWith('<')) return tag(text, open)
    if (/^!?\[/.test(text)) return bracket(text, open)
    const [address = ''] = ADDRESS.exec(text) ?? []
    if (address.length === text.length && !atEnd && open) {
      swallowing = true
      removed.addresses++
      return { take: address.length, give: '' }
    }
    return address.length === text.length && !open ? null : { take: address.length, give: bare(address) }
  }

  function tag(text: string, open: boolean): { take: number; give: string } | null {
    const literal = { take: 1, give: '<' }
    if (text.length === 1) return open ? literal : null
    if (!/^<[a-z/!?]/i.test(text)) return literal
    const close = text.indexOf('>')
    if (close < 0 && !open) return null
    // one that never closes may still be a picture to somebody who is lenient
    if (close < 0) return /^<[a-z]+\s[^<]*=/i.test(text) ? { take: text.length, give: '' } : literal
    const inner = text.slice(1, close)
    if (/^img\b/i.test(inner)) removed.images++
    return { take: close + 1, give: /^(?:https?:\/\/|mailto:)\S+$/i.test(inner) ? bare(inner) : '' }
  }

  function bracket(text: string, open: boolean): { take: number; give: string } | null {
    const image = text.startsWith('!')
    const start = image ? 1 : 0
    const close = closing(text, start, '[', ']')
    // a bracket that never closes is a bracket, unless it might have hidden a picture
    if (close < 0) return open ? { take: start + 1, give: image ? '' : '[' } : null
    const label = text.slice(start + 1, close)
    const next = text[close + 1]
    if (next === undefined && !open) return null
    let end = close + 1
    let target: string | null = null
    if (next === '(') {
      const closed = closing(text, close + 1, '(', ')')
      if (closed < 0 && !open) return null
      end = closed < 0 ? text.length : closed + 1
      target = text.slice(close + 2, closed < 0 ? undefined : closed)
    } else if (next === '[' && image) {
      const closed = closing(text, close + 1, '[', ']')
      if (closed < 0 && !open) return null
      end = closed < 0 ? text.length : closed + 1
    }
    if (image) {
      removed.images++
      return { take: end, give: '' }
    }
    if (NUMBERS.test(label)) return { take: end, give: cite(label) }
    if (target !== null) return { take: end, give: link(label, target) }
    // what stands in the brackets is looked through by itself
    return { take: 1, give: '[' }
  }

  function scan(atEnd: boolean): string {
    let given = ''
    if (swallowing) {
      held = held.replace(ADDRESS, '')
      swallowing = held === ''
    }
    for (;;) {
      const at = held.search(SPECIAL)
      if (at < 0) {
        const safe = atEnd ? held.length : held.length - (/[!-~]*$/.exec(held)?.[0].length ?? 0)
        // a long run without a space is no address any more
        const take = held.length - safe > LONGEST ? held.length : safe
        given += addresses.withoutHidden(held.slice(0, take))
        held = held.slice(take)
        return given
      }
      given += addresses.withoutHidden(held.slice(0, at))
      held = held.slice(at)
      const found = special(held, atEnd)
      if (!found) return given
      given += found.give
      held = held.slice(Math.max(1, found.take))
    }
  }

  /** Whether nothing has to be waited for to know that this is not the marker. */
  function begins(atEnd: boolean): boolean {
    const start = held.replace(MARKER_LEAD, '').toUpperCase().replace(/\s/g, '_')
    if (start.startsWith(NOT_FOUND_MARKER)) notFound = true
    return notFound || atEnd || !NOT_FOUND_MARKER.startsWith(start)
  }

  function take(delta: string, atEnd: boolean): string {
    held += delta
    began ||= begins(atEnd)
    if (!began) return ''
    if (notFound) {
      held = ''
      return ''
    }
    if (held.includes(NOT_FOUND_MARKER)) {
      // said too late: whoever reads along sees the rest vanish when the answer comes
      notFound = true
      held = ''
      return ''
    }
    const given = shown === '' ? scan(atEnd).trimStart() : scan(atEnd)
    shown += given
    return given
  }

  return {
    write: (delta) => take(delta, false),
    end: () => take('', true),
    text() {
      if (notFound) return ''
      const { citations, addresses: links } = removed
      const tidy = citations + links === 0 ? shown : shown.replace(/(?<=\S) +(?=[.,]( |$)| |$)/gm, '')
      return tidy.replace(/[ \t]+$/gm, '').trim()
    },
    cites: () => places.map((cited) => [...cited]),
    saysNotFound: () => notFound,
    removed: () => ({ ...removed }),
  }
}

/** Where what opens at `from` closes, others of its kind within it; -1 when it doesn't. */
function closing(text: string, from: number, opens: string, closes: string): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === opens) depth++
    else if (text[at] === closes && --depth === 0) return at
  }
  return -1
}
