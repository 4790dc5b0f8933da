import parse, { type JsonPathQuery } from 'jsonpath-rfc9535/parser'
import { Budget, BudgetSpent, charge, SHARE_UNITS } from '../budget'
import type { Json } from './json'
import { selectNodes } from './jsonPathSelect'

/** Most characters of a path; ours. */
export const JSON_PATH_CAP = 500

/**
 * Most segments that go down to every depth (`..`), anywhere in a path: each multiplies what is looked at. `$..a[?@..b]` has two.
 */
export const JSON_PATH_DEPTHS = 3

/** What reading one path may cost: paths such as `$..*..*` would take hours. */
const MOST_WORK = SHARE_UNITS
/** Most values that one path gives. */
const MOST_FOUND = 10_000

/**
 * What is wrong with a JSONPath (RFC 9535), or null.
 * @returns a sentence that names the place
 */
export function jsonPathProblem(path: string): string | null {
  const parsed = parsePath(path)
  return 'problem' in parsed ? parsed.problem : null
}

/**
 * The value that a JSONPath names; a path that may name several (`*`, `..`, slices, filters) gives a list of them. Nothing found,
 * an invalid path, or one that costs too much, is null.
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

/** The path of a place, as it is written most shortly: `$.items[0]['full name']`. */
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

/** Texts in a path: two points in a name are no segment. */
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g

/** What a character of a path costs to read. */
const SIGN = 500

function offsetOf(error: unknown): number {
  const { location } = error as { location?: { start?: { offset?: number } } }
  return location?.start?.offset ?? 0
}

/** Names and indexes alone: at most one value. */
const isSingular = ({ segments }: JsonPathQuery): boolean =>
  segments.every(({ type, node }) => {
    if (type !== 'ChildSegment') return false
    if (node.type !== 'BracketedSelection') return node.type === 'MemberNameShorthand'
    const [only, ...others] = node.selectors
    return others.length === 0 && (only?.type === 'NameSelector' || only?.type === 'IndexSelector')
  })
