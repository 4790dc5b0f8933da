import type { DynamicPart, DynamicValue } from '../values/dynamicValue'
import { ExpressionError } from './problem'

type VariablePart = Extract<DynamicPart, { type: 'variable' }>

/** Represents a variable in the source; the same character is replaced in typed text. */
const VARIABLE = '\ue000'
const WORD = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?/y
const BLANK = /\s/

/** Scans an expression's source from left to right. */
export class Scanner {
  at = 0
  private readonly source: string
  private readonly variables: readonly VariablePart[]
  private passed = 0

  constructor(value: DynamicValue) {
    const parts = value.type === 'static' ? [{ type: 'text' as const, text: value.value }] : value.parts
    this.source = parts
      .map((part) => (part.type === 'text' ? part.text.replaceAll(VARIABLE, '\ufffd') : VARIABLE))
      .join('')
    this.variables = parts.filter((part) => part.type === 'variable')
  }

  /** Throws ExpressionError at the current or the given position. */
  fail(message: string, at = this.at): never {
    throw new ExpressionError(message, Math.min(at, this.source.length))
  }

  atEnd(): boolean {
    this.skipBlanks()
    return this.at >= this.source.length
  }

  /** The token here, for a message. */
  here(): string {
    const character = [...this.source.slice(this.at, this.at + 2)][0]
    return character === undefined ? 'the end' : character === VARIABLE ? 'a variable' : `“${character}”`
  }

  /** Consumes a sign or a word after whitespace; a word only as a whole. */
  take(sign: string): boolean {
    this.skipBlanks()
    if (/^\p{L}/u.test(sign)) {
      if (this.match(WORD) !== sign) return false
    } else if (!this.source.startsWith(sign, this.at)) return false
    this.at += sign.length
    return true
  }

  expect(sign: string, other?: string): void {
    if (!this.take(sign)) this.fail(`“${sign}” ${other ? `or “${other}” ` : ''}is missing`)
  }

  name(): string | null {
    this.skipBlanks()
    return this.advance(this.match(WORD))
  }

  /** Consumes a number; null if there is none. `007` is not a number: it may be a code, and must be quoted. */
  number(): number | null {
    this.skipBlanks()
    const text = this.match(NUMBER)
    if (text === null) return null
    const number = Number(text)
    const next = this.source.charAt(this.at + text.length)
    if (/^0\d/.test(text) || /[\p{L}_]/u.test(next)) this.fail('This is not a number: put texts in quotes')
    if (!Number.isFinite(number)) this.fail('This number is too large')
    this.advance(text)
    return number
  }

  variable(): VariablePart | null {
    this.skipBlanks()
    return this.variableHere()
  }

  variableHere(): VariablePart | null {
    if (this.source.charAt(this.at) !== VARIABLE) return null
    this.at++
    return this.variables[this.passed++] ?? null
  }

  takeHere(sign: string): boolean {
    if (!this.source.startsWith(sign, this.at)) return false
    this.at += sign.length
    return true
  }

  expectHere(sign: string): void {
    this.skipBlanks()
    if (!this.takeHere(sign)) this.fail(`“${sign}” is missing`)
  }

  /**
   * Consumes text up to the closing quote, a variable, in backticks a `$`, or the end; resolves `
   * `, `\t` and escapes.
   */
  untilQuote(quote: string): string {
    let text = ''
    while (this.at < this.source.length) {
      const character = this.source.charAt(this.at)
      if (character === quote || character === VARIABLE || (quote === '`' && character === '$')) break
      this.at++
      if (character !== '\\') text += character
      else {
        const escaped = this.source.charAt(this.at)
        if (escaped === VARIABLE || escaped === '') this.fail('A sign is missing behind “\\”')
        this.at++
        text += escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped
      }
    }
    return text
  }

  private skipBlanks(): void {
    while (BLANK.test(this.source.charAt(this.at))) this.at++
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.source)?.[0] ?? null
  }

  private advance(text: string | null): string | null {
    this.at += text?.length ?? 0
    return text
  }
}
