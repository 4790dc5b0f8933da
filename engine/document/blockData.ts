import type { Json } from '../values/json'
import { byOrder, ordersFor } from './order'
import { isPlain } from './shape'

/** The interface of a block's Y.Map that this file uses: keys and JSON values. */
export interface Leaves {
  get(key: string): Json | undefined
  keys(): Iterable<string>
}
export type Data = Record<string, Json>
type Item = { id: string; [field: string]: Json }

const PREFIX = 'data/'
/**
 * Names of an item's own keys. Field names are escaped, so that none collides with them. The first place is written
 * once and marks the item as existing: a peer who reorders must not keep an item whose creator undoes its creation.
 */
const PLACE = '#'
const MOVED = '@'
const GONE = '-'
const toSegment = (segment: string) =>
  segment.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('#', '~2').replace(/^-$/, '~3').replace(/^@$/, '~4')
const fromSegment = (segment: string) =>
  segment.includes('~')
    ? segment
        .replaceAll('~4', '@')
        .replaceAll('~3', '-')
        .replaceAll('~2', '#')
        .replaceAll('~1', '/')
        .replaceAll('~0', '~')
    : segment

/** Whether this key marks an item as deleted. */
export const marksGone = (key: string): boolean => key.startsWith(PREFIX) && key.endsWith(`/${GONE}`)

/**
 * Computes what to write so that the leaves hold `data`: values to set, and undefined for keys to delete. A list whose
 * items all have an id becomes one key per field (README.md, "Data lies flat"); its own key holds `[]`, which marks it
 * as existing. A removed item is marked, not deleted: a peer's edit of it survives if the removal is undone.
 */
export function diffData(leaves: Leaves, data: Data, skip: readonly string[]): Map<string, Json | undefined> {
  const wanted = new Map<string, Json>()
  const tree = readTree(leaves)
  const walk = (fields: Data, path: string, node: Node | undefined) => {
    for (const [field, value] of Object.entries(fields)) {
      if (value === undefined) continue
      const key = `${path}${toSegment(field)}`
      if (!isKeyedList(value)) wanted.set(key, value)
      else {
        wanted.set(key, [])
        walkList(value, `${key}/`, node?.children.get(field))
      }
    }
  }
  const walkList = (items: Item[], path: string, node: Node | undefined) => {
    const orders = new Map<string, string>()
    for (const [id, child] of node?.children ?? []) {
      const order = orderOf(child)
      if (order !== undefined) orders.set(id, order)
    }
    const ids = items.map((item) => item.id)
    const isWanted = new Set(ids)
    const writes = ordersFor(ids, orders)
    for (const { id, ...fields } of items) {
      const itemPath = `${path}${toSegment(id)}/`
      const child = node?.children.get(id)
      const order = writes.get(id) ?? (orders.get(id) as string)
      wanted.set(`${itemPath}${PLACE}`, child?.place ?? order)
      if (child?.place !== undefined && (child.moved ?? child.place) !== order) wanted.set(`${itemPath}${MOVED}`, order)
      else if (child?.place !== undefined && child.moved !== undefined) wanted.set(`${itemPath}${MOVED}`, child.moved)
      walk(fields, itemPath, child)
    }
    for (const [id, child] of node?.children ?? []) {
      if (isWanted.has(id)) continue
      // an item whose creation was undone may come back by redo: leave it as it is
      if (orders.has(id)) wanted.set(`${path}${toSegment(id)}/${GONE}`, true)
      for (const key of child.keys) wanted.set(key, leaves.get(key) as Json)
    }
  }
  walk(Object.fromEntries(Object.entries(data).filter(([field]) => !skip.includes(field))), PREFIX, tree)

  const writes = new Map<string, Json | undefined>()
  for (const [key, value] of wanted) {
    const present = leaves.get(key)
    if (present === undefined || !sameJson(present, value)) writes.set(key, value)
  }
  for (const key of leaves.keys()) if (key.startsWith(PREFIX) && !wanted.has(key)) writes.set(key, undefined)
  return writes
}

/** The data in the leaves, fields by name. Items without a place, or marked as deleted, are left out. */
export function readData(leaves: Leaves): Data {
  return readFields(readTree(leaves))
}

interface Node {
  value?: Json
  place?: string
  moved?: string
  gone: boolean
  children: Map<string, Node>
  /** the stored keys of this node and its descendants */
  keys: string[]
}
const createNode = (): Node => ({ gone: false, children: new Map(), keys: [] })
const orderOf = ({ place, moved }: Node): string | undefined => (place === undefined ? undefined : (moved ?? place))

function readTree(leaves: Leaves): Node {
  const root = createNode()
  for (const key of leaves.keys()) {
    if (!key.startsWith(PREFIX)) continue
    const value = leaves.get(key)
    if (!isPlain(value)) continue
    const segments = key.slice(PREFIX.length).split('/')
    const last = segments.at(-1)
    const own = last === PLACE || last === MOVED || last === GONE
    let node = root
    for (const segment of own ? segments.slice(0, -1) : segments) {
      const name = fromSegment(segment)
      const child = node.children.get(name) ?? createNode()
      node.children.set(name, child)
      child.keys.push(key)
      node = child
    }
    if (last === GONE) node.gone = true
    else if (!own) node.value = value
    else if (typeof value === 'string') node[last === PLACE ? 'place' : 'moved'] = value
  }
  return root
}

function readFields(node: Node): Data {
  const data: Data = {}
  // a Y.Map is ordered by when its keys arrived at this peer: sort instead
  for (const [field, child] of [...node.children].sort(([a], [b]) => (a < b ? -1 : 1))) {
    // assigning this name would set the prototype
    if (field === '__proto__' || child.value === undefined) continue
    data[field] = isEmptyList(child.value) ? readItems(child) : child.value
  }
  return data
}

function readItems(list: Node): Json[] {
  return [...list.children]
    .flatMap(([id, node]) => {
      const order = orderOf(node)
      return order === undefined || node.gone ? [] : [{ id, order, node }]
    })
    .sort(byOrder)
    .map(({ id, node }) => ({ id, ...readFields(node) }))
}

const isEmptyList = (value: Json) => Array.isArray(value) && value.length === 0

function isKeyedList(value: Json): value is Item[] {
  if (!Array.isArray(value) || value.length === 0) return isEmptyList(value)
  const ids = new Set<string>()
  for (const item of value) {
    if (item === null || typeof item !== 'object' || Array.isArray(item)) return false
    if (typeof item.id !== 'string' || item.id === '') return false
    ids.add(item.id)
  }
  return ids.size === value.length
}

export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, i) => sameJson(item, b[i] as Json))
    )
  }
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every((key) => key in b && sameJson(a[key] as Json, b[key] as Json))
  )
}
