import { emptyFlow, type Flow } from '../flow/schema'
import { edgeId } from './diff'

/**
 * Merges two flows for a comparison: the later one, plus what only the earlier one has, at its old place. A block that
 * moved is shown at its new place; an edge with a new target is shown only with that.
 */
export function unionOf(before: Flow, after: Flow): Flow {
  const present = new Set(after.groups.flatMap(({ blocks }) => blocks.map(({ id }) => id)))
  const earlier = new Map(before.groups.map((group) => [group.id, group]))
  const later = new Set(after.groups.map(({ id }) => id))
  const groups = after.groups.map((group) => {
    const was = earlier.get(group.id)
    return was ? { ...group, blocks: withRemoved(was.blocks, group.blocks, present) } : group
  })
  const removed = before.groups
    .filter(({ id }) => !later.has(id))
    .map((group) => ({ ...group, blocks: group.blocks.filter(({ id }) => !present.has(id)) }))
  const ports = new Set(after.edges.map(edgeId))
  const names = new Set(after.variables.map(({ id }) => id))
  return {
    ...emptyFlow(),
    groups: [...groups, ...removed],
    edges: [...after.edges, ...before.edges.filter((edge) => !ports.has(edgeId(edge)))],
    variables: [...after.variables, ...before.variables.filter(({ id }) => !names.has(id))],
  }
}

/** A group's blocks, each followed by the removed ones that came after it. */
function withRemoved<Block extends { id: string }>(
  before: readonly Block[],
  after: readonly Block[],
  present: ReadonlySet<string>,
): Block[] {
  const here = new Set(after.map(({ id }) => id))
  const behind = new Map<string | null, Block[]>()
  let last: string | null = null
  for (const block of before) {
    if (here.has(block.id)) last = block.id
    else if (!present.has(block.id)) behind.set(last, [...(behind.get(last) ?? []), block])
  }
  return [...(behind.get(null) ?? []), ...after.flatMap((block) => [block, ...(behind.get(block.id) ?? [])])]
}
