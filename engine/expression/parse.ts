import { charge } from '../budget'
import { type DynamicValue, dynamicValueLength } from '../values/dynamicValue'
import type { Json } from '../values/json'
import { ExpressionError, type ExpressionProblem } from './problem'
import { Scanner } from './scanner'

/** A node of an expression's syntax tree. */
export type Node =
  | { type: 'value'; value: Json }
  | { type: 'variable'; variableId: string; path: string | undefined }
  | { type: 'text'; pieces: Node[] }
  | { type: 'list'; items: Node[] }
  | { type: 'object'; fields: [name: string, value: Node][] }
  | { type: 'part'; of: Node; key: Node }
  | { type: 'call'; name: string; args: Node[]; at: number }
  | { type: 'not' | 'minus'; of: Node; at: number }
  | { type: 'binary'; operator: BinaryOperator; left: Node; right: Node; at: number }
  | { type: 'choice'; if: Node; then: Node; else: Node }
  /** `list.map(item => …)`: iterates over a list; `local` is the item */
  | { type: 'each'; mode: EachMode; list: Node; name: string; body: Node; at: number }
  | { type: 'local'; name: string }

export const eachModes = ['map', 'filter', 'find', 'some', 'every'] as const
export type EachMode = (typeof eachModes)[number]

export type BinaryOperator =
  | ('or' | 'and' | 'else')
  | ('==' | '!=' | '<' | '<=' | '>' | '>=' | 'in')
  | ('+' | '-' | '*' | '/' | '%')

export interface Expression {
  readonly root: Node
  /** whether it needs the time or a random number, which the block must yield effects for */
  readonly usesNow: boolean
  readonly usesChance: boolean
}

export type Parsed = { ok: true; expression: Expression } | { ok: false; problem: ExpressionProblem }

/** A function's name and number of arguments; checked before anything runs. */
export interface Signature {
  readonly min: number
  readonly max: number
  readonly needs?: 'now' | 'chance'
}

/**
 * Parses an expression from a dynamic value: its text parts are the source, its variables are operands. Never throws. A
 * problem's `at` counts characters from 0, a variable as one.
 * @param signature looks up a function's signature; undefined for an unknown name
 */
export function parseWith(value: DynamicValue, signature: (name: string) => Signature | undefined): Parsed {
  charge(dynamicValueLength(value) * SIGN)
  try {
    const parser = new Parser(new Scanner(value), signature)
    const root = parser.whole()
    return { ok: true, expression: { root, usesNow: parser.needs.has('now'), usesChance: parser.needs.has('chance') } }
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, problem: { message: error.message, at: error.at } }
    throw error
  }
}

/** The cost of parsing one character. */
const SIGN = 50

/** The deepest nesting of brackets. */
const MAX_DEPTH = 50

/** Operators by precedence, lowest first; all are left-associative. */
const LEVELS: readonly (readonly [sign: string, operator: BinaryOperator][])[] = [
  [
    ['??', 'else'],
    ['||', 'or'],
    ['or', 'or'],
  ],
  [
    ['&&', 'and'],
    ['and', 'and'],
  ],
  [
    ['===', '=='],
    ['!==', '!='],
    ['==', '=='],
    ['!=', '!='],
    ['<>', '!='],
    ['<=', '<='],
    ['>=', '>='],
    ['<', '<'],
    ['>', '>'],
    ['=', '=='],
    ['in', 'in'],
  ],
  [
    ['+', '+'],
    ['-', '-'],
  ],
  [
    ['*', '*'],
    ['/', '/'],
    ['%', '%'],
  ],
]
const COMPARING = 2

class Parser {
  readonly needs = new Set<'now' | 'chance'>()
  private depth = 0
  /** names of the list items in scope */
  private readonly locals: string[] = []

  constructor(
    private readonly scan: Scanner,
    private readonly signature: (name: string) => Signature | undefined,
  ) {}

  whole(): Node {
    if (this.scan.atEnd()) this.scan.fail('Enter an expression')
    const root = this.expression()
    if (!this.scan.atEnd()) this.scan.fail(`Nothing fits here: ${this.scan.here()}`)
    return root
  }

  private expression(): Node {
    if (++this.depth > MAX_DEPTH) this.scan.fail('This is nested too deeply')
    const condition = this.level(0)
    this.depth--
    if (!this.scan.take('?')) return condition
    if (++this.depth > MAX_DEPTH) this.scan.fail('This is nested too deeply')
    const then = this.expression()
    this.scan.expect(':')
    const otherwise = this.expression()
    this.depth--
    return { type: 'choice', if: condition, then, else: otherwise }
  }

  private level(index: number): Node {
    const operators = LEVELS[index]
    if (!operators) return this.unary()
    if (index === COMPARING && this.scan.take('not')) {
      const at = this.scan.at
      return { type: 'not', of: this.nested(() => this.level(index)), at }
    }
    let left = this.level(index + 1)
    for (;;) {
      const at = this.scan.at
      const found = operators.find(([sign]) => this.scan.take(sign))
      if (!found) return left
      left = this.deeper({ type: 'binary', operator: found[1], left, right: this.level(index + 1), at })
    }
  }

  private unary(): Node {
    const at = this.scan.at
    if (this.scan.take('!')) return { type: 'not', of: this.nested(() => this.unary()), at }
    if (this.scan.take('-')) return { type: 'minus', of: this.nested(() => this.unary()), at }
    if (this.scan.take('+')) return this.nested(() => this.unary())
    return this.parts(this.primary())
  }

