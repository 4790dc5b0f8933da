import { z } from 'zod'
import { tooLong } from './caps'
import { entryMessages } from './entryRules'
import { ruleMessages } from './rules'

/** A validation problem for people: the path of the form's field, and the message. */
export interface Problem {
  path: PropertyKey[]
  message: string
}
type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/** The most problems reported at once; foreign input can have any number. */
const MOST = 20
/** The most values listed in a message. */
const MOST_VALUES = 12

// replaces the library's messages for all schemas, except for fields with their own
z.config({ customError: messageOf })

/** The message for every issue code of zod 4 (from SPEC.md 5 where it has one). */
export function messageOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? entryMessages.required : (typeMessages[issue.expected] ?? NOT_VALID)
    case 'too_big':
      return tooBig(issue)
    case 'too_small':
      return tooSmall(issue)
    case 'invalid_format':
      return formatMessage(issue)
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `There is no field ${issue.keys.slice(0, 3).map(quoted).join(', ')} here`
    case 'invalid_value':
      return issue.input === undefined ? entryMessages.required : oneOf(issue.values)
    case 'invalid_union':
      return issue.input === undefined ? entryMessages.required : NOT_VALID
    case 'invalid_key':
      return 'This name can’t be used here'
    case 'invalid_element':
      return 'One of the entries is not valid'
    default:
      return NOT_VALID
  }
}

/**
 * All problems of a value, one per place; of a union, those of the intended alternative.
 * @param issues of a failed `safeParse`
 */
export function problemsOf(issues: readonly Issue[]): Problem[] {
  const seen = new Set<string>()
  return issues.slice(0, MOST).flatMap((issue) => {
    const { path, message } = meant(issue)
    const place = path.join('.')
    if (seen.has(place)) return []
    seen.add(place)
    return { path, message }
  })
}

/** The first problem as a sentence that names its field: `Phrases, entry 3: Required`. */
export function firstProblem(issues: readonly Issue[]): string {
  const [first, ...others] = problemsOf(issues)
  if (!first) return NOT_VALID
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  const label = fieldLabel(first.path)
  return `${label === '' ? '' : `${label}: `}${first.message}${more}`
}

/** The display name of the field at a path: `['fields', 2, 'saveTo']` is `Fields, entry 3, save to`. */
export function fieldLabel(path: readonly PropertyKey[]): string {
  const words = path.map((key) => (typeof key === 'number' ? `entry ${key + 1}` : readableKey(String(key))))
  const label = words.filter((word) => word !== '').join(', ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}

/** Field names that don't read as words. */
const NAMED: Readonly<Record<string, string>> = {
  url: 'URL',
  pgid: 'project',
  cgid: 'chatbot',
  fid: 'flow',
  gid: 'id',
  gids: 'ids',
  mgid: 'member',
}
const readableKey = (key: string): string =>
  NAMED[key] ??
  key
    .slice(0, 60)
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .trim()

const NOT_VALID = 'This is not valid'
const NO_LIST = 'Enter a list'
const typeMessages: Readonly<Record<string, string>> = {
  string: ruleMessages.text,
  number: ruleMessages.number,
  int: 'Enter a whole number',
  bigint: 'Enter a whole number',
  boolean: 'Choose yes or no',
  date: 'Enter a valid date',
  array: NO_LIST,
  tuple: NO_LIST,
  set: NO_LIST,
  object: 'Enter an object',
  record: 'Enter an object',
  map: 'Enter an object',
}
const formatMessages: Readonly<Record<string, string>> = {
  email: ruleMessages.email,
  url: ruleMessages.url,
  date: 'Enter a valid date',
  datetime: 'Enter a valid date and time',
  time: 'Enter a valid time',
  uuid: ruleMessages.id,
  json_string: 'This is not valid JSON',
}

const isText = (origin: string): boolean => origin === 'string'
const isList = (origin: string): boolean => ['array', 'set', 'map', 'object', 'file'].includes(origin)

function tooBig({ origin, maximum, inclusive = true }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  if (isText(origin)) return tooLong(Number(maximum) - (inclusive ? 0 : 1))
  if (isList(origin)) return `At most ${maximum} are possible`
  return inclusive ? `Must be at most ${maximum}` : `Must be less than ${maximum}`
}

function tooSmall({ origin, minimum, inclusive = true }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if ((isText(origin) || isList(origin)) && Number(minimum) <= 1) return entryMessages.required
  if (isText(origin)) return `Must have at least ${minimum} characters`
  if (isList(origin)) return `Give at least ${minimum}`
  return inclusive ? `Must be at least ${minimum}` : `Must be more than ${minimum}`
}

function formatMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  const { format, prefix, suffix, includes } = issue as typeof issue & Record<string, unknown>
  if (format === 'starts_with') return `Must begin with ${quoted(String(prefix))}`
  if (format === 'ends_with') return `Must end with ${quoted(String(suffix))}`
  if (format === 'includes') return `Must contain ${quoted(String(includes))}`
  return formatMessages[format] ?? NOT_VALID
}

function oneOf(values: readonly unknown[]): string {
  if (values.length > MOST_VALUES) return 'Choose one of the options'
  return values.length === 1 ? `Must be ${quoted(values[0])}` : `Choose one of ${values.map(quoted).join(', ')}`
}

const quoted = (value: unknown): string => `“${String(value).slice(0, 60)}”`

/** Of a union, the closest alternative is the most informative: it got furthest, or only its format was wrong. */
function meant(issue: Issue): Problem {
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') {
    return { path: issue.path, message: issue.issues[0]?.message ?? issue.message }
  }
  if (issue.code !== 'invalid_union') return issue
  const firsts = issue.errors.flatMap((issues) => issues.slice(0, 1))
  const values = firsts.flatMap((each) => (each.code === 'invalid_value' && each.path.length === 0 ? each.values : []))
  const [closest] = firsts
    .filter(({ code, path }) => path.length > 0 || (code !== 'invalid_type' && code !== 'invalid_value'))
    .sort((a, b) => b.path.length - a.path.length)
  if (closest) {
    const { path, message } = meant(closest)
    return { path: [...issue.path, ...path], message }
  }
  const said = new Set(firsts.map(({ message }) => message))
  if (values.length === 0 && said.size > 1) return issue
  return { path: issue.path, message: said.size === 1 ? (firsts[0]?.message ?? issue.message) : oneOf(values) }
}
