/** A rectangle of the window, in pixels. */
export interface Area {
  left: number
  top: number
  width: number
  height: number
}
interface Size {
  width: number
  height: number
}

const GAP = 12
const EDGE = 8

/**
 * Where a card stands that explains a part of the window: beside it where there is room (right, left, below, above),
 * else at the bottom of the part itself. Always within the window, as far as it fits.
 */
export function placeCard(about: Area, card: Size, view: Size): { left: number; top: number } {
  const right = about.left + about.width
  const bottom = about.top + about.height
  const beside = { top: about.top, below: bottom + GAP, left: about.left }
  const room = {
    right: view.width - right - GAP - EDGE >= card.width,
    left: about.left - GAP - EDGE >= card.width,
    below: view.height - bottom - GAP - EDGE >= card.height,
    above: about.top - GAP - EDGE >= card.height,
  }
  const spot = room.right
    ? { left: right + GAP, top: beside.top }
    : room.left
      ? { left: about.left - GAP - card.width, top: beside.top }
      : room.below
        ? { left: beside.left, top: beside.below }
        : room.above
          ? { left: beside.left, top: about.top - GAP - card.height }
          : { left: about.left + (about.width - card.width) / 2, top: bottom - GAP - card.height }
  return {
    left: clamp(spot.left, view.width - card.width),
    top: clamp(spot.top, view.height - card.height),
  }
}

const clamp = (at: number, most: number): number => Math.round(Math.max(EDGE, Math.min(at, most - EDGE)))
