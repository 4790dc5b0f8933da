import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useViewport } from './adapter'
import { touches } from './boxIndex'
import { draggedNow } from './canvasStore'
import { useEditor } from './context'
import { type Box, metrics } from './geometry'
import type { Scene } from './placed'
import { nextWindow, nothingShown, type Window } from './windowing'

/**
 * The part of the flow that React Flow renders. Follows the view, frame by frame until everything visible is rendered.
 */
export function useWindow(scene: Scene): Window {
  const { store, document } = useEditor()
  const viewport = useViewport()
  const [shown, setShown] = useState<Window>(nothingShown)
  const latest = useRef(shown)
  const focused = useRef<string | null>(null)
  const step = useRef<() => void>(() => undefined)

  useLayoutEffect(() => {
    let frame = 0
    const run = () => {
      cancelAnimationFrame(frame)
      const seen = viewport.seen()
      if (!seen) return
      const state = store.getState()
      const { moving, connecting, editingTitle, editing } = state
      const pins = pinned(scene, focused.current)
      if (editingTitle) pins.add(editingTitle)
      const edited = editing && document.projection().blocks.get(editing.blockId)
      if (edited) pins.add(edited.groupId)
      for (const [id, { x, y }] of draggedNow(state)) if (touches(seen.area, boxAt(scene, id, x, y))) pins.add(id)
      const next = nextWindow(latest.current, scene, seen, pins, moving.size > 0 || connecting)
      if (next !== latest.current) {
        latest.current = next
        setShown(next)
      }
      if (!next.settled) frame = requestAnimationFrame(run)
    }
    step.current = run
    run()
    const stops = [
      viewport.subscribe(run),
      store.subscribe((state, before) => {
        if (
          state.moving !== before.moving ||
          state.carried !== before.carried ||
          state.connecting !== before.connecting ||
          state.editingTitle !== before.editingTitle ||
          state.editing !== before.editing
        )
          run()
      }),
    ]
    return () => {
      cancelAnimationFrame(frame)
      for (const stop of stops) stop()
    }
  }, [scene, store, document, viewport])

  // what an edit has added or taken away
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is what changes
  useLayoutEffect(() => step.current(), [scene.version])

  useEffect(() => {
    const onFocus = (event: FocusEvent) => {
      const node = (event.target as Element | null)?.closest<HTMLElement>('.react-flow__node')
      if (event.type === 'focusout' && event.relatedTarget === null) focused.current = null
      else if (event.type === 'focusin') focused.current = node?.dataset.id ?? null
      step.current()
    }
    window.addEventListener('focusin', onFocus)
    window.addEventListener('focusout', onFocus)
    return () => {
      window.removeEventListener('focusin', onFocus)
      window.removeEventListener('focusout', onFocus)
    }
  }, [])
  return shown
}

/** The group with the focus and its Tab neighbours; without a focus the first and the last group. */
function pinned(scene: Scene, focused: string | null): Set<string> {
  const { ids, at } = scene.order()
  const place = focused === null ? undefined : at.get(focused)
  const stops = place === undefined ? [ids[0], ids.at(-1)] : [ids[place - 1], ids[place], ids[place + 1]]
  return new Set(stops.filter((id) => id !== undefined))
}

const boxAt = (scene: Scene, id: string, x: number, y: number): Box => ({
  x,
  y,
  width: metrics.width,
  height: scene.groups.get(id)?.layout.height ?? 0,
})
