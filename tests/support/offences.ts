import type { z } from 'zod'

/** A value that a schema refuses at one place, derived from a valid one; JSON, so that it can be sent. */
export interface Offence {
  /** what was changed, and where */
  at: string
  value: unknown
}

interface Definition {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  options?: z.ZodType[]
  innerType?: z.ZodType
  in?: z.ZodType
  valueType?: z.ZodType
  getter?: () => z.ZodType
  items?: z.ZodType[]
}
interface Bounds {
  minimum?: number
  maximum?: number
}

/** How deep recursive schemas are traversed. */
const DEEPEST = 6

/**
 * Values that break each rule of a schema, one at a time: missing, wrong type, too long, too short, too many, too few,
 * unknown, malformed, at every place of its tree.
 * @param valid a valid value
 */
export function offencesOf(schema: z.ZodType, valid: unknown): Offence[] {
  return [...walk(schema, valid, [])].filter(({ value }) => !schema.safeParse(value).success)
}

function* walk(schema: z.ZodType, valid: unknown, path: (string | number)[]): Generator<Offence> {
  const { def, _zod } = schema as unknown as { def: Definition; _zod: { bag?: Bounds } }
  const bounds = _zod.bag ?? {}
  const put = (put: unknown): Offence => ({
    at: `${path.join('.') || 'all of it'} = ${(JSON.stringify(put) ?? 'nothing').slice(0, 40)}`,
    value: replaceAt(valid, path, put),
  })
  if (path.length > DEEPEST) return
  const strangers = [undefined, null, 7, 'none of these', true, [], {}, ['x'], { x: 1 }]
  switch (def.type) {
    case 'string':
      for (const stranger of [...strangers, '', '\0', 'x'.repeat((bounds.maximum ?? 3_000) + 1)]) yield put(stranger)
      return
    case 'number':
      for (const stranger of [...strangers, 1.5, -1e15, 1e15, -1, 0]) yield put(stranger)
      return
    case 'array': {
      for (const stranger of strangers) yield put(stranger)
      const inner = def.element as z.ZodType
      const [item] = (valueAt(valid, path) as unknown[] | undefined) ?? []
      if (bounds.maximum !== undefined && bounds.maximum < 5_000) {
        yield put(Array.from({ length: bounds.maximum + 1 }, () => item ?? 'x'))
      }
      if (item !== undefined) yield* walk(inner, valid, [...path, 0])
      else for (const stranger of strangers) yield put([stranger])
      return
    }
    case 'object': {
      for (const stranger of strangers) yield put(stranger)
      const here = valueAt(valid, path)
      if (typeof here === 'object' && here !== null) yield put({ ...here, surplus: 1, another: 2 })
      for (const [name, field] of Object.entries(def.shape ?? {})) yield* walk(field, valid, [...path, name])
      return
    }
    case 'record':
      for (const stranger of [...strangers, { 'not a key \0': 1 }, { ['k'.repeat(5_000)]: 'x' }]) yield put(stranger)
      return
    case 'union':
      for (const stranger of strangers) yield put(stranger)
      for (const option of def.options ?? []) yield* walk(option, valid, path)
      return
    case 'lazy':
      if (def.getter && path.length < 3) yield* walk(def.getter(), valid, path)
      return
    case 'pipe':
      yield* walk(def.in as z.ZodType, valid, path)
      return
    case 'tuple':
      for (const stranger of strangers) yield put(stranger)
      return
    default:
      if (def.innerType) yield* walk(def.innerType, valid, path)
      else for (const stranger of strangers) yield put(stranger)
  }
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[key] : undefined),
    value,
  )
}

/** Replaces the value at a path; missing parts of the path are created. */
function replaceAt(value: unknown, [key, ...rest]: readonly (string | number)[], put: unknown): unknown {
  if (key === undefined) return put
  if (typeof key === 'number') {
    const items = Array.isArray(value) ? [...value] : []
    items[key] = replaceAt(items[key], rest, put)
    return items
  }
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { ...fields, [key]: replaceAt((fields as Record<string, unknown>)[key], rest, put) }
}
