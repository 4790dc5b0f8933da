import type { Node } from 'acorn'

/** A piece of an expression of our language, and its known type. */
export interface Source {
  text: string
  /** the certain type; JavaScript's `+` and counting depend on it */
  type: 'text' | 'number' | 'list' | 'date' | 'boolean' | 'unknown'
  /** needs no parentheses beside an operator */
  isAtom: boolean
}

/** The names in scope at some code. */
export interface Scope {
  /** identifiers for variables, and how they are written here */
  names: ReadonlyMap<string, string>
  /** names declared by the code itself, and their current values */
  locals: ReadonlyMap<string, Source>
  /** translates the statements of a function to what they return */
  run: (statements: readonly Node[], scope: Scope) => Source
  /** remaining steps: code that uses a name twice doubles its size */
  left: { steps: number }
}

/**
 * The prefix of identifiers for variables in the parsed code. Code with such a name of its own would be taken for a
 * variable.
 */
export const PREFIX = 'v__'

/** Thrown if our language has no equivalent; the message completes "it …". */
export class Untranslatable extends Error {}

export const atom = (text: string, type: Source['type'] = 'unknown'): Source => ({ text, type, isAtom: true })
export const compound = (text: string, type: Source['type'] = 'unknown'): Source => ({ text, type, isAtom: false })

/** A source as an operand. */
export const wrapped = ({ text, isAtom }: Source): string => (isAtom ? text : `(${text})`)

export const callOf = (name: string, args: readonly Source[], type: Source['type'] = 'unknown'): Source =>
  limited(atom(`${name}(${args.map(({ text }) => text).join(', ')})`, type))

/** Charges for a name's expansion: names are replaced by their value at every use, which may grow exponentially. */
export function limited(source: Source): Source {
  if (source.text.length > LONGEST) throw new Untranslatable('is too long as one expression')
  return source
}

const LONGEST = 6_000

/** A string literal of our language. */
export const quoted = (text: string): Source =>
  atom(
    `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`,
    'text',
  )

/** Dates become milliseconds. */
export const asNumber = (source: Source): Source =>
  source.type === 'date' ? callOf('timestamp', [source], 'number') : source
