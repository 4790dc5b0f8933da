import { caps } from '../../../../engine/values/caps'
import { cleanText } from '../../../../engine/values/cleanText'
import { withoutEnd } from '../../../../engine/values/withoutEnd'
import { type Addresses, AFTER_ADDRESS } from './addresses'
import { closingPlaces } from './brackets'

/** What a model replies, and nothing else, when the passages do not contain the answer. */
export const NOT_FOUND_MARKER = 'NO_ANSWER_IN_PASSAGES'

/** Filters an answer as it is streamed. */
export interface AnswerWriter {
  /** @returns what may be shown now; possibly empty while something is incomplete */
  write(delta: string): string
  /** @returns what was held back */
  end(): string
  /** all that was returned, up to the length cap of a text */
  text(): string
  /** whether the length cap is reached: nothing more will be returned */
  isFull(): boolean
  /** the cited passages: at n - 1 the passages (indexes from 0) of number n in the text */
  cites(): number[][]
  /** whether it says that the passages contain no answer */
  saysNotFound(): boolean
  /** how many citations, addresses and images were removed */
  removed(): { citations: number; addresses: number; images: number }
}

interface Rules {
  addresses: Addresses
  /** the source of each passage (number 1 first); passages of one source share a number in the answer */
  sources: readonly string[]
}

/** The most characters held back until a bracket or an address closes; longer ones are neither. */
const LONGEST = 2_500
/** The most characters of a model's output, including removed parts; the rest is ignored. */
const MOST_READ = 4 * caps.text
/** Longer brackets contain no citations. */
const LONGEST_CITATION = 200

