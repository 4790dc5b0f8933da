import {
  applyNodeChanges,
  Background,
  BackgroundVariant,
  type Edge,
  type Node,
  type NodeChange,
  ReactFlow,
} from '@xyflow/react'
import { useCallback, useMemo, useState } from 'react'
import '@xyflow/react/dist/base.css'
import { metricVariables } from '../../../src/canvas/BlockCard'
import { useEditor } from '../../../src/canvas/context'
import { GroupNode } from '../../../src/canvas/GroupNode'
import { metrics } from '../../../src/canvas/geometry'
import { sceneOf } from '../../../src/canvas/scene'

const nodeTypes = { flowGroup: GroupNode }

/** React Flow as its guide says: memoised node components, state by `applyNodeChanges`, and nothing else. */
export function Plain() {
  const { document, registry } = useEditor()
  const start = useMemo(() => {
    const scene = sceneOf({ document, registry })
    const nodes = Array.from(scene.groups.values(), ({ group, layout }): Node => {
      const style = { width: metrics.width, height: layout.height }
      return { id: group.id, type: 'flowGroup', position: group.position, data: { group, layout }, style }
    })
    const edges = Array.from(scene.edges.values(), ({ view, source, target }): Edge => {
      return { id: view.id, source, sourceHandle: view.id, target, targetHandle: 'in' }
    })
    return { nodes, edges }
  }, [document, registry])
  const [nodes, setNodes] = useState(start.nodes)
  const onNodesChange = useCallback(
    (changes: NodeChange[]) => setNodes((before) => applyNodeChanges(changes, before)),
    [],
  )
  return (
    <div style={{ ...metricVariables, flex: 1, background: 'var(--p-canvas)' }}>
      <ReactFlow
        nodes={nodes}
        edges={start.edges}
        nodeTypes={nodeTypes}
        onNodesChange={onNodesChange}
        defaultViewport={{ x: 56, y: 200, zoom: 0.85 }}
        minZoom={0.004}
        maxZoom={2}
        panOnScroll
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={2} />
      </ReactFlow>
    </div>
  )
}
