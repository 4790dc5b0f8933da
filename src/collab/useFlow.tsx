import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Person } from '../../engine/document/person'
import type { Registry } from '../../engine/flow/registry'
import type { FlowState, OpenFlow } from './flowState'
import type { OfflineOptions, OfflineState } from './offline'
import { takeFlow } from './takeFlow'

const FlowContext = createContext<OpenFlow | null>(null)

/**
 * Keeps a flow open while the component is mounted; null at first. When another room is requested, the previous flow
 * stays until the new one is available.
 */
export function useFlowDocument(options: {
  room: string
  readOnly: boolean
  registry: Registry
  person?: Person
  /** the user, and where to store unsent edits; the same object while unchanged */
  keep: OfflineOptions
}): { flow: OpenFlow; room: string } | null {
  const { room, readOnly, registry, person, keep } = options
  const { id, name, color } = person ?? {}
  const [shown, setShown] = useState<{ flow: OpenFlow; room: string } | null>(null)
  const present = useRef<{ flow: OpenFlow; giveBack: () => void } | null>(null)
  useEffect(() => {
    const known = id && name && color ? { id, name, color } : undefined
    const opened = takeFlow({ room, readOnly, registry, person: known, keep })
    const before = present.current
    const show = () => {
      present.current = opened
      setShown({ flow: opened.flow, room })
      before?.giveBack()
    }
    const stop = before ? whenThere(opened.flow, show) : undefined
    if (!before) show()
    return () => {
      stop?.()
      if (present.current !== opened) opened.giveBack()
    }
  }, [room, readOnly, registry, id, name, color, keep])
  useEffect(
    () => () => {
      present.current?.giveBack()
      present.current = null
    },
    [],
  )
  return shown
}

/** Calls back when the flow is loaded or refused. Returns unsubscribe. */
export function whenThere({ store }: OpenFlow, then: () => void): () => void {
  const { ready, refusal } = store.getState()
  if (ready || refusal) {
    then()
    return () => undefined
  }
  const stop = store.subscribe(({ ready, refusal }) => {
    if (!ready && !refusal) return
    stop()
    then()
  })
  return stop
}

/** Provides the flow to the hooks below. */
export function FlowProvider({ flow, children }: { flow: OpenFlow; children: ReactNode }) {
  return <FlowContext value={flow}>{children}</FlowContext>
}

/** The open flow. Throws outside a FlowProvider. */
export function useFlow(): OpenFlow {
  const flow = useContext(FlowContext)
  if (!flow) throw new Error('useFlow needs a FlowProvider around it')
  return flow
}

/** A part of the state; the selector must return the same identity for the same content. */
export function useFlowState<Part>(select: (state: FlowState) => Part): Part {
  return useStore(useFlow().store, select)
}

/** The same for the offline state. */
export function useOfflineState<Part>(select: (state: OfflineState) => Part): Part {
  return useStore(useFlow().offline.store, select)
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
