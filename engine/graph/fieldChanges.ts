import type { Json } from '../values/json'
import type { RichText } from '../values/richText'

/** A changed leaf of a block's data. A rich text is one leaf. */
export interface FieldChange {
  /** keys from the outside in; list positions count from 1 */
  path: readonly (string | number)[]
  /** undefined if there was none */
  before: Json | undefined
  after: Json | undefined
  /** a list's items were reordered; before and after are the whole lists */
  reordered?: true
}

/** Lists which fields differ. List items are matched by id. @returns leaves, in the order of the data */
export function fieldChanges(before: Json | undefined, after: Json | undefined): FieldChange[] {
  const found: FieldChange[] = []
  compare(before, after, [], found)
  return found
}

/** Whether two JSON values are equal regardless of key order. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at]))
  }
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every(
    (key) => Object.hasOwn(b, key) && sameJson(a[key as keyof typeof a], (b as Record<string, unknown>)[key]),
  )
}

/** Whether a value is a rich text: a list of paragraphs. */
export const isRichText = (value: Json | undefined): value is RichText & Json =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isFields(item) && item.type === 'paragraph' && Array.isArray(item.children))

function compare(before: Json | undefined, after: Json | undefined, path: FieldChange['path'], found: FieldChange[]) {
  if (sameJson(before, after)) return
  if (isLeaf(before) && isLeaf(after)) return void found.push({ path, before, after })
  const [was, is] = [before, after].map((side) => (isLeaf(side) ? undefined : side))
  // a value replaced a list or an object, or the other way round
  if ((was === undefined && before != null) || (is === undefined && after != null)) {
    return void found.push({ path, before, after })
  }
  if (hasIds(was) && hasIds(is)) return compareItems(was ?? [], is ?? [], path, found)
  if (Array.isArray(was ?? []) && Array.isArray(is ?? [])) return void found.push({ path, before, after })
  if (Array.isArray(was) || Array.isArray(is)) return void found.push({ path, before, after })
  const keys = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])
  for (const key of keys) compare(was?.[key], is?.[key], [...path, key], found)
}

type Item = { id: string } & Record<string, Json>

function compareItems(was: Item[], is: Item[], path: FieldChange['path'], found: FieldChange[]) {
  const before = new Map(was.map((item) => [item.id, item]))
  const after = new Set(is.map(({ id }) => id))
  for (const [at, item] of is.entries()) compareItem(before.get(item.id), item, [...path, at + 1], found)
  for (const [at, item] of was.entries()) {
    if (!after.has(item.id)) compareItem(item, undefined, [...path, at + 1], found)
  }
  const stayed = is.filter(({ id }) => before.has(id)).map(({ id }) => id)
  const stood = was.filter(({ id }) => after.has(id)).map(({ id }) => id)
  if (!sameJson(stayed, stood)) found.push({ path, before: was, after: is, reordered: true })
}

function compareItem(was: Item | undefined, is: Item | undefined, path: FieldChange['path'], found: FieldChange[]) {
  const bare = (item: Item | undefined): Json | undefined => {
    if (!item) return undefined
    const { id: _, ...fields } = item
    return fields
  }
  compare(bare(was), bare(is), path, found)
}

const isFields = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isLeaf = (value: Json | undefined): value is undefined | null | string | number | boolean | (RichText & Json) =>
  value === undefined || value === null || typeof value !== 'object' || isRichText(value)

/** A list whose items all have ids, or a missing or empty one. */
const hasIds = (value: Json | undefined): value is Item[] | undefined =>
  value === undefined ||
  (Array.isArray(value) && value.length > 0 && value.every((item) => isFields(item) && typeof item.id === 'string'))
