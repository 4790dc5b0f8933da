import { Background, BackgroundVariant, ReactFlow } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type CSSProperties, memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AskDelete } from './AskDelete'
import { frameOpening, minZoom, useSizesFromData, useView } from './adapter'
import { metricVariables } from './BlockCard'
import { BlockPicker } from './BlockPicker'
import { beginningOf } from './beginning'
import styles from './Canvas.module.css'
import { CanvasTools } from './CanvasTools'
import { ContextMenu } from './ContextMenu'
import { draggedNow, handOn } from './canvasStore'
import { useConnections } from './connections'
import { useCanvasState, useEditor, useKindTexts, useProjection } from './context'
import { DragGhost } from './DragGhost'
import { EmptyCanvas, FirstStep, useIsUnbegun } from './EmptyCanvas'
import { useTextEditing } from './editing/useTextEditing'
import { createElements, type FlowEdge as FlowEdgeType, type GroupNode as GroupNodeType } from './elements'
import { DrawnEdge, EdgeArrows, FlowEdge } from './FlowEdge'
import { GroupNode } from './GroupNode'
import { useCanvasGestures } from './groupDrag'
import { CanvasKeyboard } from './keyboard/CanvasKeyboard'
import { LevelOfDetail } from './levelOfDetail'
import { Minimap } from './Minimap'
import { useNotices } from './notice'
import { Overview } from './Overview'
import type { Scene } from './placed'
import { PresenceLayer } from './presence/PresenceLayer'
import { SelectionBar } from './SelectionBar'
import { Sketch } from './Sketch'
import { sceneOf } from './scene'
import { useShortcuts } from './shortcuts'
import { useClicks } from './useClicks'
import { useSpaceHeld } from './useSpaceHeld'
import { useWindow } from './useWindow'
import { visitedEdges } from './visited'

const nodeTypes = { flowGroup: GroupNode }
const edgeTypes = { flowEdge: FlowEdge }
const coarse = typeof window !== 'undefined' && window.matchMedia('(pointer: coarse)').matches

const PAN_BUTTONS = [1, 2]

interface CanvasProps {
  onImport: (() => void) | null
  /** an additional tool; must be the same element each time */
  tool?: ReactNode
}

