import { type PointerEvent, useCallback, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useView, type View } from './adapter'
import { handOn, select } from './canvasStore'
import { clipOf } from './clipboard/clip'
import { paste } from './clipboard/paste'
import { type Editor, useEditor } from './context'
import { edgeAt, fitsOnEdge, insertOnEdge } from './edgeInsert'
import type { Point } from './geometry'
import { pressLong } from './longPress'
import { startMarquee } from './marquee'
import { cancelDrag, followPointer, type Pointer, type PointerDrag } from './pointerDrag'
import { createSnapping, type Snapping } from './snapping'

/**
 * Gestures that start on the canvas: on a group, a drag of it or of all selected ones; on the empty canvas, a marquee.
 * Blocks and ports have their own. Spread the result into ReactFlow, whose own drag can't be cancelled and only knows
 * rendered nodes.
 */
export function useCanvasGestures() {
  const editor = useEditor()
  const view = useView()
  const { t } = useTranslation('builder')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a drag ends with the flow that it began in
  useEffect(() => cancelDrag, [editor])
  const onPointerDown = useCallback(
    (event: PointerEvent) => {
      if (event.pointerType === 'touch') return pressLong(event.nativeEvent)
      if (event.button !== 0 || handOn(editor.store.getState())) return
      const target = event.target as Element
      const isPane = target.classList.contains('react-flow__pane')
      // the overview has no elements for groups
      const groupId = isPane
        ? (view.groupAt({ x: event.clientX, y: event.clientY }) ?? undefined)
        : target.closest<HTMLElement>('[data-group-id]')?.dataset.groupId
      if (groupId !== undefined) {
        if (editor.readOnly || target.closest('.nodrag, input, button, .react-flow__handle')) return
        followPointer(event, view, groupDrag(editor, view, event, groupId, t('canvas.newGroup')))
      } else if (isPane) startMarquee(editor, view, event)
    },
    [editor, view, t],
  )
  return useMemo(
    () => ({ onPointerDown, nodesDraggable: false, selectionOnDrag: false, panActivationKeyCode: null }),
    [onPointerDown],
  )
}

function groupDrag(editor: Editor, view: View, press: PointerEvent, groupId: string, title: string): PointerDrag {
  const { document, store } = editor
  const start = view.toFlow({ x: press.clientX, y: press.clientY })
  const add = press.shiftKey || press.metaKey || press.ctrlKey
  let origins: [string, Point][] = []
  let snapping: Snapping | null = null
  let joins = false

  /** The groups that still exist: others may delete them meanwhile. */
  const present = () => origins.filter(([id]) => document.projection().groups.has(id))
  const shift = (at: Pointer) => {
    const flow = view.toFlow(at)
    const by = { x: flow.x - start.x, y: flow.y - start.y }
    if (at.control || !snapping) return { by: { x: Math.round(by.x), y: Math.round(by.y) }, guides: [] }
    return snapping.adjust(by, at.alt)
  }
  const edgeUnder = (at: Pointer) => {
    const edgeId = joins && !at.alt ? edgeAt(at) : null
    const from = document.projection().edges.get(edgeId ?? '')?.from.blockId
    return document.projection().blocks.get(from ?? '')?.groupId === groupId ? null : edgeId
  }
  return {
    begin() {
      const { groups } = document.projection()
      if (!groups.has(groupId)) return false
      const { selection } = store.getState()
      const ids = selection.groups.has(groupId) || add ? new Set([...selection.groups, groupId]) : new Set([groupId])
      origins = [...ids].flatMap((id): [string, Point][] => {
        const position = groups.get(id)?.position
        return position ? [[id, position]] : []
      })
      snapping = createSnapping(editor, view, ids, groupId)
      joins = ids.size === 1 && fitsOnEdge(editor, groupId)
      store.setState({ moving: new Map(origins) })
      if (!selection.groups.has(groupId)) select(store, { groups: [...ids] })
      return true
    },
    move(at) {
      const left = present()
      if (left.length === 0) return cancelDrag()
      const { by, guides } = shift(at)
      store.setState({
        moving: new Map(at.alt ? left : moved(left, by)),
        sketch: { guides, copies: at.alt ? snapping?.outlines(by) : undefined },
        hoveredEdge: edgeUnder(at),
      })
    },
    drop(at) {
      const left = present()
      const { by } = shift(at)
      if (left.length === 0 || (by.x === 0 && by.y === 0)) return
      if (at.alt) return copyTo(editor, left, by, title)
      const edgeId = edgeUnder(at)
      const { groups, blocks } = document.projection()
      const last = blocks.get(groups.get(groupId)?.blockIds.at(-1) ?? '')
      document.commands.batch(() => {
        document.commands.moveGroups(moved(left, by).map(([id, position]) => ({ groupId: id, position })))
        if (edgeId !== null) insertOnEdge(editor, edgeId, groupId, last)
      })
    },
    end: () => store.setState({ moving: new Map(), sketch: null, hoveredEdge: null }),
  }
}

const moved = (places: readonly [string, Point][], by: Point): [string, Point][] =>
  places.map(([id, { x, y }]) => [id, { x: x + by.x, y: y + by.y }])

function copyTo(editor: Editor, groups: readonly [string, Point][], by: Point, title: string): void {
  const clip = clipOf(editor, new Set(groups.map(([id]) => id)), new Set())
  if (!clip) return
  const x = Math.min(...groups.map(([, at]) => at.x))
  const y = Math.min(...groups.map(([, at]) => at.y))
  paste(editor, clip, title, { corner: { x: x + by.x, y: y + by.y } })
}
