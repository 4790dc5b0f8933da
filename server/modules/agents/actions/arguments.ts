import type { ActionParameter } from '../../../../engine/values/agentActions'
import { cleanText } from '../../../../engine/values/cleanText'
import { parseDate } from '../../../../engine/values/date'
import type { Json } from '../../../../engine/values/json'
import { normalText } from '../../../../engine/values/normalText'
import { parsePhone } from '../../../../engine/values/parsePhone'
import { isPhone, parseEmail, parseNumber, parseUrl, ruleMessages } from '../../../../engine/values/rules'

/** Most characters of an argument; ours. */
const LONGEST = 3_000

/** Unique names of tools or arguments that every provider accepts: letters, digits, underscores; at most 64. */
export function toolNames(names: readonly string[], fallback: string): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const plain = normalText(name, 'NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^A-Za-z0-9_]+/g, '_')
      .slice(0, 1_000)
      .replace(/^_+|_+$/g, '')
      .slice(0, 60)
    const base = plain || fallback
    let free = base
    for (let at = 2; taken.has(free.toLowerCase()); at++) free = `${base}_${at}`
    taken.add(free.toLowerCase())
    return free
  })
}

const keysOf = (parameters: readonly ActionParameter[]) =>
  toolNames(
    parameters.map(({ name }) => name),
    'value',
  )

/**
 * The JSON Schema of parameters for a model. Its arguments are validated by `readArguments`, whatever the provider does
 * with the schema.
 */
export function argumentSchema(parameters: readonly ActionParameter[]): Record<string, Json> {
  const keys = keysOf(parameters)
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter, at) => [keys[at], propertyOf(parameter)])),
    required: keys.filter((_, at) => parameters[at]?.required),
    additionalProperties: false,
  }
}

function propertyOf({ name, type, description, choices }: ActionParameter): Json {
  const words = [description || name, HINTS[type]].filter(Boolean).join(' ')
  if (type === 'number') return { type: 'number', description: words }
  if (type === 'yes-no') return { type: 'boolean', description: words }
  return { type: 'string', description: words, ...(type === 'choice' && { enum: choices }) }
}

const HINTS: Partial<Record<ActionParameter['type'], string>> = {
  email: '(an email address)',
  phone: '(a phone number with its country code)',
  url: '(an address that starts with https://)',
  date: '(a date as YYYY-MM-DD)',
}

/**
 * Validates a model's arguments by the same rules as a visitor's input. They are named as in the schema, or as the
 * editor named the parameters.
 * @returns values by parameter name; null if absent
 */
export function readArguments(
  parameters: readonly ActionParameter[],
  input: unknown,
): { values: Record<string, Json> } | { problem: string } {
  const given = new Map(
    typeof input === 'object' && input !== null && !Array.isArray(input) ? Object.entries(input) : [],
  )
  const keys = keysOf(parameters)
  const values: [string, Json][] = []
  for (const [at, parameter] of parameters.entries()) {
    const key = keys[at] ?? ''
    const named = given.has(key) ? key : parameter.name
    const read = readArgument(parameter, given.get(named))
    if ('problem' in read) return { problem: `${key}: ${read.problem}` }
    given.delete(named)
    values.push([parameter.name, read.value])
  }
  const [other] = given.keys()
  if (other !== undefined) return { problem: `${other.slice(0, 50)}: There is no such argument` }
  return { values: Object.fromEntries(values) }
}

function readArgument(parameter: ActionParameter, given: unknown): { value: Json } | { problem: string } {
  const { type, required, choices } = parameter
  if (type === 'yes-no' && typeof given === 'boolean') return { value: given }
  const text = typeof given === 'string' || typeof given === 'number' ? cleanText(String(given)).trim() : ''
  if (text === '' && given !== undefined && given !== null && typeof given !== 'string')
    return { problem: wrong(parameter) }
  if (text === '') return required ? { problem: ruleMessages.text } : { value: null }
  if (text.length > LONGEST) return { problem: `Must not exceed ${LONGEST} characters` }
  const value = argumentOf(type, text, choices)
  return value === null ? { problem: wrong(parameter) } : { value }
}

function argumentOf(type: ActionParameter['type'], text: string, choices: readonly string[]): Json {
  switch (type) {
    case 'text':
      return text
    case 'number':
      return parseNumber(text)
    case 'yes-no':
      return YES_NO[text.toLowerCase()] ?? null
    case 'email':
      return parseEmail(text)
    case 'phone':
      return parsePhone(text) ?? (isPhone(text) && !text.startsWith('+') ? text : null)
    case 'url':
      return parseUrl(text)
    case 'date':
      return parseDate(text, 'date')
    case 'choice':
      return choices.find((choice) => choice.toLowerCase() === text.toLowerCase()) ?? null
  }
}

const YES_NO: Readonly<Record<string, boolean>> = { yes: true, true: true, no: false, false: false }

function wrong({ type, choices }: ActionParameter): string {
  switch (type) {
    case 'text':
      return ruleMessages.text
    case 'yes-no':
      return 'Must be true or false'
    case 'date':
      return 'Enter a valid date'
    case 'choice':
      return `Must be one of ${choices.join(', ')}`
    default:
      return ruleMessages[type]
  }
}
