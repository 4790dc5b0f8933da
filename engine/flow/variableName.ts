import { flowCaps } from './schema'

/** SPEC.md 5: what is no letter, digit, underscore or space is stripped from a name. */
export const cleanVariableName = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}_ ]/gu, '').trim()

/** A name's problem, as a key and values of the texts (`text:variables.…`), or null. */
export type VariableNameProblem = { key: 'nameEmpty' | 'nameTooLong' | 'nameTaken'; n?: number }

/**
 * SPEC.md 5: after stripping and trimming a name must not be empty nor longer than the cap; and it must be free, case aside,
 * since `{Name}` in a text could otherwise mean two.
 * @param taken the names that exist (without the one that is being renamed)
 */
export function checkVariableName(name: string, taken: readonly string[]): VariableNameProblem | null {
  const clean = cleanVariableName(name)
  if (clean === '') return { key: 'nameEmpty' }
  if (clean.length > flowCaps.variableName) return { key: 'nameTooLong', n: flowCaps.variableName }
  if (taken.some((other) => other.toLowerCase() === clean.toLowerCase())) return { key: 'nameTaken' }
  return null
}
