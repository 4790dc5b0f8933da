import type { Block, Edge, Flow, Group, Variable } from '../flow/schema'
import { sameJson } from './fieldChanges'

/** The differences between two flows, item by item. Items are matched by id; unchanged ones are not listed. */
export interface FlowDiff {
  groups: ItemDiff<GroupHead>[]
  blocks: ItemDiff<PlacedBlock>[]
  /** by `<block id>/<port id>`: a port has at most one edge, so a new target is a change of it */
  edges: ItemDiff<Edge>[]
  variables: ItemDiff<Variable>[]
}

export interface ItemDiff<Item> {
  id: string
  /** `moved`: its position differs, and nothing else */
  change: Change
  /**
   * whether its position differs: a group on the canvas, a block in its group or to another one; it may have changed as
   * well
   */
  moved: boolean
  /** null if it was added */
  before: Item | null
  /** null if it was removed */
  after: Item | null
}
export type Change = 'added' | 'removed' | 'changed' | 'moved'

/** A group without the content of its blocks. */
export type GroupHead = Omit<Group, 'blocks'> & { blockIds: string[] }
export type PlacedBlock = Block & { groupId: string }

/**
 * Compares two flows in linear time (n log n for groups whose blocks were reordered). Pure. A group counts as changed
 * if its title or its set of blocks differs, not if their content does.
 */
export function diffFlows(before: Flow, after: Flow): FlowDiff {
  const shifted = new Set<string>()
  const groups = diffItems(byId(before.groups.map(headOf)), byId(after.groups.map(headOf)), (was, is) => {
    if (!sameJson(was.blockIds, is.blockIds)) for (const id of shiftedBlocks(was.blockIds, is.blockIds)) shifted.add(id)
    return {
      moved: !sameJson(was.position, is.position),
      changed: was.title !== is.title || !sameJson(was.blockIds, is.blockIds),
    }
  })
  const blocks = diffItems(blocksById(before), blocksById(after), (was, is) => ({
    moved: was.groupId !== is.groupId || shifted.has(is.id),
    changed:
      was.kind !== is.kind ||
      was.version !== is.version ||
      !sameJson(was.data, is.data) ||
      !sameJson(was.translations ?? {}, is.translations ?? {}),
  }))
  const edges = diffItems(edgesById(before), edgesById(after), (was, is) => ({
    moved: false,
    changed: was.to.groupId !== is.to.groupId || was.to.blockId !== is.to.blockId,
  }))
  const order = new Set(
    shiftedBlocks(
      before.variables.map(({ id }) => id),
      after.variables.map(({ id }) => id),
    ),
  )
  const variables = diffItems(byId(before.variables), byId(after.variables), (was, is) => ({
    moved: order.has(is.id),
    changed: was.name !== is.name || !sameJson(was.value, is.value),
  }))
  return { groups, blocks, edges, variables }
}

/** How many groups differ, each counted once. */
export interface GroupCounts {
  added: number
  removed: number
  changed: number
  /** only their position differs */
  moved: number
}

/** How many groups a diff touches: their title, their blocks, the blocks' content, or edges that leave them. */
export function countGroups(diff: FlowDiff, before: Flow, after: Flow): GroupCounts {
  const counts: GroupCounts = { added: 0, removed: 0, changed: 0, moved: 0 }
  const heads = new Map(diff.groups.map((item) => [item.id, item.change]))
  const touched = new Set<string>()
  for (const { id, change } of diff.groups) if (change === 'changed') touched.add(id)
  for (const item of diff.blocks) for (const side of [item.before, item.after]) if (side) touched.add(side.groupId)
  const homes = new Map([before, after].flatMap((flow) => [...blocksById(flow)].map(([id, at]) => [id, at.groupId])))
  for (const { before: was, after: is } of diff.edges) {
    const home = homes.get((is ?? was)?.from.blockId ?? '')
    if (home !== undefined) touched.add(home)
  }
  for (const change of heads.values()) if (change === 'added' || change === 'removed') counts[change] += 1
  for (const id of touched) if (heads.get(id) !== 'added' && heads.get(id) !== 'removed') counts.changed += 1
  for (const [id, change] of heads) if (change === 'moved' && !touched.has(id)) counts.moved += 1
  return counts
}

/** Whether only positions on the canvas differ: visitors notice nothing. */
export const isLayoutOnly = ({ groups, blocks, edges, variables }: FlowDiff): boolean =>
  blocks.length + edges.length + variables.length === 0 && groups.every(({ change }) => change === 'moved')

export const edgeId = ({ from }: Pick<Edge, 'from'>): string => `${from.blockId}/${from.portId}`

function diffItems<Item>(
  before: ReadonlyMap<string, Item>,
  after: ReadonlyMap<string, Item>,
  compare: (was: Item, is: Item) => { moved: boolean; changed: boolean },
): ItemDiff<Item>[] {
  const items: ItemDiff<Item>[] = []
  for (const [id, was] of before) {
    if (!after.has(id)) items.push({ id, change: 'removed', moved: false, before: was, after: null })
  }
  for (const [id, is] of after) {
    const was = before.get(id)
    if (was === undefined) {
      items.push({ id, change: 'added', moved: false, before: null, after: is })
      continue
    }
    const { moved, changed } = compare(was, is)
    if (moved || changed) items.push({ id, change: changed ? 'changed' : 'moved', moved, before: was, after: is })
  }
  return items
}

const headOf = ({ id, title, position, blocks }: Group): GroupHead => ({
  id,
  title,
  position,
  blockIds: blocks.map((block) => block.id),
})

const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))
const edgesById = ({ edges }: Flow) => new Map(edges.map((edge) => [edgeId(edge), edge]))
const blocksById = ({ groups }: Flow): Map<string, PlacedBlock> =>
  new Map(groups.flatMap(({ id, blocks }) => blocks.map((block) => [block.id, { ...block, groupId: id }])))

/** The smallest set of common items that were moved: all but a longest common increasing run. */
function shiftedBlocks(before: readonly string[], after: readonly string[]): string[] {
  const rank = new Map(before.map((id, at) => [id, at]))
  const common = after.filter((id) => rank.has(id))
  /** by run length, the last item of the run that ends lowest */
  const ends: number[] = []
  const previous: number[] = []
  for (const [at, id] of common.entries()) {
    const value = rank.get(id) as number
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((rank.get(common[ends[middle] as number] as string) as number) < value) low = middle + 1
      else high = middle
    }
    previous[at] = low > 0 ? (ends[low - 1] as number) : -1
    ends[low] = at
  }
  const kept = new Set<number>()
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] as number) kept.add(at)
  return common.filter((_, at) => !kept.has(at))
}
