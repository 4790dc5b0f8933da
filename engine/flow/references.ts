import type { Json } from '../values/json'

/**
 * Whether a field of a block's data names a group, a block or a variable of the same flow: it is called …Id, …_id, …To or save…, or holds
 * the intents that a question listens for. Only there a string is taken for an id: a text may read like one. What begins with
 * `flow` names something of another flow.
 */
export const isReference = (field: string): boolean => REFERENCE.test(field)
const REFERENCE = /^(?!flow)(?:.*(?:Ids?|_ids?|To)|save[A-Z].*|intents)$/

/** An id in its new form; null takes it off the list that it is in, and leaves one that stands alone as it is. */
export type RenameId = (id: string, inList: boolean) => string | null

/** The value with everything that it refers to renamed. */
export function renameReferences(value: Json, rename: RenameId, field = ''): Json {
  if (typeof value === 'string') return isReference(field) ? (rename(value, false) ?? value) : value
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value))
    return value.flatMap((item): Json[] => {
      if (typeof item !== 'string' || !isReference(field)) return [renameReferences(item, rename, field)]
      const renamed = rename(item, true)
      return renamed === null ? [] : [renamed]
    })
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, renameReferences(part, rename, name)]))
}
