import type { HubspotState } from './state'

/** Runs a write; if it is refused, everything is as it was before. */
export function atomically<T>(state: HubspotState, write: () => T): T {
  const before = { records: structuredClone([...state.records]), associations: structuredClone(state.associations) }
  try {
    return write()
  } catch (error) {
    state.records.clear()
    for (const [id, record] of before.records) state.records.set(id, record)
    state.associations = before.associations
    throw error
  }
}