/** Possible starts of a citation, a link, an image or an address. */
const SPECIAL = /!?\[|【|<|https?:\/\/|www\.|(?:mailto|tel):/gi
const NUMBERS = /^\^?\s*(?:passages?\s*|sources?\s*)?#?\s*\d{1,3}(?:\s*(?:[,;–-]|and)\s*\^?#?\s*\d{1,3})*\s*$/i
const ADDRESS = /[^\s<>"'`|\\^【】[\]]*/y
const MARKER_LEAD = /^[\s*_`"'“„«([{<#>-]+/u

/**
 * Citations are validated against the given passages and numbered in order of appearance, links are validated against
 * the sources' addresses; images and tags are removed. All before a character is returned, so that nothing shown has to
 * be withdrawn.
 */
export function createAnswerWriter({ addresses, sources }: Rules): AnswerWriter {
  let held = ''
  let shown = ''
  let read = 0
  let began = false
  let notFound = false
  /** within an address that is too long */
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

  /** An address outside a Markdown link. */
  function bare(address: string): string {
    const written = withoutEnd(address, AFTER_ADDRESS)
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

  /** Removes addresses, images and brackets from a link's label. */
  const plain = (label: string): string =>
    withoutTags(addresses.withoutHidden(label))
      .replace(/!?\[|\]/g, '')
      .replace(/(?:https?:\/\/|www\.)\S+/gi, bare)
      .trim()

  /** Consumes the syntax at a position of the held text. @returns null if its end has not arrived */
  function special(at: number, ends: Ends, atEnd: boolean): Taken | null {
    const open = atEnd || held.length - at > LONGEST
    if (held[at] === '【') {
      const close = ends.next('】', at)
      if (close < 0) return open ? { end: at + 1, give: '【' } : null
      return { end: close + 1, give: cite(held.slice(at + 1, close).replace(/[†:].*$/s, '')) }
    }
    if (held[at] === '<') return tag(at, ends, open)
    if (held[at] === '[' || held[at] === '!') return bracket(at, ends, open)
    const address = addressAt(at)
    const end = at + address.length
    if (end === held.length && !atEnd && open) {
      swallowing = true
      removed.addresses++
      return { end, give: '' }
    }
    return end === held.length && !open ? null : { end, give: bare(address) }
  }

  function addressAt(at: number): string {
    ADDRESS.lastIndex = at
    return ADDRESS.exec(held)?.[0] ?? ''
  }

  function tag(at: number, ends: Ends, open: boolean): Taken | null {
    const literal = { end: at + 1, give: '<' }
    const next = held[at + 1]
    if (next === undefined) return open ? literal : null
    if (!/[a-z/!?]/i.test(next)) return literal
    const close = ends.next('>', at)
    if (close < 0 && !open) return null
    if (close < 0) {
      // some readers show an unclosed image, too
      const text = held.slice(at, at + LONGEST + 1)
      return /^<[a-z]+\s[^<]*=/i.test(text) ? { end: at + text.length, give: '' } : literal
    }
    const inner = held.slice(at + 1, close)
    if (/^img\b/i.test(inner)) removed.images++
    return { end: close + 1, give: /^(?:https?:\/\/|mailto:)\S+$/i.test(inner) ? bare(inner) : '' }
  }

  function bracket(at: number, ends: Ends, open: boolean): Taken | null {
    const image = held[at] === '!'
    const start = image ? at + 1 : at
    const close = ends.ofBracket('[', start)
    // an unclosed bracket is text, unless it may hide an image
    if (close < 0) return open ? { end: start + 1, give: image ? '' : '[' } : null
    const label = held.slice(start + 1, close)
    const next = held[close + 1]
    if (next === undefined && !open) return null
    const all = Math.min(held.length, at + LONGEST + 1)
    let end = close + 1
    let target: string | null = null
    if (next === '(' || (next === '[' && image)) {
      const closed = ends.ofBracket(next, close + 1)
      if (closed < 0 && !open) return null
      end = closed < 0 ? Math.max(all, end) : closed + 1
      if (next === '(') target = held.slice(close + 2, closed < 0 ? end : closed)
    }
    if (image) {
      removed.images++
      return { end, give: '' }
    }
    if (label.length <= LONGEST_CITATION && NUMBERS.test(label)) return { end, give: cite(label) }
    if (target !== null) return { end, give: link(label, target) }
    // the content of the brackets is filtered separately
    return { end: at + 1, give: '[' }
  }

  function scan(atEnd: boolean): string {
    let given = ''
    if (swallowing) {
      held = held.slice(addressAt(0).length)
      swallowing = held === ''
    }
    const ends = new Ends(held)
    let from = 0
    for (;;) {
      SPECIAL.lastIndex = from
      const at = SPECIAL.exec(held)?.index ?? -1
      const plainTo = at < 0 ? (atEnd ? held.length : safeEnd(held, from)) : at
      given += addresses.withoutHidden(held.slice(from, plainTo))
      const found = at < 0 ? null : special(at, ends, atEnd)
      if (found) given += found.give
      from = found?.end ?? plainTo
      if (!found) {
        held = held.slice(from)
        return given
      }
    }
  }

  /** Whether it is already certain that this is not the marker. */
  function begins(atEnd: boolean): boolean {
    // an answer does not start with that much whitespace
    if (held.length > LONGEST) return true
    const start = held.replace(MARKER_LEAD, '').toUpperCase().replace(/\s/g, '_')
    if (start.startsWith(NOT_FOUND_MARKER)) notFound = true
    return notFound || atEnd || !NOT_FOUND_MARKER.startsWith(start)
  }

  function take(delta: string, atEnd: boolean): string {
    held += delta.slice(0, Math.max(0, MOST_READ - read))
    read += delta.length
    began ||= begins(atEnd)
    if (!began) return ''
    if (notFound) {
      held = ''
      return ''
    }
    if (held.includes(NOT_FOUND_MARKER)) {
      // the marker came late: the rest of the draft disappears when the answer ends
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
      const tidy = citations + links === 0 ? shown : withoutHoles(shown)
      const text = tidy
        .split('\n')
        .map((line) => withoutEnd(line, ' \t'))
        .join('\n')
        .trim()
      return text.length > caps.text ? cleanText(text.slice(0, caps.text)) : text
    },
    isFull: () => shown.length > caps.text || read > MOST_READ,
    cites: () => places.map((cited) => [...cited]),
    saysNotFound: () => notFound,
    removed: () => ({ ...removed }),
  }
}

/** The output for a piece of an answer, and where the piece ends. */
interface Taken {
  end: number
  give: string
}

/** Finds closing delimiters up to `LONGEST` away. Each kind is searched once, with increasing positions. */
class Ends {
  readonly #brackets = new Map<string, ReadonlyMap<number, number>>()
  readonly #next = new Map<string, number>()

  constructor(private readonly text: string) {}

  /** Of the bracket at a position, counting nested ones; -1 if it isn't closed. */
  ofBracket(opens: '[' | '(', at: number): number {
    const places = this.#brackets.get(opens) ?? closingPlaces(this.text, opens, opens === '[' ? ']' : ')')
    this.#brackets.set(opens, places)
    return near(at, places.get(at) ?? -1)
  }

  next(character: string, from: number): number {
    const known = this.#next.get(character)
    const at = known !== undefined && (known < 0 || known >= from) ? known : this.text.indexOf(character, from)
    this.#next.set(character, at)
    return near(from, at)
  }
}

const near = (from: number, at: number): number => (at - from > LONGEST ? -1 : at)

/** The start of an incomplete address at the end; a long run without whitespace is not an address. */
function safeEnd(text: string, from: number): number {
  let end = text.length
  while (end > from && isPrintable(text.charCodeAt(end - 1))) {
    end--
    if (text.length - end > LONGEST) return text.length
  }
  return end
}

const isPrintable = (code: number): boolean => code > 0x20 && code < 0x7f

/** Same as `replace(/<[^>]*>/g, '')`, but linear for unclosed tags. */
function withoutTags(text: string): string {
  let kept = ''
  for (let at = 0; ; ) {
    const start = text.indexOf('<', at)
    const end = start < 0 ? -1 : text.indexOf('>', start)
    if (end < 0) return kept + text.slice(at)
    kept += text.slice(at, start)
    at = end + 1
  }
}

/** Removes whitespace left by removed parts: before punctuation, doubled, or at line ends. */
const withoutHoles = (text: string): string =>
  text.replace(/ +/g, (spaces, at: number) => {
    const before = text[at - 1]
    if (before === undefined || /\s/.test(before)) return spaces
    const [next, afterNext] = [text[at + spaces.length], text[at + spaces.length + 1]]
    if (next === undefined || next === '\n') return ''
    const ends = (next === '.' || next === ',') && (afterNext === undefined || afterNext === ' ' || afterNext === '\n')
    return ends ? '' : ' '
  })
