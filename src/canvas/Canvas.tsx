import { Background, BackgroundVariant, ReactFlow, SelectionMode } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type CSSProperties, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { frameOpening, MIN_ZOOM, useNodeChanges, useSizesFromData, useView } from './adapter'
import { metricVariables } from './BlockCard'
import { BlockPicker } from './BlockPicker'
import styles from './Canvas.module.css'
import { CanvasTools } from './CanvasTools'
import { ContextMenu } from './ContextMenu'
import { nothingSelected, select } from './canvasStore'
import { useConnections } from './connections'
import { useCanvasState, useEditor, useKindTexts, useProjection } from './context'
import { DragGhost } from './DragGhost'
import { EmptyCanvas } from './EmptyCanvas'
import { hoverEdge } from './edgeHover'
import { createElements, type FlowEdge as FlowEdgeType, type GroupNode as GroupNodeType } from './elements'
import { DrawnEdge, EdgeArrows, FlowEdge } from './FlowEdge'
import { GroupNode } from './GroupNode'
import { GRID, type Point, shapeBlock } from './geometry'
import { useGroupDrag } from './groupDrag'
import { faceOf } from './kindFaces'
import { LevelOfDetail } from './levelOfDetail'
import { SelectionBar } from './SelectionBar'
import { useShortcuts } from './shortcuts'
import { visitedEdges } from './visited'

const nodeTypes = { flowGroup: GroupNode }
const edgeTypes = { flowEdge: FlowEdge }
const coarse = typeof window !== 'undefined' && window.matchMedia('(pointer: coarse)').matches

/** The canvas over the flow. Needs an EditorProvider and React Flow's provider around it. */
export function Canvas({ onImport }: { onImport: (() => void) | null }) {
  const { document, registry, store, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  useSizesFromData()
  const view = useView()
  const kinds = useKindTexts()
  const projection = useProjection((whole) => whole)
  const selection = useCanvasState((state) => state.selection)
  const moving = useCanvasState((state) => state.moving)
  const debug = useCanvasState((state) => state.debug)
  const hand = useCanvasState((state) => state.tool === 'hand') || coarse
  const connecting = useCanvasState((state) => state.connecting)

  const elements = useMemo(
    () =>
      createElements(
        (block) => shapeBlock(block, registry, faceOf(block.kind)),
        (group, blocks) =>
          t('canvas.groupLabel', {
            title: group.title || t('canvas.untitled'),
            kinds: blocks.map((block) => kinds.title(block.kind)).join(', ') || t('canvas.emptyGroup'),
          }),
      ),
    [registry, kinds, t],
  )
  const visited = useMemo(() => visitedEdges(projection, debug, registry), [projection, debug, registry])
  const nodes = useMemo(
    () => elements.nodes(projection, { selection, moving }),
    [elements, projection, selection, moving],
  )
  const edges = useMemo(
    () => elements.edges(projection, selection.edges, visited),
    [elements, projection, selection.edges, visited],
  )
  const [start] = useState(
    () => [...projection.blocks.values()].find(({ kind }) => registry.find(kind)?.category === 'trigger')?.groupId,
  )
  const onDrop = useCallback(
    (moved: { groupId: string; position: Point }[]) => document.commands.moveGroups(moved),
    [document],
  )
  const drag = useGroupDrag()
  const onNodesChange = useNodeChanges(store, document, drag, onDrop)
  const connections = useConnections()
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
      <LevelOfDetail>
        <ReactFlow<GroupNodeType, FlowEdgeType>
          aria-label={t('canvas.label')}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          connectionLineComponent={DrawnEdge}
          onNodesChange={onNodesChange}
          {...connections}
          onPaneClick={() => store.setState({ selection: nothingSelected, menu: null })}
          onPaneContextMenu={(event) => {
            event.preventDefault()
            const at = { x: event.clientX, y: event.clientY }
            store.setState({ selection: nothingSelected, menu: { at, flow: view.toFlow(at) } })
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
          onSelectionStart={() => store.setState({ selection: nothingSelected })}
          nodesDraggable={!readOnly}
          nodesConnectable={!readOnly}
          edgesFocusable={false}
          onlyRenderVisibleElements
          selectionOnDrag={!hand}
          selectionMode={SelectionMode.Partial}
          panOnDrag={hand ? true : [1, 2]}
          panOnScroll
          multiSelectionKeyCode={['Shift', 'Meta', 'Control']}
          selectionKeyCode={null}
          deleteKeyCode={null}
          zoomOnDoubleClick={false}
          nodeDragThreshold={3}
          connectOnClick={false}
          connectionRadius={22}
          snapToGrid
          snapGrid={[GRID, GRID]}
          minZoom={MIN_ZOOM}
          maxZoom={2}
          onInit={(flow) => frameOpening(flow, start)}
          attributionPosition="bottom-right"
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={2} color="var(--p-canvas-dot)" />
        </ReactFlow>
      </LevelOfDetail>
      <EdgeArrows />
      {projection.groups.size === 0 && <EmptyCanvas onImport={onImport} />}
      <SelectionBar />
      <CanvasTools />
      <BlockPicker />
      <ContextMenu />
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
    const frame = requestAnimationFrame(() => groupId !== undefined && view.reveal(groupId, blockId))
    return () => cancelAnimationFrame(frame)
  }, [document, view, selection])
}
