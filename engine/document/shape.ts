import * as Y from 'yjs'
import { flowCaps } from '../flow/schema'
import { isJson, type Json } from '../values/json'

/**
 * The root maps of a document (README.md, "Shape"). Read values through the functions below: any client may write
 * anything.
 */
export interface Roots {
  groups: Y.Map<unknown>
  blocks: Y.Map<unknown>
  texts: Y.Map<unknown>
  edges: Y.Map<unknown>
  variables: Y.Map<unknown>
  languages: Y.Map<unknown>
}

export const rootsOf = (doc: Y.Doc): Roots => ({
  groups: doc.getMap('groups'),
  blocks: doc.getMap('blocks'),
  texts: doc.getMap('texts'),
  edges: doc.getMap('edges'),
  variables: doc.getMap('variables'),
  languages: doc.getMap('languages'),
})

/** Marks a deleted group or block: a marked one is hidden, and undo removes the mark (README.md, "Deleting marks"). */
export const GONE = 'gone'

export const textKey = (blockId: string, field: string): string => `${blockId}/${field}`
export const edgeKey = (from: { blockId: string; portId: string }): string => `${from.blockId}/${from.portId}`
export const blockOfKey = (key: string): string => key.slice(0, Math.max(0, key.indexOf('/')))

export interface StoredGroup {
  title: string
  order: string
  position: { x: number; y: number }
}

export function readGroup(roots: Roots, id: string): StoredGroup | null {
  const map = living(roots.groups, id)
  if (!map) return null
  const position = record(map.get('pos'))
  return {
    title: text(map.get('title')).slice(0, flowCaps.groupTitle),
    order: text(map.get('order')),
    position: { x: finite(position.x), y: finite(position.y) },
  }
}

export interface StoredBlock {
  map: Y.Map<unknown>
  groupId: string
  order: string
  kind: string
  version: number
}

export function readBlock(roots: Roots, id: string): StoredBlock | null {
  const map = living(roots.blocks, id)
  if (!map) return null
  const at = record(map.get('at'))
  const kind = map.get('kind')
  if (typeof at.groupId !== 'string' || typeof kind !== 'string') return null
  return {
    map,
    groupId: at.groupId,
    order: text(at.order),
    kind,
    version: Math.max(0, Math.trunc(finite(map.get('version')))),
  }
}

export function readEdge(roots: Roots, key: string): { groupId: string; blockId?: string } | null {
  const { groupId, blockId } = record(roots.edges.get(key))
  if (typeof groupId !== 'string') return null
  return typeof blockId === 'string' ? { groupId, blockId } : { groupId }
}

export interface StoredVariable {
  id: string
  name: string
  value: Json
  order: string
}

/** A variable's creation is one key; each later change of a part is another key, and so is its deletion. */
export const variableKey = (id: string, part: 'name' | 'value' | 'order' | '-'): string => `${id}/${part}`

export function readVariables(roots: Roots): StoredVariable[] {
  return [...roots.variables.keys()].flatMap((id) => readVariable(roots, id) ?? [])
}

export const readVariable = (roots: Roots, id: string): StoredVariable | null =>
  roots.variables.get(variableKey(id, '-')) === true ? null : keptVariable(roots, id)

/** A variable, deleted or not. */
export function keptVariable({ variables }: Roots, id: string): StoredVariable | null {
  const { name, value, order } = record(id.includes('/') ? undefined : variables.get(id))
  if (typeof name !== 'string') return null
  const present = variables.get(variableKey(id, 'value'))
  return {
    id,
    name: text(variables.get(variableKey(id, 'name'))) || name,
    value: json(present === undefined ? value : present),
    order: text(variables.get(variableKey(id, 'order'))) || text(order),
  }
}

export function readTextType(roots: Roots, blockId: string, field: string): Y.XmlText | null {
  const type = roots.texts.get(textKey(blockId, field))
  return type instanceof Y.XmlText ? type : null
}

function living(root: Y.Map<unknown>, id: string): Y.Map<unknown> | null {
  const map = root.get(id)
  return map instanceof Y.Map && map.get(GONE) !== true ? map : null
}
/** Whether a value is JSON and not nested deeper than a file allows. Foreign clients may write anything else. */
export const isPlain = (value: unknown): value is Json => isJson(value, flowCaps.depth - LEVELS_ABOVE)
/** levels of a file above a value: groups, a group, blocks, a block, its data, lists in it */
const LEVELS_ABOVE = 16
const json = (value: unknown): Json => (isPlain(value) ? value : null)
const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const finite = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
