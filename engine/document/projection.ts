import type * as Y from 'yjs'
import type { Registry } from '../flow/registry'
import type { Json } from '../values/json'
import { type Leaves, readData } from './blockData'
import type { BlockView, EdgeView, GroupView, Projection } from './commands'
import { byOrder } from './order'
import { canonicalRichText, readText } from './richText'
import { blockOfKey, type Roots, readBlock, readEdge, readGroup, readTextType, readVariables } from './shape'
import { ShardedMap } from './shardedMap'
import { freezeDeep, shareDeep } from './share'
import { readLanguages, readTranslations } from './storedTranslations'

export interface LiveProjection {
  current(): Projection
  /** order key of a group, for the flow's order of groups */
  groupOrder(groupId: string): string
  /** ids of the blocks in a group as of the last transaction, unsorted */
  blocksIn(groupId: string): Iterable<string>
  stop(): void
}

/**
 * Keeps a projection of a document up to date: Yjs events name the changed ids, and only those are read again. Dangling
 * parts (a block without its group, an edge without source or target) are left out until the other end exists.
 */
export function followDocument(roots: Roots, registry: Registry): LiveProjection {
  const dirty = {
    groups: new Set<string>(),
    blocks: new Set<string>(),
    edges: new Set<string>(),
    variables: true,
    languages: true,
  }
  const order = new Map<string, string>()
  // where everything is in the document, shown or not
  const placeOf = new Map<string, { groupId: string; order: string }>()
  const blocksIn = new Map<string, Set<string>>()
  const edgesOf = new Map<string, Set<string>>()
  const targetsOf = new Map<string, readonly string[]>()
  let projection: Projection = {
    groups: ShardedMap.empty(),
    blocks: ShardedMap.empty(),
    edges: ShardedMap.empty(),
    variables: [],
  }

  for (const id of roots.groups.keys()) dirty.groups.add(id)
  for (const id of roots.blocks.keys()) dirty.blocks.add(id)
  for (const key of roots.edges.keys()) dirty.edges.add(key)

  const watch = (root: Y.Map<unknown>, mark: (id: string) => void) => {
    const observe = (events: Y.YEvent<Y.AbstractType<unknown>>[]) => {
      for (const event of events) {
        if (event.target === root) for (const id of event.changes.keys.keys()) mark(id)
        else mark(String(event.path[0]))
      }
    }
    root.observeDeep(observe as Parameters<typeof root.observeDeep>[0])
    return () => root.unobserveDeep(observe as Parameters<typeof root.observeDeep>[0])
  }
  const stops = [
    watch(roots.groups, (id) => dirty.groups.add(id)),
    watch(roots.blocks, (id) => dirty.blocks.add(id)),
    watch(roots.texts, (key) => dirty.blocks.add(blockOfKey(key))),
    watch(roots.edges, (key) => dirty.edges.add(key)),
    watch(roots.variables, () => {
      dirty.variables = true
    }),
    watch(roots.languages, () => {
      dirty.languages = true
    }),
  ]

  const edgesAround = (id: string) => {
    for (const key of edgesOf.get(id) ?? []) dirty.edges.add(key)
  }

  function project(): Projection {
    // block positions first: groups list their blocks, and blocks are shown only in a shown group
    for (const id of dirty.blocks) {
      const place = readBlock(roots, id)
      const before = placeOf.get(id)
      if (place) placeOf.set(id, { groupId: place.groupId, order: place.order })
      else placeOf.delete(id)
      if (before) dirty.groups.add(before.groupId)
      if (place) dirty.groups.add(place.groupId)
      if (before?.groupId === place?.groupId) continue
      if (before) removeFrom(blocksIn, before.groupId, id)
      if (place) addTo(blocksIn, place.groupId, id)
    }
    const groups = projection.groups as ShardedMap<GroupView>
    const nextGroups = groups.with(
      [...dirty.groups].map((id) => {
        const stored = readGroup(roots, id)
        const shown = groups.get(id)
        if (!stored !== !shown) {
          for (const blockId of blocksIn.get(id) ?? []) dirty.blocks.add(blockId)
          edgesAround(id)
        }
        if (!stored) {
          order.delete(id)
          return [id, undefined] as const
        }
        order.set(id, stored.order)
        const members = [...(blocksIn.get(id) ?? [])].map((blockId) => ({
          id: blockId,
          order: placeOf.get(blockId)?.order ?? '',
        }))
        members.sort(byOrder)
        return [
          id,
          share(shown, {
            id,
            title: stored.title,
            position: stored.position,
            blockIds: members.map((member) => member.id),
          }),
        ] as const
      }),
    )
    const blocks = projection.blocks as ShardedMap<BlockView>
    const nextBlocks = blocks.with(
      [...dirty.blocks].map((id) => {
        const view = presentBlock(id, nextGroups)
        const shown = blocks.get(id)
        if (view?.groupId !== shown?.groupId) edgesAround(id)
        return [id, view && share(shown, view)] as const
      }),
    )
    const edges = projection.edges as ShardedMap<EdgeView>
    const nextEdges = edges.with(
      [...dirty.edges].map((key) => {
        const view = presentEdge(key, nextGroups, nextBlocks)
        return [key, view && share(edges.get(key), view)] as const
      }),
    )
    const variables = dirty.variables
      ? share(
          projection.variables,
          readVariables(roots)
            .sort(byOrder)
            .map(({ id, name, value }) => ({ id, name, value })),
        )
      : projection.variables
    const languages = dirty.languages ? share(projection.languages, readLanguages(roots)) : projection.languages
    clear()
    const changed =
      nextGroups !== groups ||
      nextBlocks !== blocks ||
      nextEdges !== edges ||
      variables !== projection.variables ||
      languages !== projection.languages
    if (!changed) return projection
    const next = { groups: nextGroups, blocks: nextBlocks, edges: nextEdges, variables }
    return Object.freeze(languages ? { ...next, languages } : next)
  }

  function presentBlock(id: string, groups: ReadonlyMap<string, GroupView>): BlockView | undefined {
    const stored = readBlock(roots, id)
    if (!stored || !groups.has(stored.groupId)) return undefined
    const data = readData(stored.map as unknown as Leaves)
    for (const field of registry.find(stored.kind)?.richTexts ?? []) {
      const text = readTextType(roots, id, field)
      data[field] = (text ? readText(text) : canonicalRichText([])) as unknown as Json
    }
    const { groupId, kind, version, map } = stored
    const translations = readTranslations(map)
    return { id, groupId, kind, version, data, ...(translations && { translations }) }
  }

  function presentEdge(
    key: string,
    groups: ReadonlyMap<string, GroupView>,
    blocks: ReadonlyMap<string, BlockView>,
  ): EdgeView | undefined {
    const from = { blockId: blockOfKey(key), portId: key.slice(key.indexOf('/') + 1) }
    const stored = readEdge(roots, key)
    const ends = stored ? [from.blockId, stored.groupId, ...(stored.blockId ? [stored.blockId] : [])] : []
    for (const id of targetsOf.get(key) ?? []) removeFrom(edgesOf, id, key)
    for (const id of ends) addTo(edgesOf, id, key)
    if (stored) targetsOf.set(key, ends)
    else targetsOf.delete(key)
    if (!stored || !blocks.has(from.blockId)) return undefined
    if (!stored.blockId)
      return groups.has(stored.groupId) ? { id: key, from, to: { groupId: stored.groupId } } : undefined
    // the block may have moved since the edge was created
    const target = blocks.get(stored.blockId)
    return target && { id: key, from, to: { groupId: target.groupId, blockId: target.id } }
  }

  function clear() {
    dirty.groups.clear()
    dirty.blocks.clear()
    dirty.edges.clear()
    dirty.variables = false
    dirty.languages = false
  }

  return {
    current() {
      const isDirty = dirty.groups.size || dirty.blocks.size || dirty.edges.size || dirty.variables || dirty.languages
      if (isDirty) projection = project()
      return projection
    },
    groupOrder: (groupId) => order.get(groupId) ?? '',
    blocksIn: (groupId) => blocksIn.get(groupId) ?? [],
    stop() {
      for (const stop of stops) stop()
    },
  }
}

const share = <T>(before: T | undefined, next: T): T => freezeDeep(shareDeep(before, next))

function addTo(index: Map<string, Set<string>>, key: string, member: string) {
  const set = index.get(key)
  if (set) set.add(member)
  else index.set(key, new Set([member]))
}
function removeFrom(index: Map<string, Set<string>>, key: string, member: string) {
  const set = index.get(key)
  set?.delete(member)
  if (set?.size === 0) index.delete(key)
}
