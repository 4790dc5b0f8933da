import * as Y from 'yjs'
import type { Registry } from '../flow/registry'
import { flowCaps } from '../flow/schema'
import { cleanVariableName } from '../flow/variableName'
import type { Json } from '../values/json'
import { isReservedId } from '../values/systemVariables'
import { type Leaves, readData, sameJson } from './blockData'
import { putGroup, putVariable, setKey, writeData } from './editFlow'
import { mendData } from './mendData'
import { byOrder, isOrder, ordersFor } from './order'
import { createText } from './richText'
import {
  blockOfKey,
  GONE,
  isPlain,
  type Roots,
  readBlock,
  readEdge,
  readGroup,
  readVariables,
  rootsOf,
  textKey,
  variableKey,
} from './shape'

/** A repair that was made. Plain data: the interface has the texts. */
export type Repair =
  /** a block had no place, or one in a group that never existed: it is now in the group `groupId` */
  | { code: 'block-placed'; blockId: string; groupId: string }
  /** fields were missing, unknown, or of a wrong type */
  | { code: 'data-mended'; blockId: string; fields: string[] }
  | { code: 'text-made'; blockId: string; field: string }
  | { code: 'group-mended'; groupId: string }
  /** items without a valid order key got one; without `groupId` these are the groups or the variables */
  | { code: 'order-mended'; of: 'groups' | 'blocks' | 'variables'; groupId?: string }
  /** its source or target never existed */
  | { code: 'edge-removed'; blockId: string; portId: string }
  | { code: 'variable-renamed'; variableId: string; from: string; to: string }
  /** an entry that nobody could see or use */
  | { code: 'entry-removed'; of: keyof Roots; key: string }

/**
 * Repairs what people would otherwise lose or could not fix themselves (README.md, "What is repaired"). The same
 * document gets the same repairs on every peer, and none the second time; deleted parts are left alone.
 * @param scope.blocks blocks whose data is checked; default: all. Everything else is cheap and always checked
 * @param scope.ties also separates items with equal order keys: only while nobody is editing, since it moves what a
 *   peer may be moving
 */
export function repairDocument(
  doc: Y.Doc,
  registry: Registry,
  scope: { blocks?: Iterable<string>; ties?: boolean } = {},
): Repair[] {
  const repairs: Repair[] = []
  // updates are still missing: what dangles now may be complete then
  if (doc.store.pendingStructs !== null) return repairs
  doc.transact(() => {
    const roots = rootsOf(doc)
    const ties = scope.ties ?? false
    removeEntries(roots, repairs)
    mendGroups(roots, ties, repairs)
    placeBlocks(roots, ties, repairs)
    mendBlocks(roots, registry, scope.blocks ?? roots.blocks.keys(), repairs)
    removeEdges(roots, repairs)
    mendVariables(roots, ties, repairs)
  }, repairOrigin)
  return repairs
}

/** The transaction origin of repairs. */
export const repairOrigin = { repair: true }

/** Records changed blocks, so that a repair need not read all of them. */
export function watchForRepair(doc: Y.Doc): {
  takeChanged: () => Set<string>
  mark: (blockId: string) => void
  stop: () => void
} {
  const { blocks, texts } = rootsOf(doc)
  let changed = new Set<string>()
  const inBlocks = (events: Y.YEvent<Y.AbstractType<unknown>>[]) => {
    for (const { target, path, changes } of events) {
      if ((target as unknown) !== blocks) changed.add(String(path[0]))
      else for (const id of changes.keys.keys()) changed.add(id)
    }
  }
  // typing can't break a text
  const inTexts = ({ keysChanged }: Y.YMapEvent<unknown>) => {
    for (const key of keysChanged) changed.add(blockOfKey(key))
  }
  blocks.observeDeep(inBlocks as Parameters<typeof blocks.observeDeep>[0])
  texts.observe(inTexts)
  return {
    takeChanged() {
      const taken = changed
      changed = new Set()
      return taken
    },
    mark: (blockId) => changed.add(blockId),
    stop() {
      blocks.unobserveDeep(inBlocks as Parameters<typeof blocks.observeDeep>[0])
      texts.unobserve(inTexts)
    },
  }
}

// same as idSchema, but fast: thousands of keys are tested each time
const ID = /^[A-Za-z0-9_-]{1,64}$/
const isId = (id: unknown): id is string => typeof id === 'string' && ID.test(id)
const isKind = (kind: unknown) => typeof kind === 'string' && /^[a-z][a-z0-9-]{0,63}$/.test(kind)
const sorted = (keys: Iterable<string>): string[] => [...keys].sort()
const mapOf = (value: unknown): Y.Map<unknown> | null => (value instanceof Y.Map ? value : null)

