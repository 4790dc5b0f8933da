import { type PointerEvent, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { addAt, addInto, createBlock, moveBlocks, moveBlocksOut } from './actions'
import { useView, type View } from './adapter'
import { type BlockDrag, handOn } from './canvasStore'
import { type Editor, useEditor, useKindTexts } from './context'
import { addOnEdge, edgeAt, insertOnEdge, openExit } from './edgeInsert'
import { type Box, insertionIndex, layoutGroup, metrics, type Point, shapeBlock, snap } from './geometry'
import { boxesIn } from './groupBoxes'
import { faceOf } from './kindFaces'
import { makeRoom } from './makeRoom'
import { namesOf } from './names'
import { cancelDrag, followPointer, type PointerDrag } from './pointerDrag'
import { sceneOf } from './scene'

/** A block's pointerdown handler: drags it, or all selected blocks if it is one of them. */
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

/** A palette item's pointerdown handler. */
export function useKindGrab() {
  const begin = useDrag()
  return useCallback((event: PointerEvent, kind: string) => begin(event, { kind }), [begin])
}

/**
 * Follows the pointer from press to release. Touch scrolls and pans instead; there blocks are added by a tap. The flow
 * changes once, at the drop; Escape cancels.
 */
function useDrag() {
  const editor = useEditor()
  const view = useView()
  const { t } = useTranslation('builder')
  const kinds = useKindTexts()
  return useCallback(
    (event: PointerEvent, what: BlockDrag['what']) => {
      if (event.button !== 0 || event.pointerType === 'touch' || editor.readOnly) return
      if ('blockIds' in what && handOn(editor.store.getState())) return
      const title = 'kind' in what ? kinds.title(what.kind) : t('canvas.newGroup')
      followPointer(event, view, drag(editor, view, what, title))
    },
    [editor, view, kinds, t],
  )
}

function drag(editor: Editor, view: View, what: BlockDrag['what'], title: string): PointerDrag {
  const { store } = editor
  const moveGhost = ({ x, y }: Point) => {
    const ghost = document.querySelector<HTMLElement>('[data-drag-ghost]')
    if (ghost) ghost.style.translate = `${x}px ${y}px`
  }
  const size = sizeOf(editor, what)
  /** The box of the new group, and the new positions of groups that it would cover. */
  const room = (at: Point) => {
    const box = { ...placeAt(view, at), width: metrics.width, height: size.height }
    return { box, moving: makeRoom(box, (area) => boxesIn(editor, area)) }
  }
  return {
    begin(at) {
      moveGhost(at)
      store.setState({ drag: { what, target: null } })
      return true
    },
    move(at) {
      moveGhost(at)
      if ('blockIds' in what && !what.blockIds.some((id) => editor.document.projection().blocks.has(id)))
        return cancelDrag()
      const target = targetAt(editor, view, what, at)
      if (target && 'empty' in target) {
        const { box, moving } = room(at)
        const blocks = size.blocks.map((block) => ({ ...block, x: box.x + block.x, y: box.y + block.y }))
        store.setState({ sketch: { drop: { box, blocks } }, moving })
      } else if (store.getState().sketch) store.setState({ sketch: null, moving: new Map() })
      if (sameTarget(store.getState().drag?.target ?? null, target)) return
      store.setState({ drag: { what, target }, hoveredEdge: target && 'edgeId' in target ? target.edgeId : null })
    },
    drop(at) {
      const target = targetAt(editor, view, what, at)
      if (!target) return
      const makesWay = 'empty' in target ? [...room(at).moving] : []
      editor.document.commands.batch(() => {
        if (makesWay.length > 0)
          editor.document.commands.moveGroups(makesWay.map(([groupId, position]) => ({ groupId, position })))
        drop(editor, placeAt(view, at), what, target, title)
      })
    },
    end: () => store.setState({ drag: null, hoveredEdge: null, sketch: null, moving: new Map() }),
  }
}

/** The height of a group with these blocks, and their boxes in it. */
function sizeOf(editor: Editor, what: BlockDrag['what']): { height: number; blocks: Box[] } {
  const { registry } = editor
  const projection = editor.document.projection()
  const blocks =
    'kind' in what
      ? [{ ...createBlock(editor, what.kind), groupId: '' }]
      : what.blockIds.flatMap((id) => projection.blocks.get(id) ?? [])
  const names = namesOf(projection)
  const { height, blocks: places } = layoutGroup(blocks, (block) =>
    shapeBlock(block, registry, faceOf(block.kind), names),
  )
  const width = metrics.width - 2 * metrics.padding
  return { height, blocks: places.map((place) => ({ x: metrics.padding, y: place.top, width, height: place.height })) }
}

/** The position of a group created under the pointer. */
function placeAt(view: View, pointer: Point): Point {
  const { x, y } = view.toFlow(pointer)
  return { x: snap(x - metrics.width / 2), y: snap(y - metrics.header - metrics.padding) }
}

function drop(
  editor: Editor,
  at: Point,
  what: BlockDrag['what'],
  target: NonNullable<BlockDrag['target']>,
  title: string,
): void {
  if ('kind' in what) {
    if ('empty' in target) addAt(editor, what.kind, title, at)
    else if ('edgeId' in target) addOnEdge(editor, what.kind, title, target.edgeId, at)
    else addInto(editor, what.kind, target.groupId, target.index)
    return
  }
  const { blocks } = editor.document.projection()
  // somebody may have deleted some of them meanwhile
  const blockIds = what.blockIds.filter((id) => blocks.has(id))
  if ('groupId' in target) moveBlocks(editor, blockIds, target.groupId, target.index)
  else
    editor.document.commands.batch(() => {
      const groupId = moveBlocksOut(editor, blockIds, title, at)
      if ('edgeId' in target) insertOnEdge(editor, target.edgeId, groupId, blocks.get(blockIds.at(-1) ?? ''))
    })
}

/** The drop target at a screen position: an index in a group, an edge, the empty canvas, or none. */
function targetAt(editor: Editor, view: View, what: BlockDrag['what'], pointer: Point): BlockDrag['target'] {
  const { document: flow } = editor
  const under = document.elementFromPoint(pointer.x, pointer.y)
  if (!under?.closest('.react-flow')) return null
  const at = view.toFlow(pointer)
  const projection = flow.projection()
  const groupId = under.closest<HTMLElement>('[data-group-id]')?.dataset.groupId ?? view.groupAt(pointer)
  const group = projection.groups.get(groupId ?? '')
  if (group) {
    const layout = sceneOf(editor).groups.get(group.id)?.layout
    if (!layout) return null
    return { groupId: group.id, index: insertionIndex(layout, at.y - group.position.y) }
  }
  const edgeId = edgeAt(pointer)
  return edgeId !== null && fits(editor, what, edgeId) ? { edgeId } : { empty: true }
}

/**
 * Whether the dragged blocks can be inserted into an edge: not triggers, nor the edge's own source, nor blocks that
 * lead elsewhere.
 */
function fits(editor: Editor, what: BlockDrag['what'], edgeId: string): boolean {
  const { blocks, edges } = editor.document.projection()
  const edge = edges.get(edgeId)
  if (!edge) return false
  if ('kind' in what) return editor.registry.find(what.kind)?.category !== 'trigger'
  const dragged = what.blockIds.flatMap((id) => blocks.get(id) ?? [])
  const last = dragged.at(-1)
  return (
    last !== undefined &&
    openExit(editor, last) !== null &&
    dragged.every(({ id, kind }) => {
      const own = id === edge.from.blockId || id === edge.to.blockId
      return !own && editor.registry.find(kind)?.category !== 'trigger'
    })
  )
}

function sameTarget(a: BlockDrag['target'], b: BlockDrag['target']): boolean {
  if (a === null || b === null) return a === b
  if ('groupId' in a) return 'groupId' in b && a.groupId === b.groupId && a.index === b.index
  if ('edgeId' in a) return 'edgeId' in b && a.edgeId === b.edgeId
  return 'empty' in b
}
