import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceAround,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceAround,
  Columns3,
  LayoutGrid,
  type LucideIcon,
  Rows3,
} from 'lucide-react'
import type { Action } from './actionRegistry'
import { align, distribute, type PlacedBox, tidy } from './arrange'
import type { Editor } from './context'
import { GRID, type Point } from './geometry'
import { boxesOf } from './groupBoxes'

type Arrange = (boxes: readonly PlacedBox[]) => Map<string, Point>

/** Aligning the selected groups, in the order of the bar's buttons; and moving them by arrow keys. */
export function arrangeActions(editor: Editor): Action[] {
  const arranges = (id: string, icon: LucideIcon, least: 2 | 3, how: Arrange, key?: string): Action => ({
    id,
    section: 'arrange',
    writes: true,
    icon,
    keys: key === undefined ? undefined : [key],
    enabled: () => editor.store.getState().selection.groups.size >= least,
    needs: least === 2 ? 'twoGroups' : 'threeGroups',
    run: () => arrange(editor, how),
  })
  return [
    arranges('alignLeft', AlignStartVertical, 2, (boxes) => align(boxes, 'left'), 'alt+a'),
    arranges('alignCentre', AlignCenterVertical, 2, (boxes) => align(boxes, 'centre'), 'alt+h'),
    arranges('alignRight', AlignEndVertical, 2, (boxes) => align(boxes, 'right'), 'alt+d'),
    arranges('alignTop', AlignStartHorizontal, 2, (boxes) => align(boxes, 'top'), 'alt+w'),
    arranges('alignMiddle', AlignCenterHorizontal, 2, (boxes) => align(boxes, 'middle'), 'alt+v'),
    arranges('alignBottom', AlignEndHorizontal, 2, (boxes) => align(boxes, 'bottom'), 'alt+s'),
    arranges('distributeX', AlignHorizontalSpaceAround, 3, (boxes) => distribute(boxes, 'x'), 'alt+shift+h'),
    arranges('distributeY', AlignVerticalSpaceAround, 3, (boxes) => distribute(boxes, 'y'), 'alt+shift+v'),
    arranges('tidyRow', Columns3, 2, (boxes) => tidy(boxes, 'row')),
    arranges('tidyColumn', Rows3, 2, (boxes) => tidy(boxes, 'column')),
    arranges('tidyGrid', LayoutGrid, 2, (boxes) => tidy(boxes, 'grid'), 'alt+shift+t'),
  ]
}

/** By one grid step, or five with Shift. Quick ones in succession are one undo step. */
export function nudgeActions(editor: Editor): Action[] {
  const nudges = (id: string, key: string, x: number, y: number): Action[] =>
    [1, 5].map((times) => ({
      id: times === 1 ? id : `${id}Far`,
      section: 'arrange',
      writes: true,
      keys: [times === 1 ? key : `shift+${key}`],
      enabled: () => editor.store.getState().selection.groups.size > 0,
      needs: 'group',
      run: () => nudge(editor, { x: x * GRID * times, y: y * GRID * times }),
    }))
  return [
    ...nudges('nudgeLeft', 'ArrowLeft', -1, 0),
    ...nudges('nudgeRight', 'ArrowRight', 1, 0),
    ...nudges('nudgeUp', 'ArrowUp', 0, -1),
    ...nudges('nudgeDown', 'ArrowDown', 0, 1),
  ]
}

function arrange(editor: Editor, how: Arrange): void {
  const places = how(boxesOf(editor, editor.store.getState().selection.groups))
  if (places.size > 0)
    editor.document.commands.moveGroups(Array.from(places, ([groupId, position]) => ({ groupId, position })))
}

function nudge({ document, store }: Editor, by: Point): void {
  const { groups } = document.projection()
  const moves = [...store.getState().selection.groups].flatMap((groupId) => {
    const position = groups.get(groupId)?.position
    return position ? [{ groupId, position: { x: position.x + by.x, y: position.y + by.y } }] : []
  })
  document.commands.typing(() => document.commands.moveGroups(moves))
}
