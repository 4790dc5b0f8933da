import type { View } from './adapter'
import type { Editor } from './context'
import { type Box, type Point, snap } from './geometry'
import { boxesIn, boxesOf } from './groupBoxes'
import { type Guide, snapToNeighbours } from './guides'
import { around } from './scene'

/** More than these are brought in line by one of them, not by the box around all. */
const MANY = 60
/** Neighbours are looked for that far around, in the flow's unit. */
const NEAR = 900
/** How near a line must be to hold a group, on the screen. */
const HOLD = 6
const COPIES_SHOWN = 200

export interface Snapping {
  /** how far groups go that the pointer has taken by that much: to the lines of their neighbours, else to the grid */
  adjust: (by: Point, neighboursMove: boolean) => { by: Point; guides: Guide[] }
  /** the outlines of the first of them, after they have gone that far */
  outlines: (by: Point) => Box[]
}

/**
 * For one drag of groups.
 *
 * @param leading the one that is held: it stands on the grid, and speaks for all when there are many
 */
export function createSnapping(editor: Editor, view: View, groupIds: Iterable<string>, leading: string): Snapping {
  const ids = new Set(groupIds)
  const [lead] = boxesOf(editor, [leading])
  const held = ids.size <= MANY ? around(boxesOf(editor, ids)) : lead
  return {
    adjust(by, copies) {
      if (!held || !lead) return { by, guides: [] }
      const moved = { ...held, x: held.x + by.x, y: held.y + by.y }
      // a copy is brought in line with what it was copied from, too
      const near = neighbours(editor, view, moved).filter(({ id }) => copies || !ids.has(id))
      const unit = view.toFlow({ x: 1, y: 0 }).x - view.toFlow({ x: 0, y: 0 }).x
      const lines = snapToNeighbours(moved, near, HOLD * unit)
      return {
        by: {
          x: lines.x === null ? snap(lead.x + by.x) - lead.x : Math.round(by.x + lines.x),
          y: lines.y === null ? snap(lead.y + by.y) - lead.y : Math.round(by.y + lines.y),
        },
        guides: lines.guides,
      }
    },
    outlines: (by) =>
      boxesOf(editor, [...ids].slice(0, COPIES_SHOWN)).map(({ x, y, width, height }) => ({
        x: x + by.x,
        y: y + by.y,
        width,
        height,
      })),
  }
}

/** What is near a box and in sight: lines through what nobody sees would only irritate. */
function neighbours(editor: Editor, view: View, { x, y, width, height }: Box) {
  const seen = seenArea(view)
  const left = Math.max(x - NEAR, seen.x)
  const top = Math.max(y - NEAR, seen.y)
  const right = Math.min(x + width + NEAR, seen.x + seen.width)
  const bottom = Math.min(y + height + NEAR, seen.y + seen.height)
  if (right <= left || bottom <= top) return []
  return boxesIn(editor, { x: left, y: top, width: right - left, height: bottom - top })
}

function seenArea(view: View): Box {
  const screen = document.querySelector('.react-flow')?.getBoundingClientRect()
  const from = view.toFlow({ x: screen?.left ?? 0, y: screen?.top ?? 0 })
  const to = view.toFlow({ x: screen?.right ?? 0, y: screen?.bottom ?? 0 })
  return { ...from, width: to.x - from.x, height: to.y - from.y }
}
