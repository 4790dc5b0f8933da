import { CORE_SCHEMA, load, YAMLException } from 'js-yaml'
import { EngineError } from '../errors'
import type { Json } from '../values/json'
import { MAX_DEPTH } from './readJson'

/** The most values of a file; values repeated by aliases count each time. */
const MAX_VALUES = 1_000_000
/** The most aliases of a file. */
const MAX_ALIASES = 1_000

/**
 * Parses the text of a YAML file as JSON; readFile.ts has checked its size. Throws IMPORT_UNREADABLE (not YAML, several
 * documents, aliases that expand too far) or FLOW_TOO_DEEP.
 */
export function readYaml(text: string): Json {
  const value = parse(text)
  let left = MAX_VALUES
  /** Expands aliases, which refer to one shared value: a few lines may expand to more than fits in memory. */
  function copy(each: unknown, depth: number): Json {
    if (--left < 0) throw new EngineError('IMPORT_UNREADABLE', `It holds more than ${MAX_VALUES} values.`)
    if (depth > MAX_DEPTH) throw new EngineError('FLOW_TOO_DEEP', `It is deeper than ${MAX_DEPTH} levels.`)
    if (Array.isArray(each)) return each.map((item) => copy(item, depth + 1))
    if (typeof each === 'object' && each !== null)
      return Object.fromEntries(Object.entries(each).map(([key, field]) => [key, copy(field, depth + 1)]))
    if (typeof each === 'number') return Number.isFinite(each) ? each : null
    return typeof each === 'string' || typeof each === 'boolean' ? each : null
  }
  return copy(value, 0)
}

function parse(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH + 1, maxAliases: MAX_ALIASES })
  } catch (cause) {
    const message = cause instanceof YAMLException ? cause.reason : ''
    if (/maxDepth/.test(message))
      throw new EngineError('FLOW_TOO_DEEP', `It is deeper than ${MAX_DEPTH} levels.`, { cause })
    if (/maxAliases/.test(message))
      throw new EngineError('IMPORT_UNREADABLE', `It has more than ${MAX_ALIASES} aliases.`, { cause })
    throw new EngineError('IMPORT_UNREADABLE', `It is neither JSON nor YAML${place(cause)}.`, { cause })
  }
}

/** The parser's message quotes the file: only the position is used. */
function place(cause: unknown): string {
  const mark = cause instanceof YAMLException ? cause.mark : undefined
  return mark ? `: line ${mark.line + 1}, column ${mark.column + 1}` : ''
}
