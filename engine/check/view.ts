import type { BlockView, EdgeView, GroupView, Projection } from '../document/commands'
import { ShardedMap } from '../document/shardedMap'
import type { Flow } from '../flow/schema'

/** What is checked: a document's projection, or a plain flow in that form. */
export type FlowView = Projection

/** A plain flow in the form of a projection. Edges without source or target are kept, so that they are reported. */
export function viewOfFlow({
  groups,
  edges,
  variables,
  languages,
}: Pick<Flow, 'groups' | 'edges' | 'variables' | 'languages'>): FlowView {
  return {
    ...(languages && { languages }),
    groups: new Map(
      groups.map(({ id, title, position, blocks }): [string, GroupView] => [
        id,
        { id, title, position, blockIds: blocks.map((block) => block.id) },
      ]),
    ),
    blocks: new Map(
      groups.flatMap(({ id: groupId, blocks }) =>
        blocks.map((block): [string, BlockView] => [block.id, { ...block, groupId }]),
      ),
    ),
    edges: new Map(
      edges.map(({ from, to }): [string, EdgeView] => {
        const id = `${from.blockId}/${from.portId}`
        return [id, { id, from, to }]
      }),
    ),
    variables,
  }
}

/** Keys whose values differ between two maps, without duplicates. */
export function differing<V>(before: ReadonlyMap<string, V>, after: ReadonlyMap<string, V>): Iterable<string> {
  if (before === after) return []
  if (before instanceof ShardedMap && after instanceof ShardedMap) return after.keysThatDiffer(before)
  const keys = [...after.keys()].filter((key) => before.get(key) !== after.get(key))
  for (const key of before.keys()) if (!after.has(key)) keys.push(key)
  return keys
}
