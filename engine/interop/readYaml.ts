import { CORE_SCHEMA, load, YAMLException } from 'js-yaml'
import { EngineError } from '../errors'
import type { Json } from '../values/json'
import { MAX_DEPTH } from './readJson'

/** Values that one file may hold, those that aliases repeat counted each time. */
const MAX_VALUES = 1_000_000
/** More than any exporter writes: aliases stand for what a file repeats. */
const MAX_ALIASES = 1_000

/**
 * Reads the text of a YAML file as JSON. Its size has been looked at before (readFile.ts).
 * Throws IMPORT_UNREADABLE (not YAML, several documents, aliases that grow beyond all bounds) or FLOW_TOO_DEEP.
 */
export function readYaml(text: string): Json {
  const value = parse(text)
  let left = MAX_VALUES
  /** Aliases are references to one value: written out, a few lines may be more than any memory holds. */
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

/** The parser's own words quote the file: only the place is taken from them. */
function place(cause: unknown): string {
  const mark = cause instanceof YAMLException ? cause.mark : undefined
  return mark ? `: line ${mark.line + 1}, column ${mark.column + 1}` : ''
}
