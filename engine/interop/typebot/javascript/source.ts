import type { Node } from 'acorn'

/** A piece of an expression of ours, and what is known of its value. */
export interface Source {
  text: string
  /** what surely comes of it; JavaScript joins and counts by it */
  type: 'text' | 'number' | 'list' | 'date' | 'boolean' | 'unknown'
  /** stands beside any sign as it is */
  isAtom: boolean
}

/** What names stand for where some code stands. */
export interface Scope {
  /** identifiers that stand for variables, and how those are written here */
  names: ReadonlyMap<string, string>
  /** names that the code itself gave, and what they stand for now */
  locals: ReadonlyMap<string, Source>
  /** what the statements of a function return */
  run: (statements: readonly Node[], scope: Scope) => Source
  /** how much more may be translated: code that says a name twice doubles what it stands for */
  left: { steps: number }
}

/** What stands for variables in the code that is parsed. Code that names such a thing itself would mean a variable by it; nobody writes it. */
export const PREFIX = 'v__'

/** Thrown where an expression of ours can't say the same; the message ends "it …". */
export class Untranslatable extends Error {}

export const atom = (text: string, type: Source['type'] = 'unknown'): Source => ({ text, type, isAtom: true })
export const compound = (text: string, type: Source['type'] = 'unknown'): Source => ({ text, type, isAtom: false })

/** A source as a part of a larger one. */
export const wrapped = ({ text, isAtom }: Source): string => (isAtom ? text : `(${text})`)

export const callOf = (name: string, args: readonly Source[], type: Source['type'] = 'unknown'): Source =>
  limited(atom(`${name}(${args.map(({ text }) => text).join(', ')})`, type))

/** What a name stands for is written wherever the name is: that may grow without bound. */
export function limited(source: Source): Source {
  if (source.text.length > LONGEST) throw new Untranslatable('is too long as one expression')
  return source
}

const LONGEST = 6_000

/** A text in quotes, as our expressions read it. */
export const quoted = (text: string): Source =>
  atom(
    `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`,
    'text',
  )

/** Dates count as milliseconds. */
export const asNumber = (source: Source): Source =>
  source.type === 'date' ? callOf('timestamp', [source], 'number') : source
