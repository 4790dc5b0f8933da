import type { DynamicPart, DynamicValue } from './dynamicValue'

/** How the texts of an agent's action mark what is filled in: `{{city}}` (SPEC.md 5, agent variable input). */
const PLACEHOLDER = /\{\{\s*([^{}\n]{1,50}?)\s*\}\}/g

/** The placeholder names in a text, in order, without duplicates. */
export const placeholdersIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name)),
]

export const hasPlaceholder = (text: string): boolean => placeholdersIn(text).length > 0

/** Replaces each placeholder in a text. */
export const replacePlaceholders = (text: string, value: (name: string) => string): string =>
  text.replace(PLACEHOLDER, (_, name: string) => value(name))

/** The text as a dynamic value whose variables are the placeholders' names, so that it renders like texts of flows. */
export function placeholderValue(text: string): DynamicValue {
  const parts: DynamicPart[] = []
  let from = 0
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > from) parts.push({ type: 'text', text: text.slice(from, match.index) })
    parts.push({ type: 'variable', variable_id: match[1] ?? '' })
    from = match.index + match[0].length
  }
  if (parts.length === 0) return { type: 'static', value: text }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) })
  return { type: 'dynamic', parts }
}
