import { type PointerEvent, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { addAt, addInto, moveBlocks, moveBlocksOut } from './actions'
import { useView, type View } from './adapter'
import type { BlockDrag } from './canvasStore'
import { type Editor, useEditor, useKindTexts } from './context'
import { blocksOf } from './elements'
import { insertionIndex, layoutGroup, metrics, type Point, shapeBlock, snap } from './geometry'
import { faceOf } from './kindFaces'

const THRESHOLD = 4
const EDGE = 48
const EDGE_SPEED = 10

/** For a block's pointerdown: drags it, or all selected blocks when it is one of them. */
export function useBlockGrab() {
  const begin = useDrag()
  const { store, document } = useEditor()
  return useCallback(
    (event: PointerEvent, blockId: string) => {
      const { blocks } = store.getState().selection
      const projection = document.projection()
      const ids = blocks.has(blockId)
        ? [...projection.groups.values()].flatMap((group) => group.blockIds.filter((id) => blocks.has(id)))
        : [blockId]
      begin(event, { blockIds: ids })
    },
    [begin, store, document],
  )
}

/** For a palette item's pointerdown. */
export function useKindGrab() {
  const begin = useDrag()
  return useCallback((event: PointerEvent, kind: string) => begin(event, { kind }), [begin])
}

/**
 * Follows the pointer from a press to its release. Touch scrolls and pans instead: there one adds by a tap. The flow changes once,
 * at the drop; Escape drops nothing.
 */
function useDrag() {
  const editor = useEditor()
  const view = useView()
  const { t } = useTranslation('builder')
  const kinds = useKindTexts()
  return useCallback(
    (event: PointerEvent, what: BlockDrag['what']) => {
      if (event.button !== 0 || event.pointerType === 'touch' || editor.readOnly) return
      const title = 'kind' in what ? kinds.title(what.kind) : t('canvas.newGroup')
      follow(editor, view, { x: event.clientX, y: event.clientY }, what, title)
    },
    [editor, view, kinds, t],
  )
}

function follow(editor: Editor, view: View, start: Point, what: BlockDrag['what'], title: string): void {
  const { store } = editor
  let pointer = start
  let frame = 0
  const end = () => {
    cancelAnimationFrame(frame)
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerup', up)
    window.removeEventListener('pointercancel', cancel)
    window.removeEventListener('keydown', key, true)
    document.documentElement.removeAttribute('data-dragging')
    store.setState({ drag: null })
  }
  const cancel = () => end()
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !store.getState().drag) return
    event.stopPropagation()
    end()
  }
  const track = () => {
    const by = edgePan(pointer)
    if (by.x || by.y) view.panBy(by)
    const target = targetAt(editor, view, pointer)
    if (!sameTarget(store.getState().drag?.target ?? null, target)) store.setState({ drag: { what, target } })
    frame = requestAnimationFrame(track)
  }
  const move = (event: globalThis.PointerEvent) => {
    pointer = { x: event.clientX, y: event.clientY }
    const ghost = document.querySelector<HTMLElement>('[data-drag-ghost]')
    if (ghost) ghost.style.translate = `${pointer.x}px ${pointer.y}px`
    if (store.getState().drag || Math.hypot(pointer.x - start.x, pointer.y - start.y) < THRESHOLD) return
    document.documentElement.setAttribute('data-dragging', '')
    store.setState({ drag: { what, target: null } })
    frame = requestAnimationFrame(track)
  }
  const up = () => {
    const dragged = store.getState().drag !== null
    end()
    if (!dragged) return
    // the click that follows the release belongs to the drag, not to what lies under it
    const swallow = (event: MouseEvent) => event.stopPropagation()
    window.addEventListener('click', swallow, { capture: true, once: true })
    requestAnimationFrame(() => window.removeEventListener('click', swallow, true))
    drop(editor, view, pointer, what, title)
  }
  window.addEventListener('pointermove', move)
  window.addEventListener('pointerup', up)
  window.addEventListener('pointercancel', cancel)
  window.addEventListener('keydown', key, true)
}

function drop(editor: Editor, view: View, pointer: Point, what: BlockDrag['what'], title: string): void {
  const target = targetAt(editor, view, pointer)
  if (!target) return
  const flow = view.toFlow(pointer)
  const at = { x: snap(flow.x - metrics.width / 2), y: snap(flow.y - metrics.header - metrics.padding) }
  if ('empty' in target)
    'kind' in what ? addAt(editor, what.kind, title, at) : moveBlocksOut(editor, what.blockIds, title, at)
  else if ('kind' in what) addInto(editor, what.kind, target.groupId, target.index)
  else moveBlocks(editor, what.blockIds, target.groupId, target.index)
}

/** What lies under a point of the screen: a group and the index in it, the empty canvas, or something else. */
function targetAt({ document: flow, registry }: Editor, view: View, pointer: Point): BlockDrag['target'] {
  const under = document.elementFromPoint(pointer.x, pointer.y)
  const groupId = under?.closest<HTMLElement>('[data-group-id]')?.dataset.groupId
  const projection = flow.projection()
  const group = projection.groups.get(groupId ?? '')
  if (!group) return under?.closest('.react-flow') ? { empty: true } : null
  const layout = layoutGroup(blocksOf(group, projection), (block) => shapeBlock(block, registry, faceOf(block.kind)))
  return { groupId: group.id, index: insertionIndex(layout, view.toFlow(pointer).y - group.position.y) }
}

function sameTarget(a: BlockDrag['target'], b: BlockDrag['target']): boolean {
  if (a === null || b === null) return a === b
  if ('empty' in a || 'empty' in b) return 'empty' in a && 'empty' in b
  return a.groupId === b.groupId && a.index === b.index
}

/** How far to pan when the pointer is held at the canvas's edge. */
function edgePan(pointer: Point): Point {
  const box = document.querySelector('.react-flow')?.getBoundingClientRect()
  if (!box || pointer.x < box.left || pointer.x > box.right || pointer.y < box.top || pointer.y > box.bottom)
    return { x: 0, y: 0 }
  const speed = (from: number, to: number) => (from < EDGE ? EDGE_SPEED : to < EDGE ? -EDGE_SPEED : 0)
  return {
    x: speed(pointer.x - box.left, box.right - pointer.x),
    y: speed(pointer.y - box.top, box.bottom - pointer.y),
  }
}
