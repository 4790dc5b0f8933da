import { httpCallSchema } from '../../../engine/effects/http'
import { sealCall } from '../../../engine/flow/httpSecrets'
import type { Json } from '../../../engine/values/json'
import { createMask, MASK } from '../../platform/outbound/maskSecrets'

/** Removes plain-text secrets from records of conversations. */
export interface RecordCleaner {
  /** JSON that contains one of these texts may contain a secret */
  traces: string[]
  clean(value: Json): Json
}

/** A shorter value may be an ordinary word of the record, such as a port's name: it is removed only from requests. */
const SHORTEST = 8

/**
 * In requests, secrets become references, as in the present flow, so that tests compare equal; values that look like
 * secrets but are not stored, because the flow's have changed, are masked. Anywhere else, values are masked.
 * @param names of the project's secrets, by value
 * @param hidden the mask of unstored ones; null: they stay
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
