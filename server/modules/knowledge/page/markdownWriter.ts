/** How a line ends; of several ends the greatest counts. */
export const end = { none: 0, hard: 1, line: 2, block: 3 } as const
type End = (typeof end)[keyof typeof end]

/** Markdown's own signs. */
const SIGNS = /[\\`*_~[\]]/g
/** What would be a list, a heading, a quote or a rule at the start of a line. */
const LINE_START = /^(?:[+-](?=\s|$)|-(?=-)|[=>]|#{1,6}(?=\s|$))/
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/

interface Mark {
  begin: string
  end: string
  isOpen: boolean
}

/**
 * Writes Markdown piece by piece. Whitespace is collapsed, ends of lines are written with what follows them, and marks
 * stand beside the words that they are around. Each character is looked at a fixed number of times, whatever comes.
 */
export class MarkdownWriter {
  #pieces: string[] = []
  #length = 0
  #end: End = end.none
  #isHeld = false
  #hasSpace = false
  #marks: Mark[] = []
  /** the mark whose end was written last */
  #closed: Mark | null = null
  #prefixes: string[] = []
  #lead: string | null = null

  /**
   * @param most characters after which nothing is written
   * @param hasLines whether signs at the start of a line mean something: not in a table's cell
   */
  constructor(
    private readonly most: number,
    private readonly hasLines = true,
  ) {}

  /** Writes words of a page. */
  text(source: string): void {
    const text = source.replace(/\s+/g, ' ')
    if (text.startsWith(' ')) this.#hasSpace = true
    const words = text.trim()
    if (words === '') return
    const escaped = words.replace(SIGNS, '\\$&')
    this.#write(this.#begin() ? escaped.replace(LINE_START, '\\$&').replace(NUMBER_START, '$1\\$2') : escaped)
    this.#hasSpace = text.endsWith(' ')
  }

  /** Writes Markdown as it is: words, or the lines of a block. */
  raw(markdown: string): void {
    this.#begin()
    const prefix = this.#prefixes.join('')
    this.#write(prefix === '' ? markdown : markdown.replaceAll('\n', `\n${prefix}`))
    this.#hasSpace = false
  }

  space(): void {
    this.#hasSpace = true
  }

  /** Ends the line, if one was begun. Marks go on after a hard end alone. */
  end(how: End): void {
    if (how !== end.hard) this.#closeMarks()
    if (!this.#isHeld && this.#lead === null && this.#length > 0 && this.#end < how) this.#end = how
  }

  /** Ends a line as `br` does; two of them end a paragraph. */
  break(): void {
    this.end(this.#end === end.hard ? end.block : end.hard)
  }

  /** Keeps the end of line that is due: what begins now belongs to what was before. */
  hold(): void {
    this.#isHeld = true
  }

  /** Begins the next line with a marker. Where no words come there is none. */
  lead(marker: string): void {
    this.#lead = this.#prefixes.join('') + marker
  }

  withoutLead(): void {
    this.#lead = null
  }

  /** Begins each further line like that. */
  indent(prefix: string): void {
    this.#prefixes.push(prefix)
  }

  outdent(): void {
    this.#prefixes.pop()
  }

  /** Puts signs around what comes until `unmark`. @returns false if these are around it already */
  mark(begin: string, after = begin): boolean {
    if (this.#marks.some((mark) => mark.begin === begin)) return false
    this.#marks.push({ begin, end: after, isOpen: false })
    return true
  }

  unmark(): void {
    const mark = this.#marks.pop()
    if (mark) this.#close(mark)
  }

  /** What was written since it was last taken. */
  take(): string {
    this.#closeMarks()
    const written = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    this.#end = end.none
    this.#hasSpace = false
    this.#closed = null
    return written
  }

  /** Writes what comes before words. @returns whether they could be taken for the sign of a block */
  #begin(): boolean {
    const isStart = this.#length === 0 || this.#end !== end.none || this.#lead !== null
    const isHeading = this.#lead?.endsWith('# ')
    if (isStart) {
      const prefix = this.#prefixes.join('')
      if (this.#length > 0) this.#write(BREAKS[this.#end](prefix.trimEnd()))
      const begin = this.#lead ?? prefix
      if (begin !== '') this.#write(begin)
      this.#lead = null
      this.#end = end.none
      this.#isHeld = false
    } else if (this.#hasSpace) this.#write(' ')
    this.#hasSpace = false
    return this.#openMarks() === 0 && isStart && !isHeading && this.hasLines
  }

  #openMarks(): number {
    let count = 0
    for (const mark of this.#marks) {
      if (mark.isOpen) continue
      // the same words in two elements of a kind: one mark is around both
      if (this.#closed?.begin === mark.begin && mark.begin === mark.end) this.#takeBack()
      else this.#write(mark.begin)
      mark.isOpen = true
      count++
    }
    return count
  }

  #closeMarks(): void {
    for (const mark of this.#marks.toReversed()) this.#close(mark)
  }

  #close(mark: Mark): void {
    if (!mark.isOpen) return
    this.#write(mark.end)
    mark.isOpen = false
    this.#closed = mark
  }

  #takeBack(): void {
    this.#length -= this.#pieces.pop()?.length ?? 0
    this.#closed = null
  }

  #write(piece: string): void {
    this.#closed = null
    if (this.#length > this.most) return
    this.#pieces.push(piece)
    this.#length += piece.length
  }
}

const BREAKS: Readonly<Record<End, (prefix: string) => string>> = {
  [end.none]: () => '\n',
  [end.hard]: () => '  \n',
  [end.line]: () => '\n',
  [end.block]: (prefix) => `\n${prefix}\n`,
}
