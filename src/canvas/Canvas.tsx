import { Background, BackgroundVariant, ReactFlow } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type CSSProperties, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { frameOpening, minZoom, useNodeChanges, useSizesFromData, useView, useViewport } from './adapter'
import { metricVariables } from './BlockCard'
import { BlockPicker } from './BlockPicker'
import styles from './Canvas.module.css'
import { CanvasTools } from './CanvasTools'
import { ContextMenu } from './ContextMenu'
import { handOn, nothingSelected, select } from './canvasStore'
import { useConnections } from './connections'
import { useCanvasState, useEditor, useKindTexts, useProjection } from './context'
import { DragGhost } from './DragGhost'
import { EmptyCanvas } from './EmptyCanvas'
import { hoverEdge } from './edgeHover'
import { createElements, type FlowEdge as FlowEdgeType, type GroupNode as GroupNodeType } from './elements'
import { DrawnEdge, EdgeArrows, FlowEdge } from './FlowEdge'
import { GroupNode } from './GroupNode'
import type { Point } from './geometry'
import { useCanvasGestures } from './groupDrag'
import { CanvasKeyboard } from './keyboard/CanvasKeyboard'
import { LevelOfDetail } from './levelOfDetail'
import { Minimap } from './Minimap'
import { Overview } from './Overview'
import { edgeNear } from './overviewHit'
import { SelectionBar } from './SelectionBar'
import { Sketch } from './Sketch'
import { sceneOf } from './scene'
import { useShortcuts } from './shortcuts'
import { useSpaceHeld } from './useSpaceHeld'
import { useWindow } from './useWindow'
import { visitedEdges } from './visited'

const nodeTypes = { flowGroup: GroupNode }
const edgeTypes = { flowEdge: FlowEdge }
const coarse = typeof window !== 'undefined' && window.matchMedia('(pointer: coarse)').matches

/** Pixels of the screen within which a press means an edge of the overview. */
const REACH = 6
const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => ({ x: clientX, y: clientY })
const isPane = (target: EventTarget): boolean =>
  target instanceof Element && target.classList.contains('react-flow__pane')
const isOverNode = ({ x, y }: Point): boolean =>
  document.elementsFromPoint(x, y).some((element) => element.classList.contains('react-flow__node'))

