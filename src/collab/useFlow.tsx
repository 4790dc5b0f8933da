import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Registry } from '../../engine/flow/registry'
import { type FlowState, type OpenFlow, openFlow } from './openFlow'
import type { Person } from './presence'

const FlowContext = createContext<OpenFlow | null>(null)

/** Opens a flow as long as the component lives; null for the first moment. */
export function useFlowDocument(options: {
  room: string
  readOnly: boolean
  registry: Registry
  person?: Person
}): OpenFlow | null {
  const { room, readOnly, registry, person } = options
  const { name, color } = person ?? {}
  const [flow, setFlow] = useState<OpenFlow | null>(null)
  useEffect(() => {
    const opened = openFlow({ room, readOnly, registry, person: name && color ? { name, color } : undefined })
    setFlow(opened)
    return () => {
      setFlow(null)
      opened.close()
    }
  }, [room, readOnly, registry, name, color])
  return flow
}

/** Gives the flow to the hooks below. */
export function FlowProvider({ flow, children }: { flow: OpenFlow; children: ReactNode }) {
  return <FlowContext value={flow}>{children}</FlowContext>
}

/** The open flow. Throws outside a FlowProvider. */
export function useFlow(): OpenFlow {
  const flow = useContext(FlowContext)
  if (!flow) throw new Error('useFlow needs a FlowProvider around it')
  return flow
}

/** Any part of the state; the selector must give the same identity for the same content. */
export function useFlowState<Part>(select: (state: FlowState) => Part): Part {
  return useStore(useFlow().store, select)
}

export const useFlowStatus = (): FlowState['status'] => useFlowState((state) => state.status)
export const useReadOnly = (): boolean => useFlowState((state) => state.readOnly)

/** Undo of one's own edits. */
export function useUndo(): { canUndo: boolean; canRedo: boolean; undo: () => void; redo: () => void } {
  const { undo, redo } = useFlow()
  const canUndo = useFlowState((state) => state.canUndo && !state.readOnly)
  const canRedo = useFlowState((state) => state.canRedo && !state.readOnly)
  return { canUndo, canRedo, undo, redo }
}
