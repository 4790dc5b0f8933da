import type { Group } from '../../flow/schema'

/** About what a group with one block takes on our canvas, gaps included; Typebot's start is a small pill. */
const WIDTH = 320
const ABOVE = 110
/** How far down a group with a few blocks reaches. */
const BELOW = 200

/** Moves a start that would lie over another group to the left of it. @returns the group as it is where nothing is in its way */
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
