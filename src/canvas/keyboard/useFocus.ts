import { type RefObject, useEffect, useMemo, useRef } from 'react'
import type { Projection } from '../../../engine/document/commands'
import { useView } from '../adapter'
import { type Selection, select } from '../canvasStore'
import { type Editor, useEditor } from '../context'
import { readingOrder } from '../elements'
import { exists, nextStop, type Stop, sameStop, survivor, type Walk } from './order'
import { elementOf, focusWhenThere, stopOf } from './stopElements'

/** The flow for keyboard navigation; caches the order while no group changes. */
export function useWalk(): () => Walk {
  const { document, registry, readOnly } = useEditor()
  return useMemo(() => {
    let known: { groups: Projection['groups']; order: string[] } | undefined
    const ports: Walk['ports'] = (block) => (readOnly ? [] : registry.portsOf(block).map(({ id }) => id))
    return () => {
      const projection = document.projection()
      if (known?.groups !== projection.groups)
        known = { groups: projection.groups, order: readingOrder(projection.groups) }
      return { projection, order: known.order, ports }
    }
  }, [document, registry, readOnly])
}

/** Requests the keyboard focus for a stop anywhere on the canvas. A single selected item is deselected. */
export function focusStop({ store }: Editor, stop: Stop): void {
  const { selection } = store.getState()
  const { groups, blocks } = selection
  if (
    groups.size + blocks.size === 1 &&
    !(stop.blockId === undefined ? groups.has(stop.groupId) : blocks.has(stop.blockId))
  )
    select(store, stop.blockId === undefined ? { groups: [stop.groupId] } : { blocks: [stop.blockId] })
  store.setState({ focused: { ...stop } })
}

/**
 * The keyboard's position: what has or last had the focus, unless a single other item was selected since; null if it is
 * gone.
 */
export function hereOf({ store }: Editor, walk: Walk): Stop | null {
  const { focused } = store.getState()
  const chosen = onlySelected(store.getState().selection, walk.projection)
  if (!chosen) return focused && exists(walk, focused) ? focused : null
  const within = focused && exists(walk, focused) && sameStop({ ...focused, portId: undefined }, chosen)
  return within ? focused : chosen
}

function onlySelected({ groups, blocks }: Selection, projection: Projection): Stop | null {
  if (groups.size + blocks.size !== 1) return null
  const [groupId] = groups
  if (groupId !== undefined) return projection.groups.has(groupId) ? { groupId } : null
  const block = projection.blocks.get([...blocks][0] ?? '')
  return block ? { groupId: block.groupId, blockId: block.id } : null
}

/**
 * Synchronises the browser's focus with `focused`: a requested stop gets the focus once it is rendered and visible,
 * other focus changes are recorded, a deleted stop passes the focus on, and Tab follows the reading order through the
 * whole flow, rendered or not.
 */
export function useFocus(root: RefObject<HTMLElement | null>, describe: (stop: Stop) => string): void {
  const editor = useEditor()
  const view = useView()
  const walk = useWalk()
  const describeNow = useRef(describe)
  describeNow.current = describe
  useEffect(() => {
    const canvas = root.current
    if (!canvas) return
    const { store, document: flow } = editor
    let stopWaiting = () => {}
    let byTab = false
    const follow = (stop: Stop) => {
      stopWaiting()
      const show = () => view.show(stop.groupId, stop.blockId ?? '')
      stopWaiting = focusWhenThere(() => {
        const element = elementOf(canvas, stop)
        if (element) view.reveal(stop.groupId, stop.blockId)
        return element
      }, show)
    }
    const unsubscribeFocus = store.subscribe(({ focused, editing, awaitingField }, before) => {
      // one of its fields has the focus, or will get it
      if (editing || awaitingField) return
      if (focused && focused !== before.focused && !isAt(focused)) follow(focused)
    })
    let last = walk()
    const unsubscribeFlow = flow.subscribe((projection) => {
      const { focused } = store.getState()
      const before = last
      last = walk()
      if (!focused || exists(last, focused)) return
      const next = survivor(before, focused, projection)
      const onIt = sameStop(stopOf(document.activeElement), focused) || document.activeElement === document.body
      store.setState({ focused: onIt ? null : next })
      // only after the canvas has lost it
      if (onIt && next) requestAnimationFrame(() => store.setState({ focused: next }))
    })
    const onKey = (event: KeyboardEvent) => {
      byTab = event.key === 'Tab'
      const at = stopOf(document.activeElement)
      if (!byTab || event.ctrlKey || event.altKey || event.metaKey || !at || isField(event.target)) return
      const next = nextStop(walk(), at, event.shiftKey ? -1 : 1)
      if (!next) return
      event.preventDefault()
      focusStop(editor, next)
    }
    const onFocus = (event: FocusEvent) => {
      const stop = stopOf(event.target as Element)
      if (!stop || isField(event.target)) return
      const { focused } = store.getState()
      const entering = byTab && event.relatedTarget instanceof Node && !canvas.contains(event.relatedTarget)
      byTab = false
      if (entering && focused && !sameStop(focused, stop) && exists(walk(), focused)) return follow(focused)
      // computed on demand: describing everything rendered would slow down each edit
      const element = elementOf(canvas, stop)
      element?.setAttribute('aria-description', describeNow.current(stop))
      if (!sameStop(focused, stop)) store.setState({ focused: stop })
    }
    window.addEventListener('keydown', onKey, true)
    canvas.addEventListener('focusin', onFocus)
    return () => {
      stopWaiting()
      unsubscribeFocus()
      unsubscribeFlow()
      window.removeEventListener('keydown', onKey, true)
      canvas.removeEventListener('focusin', onFocus)
    }
  }, [editor, view, walk, root])
}

const isAt = (stop: Stop): boolean => sameStop(stop, stopOf(document.activeElement)) && !isField(document.activeElement)

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, [contenteditable="true"]')
