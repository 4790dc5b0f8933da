import { caps } from './caps'

/**
 * A compiled pattern: each state reads a character, tests a position, or continues elsewhere; the position after the
 * last state is the match.
 */
export type PatternState =
  | { type: 'char'; test: (char: string) => boolean; weight: number }
  | { type: 'place'; test: (before: string | undefined, after: string | undefined) => boolean }
  | { type: 'split'; to: number[] }
  | { type: 'match' }

export interface Pattern {
  states: PatternState[]
  ignoreCase: boolean
  /** the most tests per character of a text: a class tests each of its items */
  tests: number
}

type CharTest = (char: string) => boolean
type Node =
  | { type: 'char'; test: CharTest; weight: number }
  | { type: 'place'; test: (before: string | undefined, after: string | undefined) => boolean }
  | { type: 'sequence'; nodes: Node[] }
  | { type: 'choice'; nodes: Node[] }
  | { type: 'repeat'; node: Node; min: number; max: number }

const MAX_STEPS = 1_000
const MAX_NESTING = 50

/** Compiles a pattern (pattern.ts lists the syntax); null if it is invalid, too long or too large. */
export function compilePattern(source: string): Pattern | null {
  if (source.length > caps.pattern) return null
  const delimited = /^\/(.*)\/([gimsu]*)$/s.exec(source)
  const ignoreCase = delimited?.[2]?.includes('i') ?? false
  try {
    const states: PatternState[] = []
    emit(new PatternReader([...(delimited?.[1] ?? source)], ignoreCase).read(), { states, steps: 0 })
    states.push({ type: 'match' })
    const tests = states.reduce((sum, state) => sum + (state.type === 'char' ? state.weight : 1), 0)
    return { states, ignoreCase, tests }
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}

/** Internal to this file: thrown and caught here. */
class PatternError extends Error {
  override readonly name = 'PatternError'
}

const isDigit: CharTest = (char) => /^[0-9]$/.test(char)
const isWord: CharTest = (char) => /^[A-Za-z0-9_]$/.test(char)
const isSpace: CharTest = (char) => /^\s$/.test(char)
const not =
  (test: CharTest): CharTest =>
  (char) =>
    !test(char)
const classes: Record<string, CharTest> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
}
const LINE_ENDS = new Set(['\n', '\r', '\u2028', '\u2029'])
const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', '0': '\0' }
const atBoundary = (before: string | undefined, after: string | undefined): boolean =>
  (before !== undefined && isWord(before)) !== (after !== undefined && isWord(after))

class PatternReader {
  private at = 0
  private nesting = 0
  constructor(
    private readonly chars: string[],
    private readonly ignoreCase: boolean,
  ) {}

  read(): Node {
    const node = this.choice()
    if (this.at < this.chars.length) throw new PatternError('unbalanced )')
    return node
  }

  private choice(): Node {
    if (++this.nesting > MAX_NESTING) throw new PatternError('too many groups in one another')
    const nodes = [this.sequence()]
    while (this.take('|')) nodes.push(this.sequence())
    this.nesting--
    return nodes.length === 1 && nodes[0] ? nodes[0] : { type: 'choice', nodes }
  }

  private sequence(): Node {
    const nodes: Node[] = []
    while (this.at < this.chars.length && this.peek() !== '|' && this.peek() !== ')') nodes.push(this.repeated())
    return { type: 'sequence', nodes }
  }

  private repeated(): Node {
    const node = this.atom()
    const count = this.count()
    if (!count) return node
    if (node.type === 'place') throw new PatternError('a place can not be repeated')
    this.take('?')
    if (this.count()) throw new PatternError('a repetition repeated')
    return { type: 'repeat', node, ...count }
  }

