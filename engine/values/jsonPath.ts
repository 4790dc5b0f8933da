import parse, { type JsonPathQuery } from 'jsonpath-rfc9535/parser'
import { Budget, BudgetSpent, charge, SHARE_UNITS } from '../budget'
import type { Json } from './json'
import { selectNodes } from './jsonPathSelect'

/** The character cap of a path; ours. */
export const JSON_PATH_CAP = 500

/** The most descendant segments (`..`) anywhere in a path, since each multiplies the work. `$..a[?@..b]` has two. */
export const JSON_PATH_DEPTHS = 3

/** The budget of one path: paths such as `$..*..*` would take hours. */
const MOST_WORK = SHARE_UNITS
/** The most values that a path returns. */
const MOST_FOUND = 10_000

/**
 * Validates a JSONPath (RFC 9535).
 * @returns a sentence that names the position, or null
 */
export function jsonPathProblem(path: string): string | null {
  const parsed = parsePath(path)
  return 'problem' in parsed ? parsed.problem : null
}

/**
 * The value at a JSONPath; a path that may match several (`*`, `..`, slices, filters) returns a list. Null if nothing
 * is found, the path is invalid, or it costs too much.
 */
export function readJsonPath(path: string, value: Json): Json {
  const parsed = parsePath(path)
  if ('problem' in parsed) return null
  const share = new Budget(MOST_WORK)
  try {
    const found = share.during(() => selectNodes(parsed.query.segments, value, value))
    return isSingular(parsed.query) ? (found[0] ?? null) : found.slice(0, MOST_FOUND)
  } catch (error) {
    if (error instanceof BudgetSpent && error.budget === share) return null
    throw error
  }
}

/** The shortest path to a place: `$.items[0]['full name']`. */
export const jsonPathOf = (steps: readonly (string | number)[]): string =>
  `$${steps
    .map((step) =>
      typeof step === 'number'
        ? `[${step}]`
        : /^[A-Za-z_][A-Za-z0-9_]*$/.test(step)
          ? `.${step}`
          : `['${JSON.stringify(step).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}']`,
    )
    .join('')}`

function parsePath(path: string): { query: JsonPathQuery } | { problem: string } {
  if (path.length > JSON_PATH_CAP) {
    return {
      problem: `A JSONPath must not exceed ${JSON_PATH_CAP} characters, this one has ${path.length}: name a shorter way`,
    }
  }
  if (!path.startsWith('$')) return { problem: 'Start with $, such as $.name' }
  const depths = path.replace(QUOTED, '').match(/\.\./g)?.length ?? 0
  if (depths > JSON_PATH_DEPTHS) {
    return {
      problem: `This JSONPath has ${depths} “..”; at most ${JSON_PATH_DEPTHS} are taken: name the fields on the way instead`,
    }
  }
  charge(path.length * SIGN)
  try {
    return { query: parse(path) }
  } catch (error) {
    const at = offsetOf(error)
    const rest = path.slice(at, at + 10)
    return {
      problem: `This is no JSONPath: it can't be read ${rest === '' ? 'beyond its end' : `at character ${at + 1}, “${rest}”`}`,
    }
  }
}

/** String literals in a path: two dots in a name are not a segment. */
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g

/** The cost of parsing a character of a path. */
const SIGN = 500

function offsetOf(error: unknown): number {
  const { location } = error as { location?: { start?: { offset?: number } } }
  return location?.start?.offset ?? 0
}

/** Only names and indexes: at most one value. */
const isSingular = ({ segments }: JsonPathQuery): boolean =>
  segments.every(({ type, node }) => {
    if (type !== 'ChildSegment') return false
    if (node.type !== 'BracketedSelection') return node.type === 'MemberNameShorthand'
    const [only, ...others] = node.selectors
    return others.length === 0 && (only?.type === 'NameSelector' || only?.type === 'IndexSelector')
  })