/** Removes entries with an invalid id or of a wrong type. */
function removeEntries(roots: Roots, repairs: Repair[]) {
  const remove = (of: keyof Roots, key: string) => {
    roots[of].delete(key)
    repairs.push({ code: 'entry-removed', of, key })
  }
  for (const id of sorted(roots.groups.keys())) {
    if (!isId(id) || !mapOf(roots.groups.get(id))) remove('groups', id)
  }
  for (const id of sorted(roots.blocks.keys())) {
    if (!isId(id) || !isKind(mapOf(roots.blocks.get(id))?.get('kind'))) remove('blocks', id)
  }
  for (const key of sorted(roots.texts.keys())) {
    if (!isId(blockOfKey(key)) || !(roots.texts.get(key) instanceof Y.XmlText)) remove('texts', key)
  }
  for (const key of sorted(roots.variables.keys())) {
    const [id, part, ...more] = key.split('/')
    const value = roots.variables.get(key)
    const sound =
      part === undefined
        ? mapOfJson(value) && typeof value.name === 'string' && isPlain(value.value)
        : more.length === 0 && isPart(part, value)
    if (!sound || !isId(id) || isReservedId(id)) remove('variables', key)
  }
}

const mapOfJson = (value: unknown): value is Record<string, Json> =>
  value !== null && typeof value === 'object' && !(value instanceof Y.AbstractType)

const isPart = (part: string, value: unknown): boolean =>
  part === '-' ||
  (part === 'value' ? isPlain(value) : (part === 'name' || part === 'order') && typeof value === 'string')

function mendGroups(roots: Roots, ties: boolean, repairs: Repair[]) {
  const orders = new Map<string, string>()
  for (const id of sorted(roots.groups.keys())) {
    const group = readGroup(roots, id)
    const map = mapOf(roots.groups.get(id))
    if (!group || !map) continue
    if (map.get('title') !== group.title || !sameValue(map.get('pos'), group.position)) {
      map.set('title', group.title)
      map.set('pos', group.position)
      repairs.push({ code: 'group-mended', groupId: id })
    }
    orders.set(id, group.order)
  }
  const writes = missingOrders(orders, ties)
  for (const [id, order] of writes) setKey(roots.groups.get(id), 'order', order)
  if (writes.size > 0) repairs.push({ code: 'order-mended', of: 'groups' })
}

const sameValue = (value: unknown, wanted: Json): boolean => isPlain(value) && sameJson(value, wanted)

/** Moves blocks without a place into a group for them, right of all others. */
function placeBlocks(roots: Roots, ties: boolean, repairs: Repair[]) {
  const members = new Map<string, Map<string, string>>()
  const lost: string[] = []
  for (const id of sorted(roots.blocks.keys())) {
    const map = mapOf(roots.blocks.get(id))
    if (!map || map.get(GONE) === true) continue
    const block = readBlock(roots, id)
    if (!block || !roots.groups.has(block.groupId)) lost.push(id)
    else members.set(block.groupId, (members.get(block.groupId) ?? new Map<string, string>()).set(id, block.order))
  }
  const isLost = new Set(lost)
  if (lost.length > 0) {
    const groupId = roomForLost(roots)
    const there = members.get(groupId) ?? new Map<string, string>()
    for (const id of lost) {
      there.set(id, '')
      repairs.push({ code: 'block-placed', blockId: id, groupId })
    }
    members.set(groupId, there)
  }
  for (const [groupId, orders] of [...members].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const writes = missingOrders(orders, ties)
    for (const [id, order] of writes) setKey(roots.blocks.get(id), 'at', { groupId, order })
    if ([...writes.keys()].some((id) => !isLost.has(id))) repairs.push({ code: 'order-mended', of: 'blocks', groupId })
  }
}

function roomForLost(roots: Roots): string {
  let n = 1
  while (roots.groups.has(`recovered-${n}`) && !readGroup(roots, `recovered-${n}`)) n += 1
  const id = `recovered-${n}`
  if (roots.groups.has(id)) return id
  const groups = sorted(roots.groups.keys()).flatMap((groupId) => readGroup(roots, groupId) ?? [])
  const position = groups.length
    ? {
        x: groups.reduce((most, g) => Math.max(most, g.position.x), Number.NEGATIVE_INFINITY) + 480,
        y: groups.reduce((least, g) => Math.min(least, g.position.y), Number.POSITIVE_INFINITY),
      }
    : { x: 0, y: 0 }
  const last = groups.reduce((most, { order }) => (isOrder(order) && order > most ? order : most), '')
  const order = ordersFor(['last', id], new Map(last ? [['last', last]] : [])).get(id) as string
  putGroup(roots, { id, title: 'Recovered', position, order })
  return id
}

