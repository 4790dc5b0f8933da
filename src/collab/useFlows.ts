import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Projection } from '../../engine/document/commands'
import type { Person } from '../../engine/document/person'
import type { Registry } from '../../engine/flow/registry'
import type { OpenFlow } from './flowState'
import type { OfflineOptions } from './offline'
import { type FlowRoom, takeFlow } from './takeFlow'

/** Holds several flows open as long as the component lives, in the order of their rooms; null for the first moment. */
export function useFlows(options: {
  rooms: readonly FlowRoom[]
  registry: Registry
  person?: Person
  /** as `useFlowDocument` has it */
  keep: OfflineOptions
}): readonly OpenFlow[] | null {
  const { rooms, registry, person, keep } = options
  const { id, name, color } = person ?? {}
  const [flows, setFlows] = useState<readonly OpenFlow[] | null>(null)
  useEffect(() => {
    const known = id && name && color ? { id, name, color } : undefined
    const taken = rooms.map((room) => takeFlow({ ...room, registry, person: known, keep }))
    setFlows(taken.map(({ flow }) => flow))
    return () => {
      for (const { giveBack } of taken) giveBack()
    }
  }, [rooms, registry, id, name, color, keep])
  return flows?.length === rooms.length ? flows : null
}

/** The projections of flows as they are now; the same array as long as none of them changes. */
export function useProjections(flows: readonly OpenFlow[]): readonly Projection[] {
  const [live] = useState(() => ({ flows, projections: [] as readonly Projection[] }))
  const subscribe = (listener: () => void) => {
    const stops = flows.map(({ document }) => document.subscribe(listener))
    return () => {
      for (const stop of stops) stop()
    }
  }
  const read = () => {
    const next = flows.map(({ document }) => document.projection())
    const isSame =
      live.flows === flows &&
      next.length === live.projections.length &&
      next.every((projection, at) => projection === live.projections[at])
    if (!isSame) {
      live.flows = flows
      live.projections = next
    }
    return live.projections
  }
  return useSyncExternalStore(subscribe, read, read)
}

/** Whether all flows are there, one was refused, and whether they may be changed. */
export function useFlowsState(flows: readonly OpenFlow[]): 'loading' | 'refused' | 'reads' | 'writes' {
  const subscribe = (listener: () => void) => {
    const stops = flows.map(({ store }) => store.subscribe(listener))
    return () => {
      for (const stop of stops) stop()
    }
  }
  const read = () => {
    const states = flows.map(({ store }) => store.getState())
    if (states.some(({ ready, refusal }) => refusal && !ready)) return 'refused'
    if (!states.every(({ ready }) => ready)) return 'loading'
    return states.some(({ readOnly }) => readOnly) ? 'reads' : 'writes'
  }
  return useSyncExternalStore(subscribe, read, read)
}
