import type { View } from './adapter'
import type { Editor } from './context'
import { type Box, type Point, snap } from './geometry'
import { boxesIn, boxesOf } from './groupBoxes'
import { type Guide, snapToNeighbours } from './guides'
import { around } from './scene'

/** More groups are aligned by the held one instead of their bounding box. */
const MANY = 60
/** How far around neighbours are considered, in flow units. */
const NEAR = 900
/** The snapping distance on the screen. */
const HOLD = 6
const COPIES_SHOWN = 200

export interface Snapping {
  /** the adjusted move: snapped to neighbours, otherwise to the grid */
  adjust: (by: Point, neighboursMove: boolean) => { by: Point; guides: Guide[] }
  /** outlines of the first groups after the move */
  outlines: (by: Point) => Box[]
}

/**
 * Creates the snapping for one drag of groups.
 *
 * @param leading the held group: it snaps to the grid, and decides for all if there are many
 */
export function createSnapping(editor: Editor, view: View, groupIds: Iterable<string>, leading: string): Snapping {
  const ids = new Set(groupIds)
  const [lead] = boxesOf(editor, [leading])
  const held = ids.size <= MANY ? around(boxesOf(editor, ids)) : lead
  return {
    adjust(by, copies) {
      if (!held || !lead) return { by, guides: [] }
      const moved = { ...held, x: held.x + by.x, y: held.y + by.y }
      // a copy also snaps to its original
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

/** Visible boxes nearby: guides through invisible ones would confuse. */
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
