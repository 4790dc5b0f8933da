import { type RefObject, useEffect } from 'react'
import { listed, type Place } from '../../collab/peerState'
import type { Presence } from '../../collab/presence'
import { useView, useViewport } from '../adapter'
import type { CanvasState, Selection } from '../canvasStore'
import { useEditor } from '../context'
import type { Point } from '../geometry'

/**
 * Sends one's own presence: pointer, selection, view, drags, and the focused field.
 *
 * @param layer an element in the canvas
 */
export function useTellWhere(presence: Presence, layer: RefObject<HTMLElement | null>): void {
  const { document: flow, store, readOnly } = useEditor()
  const view = useView()
  const viewport = useViewport()
  useEffect(() => {
    const canvas = layer.current?.parentElement
    if (!canvas) return
    let pointer: Point | null = null
    let asked = 0
    const tellCursor = () => {
      if (presence.peers().size > 0 || pointer === null)
        presence.tell({ cursor: pointer && rounded(view.toFlow(pointer)) })
    }
    const tellView = () => {
      const seen = viewport.seen()
      if (!seen) return
      const { area, zoom } = seen
      const middle = rounded({ x: area.x + area.width / 2, y: area.y + area.height / 2 })
      const size = { width: Math.round(area.width * zoom), height: Math.round(area.height * zoom) }
      presence.tell({ view: { ...middle, zoom, ...size } })
      // the pointer rests, but the view moved under it
      if (pointer) tellCursor()
    }
    const tellSelection = ({ selection }: CanvasState) => {
      const count = selection.groups.size + selection.blocks.size
      presence.tell({ selection: count > 0 ? { ids: listed(idsOf(selection)), count } : null })
    }
    const tellField = () => {
      asked = 0
      const field = document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset.field
      const { blocks, groups } = flow.projection()
      const owner = field?.split('/')[0] ?? ''
      presence.tell({ field: field !== undefined && (blocks.has(owner) || groups.has(owner)) ? field : null })
    }
    // after the focus has settled: a lazily created field passes it on
    const askField = () => {
      if (!readOnly) asked ||= requestAnimationFrame(tellField)
    }
    const onMove = ({ clientX, clientY }: PointerEvent) => {
      pointer = { x: clientX, y: clientY }
      tellCursor()
    }
    const onLeave = () => {
      pointer = null
      tellCursor()
    }
    const onTouchEnd = ({ pointerType }: PointerEvent) => pointerType === 'touch' && onLeave()
    const onHide = () => document.hidden && onLeave()
    canvas.addEventListener('pointermove', onMove)
    canvas.addEventListener('pointerleave', onLeave)
    canvas.addEventListener('pointerup', onTouchEnd)
    document.addEventListener('visibilitychange', onHide)
    window.addEventListener('focusin', askField)
    window.addEventListener('focusout', askField)
    const stops = [
      viewport.subscribe(tellView),
      store.subscribe((state, before) => {
        if (state.selection !== before.selection) {
          tellSelection(state)
          // the panel with the focused field may have closed
          askField()
        }
        if (state.moving !== before.moving) presence.tell({ drag: dragOf(state) })
      }),
    ]
    tellView()
    tellSelection(store.getState())
    return () => {
      canvas.removeEventListener('pointermove', onMove)
      canvas.removeEventListener('pointerleave', onLeave)
      canvas.removeEventListener('pointerup', onTouchEnd)
      document.removeEventListener('visibilitychange', onHide)
      window.removeEventListener('focusin', askField)
      window.removeEventListener('focusout', askField)
      cancelAnimationFrame(asked)
      for (const stop of stops) stop()
      presence.tell({ cursor: null, selection: null, field: null, view: null, drag: null })
    }
  }, [presence, layer, flow, store, readOnly, view, viewport])
}

const rounded = ({ x, y }: Point): Point => ({ x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 })

function* idsOf({ groups, blocks }: Selection): Iterable<string> {
  yield* groups
  yield* blocks
}

/** The first of very many: the others appear at the drop. */
function dragOf({ moving }: CanvasState): Place[] | null {
  return moving.size > 0 ? listed(placesOf(moving)) : null
}

function* placesOf(moving: CanvasState['moving']): Iterable<Place> {
  for (const [id, at] of moving) yield { id, ...rounded(at) }
}