/** The canvas of the flow. Needs an EditorProvider and React Flow's provider around it. */
export function Canvas({ onImport, tool }: CanvasProps) {
  const { document, registry, store, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  useSizesFromData()
  const kinds = useKindTexts()
  const projection = useProjection((whole) => whole)
  const selection = useCanvasState((state) => state.selection)
  const moving = useCanvasState(draggedNow)
  const debug = useCanvasState((state) => state.debug)
  const hand = useCanvasState(handOn) || coarse
  const wheel = useCanvasState((state) => state.wheel)
  const connecting = useCanvasState((state) => state.connecting)
  const edited = useCanvasState((state) => state.editing?.blockId)
  const raised = projection.blocks.get(edited ?? '')?.groupId

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
    () => elements.nodes(scene, shown, { selection, moving, raised }),
    [elements, scene, projection, shown, selection, moving, raised],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the projection is what the scene shows
  const edges = useMemo(
    () => elements.edges(scene, shown, { selection, moving, visited }),
    [elements, scene, projection, shown, selection, moving, visited],
  )
  const [start] = useState(() => beginningOf(scene, registry))
  const opened = useRef(false)
  const onInit = useMemo(
    () => (flow: Parameters<typeof frameOpening>[0]) => {
      const { leftAt } = store.getState()
      opened.current = true
      if (leftAt) void flow.setViewport(leftAt)
      else frameOpening(flow, scene, start)
    },
    [scene, start, store],
  )
  const clicks = useClicks(scene, shown)
  const connections = useConnections()
  const gestures = useCanvasGestures()
  const unbegun = useIsUnbegun()
  const root = useRef<HTMLDivElement>(null)
  useTextEditing(root)
  useSpaceHeld(store)
  useShortcuts()
  useNotices()
  useFollowActive()
  useRevealSelected()
  useRememberView(opened)

  return (
    <div
      ref={root}
      className={styles.canvas}
      data-canvas
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
          {...connections}
          {...gestures}
          {...clicks}
          nodesConnectable={!readOnly}
          edgesFocusable={false}
          panOnDrag={hand ? true : PAN_BUTTONS}
          panOnScroll={wheel === 'trackpad'}
          // useClicks selects instead: React Flow notices a held Shift too late for an immediate click
          elementsSelectable={false}
          multiSelectionKeyCode={null}
          selectionKeyCode={null}
          deleteKeyCode={null}
          disableKeyboardA11y
          autoPanOnNodeFocus={false}
          zoomOnDoubleClick={false}
          connectOnClick={false}
          connectionRadius={22}
          minZoom={minZoom(scene.bounds())}
          maxZoom={2}
          onInit={onInit}
          attributionPosition="bottom-right"
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={2} color="var(--p-canvas-dot)" />
          <Overview scene={scene} shown={shown.far || !shown.settled} visited={visited} />
        </ReactFlow>
      </LevelOfDetail>
      <EdgeArrows />
      {projection.groups.size === 0 && <EmptyCanvas onImport={onImport} />}
      {unbegun && <FirstStep onImport={onImport} />}
      <Sketch />
      <PresenceLayer scene={scene} />
      <Around scene={scene} tool={tool} />
    </div>
  )
}

/** Overlays of the canvas. Memoised, so that drags don't render them. */
const Around = memo(function Around({ scene, tool }: { scene: Scene; tool: ReactNode }) {
  return (
    <>
      <SelectionBar />
      <div className={styles.foot}>
        <Minimap scene={scene} />
        <CanvasTools more={tool} />
      </div>
      <BlockPicker />
      <ContextMenu />
      <AskDelete />
      <CanvasKeyboard />
      <DragGhost />
    </>
  )
})

/** Keeps the block in view at which the playground waits or is paused. */
function useFollowActive() {
  const view = useView()
  const { document, store } = useEditor()
  const blockId = useCanvasState(({ debug }) => (debug?.active ?? debug?.paused)?.blockId)
  // on returning, the canvas stays as it was left
  const [seen] = useState({ blockId: store.getState().leftAt ? blockId : undefined })
  useEffect(() => {
    const groupId = document.projection().blocks.get(blockId ?? '')?.groupId
    if (groupId !== undefined && blockId !== undefined && blockId !== seen.blockId) view.show(groupId, blockId)
    seen.blockId = undefined
  }, [view, document, seen, blockId])
}

/** Restores the view when the canvas comes back, for example after a comparison of versions. */
function useRememberView(opened: { current: boolean }) {
  const { store } = useEditor()
  const view = useView()
  useLayoutEffect(
    () => () => {
      if (opened.current) store.setState({ leftAt: view.viewport() })
    },
    [store, view, opened],
  )
}

/** Keeps the selection visible when a panel opens for it. */
function useRevealSelected() {
  const { document } = useEditor()
  const view = useView()
  const selection = useCanvasState((state) => state.selection)
  useEffect(() => {
    const canvas = window.document.querySelector('.react-flow')
    const [blockId] = selection.blocks
    const { blocks } = document.projection()
    const groups = [...selection.groups, ...[...selection.blocks].flatMap((id) => blocks.get(id)?.groupId ?? [])]
    const [groupId] = groups
    if (groupId === undefined || !canvas) return
    // once with the present layout, and again when a lazily loaded panel has taken its space
    let calls = 0
    const observer = new ResizeObserver(() => {
      if (selection.blocks.size + selection.groups.size === 1) view.reveal(groupId, blockId)
      else view.revealGroups(groups, 'as it is')
      calls += 1
      if (calls === 2) observer.disconnect()
    })
    observer.observe(canvas)
    return () => observer.disconnect()
  }, [document, view, selection])
}
