import { type MouseEvent, useMemo, useRef } from 'react'
import { useView, useViewport } from './adapter'
import { handOn, nothingSelected, select } from './canvasStore'
import { useEditor } from './context'
import { hoverEdge } from './edgeHover'
import type { FlowEdge, GroupNode } from './elements'
import type { Point } from './geometry'
import { edgeNear } from './overviewHit'
import type { Scene } from './placed'
import type { Window } from './windowing'

/**
 * Click handlers for groups, edges and the background. Stable functions: new ones make React Flow render everything.
 */
export function useClicks(scene: Scene, shown: Window) {
  const { store, readOnly } = useEditor()
  const view = useView()
  const viewport = useViewport()
  const latest = useRef(shown)
  latest.current = shown
  return useMemo(() => {
    /** the group or edge at a screen position that only the overview shows */
    const undrawnAt = (at: Point): { groups?: string[]; edges?: string[] } | null => {
      if (latest.current.settled && !latest.current.far) return null
      const groupId = view.groupAt(at)
      if (groupId !== null) return { groups: [groupId] }
      const edgeId = edgeNear(scene, view.toFlow(at), REACH / (viewport.seen()?.zoom ?? 1))
      return edgeId === null ? null : { edges: [edgeId] }
    }
    /** the menu opened by a press on a group */
    let ofGroup: object | null = null
    return {
      onPaneClick(event: MouseEvent) {
        store.setState({ menu: null })
        const under = undrawnAt(pointOf(event))
        if (under) select(store, under, adds(event))
        else store.setState({ selection: nothingSelected })
      },
      onDoubleClick(event: MouseEvent) {
        if (!isPane(event.target)) return
        const at = pointOf(event)
        const under = undrawnAt(at)
        const [groupId] = under?.groups ?? []
        if (groupId !== undefined) view.show(groupId)
        else if (!under && !readOnly && !handOn(store.getState()))
          store.setState({ picker: { at, flow: view.toFlow(at), from: null } })
      },
      onPaneContextMenu(event: MouseEvent | globalThis.MouseEvent) {
        event.preventDefault()
        const at = pointOf(event)
        // React Flow calls this for every right click: nodes have their own menu
        if (isOverNode(at)) return
        // by then, opened settings may cover the group
        const { menu } = store.getState()
        if (menu && menu === ofGroup) return
        const under = undrawnAt(at)
        const [groupId] = under?.groups ?? []
        if (!under) store.setState({ selection: nothingSelected })
        else if (groupId === undefined || !store.getState().selection.groups.has(groupId)) select(store, under)
        store.setState({ menu: { at, flow: view.toFlow(at) } })
      },
      onNodeContextMenu(event: MouseEvent, node: GroupNode) {
        event.preventDefault()
        const at = pointOf(event)
        const blockId = (event.target as Element).closest<HTMLElement>('[data-block-id]')?.dataset.blockId
        const { groups, blocks } = store.getState().selection
        if (blockId ? !blocks.has(blockId) : !groups.has(node.id))
          select(store, blockId ? { blocks: [blockId] } : { groups: [node.id] })
        const menu = { at, flow: view.toFlow(at) }
        ofGroup = menu
        store.setState({ menu })
      },
      onNodeClick: (event: MouseEvent, node: GroupNode) => select(store, { groups: [node.id] }, adds(event)),
      onEdgeClick: (event: MouseEvent, edge: FlowEdge) => select(store, { edges: [edge.id] }, adds(event)),
      onEdgeMouseEnter: (_: MouseEvent, edge: FlowEdge) => hoverEdge(store, edge.id),
      onEdgeMouseLeave: () => hoverEdge(store, null),
    }
  }, [store, readOnly, view, viewport, scene])
}

/** Screen pixels within which a press hits an edge of the overview. */
const REACH = 6
/** Modifier keys that toggle within the selection. */
const adds = (event: MouseEvent): boolean => event.shiftKey || event.metaKey || event.ctrlKey
const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => ({ x: clientX, y: clientY })
const isPane = (target: EventTarget): boolean =>
  target instanceof Element && target.classList.contains('react-flow__pane')
const isOverNode = ({ x, y }: Point): boolean =>
  document.elementsFromPoint(x, y).some((element) => element.classList.contains('react-flow__node'))
