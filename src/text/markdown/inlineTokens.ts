/** A piece of inline syntax. */
export interface InlineToken {
  at: number
  end: number
  as: 'escaped' | 'code' | 'link' | 'bold' | 'italic'
  /** its content: the character, a link's text, the emphasised text */
  inner: string
  /** a link's address, as written */
  target?: string
}

const ESCAPABLE = /[!-/:-@[-`{-~]/
const TARGET = /\((?:<(?<framed>[^<>\n]*)>|(?<bare>(?:[^\s()\\]|\\.|\([^\s()]*\))+))\)/sy
const SPECIAL = /[\\`[*_]/g

/**
 * The inline syntax of a Markdown line, from left to right. Closing delimiters are searched once for all openings: a
 * thousand unclosed ones are not a thousand searches.
 */
export function* inlineTokens(text: string): Generator<InlineToken> {
  const line = new Line(text)
  for (let from = 0; ; ) {
    SPECIAL.lastIndex = from
    const at = SPECIAL.exec(text)?.index
    if (at === undefined) return
    const token = line.tokenAt(at)
    if (token) yield token
    from = token?.end ?? at + 1
  }
}

class Line {
  /** by kind: the next position from `from` on; queried with increasing positions */
  readonly #next = new Map<string, { from: number; at: number }>()
  /** 1: escaped by a backslash */
  readonly #escaped: Uint8Array
  readonly #runs: ReadonlyMap<number, readonly number[]>

  constructor(private readonly text: string) {
    this.#escaped = new Uint8Array(text.length + 1)
    for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 2)) this.#escaped[at + 1] = 1
    this.#runs = runsOfBackticks(text)
  }

  tokenAt(at: number): InlineToken | null {
    const { text } = this
    const next = text[at + 1] ?? ''
    switch (text[at]) {
      case '\\':
        return ESCAPABLE.test(next) ? { at, end: at + 2, as: 'escaped', inner: next } : null
      case '`':
        return this.#code(at)
      case '[':
        return this.#link(at)
      case '*':
        return next === '*' ? this.#bold(at, '**') : this.#italic(at, '*')
      default:
        // within a word it is an ordinary character
        if (isWord(text[at - 1])) return null
        return next === '_' ? this.#bold(at, '__') : this.#italic(at, '_')
    }
  }

  #code(at: number): InlineToken | null {
    const { text } = this
    let length = 1
    while (text[at + length] === '`') length++
    const close = firstFrom(this.#runs.get(length) ?? [], at + length)
    if (close < 0) return null
    const end = close + length
    return { at, end, as: 'code', inner: text.slice(at, end) }
  }

  #link(at: number): InlineToken | null {
    const { text } = this
    const close = this.#find('brackets', at + 1, (place) => text[place] === '[' || text[place] === ']')
    if (close <= at + 1 || text[close] !== ']') return null
    TARGET.lastIndex = close + 1
    const target = TARGET.exec(text)
    if (!target) return null
    const { framed, bare } = target.groups ?? {}
    const end = close + 1 + target[0].length
    return { at, end, as: 'link', inner: text.slice(at + 1, close), target: framed ?? bare ?? '' }
  }

  #bold(at: number, mark: '**' | '__'): InlineToken | null {
    const { text } = this
    if (isSpace(text[at + 2])) return null
    const after =
      mark === '**' ? (place: number) => text[place + 2] === '*' : (place: number) => isWord(text[place + 2])
    const close = this.#find(
      mark,
      at + 3,
      (place) => text.startsWith(mark, place) && !isSpace(text[place - 1]) && !after(place),
    )
    return close < 0 ? null : { at, end: close + 2, as: 'bold', inner: text.slice(at + 2, close) }
  }

  #italic(at: number, mark: '*' | '_'): InlineToken | null {
    const { text } = this
    const first = text[at + 1]
    if (isSpace(first) || first === mark) return null
    // the first closing delimiter outside a word counts
    const close = this.#find(
      mark,
      at + 2,
      (place) => text[place] === mark && !(mark === '_' && isWord(text[place - 1]) && isWord(text[place + 1])),
    )
    if (close < 0 || isSpace(text[close - 1]) || (mark === '_' && isWord(text[close + 1]))) return null
    return { at, end: close + 1, as: 'italic', inner: text.slice(at + 1, close) }
  }

  #find(kind: string, from: number, fits: (place: number) => boolean): number {
    const known = this.#next.get(kind)
    if (known && known.from <= from && (known.at < 0 || known.at >= from)) return known.at
    let at = from
    while (at < this.text.length && (this.#escaped[at] === 1 || !fits(at))) at++
    const found = at < this.text.length ? at : -1
    this.#next.set(kind, { from, at: found })
    return found
  }
}

/** Positions of runs of backticks, by length. */
function runsOfBackticks(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const alike = runs.get(run.length)
    if (alike) alike.push(index)
    else runs.set(run.length, [index])
  }
  return runs
}

/** The first of ascending positions from `from` on; -1: none. */
function firstFrom(places: readonly number[], from: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return places[low] ?? -1
}

/** Counts the line's ends as whitespace. */
const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character)
const isWord = (character: string | undefined): boolean => character !== undefined && /\w/.test(character)
