import { tooLong } from './caps'
import { hasPlaceholder } from './placeholders'
import { parseEmail, ruleMessages } from './rules'

/** Messages at the fields of a visitor's form (SPEC.md 5, widget lead form). */
export const entryMessages = {
  required: 'Required',
  email: ruleMessages.email,
  form: 'Fix the errors in the form and retry',
} as const

/** The message for a text longer than `max`; SPEC.md's text names the first invalid length. */
export const entryTooLong = (max: number): string => `Must be less than ${max + 1} characters`

/**
 * Validates an editor's value for an agent's tool (SPEC.md 5, agent variable input); returns the message, or null.
 * @param input an email must be valid unless it contains a `{{placeholder}}`
 */
export function agentInputProblem(value: string, { type, max }: { type: string; max: number }): string | null {
  const text = value.trim()
  if (text === '') return ruleMessages.text
  if (text.length > max) return tooLong(max)
  return type === 'email' && !hasPlaceholder(text) && parseEmail(text) === null ? ruleMessages.email : null
}
