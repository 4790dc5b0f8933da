import { tooLong } from './caps'
import { parseEmail, ruleMessages } from './rules'

/** What is said at the fields of a visitor's form (SPEC.md 5, widget lead form). */
export const entryMessages = {
  required: 'Required',
  email: ruleMessages.email,
  form: 'Fix the errors in the form and retry',
} as const

/** Of a text longer than `max`, which itself is taken: the words of SPEC.md name the first length that is not. */
export const entryTooLong = (max: number): string => `Must be less than ${max + 1} characters`

/**
 * What is wrong with a value that an editor gives to an agent's tool (SPEC.md 5, agent variable input), or null.
 * @param input an email needs to be one unless it holds a `{{placeholder}}`
 */
export function agentInputProblem(value: string, { type, max }: { type: string; max: number }): string | null {
  const text = value.trim()
  if (text === '') return ruleMessages.text
  if (text.length > max) return tooLong(max)
  const filledLater = /\{\{[^{}]+\}\}/.test(text)
  return type === 'email' && !filledLater && parseEmail(text) === null ? ruleMessages.email : null
}