/**
 * Order keys for items that have none, at the end; with `ties` also for items with equal ones. The displayed order
 * stays.
 */
function missingOrders(orders: ReadonlyMap<string, string>, ties: boolean): Map<string, string> {
  const items = [...orders].map(([id, order]) => ({ id, order }))
  const known = items.filter(({ order }) => isOrder(order)).sort(byOrder)
  if (known.length === items.length && !(ties && known.some(({ order }, i) => order === known[i - 1]?.order)))
    return new Map()
  const unknown = items.filter(({ order }) => !isOrder(order)).sort(byOrder)
  const wanted = [...(ties ? known : known.slice(-1)), ...unknown].map(({ id }) => id)
  return ordersFor(wanted, new Map(known.map(({ id, order }) => [id, order])))
}

function mendBlocks(roots: Roots, registry: Registry, ids: Iterable<string>, repairs: Repair[]) {
  for (const id of sorted(ids)) {
    const block = readBlock(roots, id)
    if (!block) continue
    setKey(block.map, 'version', block.version)
    const definition = registry.find(block.kind)
    // an unknown kind or a newer version: left to a program that knows it
    if (!definition || block.version !== definition.migrations.length) continue
    for (const field of definition.richTexts) {
      const key = textKey(id, field)
      if (roots.texts.has(key)) continue
      roots.texts.set(key, createText([]))
      repairs.push({ code: 'text-made', blockId: id, field })
    }
    const mended = mendData(readData(block.map as unknown as Leaves), definition)
    if (!mended) continue
    writeData(block.map, mended.data, definition.richTexts)
    repairs.push({ code: 'data-mended', blockId: id, fields: mended.fields })
  }
}

/** Removes edges whose ends never existed. Ends that are merely deleted may be restored, and the edge with them. */
function removeEdges(roots: Roots, repairs: Repair[]) {
  for (const key of sorted(roots.edges.keys())) {
    const blockId = blockOfKey(key)
    const portId = key.slice(blockId.length + 1)
    const edge = readEdge(roots, key)
    const leads = edge && (edge.blockId === undefined ? roots.groups.has(edge.groupId) : roots.blocks.has(edge.blockId))
    if (leads && isId(portId) && roots.blocks.has(blockId)) continue
    roots.edges.delete(key)
    repairs.push({ code: 'edge-removed', blockId, portId })
  }
}

/** Two people may have used one name at the same time: the later variable in the list gets a number. */
function mendVariables(roots: Roots, ties: boolean, repairs: Repair[]) {
  const variables = readVariables(roots).sort(byOrder)
  const freeName = createFreeNames()
  for (const variable of variables) {
    const { id, name } = variable
    const free = freeName(cleanVariableName(name).slice(0, flowCaps.variableName).trim() || 'Variable')
    if (free === name) continue
    putVariable(roots, { ...variable, name: free })
    repairs.push({ code: 'variable-renamed', variableId: id, from: name, to: free })
  }
  const writes = missingOrders(new Map(variables.map(({ id, order }) => [id, order])), ties)
  for (const [id, order] of writes) setKey(roots.variables, variableKey(id, 'order'), order)
  if (writes.size > 0) repairs.push({ code: 'order-mended', of: 'variables' })
}

/**
 * Makes taken names unique by appending the lowest free number. The last number is cached per name: otherwise thousands
 * of equal names would each count from the start.
 */
function createFreeNames(): (name: string) => string {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  const isTaken = (name: string) => taken.has(name.toLowerCase())
  const numbered = (name: string): string => {
    for (let digits = 1; ; digits++) {
      const stem = name.slice(0, flowCaps.variableName - 1 - digits)
      const key = `${digits} ${stem.toLowerCase()}`
      const end = 10 ** digits
      let n = next.get(key) ?? Math.max(2, end / 10)
      while (n < end && isTaken(`${stem} ${n}`)) n += 1
      next.set(key, n)
      if (n < end) return `${stem} ${n}`
    }
  }
  return (name) => {
    const free = isTaken(name) ? numbered(name) : name
    taken.add(free.toLowerCase())
    return free
  }
}
