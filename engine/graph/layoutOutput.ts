import type { Flow } from '../flow/schema'

/** px of the canvas's grid */
const GRID = 8

/**
 * The flow with its groups at ELK's positions, on the canvas's grid. A group without a position stays.
 * @param nodes the children of ELK's answer
 */
export function layoutOutput(flow: Flow, nodes: readonly { id: string; x?: number; y?: number }[] = []): Flow {
  const places = new Map(nodes.map(({ id, x, y }) => [id, { x: onGrid(x), y: onGrid(y) }]))
  return {
    ...flow,
    groups: flow.groups.map((group) => ({ ...group, position: places.get(group.id) ?? group.position })),
  }
}

const onGrid = (value = 0): number => Math.round(value / GRID) * GRID
