import parse, { type JsonPathQuery } from 'jsonpath-rfc9535/parser'
import type { Json } from './json'
import { selectNodes, type Work } from './jsonPathSelect'

/** Most characters of a path; ours. */
export const JSON_PATH_CAP = 500

/** What reading one path may cost, in values looked at: about a tenth of a second. Paths such as `$..*..*` would take hours. */
const MOST_WORK = 500_000
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
  const work: Work = { left: MOST_WORK, root: value }
  const found = selectNodes(parsed.query.segments, value, work)
  if (work.left < 0) return null
  return isSingular(parsed.query) ? (found[0] ?? null) : found.slice(0, MOST_FOUND)
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
  if (path.length > JSON_PATH_CAP) return { problem: `A JSONPath must not exceed ${JSON_PATH_CAP} characters` }
  if (!path.startsWith('$')) return { problem: 'A JSONPath starts with $, such as $.name' }
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
