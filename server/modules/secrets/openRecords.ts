import { httpCallSchema } from '../../../engine/effects/http'
import { sealCall } from '../../../engine/flow/httpSecrets'
import type { Json } from '../../../engine/values/json'
import { createMask, MASK } from '../../platform/outbound/maskSecrets'

/** Takes secrets that stood open out of what was recorded of conversations. */
export interface RecordCleaner {
  /** of which JSON holds one of them, it may hold something to take out */
  traces: string[]
  clean(value: Json): Json
}

/** What is shorter may be a word of the record's own, such as the name of a port: it is taken out of requests alone. */
const SHORTEST = 8

/**
 * Requests get references, as the flow makes them now, so that tests compare equal; what looks like a secret there and
 * is kept under no name, since the flow has another one by now, is masked. Wherever else a value stands, it is masked.
 * @param names of the project's secrets, by value
 * @param hidden what stands for what is kept under no name; null: it stays
 */
export function createRecordCleaner(names: ReadonlyMap<string, string>, hidden: string | null = MASK): RecordCleaner {
  const mask = createMask([...names.keys()].filter((value) => value.length >= SHORTEST))
  const fieldsOf = (fields: object): Json =>
    Object.fromEntries(Object.entries(fields).map(([key, part]: [string, Json]) => [key, clean(part)]))
  const clean = (value: Json): Json => {
    if (typeof value === 'string') return mask.text(value)
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(clean)
    const call = 'followRedirects' in value ? httpCallSchema.safeParse(value) : null
    return fieldsOf(call?.success ? sealCall(call.data, names, hidden) : value)
  }
  return {
    traces: ['"followRedirects"', ...mask.forms.map((form) => JSON.stringify(form).slice(1, -1))],
    clean,
  }
}
