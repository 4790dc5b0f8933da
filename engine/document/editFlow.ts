import * as Y from 'yjs'
import type { Registry } from '../flow/registry'
import { type Block, flowCaps } from '../flow/schema'
import type { Json } from '../values/json'
import type { RichText } from '../values/richText'
import { type Data, diffData, type Leaves, sameJson } from './blockData'
import type { FlowCommands } from './commands'
import { byOrder, ordersFor } from './order'
import { createText, writeText } from './richText'
import {
  edgeKey,
  GONE,
  type Roots,
  readBlock,
  readGroup,
  readTextType,
  readVariable,
  readVariables,
  type StoredVariable,
  textKey,
  variableKey,
} from './shape'
import { putTranslation, writeLanguages, writeTranslations } from './storedTranslations'

type SingleCommands = Omit<FlowCommands, 'batch' | 'typing' | 'insertFlow' | 'replaceFlow'>

/** Where blocks are, so that no command has to scan all of them. */
export interface BlockIndex {
  /** ids of blocks that may be in the group: all that are, and possibly others */
  around(groupId: string): Iterable<string>
  /** called for each block that is placed */
  placed(blockId: string): void
}

/** The commands on the root maps, without transactions: createDocument adds those. */
export function editFlow(roots: Roots, registry: Registry, index: BlockIndex): SingleCommands {
  const richTextsOf = (kind: string): readonly string[] => registry.find(kind)?.richTexts ?? []

  return {
    addGroup({ id, title, position, blocks }) {
      const present = groupOrders(roots)
      const order = ordersFor([...present.keys(), id], present).get(id) as string
      putGroup(roots, { id, title, position, order })
      const orders = ordersFor(
        blocks.map((block) => block.id),
        new Map(),
      )
      for (const block of blocks) {
        putBlock(roots, richTextsOf(block.kind), block, { groupId: id, order: orders.get(block.id) as string })
        index.placed(block.id)
      }
    },
    setGroupTitle(groupId, title) {
      if (readGroup(roots, groupId)) setKey(roots.groups.get(groupId), 'title', title.slice(0, flowCaps.groupTitle))
    },
    moveGroups(positions) {
      for (const { groupId, position } of positions) {
        if (readGroup(roots, groupId)) setKey(roots.groups.get(groupId), 'pos', { x: position.x, y: position.y })
      }
    },
    deleteGroups(groupIds) {
      for (const id of groupIds) if (readGroup(roots, id)) setKey(roots.groups.get(id), GONE, true)
    },
    addBlock(groupId, at, block) {
      if (!readGroup(roots, groupId)) return
      const order = makeRoom(roots, groupId, at, block.id, index.around(groupId))
      putBlock(roots, richTextsOf(block.kind), block, { groupId, order })
      index.placed(block.id)
    },
    moveBlock(blockId, { groupId, index: at }) {
      const block = readBlock(roots, blockId)
      if (!block || !readGroup(roots, groupId)) return
      block.map.set('at', { groupId, order: makeRoom(roots, groupId, at, blockId, index.around(groupId)) })
      index.placed(blockId)
    },
    deleteBlocks(blockIds) {
      for (const id of blockIds) if (readBlock(roots, id)) setKey(roots.blocks.get(id), GONE, true)
    },
    setBlockData(blockId, data) {
      const block = readBlock(roots, blockId)
      if (block) writeData(block.map, data, richTextsOf(block.kind))
    },
    setRichText(blockId, field, value) {
      const block = readBlock(roots, blockId)
      if (block && richTextsOf(block.kind).includes(field)) putText(roots, blockId, field, value as unknown as Json)
    },
    setTranslation(blockId, language, place, translation) {
      const block = readBlock(roots, blockId)
      if (block) putTranslation(block.map, language, place, translation)
    },
    setLanguages(languages) {
      writeLanguages(roots, languages)
    },
    connect(from, to) {
      if (!readBlock(roots, from.blockId)) return
      if (to.blockId === undefined ? !readGroup(roots, to.groupId) : !readBlock(roots, to.blockId)) return
      setKey(roots.edges, edgeKey(from), to.blockId === undefined ? { groupId: to.groupId } : { ...to })
    },
    disconnect(ports) {
      for (const port of ports) roots.edges.delete(edgeKey(port))
    },
    addVariable({ id, name, value }) {
      const present = readVariables(roots).sort(byOrder)
      const orders = new Map(present.map((variable) => [variable.id, variable.order]))
      const order = ordersFor([...orders.keys(), id], orders).get(id) as string
      putVariable(roots, { id, name, value, order })
    },
    updateVariable(variableId, change) {
      const variable = readVariable(roots, variableId)
      if (variable) putVariable(roots, { ...variable, ...change })
    },
    deleteVariable(variableId) {
      if (readVariable(roots, variableId)) setKey(roots.variables, variableKey(variableId, '-'), true)
    },
  }
}

