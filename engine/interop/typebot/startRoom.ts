import type { Group } from '../../flow/schema'

/** Approximate width of a group with one block on our canvas, gaps included; Typebot's start is much smaller. */
const WIDTH = 320
const ABOVE = 110
/** Approximate height of a group with a few blocks. */
const BELOW = 200

/** Moves a start that would overlap another group to the left of it. @returns the same group if nothing overlaps */
export function withRoom(start: Group, groups: readonly Group[]): Group {
  let { x } = start.position
  const { y } = start.position
  const others = groups
    .filter((group) => group !== start)
    .filter((group) => y > group.position.y - ABOVE && y < group.position.y + BELOW)
    .toSorted((a, b) => b.position.x - a.position.x)
  for (const { position } of others) if (Math.abs(position.x - x) < WIDTH) x = position.x - WIDTH
  return x === start.position.x ? start : { ...start, position: { x, y } }
}
