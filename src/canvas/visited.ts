import type { Projection } from '../../engine/document/commands'
import type { PlaygroundDebug } from '../../server/api/playground/contract'
import { handleId } from './geometry'

/** The edges that the playground's conversation went over. */
export function visitedEdges(projection: Projection, debug: PlaygroundDebug | null): ReadonlySet<string> {
  const visited = new Set<string>()
  for (const { blockId, port } of debug?.path ?? []) {
    const edge = port === null ? undefined : projection.edges.get(handleId(blockId, port))
    if (edge) visited.add(edge.id)
  }
  return visited
}