/** Writes a group, new or existing; a deleted one is restored. */
export function putGroup(
  roots: Roots,
  group: { id: string; title: string; position: { x: number; y: number }; order: string },
): void {
  const map = mapAt(roots.groups, group.id)
  setKey(map, 'title', group.title.slice(0, flowCaps.groupTitle))
  setKey(map, 'pos', { x: group.position.x, y: group.position.y })
  setKey(map, 'order', group.order)
  if (map.has(GONE)) map.delete(GONE)
}

/** Writes a block with its data and texts, new or existing; a deleted one is restored. */
export function putBlock(
  roots: Roots,
  richTexts: readonly string[],
  block: Block,
  at: { groupId: string; order: string },
): void {
  const map = mapAt(roots.blocks, block.id)
  setKey(map, 'at', at)
  setKey(map, 'kind', block.kind)
  setKey(map, 'version', block.version)
  if (map.has(GONE)) map.delete(GONE)
  writeData(map, block.data, richTexts)
  for (const field of richTexts) putText(roots, block.id, field, block.data[field])
  writeTranslations(map, block.translations)
}

/** Writes a variable, new or existing; a deleted one is restored. */
export function putVariable(roots: Roots, { id, ...wanted }: StoredVariable): void {
  const { variables } = roots
  if (!variables.has(id)) variables.set(id, wanted)
  if (variables.has(variableKey(id, '-'))) variables.delete(variableKey(id, '-'))
  const present = readVariable(roots, id)
  for (const part of ['name', 'value', 'order'] as const) {
    if (!present || !sameJson(present[part], wanted[part])) variables.set(variableKey(id, part), wanted[part])
  }
}

/** Order keys of the groups that are not deleted, sorted. */
export function groupOrders(roots: Roots): Map<string, string> {
  const groups = [...roots.groups.keys()].flatMap((id) => {
    const group = readGroup(roots, id)
    return group ? [{ id, order: group.order }] : []
  })
  return new Map(groups.sort(byOrder).map(({ id, order }) => [id, order]))
}

/** Sets the key to the value, unless it is equal already. */
export function setKey(map: unknown, key: string, value: Json): void {
  if (!(map instanceof Y.Map)) return
  const present = map.get(key)
  if (present === undefined || JSON.stringify(present) !== JSON.stringify(value)) map.set(key, value)
}

function mapAt(root: Y.Map<unknown>, id: string): Y.Map<unknown> {
  const present = root.get(id)
  if (present instanceof Y.Map) return present
  const map = new Y.Map<unknown>()
  root.set(id, map)
  return map
}

/** Makes the block's map hold the data; rich texts are stored elsewhere. */
export function writeData(map: Y.Map<unknown>, data: Data, richTexts: readonly string[]) {
  for (const [key, value] of diffData(map as unknown as Leaves, data, richTexts)) {
    if (value === undefined) map.delete(key)
    else map.set(key, value)
  }
}

/** Makes a rich text of the block hold the value; an absent one is empty. */
export function putText(roots: Roots, blockId: string, field: string, value: Json | undefined): void {
  const wanted = (value ?? []) as unknown as RichText
  const text = readTextType(roots, blockId, field)
  if (text) writeText(text, wanted)
  else roots.texts.set(textKey(blockId, field), createText(wanted))
}

/** The order key for `blockId` at `index` of the group; neighbours with equal keys get different ones. */
function makeRoom(roots: Roots, groupId: string, index: number, blockId: string, around: Iterable<string>): string {
  const members = [...around].flatMap((id) => {
    const block = id === blockId ? null : readBlock(roots, id)
    return block?.groupId === groupId ? [{ id, order: block.order }] : []
  })
  members.sort(byOrder)
  const wanted = members.map(({ id }) => id)
  wanted.splice(Math.max(0, Math.min(index, wanted.length)), 0, blockId)
  const writes = ordersFor(wanted, new Map(members.map(({ id, order }) => [id, order])))
  for (const [id, order] of writes) if (id !== blockId) setKey(roots.blocks.get(id), 'at', { groupId, order })
  return writes.get(blockId) as string
}