  /** The `.name`, `[key]` and `.function(…)` after a value. */
  private parts(first: Node): Node {
    let node = first
    for (;;) {
      const at = this.scan.at
      if (this.scan.take('[')) {
        const key = this.expression()
        this.scan.expect(']')
        node = this.deeper({ type: 'part', of: node, key })
      } else if (this.scan.take('?.') || this.scan.take('.')) {
        const name = this.scan.name() ?? this.scan.fail('A name is missing behind the dot')
        node = this.deeper(
          this.scan.take('(')
            ? this.call(name, at, [node])
            : { type: 'part', of: node, key: { type: 'value', value: name } },
        )
      } else return node
    }
  }

  private primary(): Node {
    const { scan } = this
    const at = scan.at
    const variable = scan.variable()
    if (variable) return { type: 'variable', variableId: variable.variable_id, path: variable.path }
    const number = scan.number()
    if (number !== null) return { type: 'value', value: number }
    for (const quote of ['"', "'", '`']) if (scan.take(quote)) return this.text(quote)
    if (scan.take('(')) {
      const inner = this.expression()
      scan.expect(')')
      return inner
    }
    if (scan.take('[')) return { type: 'list', items: this.separated(']', () => this.expression()) }
    if (scan.take('{')) return { type: 'object', fields: this.separated('}', () => this.field()) }
    const name = scan.name()
    if (name !== null && this.locals.includes(name)) return { type: 'local', name }
    if (name === null)
      return scan.fail(scan.atEnd() ? 'Something is missing at the end' : `Nothing fits here: ${scan.here()}`)
    if (CONSTANTS.has(name)) return { type: 'value', value: CONSTANTS.get(name) ?? null }
    if (name === 'Math' && scan.take('.')) return this.named(scan.name() ?? '', at)
    return this.named(name, at)
  }

  private named(name: string, at: number): Node {
    if (this.scan.take('(')) return this.call(name, at, [])
    if (this.signature(name)) return this.scan.fail(`${name} is a function: write ${name}(…)`, at)
    return this.scan.fail(`“${name}” is not known: put texts in quotes and choose variables with {`, at)
  }

  private call(name: string, at: number, first: Node[]): Node {
    const mode = eachModes.find((each) => each === name)
    if (mode) return this.each(mode, at, first[0])
    const args = [...first, ...this.separated(')', () => this.expression())]
    const signature = this.signature(name)
    if (!signature) return this.scan.fail(`There is no function “${name}”`, at)
    const { min, max, needs } = signature
    if (args.length < min || args.length > max) {
      const wanted = min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`
      return this.scan.fail(`${name} takes ${wanted} value${wanted === '1' ? '' : 's'}, not ${args.length}`, at)
    }
    if (needs) this.needs.add(needs)
    return { type: 'call', name, args, at }
  }

  /** After `map(`: a list, unless it stands before the dot, and an arrow function: `item => item.price * 2`. */
  private each(mode: EachMode, at: number, before: Node | undefined): Node {
    const { scan } = this
    const list = before ?? this.expression()
    if (!before) scan.expect(',')
    const bracket = scan.take('(')
    const name = scan.name()
    if (bracket) scan.expect(')')
    if (name === null || CONSTANTS.has(name) || !scan.take('=>'))
      return scan.fail(`${mode} goes through a list: write ${mode}(item => …)`, at)
    this.locals.push(name)
    const body = this.nested(() => this.expression())
    this.locals.pop()
    scan.expect(')')
    return { type: 'each', mode, list, name, body, at }
  }

  /** A string literal with variables; in backticks also `${…}`. */
  private text(quote: string): Node {
    const pieces: Node[] = []
    for (;;) {
      const plain = this.scan.untilQuote(quote)
      if (plain !== '') pieces.push({ type: 'value', value: plain })
      const variable = this.scan.variableHere()
      if (variable) pieces.push({ type: 'variable', variableId: variable.variable_id, path: variable.path })
      else if (this.scan.takeHere(quote)) break
      else if (quote === '`' && this.scan.takeHere('${')) {
        pieces.push(this.expression())
        this.scan.expectHere('}')
      } else if (!this.scan.takeHere('$')) this.scan.fail(`The closing ${quote} is missing`)
      else pieces.push({ type: 'value', value: '$' })
    }
    const [only] = pieces
    if (pieces.length === 0) return { type: 'value', value: '' }
    return pieces.length === 1 && only?.type === 'value' ? only : { type: 'text', pieces }
  }

  private field(): [string, Node] {
    const quoted = ['"', "'"].find((quote) => this.scan.take(quote))
    const key = quoted
      ? this.text(quoted)
      : { type: 'value' as const, value: this.scan.name() ?? this.scan.fail('A name is missing') }
    if (key.type !== 'value') return this.scan.fail('A field’s name can’t hold a variable')
    this.scan.expect(':')
    return [String(key.value), this.expression()]
  }

  private separated<Item>(end: string, item: () => Item): Item[] {
    const items: Item[] = []
    while (!this.scan.take(end)) {
      if (items.length > 0) {
        this.scan.expect(',', end)
        if (this.scan.take(end)) break
      }
      items.push(item())
    }
    return items
  }

  private nested(read: () => Node): Node {
    if (++this.depth > MAX_DEPTH) this.scan.fail('This is nested too deeply')
    const node = read()
    this.depth--
    return node
  }

  /** `1+1+1+…` and `a.b.b.b…` grow a left-deep tree, which is walked recursively: so its depth is bounded too. */
  private chain = 0
  private deeper(node: Node): Node {
    if (++this.chain > MAX_CHAIN) this.scan.fail('This expression has too many parts')
    return node
  }
}

const MAX_CHAIN = 1_000

const CONSTANTS = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', null],
])
