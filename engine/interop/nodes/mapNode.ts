import type { Mapped } from '../blockMapper'
import { clip, toJson } from '../fields'
import { createNodeContext } from './nodeContext'
import { DEFAULT_EXIT, type GraphNode } from './nodeGraph'
import type { MappedNode, NodeWorld, Read } from './nodeWorld'

export const placeOf = ({ title, type }: Pick<GraphNode, 'title' | 'type'>): string =>
  `${clip(title, 100)} › ${clip(type, 60)}`

/** Maps every step of a node; if no kind accepts one of them, the whole node becomes a placeholder. */
export function mapNode(node: GraphNode, world: NodeWorld): MappedNode {
  const { mapper, report } = world
  const notes: string[] = []
  const reads: Read[] = []
  const context = createNodeContext(node, world, (message) => notes.push(message), reads)
  const steps: Mapped[] = []
  let reason = node.steps.length === 0 ? 'It does nothing: remove it.' : null
  for (const step of node.steps) {
    const mapped = mapper.tryMap(step, context)
    if ('reason' in mapped) {
      reason = mapped.reason
      break
    }
    steps.push(mapped)
  }
  if (reason !== null) {
    report.placeholder(clip(node.type, 60), reason, clip(node.title, 100))
    return asMapped(node, [mapper.keep(node.type, reason, toJson(node.data))], true)
  }
  for (const { kind } of steps) report.mapped(clip(node.type, 60), kind.kind)
  for (const message of new Set(notes)) report.note('warning', placeOf(node), message)
  world.reads.push(...reads)
  return asMapped(node, steps, false)
}

function asMapped({ title }: GraphNode, steps: readonly Mapped[], isPlaceholder: boolean): MappedNode {
  const ports: MappedNode['ports'] = new Map()
  for (const [block, mapped] of steps.entries()) {
    for (const [exit, portId] of Object.entries(mapped.ports)) {
      // the default exit leads to the next block, except for the last one
      if (portId !== undefined && (exit !== DEFAULT_EXIT || block === steps.length - 1))
        ports.set(exit, { block, portId })
    }
  }
  const blocks = steps.map(({ kind, data }) => ({ kind: kind.kind, version: kind.migrations.length, data }))
  return { title, isPlaceholder, blocks, ports }
}
