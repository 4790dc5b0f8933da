import type { PointerEvent } from 'react'
import type { View } from './adapter'
import { nothingSelected, type Selection } from './canvasStore'
import type { Editor } from './context'
import type { Box, Point } from './geometry'
import { boxesIn } from './groupBoxes'
import { followPointer } from './pointerDrag'

/**
 * Draws a marquee and selects the groups that it touches, visible or not; Shift adds to the previous selection. Escape
 * restores that.
 */
export function startMarquee(editor: Editor, view: View, press: PointerEvent): void {
  const { store } = editor
  const start = view.toFlow({ x: press.clientX, y: press.clientY })
  const add = press.shiftKey || press.metaKey || press.ctrlKey
  let before: Selection = nothingSelected
  let done = false
  const show = (at: Point) => {
    const marquee = boxBetween(start, view.toFlow(at))
    const groups = new Set(boxesIn(editor, marquee).map(({ id }) => id))
    if (add) for (const id of before.groups) groups.add(id)
    const { selection } = store.getState()
    const same = groups.size === selection.groups.size && [...groups].every((id) => selection.groups.has(id))
    const rest = add ? before : nothingSelected
    store.setState({ sketch: { marquee }, selection: same && !done ? selection : { ...rest, groups } })
  }
  followPointer(press, view, {
    begin() {
      before = store.getState().selection
      if (!add) store.setState({ selection: nothingSelected })
      return true
    },
    move: show,
    drop(at) {
      done = true
      show(at)
    },
    end() {
      store.setState({ sketch: null })
      if (!done) store.setState({ selection: before })
    },
  })
}

export const boxBetween = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
})
