import type { Projection } from '../../engine/document/commands'
import type { Registry } from '../../engine/flow/registry'
import type { PlaygroundDebug } from '../../server/contracts/playground'
import { handleId } from './geometry'

/** The edges that the playground's conversation took; an unconnected port is left by its fallback's. */
export function visitedEdges(
  projection: Projection,
  debug: Pick<PlaygroundDebug, 'path'> | null,
  registry: Registry,
): ReadonlySet<string> {
  const visited = new Set<string>()
  for (const { blockId, port } of debug?.path ?? []) {
    if (port === null) continue
    const edge =
      projection.edges.get(handleId(blockId, port)) ??
      projection.edges.get(handleId(blockId, fallbackOf(projection, registry, blockId, port)))
    if (edge) visited.add(edge.id)
  }
  return visited
}

function fallbackOf(projection: Projection, registry: Registry, blockId: string, portId: string): string {
  const block = projection.blocks.get(blockId)
  const ports = block ? registry.portsOf(block) : []
  return ports.find(({ id }) => id === portId)?.fallback ?? portId
}
