import type { Registry } from '../flow/registry'
import type { Block, Flow, Group } from '../flow/schema'

/** A group as drawn: where edges enter and where each port is, relative to its top left corner. */
export interface GroupShape {
  width: number
  height: number
  /** where edges to the group end */
  entry: number
  blocks: { id: string; y: number; ports: { id: string; y: number }[] }[]
}

/** The part of ELK's input that is used here. */
export interface LayoutGraph {
  id: string
  layoutOptions: Record<string, string>
  children: LayoutNode[]
  edges: { id: string; sources: [string]; targets: [string] }[]
}
export interface LayoutNode {
  id: string
  width: number
  height: number
  layoutOptions: Record<string, string>
  ports: { id: string; x: number; y: number; width: number; height: number; layoutOptions: Record<string, string> }[]
}

/** Chosen by measurement (ARCHITECTURE, Layout). ELK ignores unknown options. */
const layoutOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.layered.nodePlacement.strategy': 'LINEAR_SEGMENTS',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.spacing.nodeNodeBetweenLayers': '120',
  'elk.spacing.nodeNode': '48',
  'elk.spacing.componentComponent': '96',
}

/**
 * The graph for ELK: groups as nodes with fixed ports, in at the left, out at the right.
 * @param shapeOf the groups' drawn shapes; `roughShape` where nothing is drawn
 */
export function layoutInput(flow: Flow, registry: Registry, shapeOf: (group: Group) => GroupShape): LayoutGraph {
  const groups = readingOrder(flow, registry)
  const shapes = new Map(groups.map((group) => [group.id, shapeOf(group)]))
  const homes = new Map(groups.flatMap((group) => group.blocks.map(({ id }) => [id, group.id] as const)))
  const ports = new Set<string>()
  const children = groups.map((group): LayoutNode => {
    const shape = shapes.get(group.id) ?? { width: 0, height: 0, entry: 0, blocks: [] }
    const port = (id: string, side: 'WEST' | 'EAST', y: number) => {
      ports.add(id)
      const x = side === 'WEST' ? 0 : shape.width
      return { id, x, y, width: 0, height: 0, layoutOptions: { 'elk.port.side': side } }
    }
    return {
      id: group.id,
      width: shape.width,
      height: shape.height,
      layoutOptions: { 'elk.portConstraints': 'FIXED_POS' },
      ports: [
        port(entryOf(group.id), 'WEST', shape.entry),
        ...shape.blocks.map(({ id, y }) => port(entryOf(group.id, id), 'WEST', y)),
        ...shape.blocks.flatMap(({ id, ports }) => ports.map((out) => port(exitOf(id, out.id), 'EAST', out.y))),
      ],
    }
  })
  const order = new Map(groups.map(({ id }, index) => [id, index]))
  const edges = flow.edges
    .map(({ from, to }, index) => ({
      id: `edge ${index}`,
      home: order.get(homes.get(from.blockId) ?? '') ?? 0,
      sources: [exitOf(from.blockId, from.portId)] as [string],
      targets: [entryOf(to.groupId, to.blockId)] as [string],
    }))
    .filter(({ sources, targets }) => ports.has(sources[0]) && ports.has(targets[0]))
    .sort((a, b) => a.home - b.home)
    .map(({ home: _, ...edge }) => edge)
  return { id: 'flow', layoutOptions, children, edges }
}

const entryOf = (groupId: string, blockId = ''): string => `in ${groupId} ${blockId}`
const exitOf = (blockId: string, portId: string): string => `out ${blockId} ${portId}`

/** Breadth first from the triggers, in port order: ELK keeps this order within a column. */
function readingOrder(flow: Flow, registry: Registry): Group[] {
  const byId = new Map(flow.groups.map((group) => [group.id, group]))
  const edges = new Map(flow.edges.map(({ from, to }) => [exitOf(from.blockId, from.portId), to.groupId]))
  const placed = [...flow.groups].sort((a, b) => a.position.x - b.position.x || a.position.y - b.position.y)
  const isTrigger = ({ kind }: Block) => registry.find(kind)?.category === 'trigger'
  const begins = placed.filter(({ blocks }) => blocks.some(isTrigger))
  const ordered = new Set<Group>()
  const visit = (roots: readonly Group[]) => {
    const queue = [...roots]
    for (let next = queue.shift(); next; next = queue.shift()) {
      if (ordered.has(next)) continue
      ordered.add(next)
      for (const block of next.blocks) {
        for (const { id } of registry.portsOf(block)) {
          const target = byId.get(edges.get(exitOf(block.id, id)) ?? '')
          if (target) queue.push(target)
        }
      }
    }
  }
  visit(begins)
  for (const group of placed) visit([group])
  return [...ordered]
}

const rough = { width: 264, header: 40, padding: 8, gap: 4, block: 56, port: 22 } as const

/** An estimated size of a group that is not drawn, good enough for a layout without overlaps. */
export const roughShape =
  (registry: Registry) =>
  ({ blocks }: Pick<Group, 'blocks'>): GroupShape => {
    let y: number = rough.header
    const shapes = blocks.map((block) => {
      const top = y
      const ports = registry.portsOf(block)
      y += rough.block + rough.gap + Math.max(0, ports.length - 1) * rough.port
      const out = ports.map(({ id }, index) => ({ id, y: top + rough.block / 2 + index * rough.port }))
      return { id: block.id, y: top + rough.block / 2, ports: out }
    })
    return { width: rough.width, height: y + rough.padding, entry: rough.header / 2, blocks: shapes }
  }