/** The canvas over the flow. Needs an EditorProvider and React Flow's provider around it. */
export function Canvas({ onImport }: { onImport: (() => void) | null }) {
  const { document, registry, store, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  useSizesFromData()
  const view = useView()
  const viewport = useViewport()
  const kinds = useKindTexts()
  const projection = useProjection((whole) => whole)
  const selection = useCanvasState((state) => state.selection)
  const moving = useCanvasState((state) => state.moving)
  const debug = useCanvasState((state) => state.debug)
  const hand = useCanvasState(handOn) || coarse
  const wheel = useCanvasState((state) => state.wheel)
  const connecting = useCanvasState((state) => state.connecting)

  const elements = useMemo(
    () =>
      createElements((group, blocks) =>
        t('canvas.groupLabel', {
          title: group.title || t('canvas.untitled'),
          kinds: blocks.map((block) => kinds.title(block.kind)).join(', ') || t('canvas.emptyGroup'),
        }),
      ),
    [kinds, t],
  )
  const visited = useMemo(() => visitedEdges(projection, debug, registry), [projection, debug, registry])
  const scene = sceneOf({ document, registry })
  const shown = useWindow(scene)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the projection is what the scene shows
  const nodes = useMemo(
    () => elements.nodes(scene, shown, { selection, moving }),
    [elements, scene, projection, shown, selection, moving],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the projection is what the scene shows
  const edges = useMemo(
    () => elements.edges(scene, shown, selection.edges, visited),
    [elements, scene, projection, shown, selection.edges, visited],
  )
  const [start] = useState(
    () => [...projection.blocks.values()].find(({ kind }) => registry.find(kind)?.category === 'trigger')?.groupId,
  )
  const onNodesChange = useNodeChanges(store)
  /** the group or the edge that only the overview shows at a point of the screen */
  const undrawnAt = (at: Point): { groups?: string[]; edges?: string[] } | null => {
    if (shown.settled && !shown.far) return null
    const groupId = view.groupAt(at)
    if (groupId !== null) return { groups: [groupId] }
    const edgeId = edgeNear(scene, view.toFlow(at), REACH / (viewport.seen()?.zoom ?? 1))
    return edgeId === null ? null : { edges: [edgeId] }
  }
  const connections = useConnections()
  const gestures = useCanvasGestures()
  useSpaceHeld(store)
  useShortcuts()
  useFollowActive()
  useRevealSelected()

  return (
    <div
      className={styles.canvas}
      style={metricVariables as CSSProperties}
      data-connecting={connecting || undefined}
      data-tool={hand ? 'hand' : 'select'}
    >
      <LevelOfDetail value={shown.far}>
        <ReactFlow<GroupNodeType, FlowEdgeType>
          aria-label={t('canvas.label')}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          connectionLineComponent={DrawnEdge}
          onNodesChange={onNodesChange}
          {...connections}
          {...gestures}
          onPaneClick={(event) => {
            store.setState({ menu: null })
            const under = undrawnAt(pointOf(event))
            if (under) select(store, under, event.shiftKey || event.metaKey || event.ctrlKey)
            else store.setState({ selection: nothingSelected })
          }}
          onDoubleClick={(event) => {
            const [groupId] = isPane(event.target) ? (undrawnAt(pointOf(event))?.groups ?? []) : []
            if (groupId !== undefined) view.show(groupId)
          }}
          onPaneContextMenu={(event) => {
            event.preventDefault()
            const at = { x: event.clientX, y: event.clientY }
            // React Flow calls this when the right button goes up, whatever is there: what is on a group has its own menu
            if (isOverNode(at)) return
            const under = undrawnAt(at)
            const [groupId] = under?.groups ?? []
            if (!under) store.setState({ selection: nothingSelected })
            else if (groupId === undefined || !store.getState().selection.groups.has(groupId)) select(store, under)
            store.setState({ menu: { at, flow: view.toFlow(at) } })
          }}
          onNodeContextMenu={(event, node) => {
            event.preventDefault()
            const at = { x: event.clientX, y: event.clientY }
            const blockId = (event.target as Element).closest<HTMLElement>('[data-block-id]')?.dataset.blockId
            const { groups, blocks } = store.getState().selection
            if (blockId ? !blocks.has(blockId) : !groups.has(node.id))
              select(store, blockId ? { blocks: [blockId] } : { groups: [node.id] })
            store.setState({ menu: { at, flow: view.toFlow(at) } })
          }}
          onNodeClick={(event, node) => {
            if (!event.shiftKey && !event.metaKey && !event.ctrlKey) select(store, { groups: [node.id] })
          }}
          onEdgeClick={(event, edge) => select(store, { edges: [edge.id] }, event.shiftKey)}
          onEdgeMouseEnter={(_, edge) => hoverEdge(store, edge.id)}
          onEdgeMouseLeave={() => hoverEdge(store, null)}
          nodesConnectable={!readOnly}
          edgesFocusable={false}
          panOnDrag={hand ? true : [1, 2]}
          panOnScroll={wheel === 'trackpad'}
          multiSelectionKeyCode={['Shift', 'Meta', 'Control']}
          selectionKeyCode={null}
          deleteKeyCode={null}
          disableKeyboardA11y
          autoPanOnNodeFocus={false}
          zoomOnDoubleClick={false}
          connectOnClick={false}
          connectionRadius={22}
          minZoom={minZoom(scene.bounds())}
          maxZoom={2}
          onInit={(flow) => frameOpening(flow, scene, start)}
          attributionPosition="bottom-right"
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={2} color="var(--p-canvas-dot)" />
          <Overview scene={scene} shown={shown.far || !shown.settled} visited={visited} />
        </ReactFlow>
      </LevelOfDetail>
      <EdgeArrows />
      {projection.groups.size === 0 && <EmptyCanvas onImport={onImport} />}
      <Sketch />
      <SelectionBar />
      <Minimap scene={scene} />
      <CanvasTools />
      <BlockPicker />
      <ContextMenu />
      <CanvasKeyboard />
      <DragGhost />
    </div>
  )
}

/** Keeps the block that the playground waits at in sight. */
function useFollowActive() {
  const view = useView()
  const groupId = useCanvasState((state) => state.debug?.active?.groupId)
  const blockId = useCanvasState((state) => state.debug?.active?.blockId)
  useEffect(() => {
    if (groupId !== undefined && blockId !== undefined) view.show(groupId, blockId)
  }, [view, groupId, blockId])
}

/** A panel that opens for what one has just selected must not hide it. */
function useRevealSelected() {
  const { document } = useEditor()
  const view = useView()
  const selection = useCanvasState((state) => state.selection)
  useEffect(() => {
    if (selection.blocks.size + selection.groups.size !== 1) return
    const [blockId] = selection.blocks
    const [group] = selection.groups
    const groupId = group ?? document.projection().blocks.get(blockId ?? '')?.groupId
    const canvas = window.document.querySelector('.react-flow')
    if (groupId === undefined || !canvas) return
    // once as it is laid out now, and once more when a panel that had to be fetched has taken its room
    let calls = 0
    const observer = new ResizeObserver(() => {
      view.reveal(groupId, blockId)
      calls += 1
      if (calls === 2) observer.disconnect()
    })
    observer.observe(canvas)
    return () => observer.disconnect()
  }, [document, view, selection])
}
