import type { RichTextLeaf } from './richText'

type Style = Omit<RichTextLeaf, 'text'>

/** Deeper nesting is treated as plain text. */
const DEEPEST = 8

/** Possible starts of syntax, tried in this order. */
const SPECIAL = /[\\`[*_]|https?:\/\//g
const ESCAPED = /\\[\\`*_{}[\]()#+\-.!|>~]/y
const ADDRESS = /https?:\/\/[^\s<>"'`\])}|\\^]*[^\s<>"'`\])}|\\^.,;:!?]/y
const STRONG = /(?:\*\*|__)(?=\S)/y
const EMPHASIS = /(?<![\p{L}\p{N}*_])[*_](?=[^\s*_])/uy
const CLOSING = {
  '`': /`/g,
  ']': /\]/g,
  ')': /\)/g,
  space: /\s/g,
  '**': /(?<=\S)\*\*(?![*_])/g,
  __: /(?<=\S)__(?![*_])/g,
  '*': /(?<=[^\s*_])\*(?![\p{L}\p{N}*_])/gu,
  _: /(?<=[^\s*_])_(?![\p{L}\p{N}*_])/gu,
}
type Closing = keyof typeof CLOSING

/** A formatted part of a line. */
interface Token {
  end: number
  leaves: RichTextLeaf[]
}

/** A line as formatted pieces, equal neighbours joined. */
export function readInline(text: string, style: Style, depth = 0): RichTextLeaf[] {
  const leaves: RichTextLeaf[] = []
  const add = (more: readonly RichTextLeaf[]) => {
    for (const leaf of more) {
      const last = leaves.at(-1)
      if (leaf.text === '') continue
      if (last && isAlike(last, leaf)) last.text += leaf.text
      else leaves.push({ ...leaf })
    }
  }
  let from = 0
  if (depth < DEEPEST) {
    const line = new Line(text, style, depth)
    for (let at = line.special(0); at >= 0; at = line.special(Math.max(at + 1, from))) {
      const token = line.tokenAt(at, from)
      if (!token) continue
      add([{ ...style, text: text.slice(from, at) }])
      add(token.leaves)
      from = token.end
    }
  }
  add([{ ...style, text: text.slice(from) }])
  return leaves.length === 0 ? [{ text: '' }] : leaves
}

/**
 * A line parsed from start to end. The search for each closing delimiter is done once and its result holds for all
 * later openings, so that a thousand unclosed brackets don't mean a thousand searches.
 */
class Line {
  readonly #found = new Map<Closing, { from: number; at: number }>()

  constructor(
    private readonly text: string,
    private readonly style: Style,
    private readonly depth: number,
  ) {}

  /** The next position where syntax may start; -1: none. */
  special(from: number): number {
    SPECIAL.lastIndex = from
    return SPECIAL.exec(this.text)?.index ?? -1
  }

  /** @param start the end of what was parsed before: counts as the start of a line */
  tokenAt(at: number, start: number): Token | null {
    const { text, style } = this
    switch (text[at]) {
      case '\\':
        return matches(ESCAPED, text, at) ? { end: at + 2, leaves: [{ ...style, text: text.charAt(at + 1) }] } : null
      case '`': {
        const close = this.#closing('`', at + 1)
        return close > at + 1 ? { end: close + 1, leaves: [{ ...style, text: text.slice(at + 1, close) }] } : null
      }
      case '[':
        return this.#link(at)
      case '*':
      case '_':
        return this.#strong(at) ?? this.#emphasis(at, start)
      default:
        return this.#address(at)
    }
  }

  #link(at: number): Token | null {
    const { text, style, depth } = this
    const close = this.#closing(']', at + 1)
    if (close < 0 || text[close + 1] !== '(') return null
    const end = this.#closing(')', close + 2)
    const space = this.#closing('space', close + 2)
    if (end < 0 || (space >= 0 && space < end)) return null
    const target = text.slice(close + 2, end)
    const words = text.slice(at + 1, close) || target
    const look = /^(?:https?:\/\/|mailto:|tel:)/i.test(target) ? { ...style, link: target } : style
    return { end: end + 1, leaves: readInline(words, look, depth + 1) }
  }

  #address(at: number): Token | null {
    const address = matches(ADDRESS, this.text, at)
    if (address === null) return null
    const { style } = this
    const leaf = { ...style, text: address, ...(style.link === undefined && { link: address }) }
    return { end: at + address.length, leaves: [leaf] }
  }

  #strong(at: number): Token | null {
    const mark = matches(STRONG, this.text, at)
    return mark === null ? null : this.#emphasised(at, mark as '**' | '__', { ...this.style, bold: true })
  }

  #emphasis(at: number, start: number): Token | null {
    // a token that ended just before is not a letter
    const mark = at === start ? matches(EMPHASIS, this.text.slice(at, at + 3), 0) : matches(EMPHASIS, this.text, at)
    return mark === null ? null : this.#emphasised(at, mark as '*' | '_', { ...this.style, italic: true })
  }

  #emphasised(at: number, mark: '**' | '__' | '*' | '_', look: Style): Token | null {
    const close = this.#closing(mark, at + mark.length + 1)
    if (close < 0) return null
    const inner = this.text.slice(at + mark.length, close)
    return { end: close + mark.length, leaves: readInline(inner, look, this.depth + 1) }
  }

  /** The next position from `from` on where that kind closes; -1: none. Call it with increasing positions. */
  #closing(kind: Closing, from: number): number {
    const found = this.#found.get(kind)
    if (found && found.from <= from && (found.at < 0 || found.at >= from)) return found.at
    const pattern = CLOSING[kind]
    pattern.lastIndex = from
    const at = pattern.exec(this.text)?.index ?? -1
    this.#found.set(kind, { from, at })
    return at
  }
}

function matches(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

const isAlike = (a: RichTextLeaf, b: RichTextLeaf): boolean =>
  a.bold === b.bold && a.italic === b.italic && a.underline === b.underline && a.link === b.link
