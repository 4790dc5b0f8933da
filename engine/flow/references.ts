import type { Json } from '../values/json'

/**
 * Whether a data field names a group, a block or a variable of the same flow: it is called …Id, …_id, …To or save…, or
 * lists the intents of a question. Only such fields count as ids, since any text may look like one. Fields that begin
 * with `flow` name parts of another flow.
 */
export const isReference = (field: string): boolean => REFERENCE.test(field)
const REFERENCE = /^(?!flow)(?:.*(?:Ids?|_ids?|To)|save[A-Z].*|intents)$/

/** Returns the new id; null removes it from a list, and leaves a single one unchanged. */
export type RenameId = (id: string, inList: boolean) => string | null

/** Renames all references in a value. */
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
