import { emptyFlow, type Flow } from '../flow/schema'
import { edgeId } from './diff'

/**
 * Two flows as one, to be looked at: the later one, with what only the earlier one had where it stood. A block that moved stands where it
 * is now; of an edge that leads elsewhere now only the present way is there.
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

/** The blocks that a group holds now, each followed by those that stood behind it and are gone. */
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