  private count(): { min: number; max: number } | null {
    if (this.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
    if (this.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
    if (this.take('?')) return { min: 0, max: 1 }
    const braces = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.chars.slice(this.at, this.at + 11).join(''))
    if (!braces) return null
    this.at += braces[0].length
    const min = Number(braces[1])
    const max = braces[2] === undefined ? min : braces[3] ? Number(braces[3]) : Number.POSITIVE_INFINITY
    if (max < min) throw new PatternError('a range upside down')
    return { min, max }
  }

  private atom(): Node {
    const char = this.next()
    if (char === '(') return this.group()
    if (char === '[') return this.set()
    if (char === '.') return { type: 'char', test: (other) => !LINE_ENDS.has(other), weight: 1 }
    if (char === '^') return { type: 'place', test: (before) => before === undefined }
    if (char === '$') return { type: 'place', test: (_before, after) => after === undefined }
    if (char === '\\') return this.escape()
    if ('*+?'.includes(char)) throw new PatternError('nothing to repeat')
    return { type: 'char', test: this.literal(char), weight: 1 }
  }

  private group(): Node {
    if (this.take('?') && !this.take(':')) {
      // a named group is treated as a plain group; look-around is not supported
      const name = /^<[A-Za-z_]\w*>/.exec(this.chars.slice(this.at, this.at + 64).join(''))
      if (!name) throw new PatternError('look-around')
      this.at += name[0].length
    }
    const node = this.choice()
    if (!this.take(')')) throw new PatternError('unbalanced (')
    return node
  }

  private escape(): Node {
    const char = this.next()
    if (char === 'b') return { type: 'place', test: atBoundary }
    if (char === 'B') return { type: 'place', test: (before, after) => !atBoundary(before, after) }
    return { type: 'char', test: classes[char] ?? this.literal(this.escaped(char)), weight: 1 }
  }

  /** The character that `\char` means. */
  private escaped(char: string): string {
    if (char === 'x') return this.hex(2)
    if (char === 'u') return this.hex(4)
    const control = controls[char]
    if (control !== undefined) return control
    if (/[A-Za-z0-9]/.test(char)) throw new PatternError('an escape that is not known')
    return char
  }

  private hex(digits: number): string {
    const code = this.chars.slice(this.at, this.at + digits).join('')
    if (!new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(code)) throw new PatternError('not a character code')
    this.at += digits
    return String.fromCharCode(Number.parseInt(code, 16))
  }

  private set(): Extract<Node, { type: 'char' }> {
    const negated = this.take('^')
    const tests: CharTest[] = []
    while (!this.take(']')) {
      const low = this.setItem()
      if (typeof low === 'function' || this.peek() !== '-' || this.chars[this.at + 1] === ']') {
        tests.push(typeof low === 'function' ? low : this.literal(low))
        continue
      }
      this.at++
      const high = this.setItem()
      if (typeof high === 'function' || codeOf(high) < codeOf(low)) throw new PatternError('a range upside down')
      tests.push(this.range(codeOf(low), codeOf(high)))
    }
    return { type: 'char', test: (char) => tests.some((test) => test(char)) !== negated, weight: tests.length + 1 }
  }

  private setItem(): string | CharTest {
    const char = this.next()
    if (char !== '\\') return char
    const escaped = this.next()
    return classes[escaped] ?? (escaped === 'b' ? '\b' : this.escaped(escaped))
  }

  /** With `i` the text is in lower case; a range is then tested with both cases of a character. */
  private range(low: number, high: number): CharTest {
    const inside = (char: string): boolean => codeOf(char) >= low && codeOf(char) <= high
    return this.ignoreCase ? (char) => inside(char) || inside(char.toUpperCase()) : inside
  }

  private literal(char: string): CharTest {
    const expected = this.ignoreCase ? char.toLowerCase() : char
    return (other) => other === expected
  }

  private peek(): string | undefined {
    return this.chars[this.at]
  }

  private next(): string {
    const char = this.chars[this.at++]
    if (char === undefined) throw new PatternError('it ends too early')
    return char
  }

  private take(char: string): boolean {
    if (this.peek() !== char) return false
    this.at++
    return true
  }
}

const codeOf = (char: string): number => char.codePointAt(0) ?? 0

/** `steps` bounds the work: empty groups add no state, however often they are repeated. */
interface Output {
  states: PatternState[]
  steps: number
}

function emit(node: Node, out: Output): void {
  if (++out.steps > MAX_STEPS) throw new PatternError('too large')
  switch (node.type) {
    case 'char':
    case 'place':
      out.states.push(node)
      return
    case 'sequence':
      for (const child of node.nodes) emit(child, out)
      return
    case 'choice':
      emitChoice(node.nodes, out)
      return
    case 'repeat':
      emitRepeat(node, out)
      return
  }
}

function emitChoice(nodes: Node[], out: Output): void {
  const split = { type: 'split' as const, to: [] as number[] }
  out.states.push(split)
  const exits = nodes.map((node) => {
    split.to.push(out.states.length)
    emit(node, out)
    const exit = { type: 'split' as const, to: [] as number[] }
    out.states.push(exit)
    return exit
  })
  for (const exit of exits) exit.to = [out.states.length]
}

function emitRepeat({ node, min, max }: Extract<Node, { type: 'repeat' }>, out: Output): void {
  for (let n = 0; n < min; n++) emit(node, out)
  if (max === Number.POSITIVE_INFINITY) {
    const loop = { type: 'split' as const, to: [out.states.length + 1] }
    const start = out.states.length
    out.states.push(loop)
    emit(node, out)
    out.states.push({ type: 'split', to: [start] })
    loop.to.push(out.states.length)
    return
  }
  const skips: { type: 'split'; to: number[] }[] = []
  for (let n = min; n < max; n++) {
    const skip = { type: 'split' as const, to: [out.states.length + 1] }
    out.states.push(skip)
    skips.push(skip)
    emit(node, out)
  }
  for (const skip of skips) skip.to.push(out.states.length)
}
