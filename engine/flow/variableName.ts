import { flowCaps } from './schema'

/** Strips everything but letters, digits, underscore and space from a name (SPEC.md 5). */
export const cleanVariableName = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}_ ]/gu, '').trim()

/** A problem of a name, as key and values of the texts (`text:variables.…`), or null. */
export type VariableNameProblem = { key: 'nameEmpty' | 'nameTooLong' | 'nameTaken'; n?: number }

/**
 * Checks a name after stripping and trimming: not empty, not longer than the cap (SPEC.md 5), and unused regardless of
 * case, since `{Name}` in a text would otherwise be ambiguous.
 * @param taken the existing names (without the one being renamed)
 */
export function checkVariableName(name: string, taken: readonly string[]): VariableNameProblem | null {
  const clean = cleanVariableName(name)
  if (clean === '') return { key: 'nameEmpty' }
  if (clean.length > flowCaps.variableName) return { key: 'nameTooLong', n: flowCaps.variableName }
  if (taken.some((other) => other.toLowerCase() === clean.toLowerCase())) return { key: 'nameTaken' }
  return null
}
