import { createContext, useCallback, useSyncExternalStore } from 'react'

/** Where people tell each other where they stand. The builder gives it from the flow's presence; null: nobody is told. */
export interface CaretRoom {
  /** the others' carets in one text. The same array for as long as nothing in it changed */
  inText(place: string): readonly PeerCaret[]
  /** where one's own caret is; null: in no text */
  set(caret: { place: string; range: unknown } | null): void
  /** returns unsubscribe */
  subscribe(listener: () => void): () => void
}

export interface PeerCaret {
  clientId: number
  name: string
  color: string
  /** relative positions as JSON, as `set` was given them by that peer */
  range: unknown
}

export const CaretContext = createContext<CaretRoom | null>(null)
export const CaretProvider = CaretContext.Provider

const nobody: readonly PeerCaret[] = []

export function usePeers(room: CaretRoom | null, place: string): readonly PeerCaret[] {
  const subscribe = useCallback((listener: () => void) => room?.subscribe(listener) ?? (() => undefined), [room])
  return useSyncExternalStore(subscribe, () => room?.inText(place) ?? nobody)
}
