import type { Connection, Edge, FinalConnectionState } from '@xyflow/react'
import { useEffect, useMemo, useRef } from 'react'
import type { EdgeTarget } from '../../engine/flow/schema'
import { connect } from './actions'
import { useView, type View } from './adapter'
import { useEditor } from './context'
import { createEdgePan } from './edgePan'
import type { FlowEdge } from './elements'
import type { Point } from './geometry'

/**
 * Drawing edges: dropped on a group, the edge leads there (on a block other than the first: to that block); dropped on
 * the empty canvas, the palette opens. Dragging an edge's end reconnects it; dropped on nothing, it stays. Escape, and
 * losing the window's focus, cancel.
 */
export function useConnections() {
  const editor = useEditor()
  const view = useView()
  const reconnecting = useRef<'source' | 'target' | null>(null)
  const drawing = useRef<Drawing | null>(null)
  useEffect(() => () => drawing.current?.end(), [])
  return useMemo(() => {
    const { document: flow, store } = editor
    return {
      onConnectStart() {
        drawing.current?.end()
        drawing.current = draw(view)
        store.setState({ connecting: true, hoveredEdge: null })
      },
      onConnectEnd(event: MouseEvent | TouchEvent, state: FinalConnectionState) {
        drawing.current?.end()
        store.setState({ connecting: false })
        if (drawing.current?.cancelled) return
        const from = parseHandle(state.fromHandle?.id)
        if (reconnecting.current === 'source' || state.fromHandle?.type !== 'source' || !from) return
        const at = pointOf(event)
        const target = targetAt(at) ?? (state.isValid && state.toNode ? { groupId: state.toNode.id } : null)
        if (target) connect(editor, from, target)
        else if (!reconnecting.current && overCanvas(at))
          store.setState({ picker: { at, flow: view.toFlow(at), from } })
      },
      onReconnectStart(_event: unknown, _edge: FlowEdge, fixed: 'source' | 'target') {
        reconnecting.current = fixed === 'source' ? 'target' : 'source'
      },
      /** only the source's end: `onConnectEnd` handles the target's */
      onReconnect(edge: FlowEdge, connection: Connection) {
        const from = parseHandle(connection.sourceHandle)
        const view = edge.data?.view
        if (drawing.current?.cancelled || reconnecting.current !== 'source' || !from || !view) return
        flow.commands.batch(() => {
          flow.commands.disconnect([view.from])
          flow.commands.connect(from, view.to)
        })
      },
      onReconnectEnd() {
        reconnecting.current = null
      },
      isValidConnection: (connection: Connection | Edge) => connection.sourceHandle !== null,
      edgesReconnectable: !editor.readOnly,
      // it would pan at once, even away from a handle at the edge of the canvas
      autoPanOnConnect: false,
    }
  }, [editor, view])
}

interface Drawing {
  cancelled: boolean
  end: () => void
}

/**
 * While an edge is drawn: pans at the canvas's edges, and allows cancelling. React Flow ends its own part when the
 * mouse is released.
 */
function draw(view: View): Drawing {
  const pan = createEdgePan(view)
  let at: Point | null = null
  let frame = 0
  const track = () => {
    if (at) pan(at)
    frame = requestAnimationFrame(track)
  }
  const cancel = () => {
    drawing.cancelled = true
    document.dispatchEvent(new MouseEvent('mouseup'))
  }
  const onMove = (event: PointerEvent) => {
    at = { x: event.clientX, y: event.clientY }
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    cancel()
  }
  const onBlur = (event: Event) => event.target === window && cancel()
  const drawing: Drawing = {
    cancelled: false,
    end() {
      cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', onMove, true)
      window.removeEventListener('keydown', onKey, true)
      window.removeEventListener('blur', onBlur)
    },
  }
  window.addEventListener('pointermove', onMove, true)
  window.addEventListener('keydown', onKey, true)
  window.addEventListener('blur', onBlur)
  track()
  return drawing
}

export function parseHandle(id: string | null | undefined): { blockId: string; portId: string } | null {
  const slash = id?.indexOf('/') ?? -1
  return id && slash > 0 && !id.startsWith('in/') ? { blockId: id.slice(0, slash), portId: id.slice(slash + 1) } : null
}

/** The group at a screen position, or the block in it. */
function targetAt(at: Point): EdgeTarget | null {
  const under = document.elementFromPoint(at.x, at.y)
  const groupId = under?.closest<HTMLElement>('[data-group-id]')?.dataset.groupId
  if (!groupId) return null
  const blockId = under?.closest<HTMLElement>('[data-block-id]')?.dataset.blockId
  return blockId ? { groupId, blockId } : { groupId }
}

const overCanvas = (at: Point): boolean => document.elementFromPoint(at.x, at.y)?.closest('.react-flow') != null

function pointOf(event: MouseEvent | TouchEvent): Point {
  const place = 'changedTouches' in event ? event.changedTouches[0] : event
  return { x: place?.clientX ?? 0, y: place?.clientY ?? 0 }
}
