import { caps } from '../../../../engine/values/caps'
import { cleanText } from '../../../../engine/values/cleanText'
import { withoutEnd } from '../../../../engine/values/withoutEnd'
import { type Addresses, AFTER_ADDRESS } from './addresses'
import { closingPlaces } from './brackets'

/** What a model writes first, and alone, when the passages do not hold the answer. */
export const NOT_FOUND_MARKER = 'NO_ANSWER_IN_PASSAGES'

/** Takes an answer as it is written and gives what of it may be shown. */
export interface AnswerWriter {
  /** @returns what may be shown now; may be empty while something is not complete */
  write(delta: string): string
  /** @returns what was held back */
  end(): string
  /** everything that was given, up to the characters that a text may have */
  text(): string
  /** nothing more will be given out, whatever is written: the answer is as long as one may be */
  isFull(): boolean
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
/** Of what a model writes, with what is taken out of it; the rest is not read. */
const MOST_READ = 4 * caps.text
/** Longer brackets hold no numbers of passages. */
const LONGEST_CITATION = 200

/** What may begin a citation, a link, a picture or an address. */
const SPECIAL = /!?\[|【|<|https?:\/\/|www\.|(?:mailto|tel):/gi
const NUMBERS = /^\^?\s*(?:passages?\s*|sources?\s*)?#?\s*\d{1,3}(?:\s*(?:[,;–-]|and)\s*\^?#?\s*\d{1,3})*\s*$/i
const ADDRESS = /[^\s<>"'`|\\^【】[\]]*/y
const MARKER_LEAD = /^[\s*_`"'“„«([{<#>-]+/u

/**
 * Citations are checked against the passages that were given and numbered in the order in which they come up, links against the addresses
 * of the sources; pictures and tags are left out. All of it happens before a letter is given out, so that nothing that was shown has to be
 * taken back.
 */
export function createAnswerWriter({ addresses, sources }: Rules): AnswerWriter {
  let held = ''
  let shown = ''
  let read = 0
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

  /** A label's own addresses, pictures and brackets. */
  const plain = (label: string): string =>
    withoutTags(addresses.withoutHidden(label))
      .replace(/!?\[|\]/g, '')
      .replace(/(?:https?:\/\/|www\.)\S+/gi, bare)
      .trim()

  /** Takes what begins at a place of what is held. @returns null while its end has not come */
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
      // one that never closes may still be a picture to somebody who is lenient
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
    // a bracket that never closes is a bracket, unless it might have hidden a picture
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
    // what stands in the brackets is looked through by itself
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

  /** Whether nothing has to be waited for to know that this is not the marker. */
  function begins(atEnd: boolean): boolean {
    // nobody begins by so much of nothing
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

/** What is given for a piece of an answer, and where that ends. */
interface Taken {
  end: number
  give: string
}

/** Where something closes in a text; what is further away than `LONGEST` is none. Each kind is looked for once, in the order of the text. */
class Ends {
  readonly #brackets = new Map<string, ReadonlyMap<number, number>>()
  readonly #next = new Map<string, number>()

  constructor(private readonly text: string) {}

  /** Of the bracket at a place, others of its kind within it; -1 when it doesn't. */
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

/** Where what may still become an address begins; a long run without a space is none any more. */
function safeEnd(text: string, from: number): number {
  let end = text.length
  while (end > from && isPrintable(text.charCodeAt(end - 1))) {
    end--
    if (text.length - end > LONGEST) return text.length
  }
  return end
}

const isPrintable = (code: number): boolean => code > 0x20 && code < 0x7f

/** As `replace(/<[^>]*>/g, '')`, which looks for the end of each that never closes. */
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

/** A text without the spaces that what was taken out has left: before a point or a comma, two in a row, at the end of a line. */
const withoutHoles = (text: string): string =>
  text.replace(/ +/g, (spaces, at: number) => {
    const before = text[at - 1]
    if (before === undefined || /\s/.test(before)) return spaces
    const [next, afterNext] = [text[at + spaces.length], text[at + spaces.length + 1]]
    if (next === undefined || next === '\n') return ''
    const ends = (next === '.' || next === ',') && (afterNext === undefined || afterNext === ' ' || afterNext === '\n')
    return ends ? '' : ' '
  })
