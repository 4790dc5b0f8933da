import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'

/** Shares carets between people. The builder provides it from the flow's presence; null: carets are not shared. */
export interface CaretRoom {
  /** others' carets in a text. The same array while unchanged */
  inText(place: string): readonly PeerCaret[]
  /** others who edit a field, each person once; the same array while unchanged */
  inField(place: string): readonly PeerInField[]
  /** sets one's own caret; null: in no text */
  set(caret: { place: string; range: unknown } | null): void
  /** returns unsubscribe */
  subscribe(listener: () => void): () => void
}

export interface PeerInField {
  /** of the person */
  id: string
  name: string
  color: string
}

export interface PeerCaret extends PeerInField {
  clientId: number
  /** relative positions as JSON, as that peer passed to `set` */
  range: unknown
}

export const CaretContext = createContext<CaretRoom | null>(null)
export const CaretProvider = CaretContext.Provider

const nobody: readonly never[] = []

/** Others' carets in a text. */
export function usePeers(room: CaretRoom | null, place: string): readonly PeerCaret[] {
  return useSyncExternalStore(useSubscribe(room), () => room?.inText(place) ?? nobody)
}

/** Others who edit a field. */
export function usePeersInField(place: string): readonly PeerInField[] {
  const room = useContext(CaretContext)
  return useSyncExternalStore(useSubscribe(room), () => room?.inField(place) ?? nobody)
}

const useSubscribe = (room: CaretRoom | null) =>
  useCallback((listener: () => void) => room?.subscribe(listener) ?? (() => undefined), [room])
