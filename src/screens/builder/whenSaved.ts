import type { StoreApi } from 'zustand/vanilla'
import type { FlowState } from '../../collab/flowState'

/** Resolves when every edit is stored on the server; at once if that is impossible (offline, refused). */
export function whenSaved(store: StoreApi<FlowState>): Promise<void> {
  return new Promise((resolve) => {
    if (store.getState().status !== 'saving') return resolve()
    const stop = store.subscribe(({ status }) => {
      if (status === 'saving') return
      stop()
      resolve()
    })
  })
}
