import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'

/** Where people tell each other where they stand. The builder gives it from the flow's presence; null: nobody is told. */
export interface CaretRoom {
  /** the others' carets in one text. The same array for as long as nothing in it changed */
  inText(place: string): readonly PeerCaret[]
  /** who else edits one field, each person once; likewise */
  inField(place: string): readonly PeerInField[]
  /** where one's own caret is; null: in no text */
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
  /** relative positions as JSON, as `set` was given them by that peer */
  range: unknown
}

export const CaretContext = createContext<CaretRoom | null>(null)
export const CaretProvider = CaretContext.Provider

const nobody: readonly never[] = []

/** The others' carets in a text. */
export function usePeers(room: CaretRoom | null, place: string): readonly PeerCaret[] {
  return useSyncExternalStore(useSubscribe(room), () => room?.inText(place) ?? nobody)
}

/** Who else edits a field. */
export function usePeersInField(place: string): readonly PeerInField[] {
  const room = useContext(CaretContext)
  return useSyncExternalStore(useSubscribe(room), () => room?.inField(place) ?? nobody)
}

const useSubscribe = (room: CaretRoom | null) =>
  useCallback((listener: () => void) => room?.subscribe(listener) ?? (() => undefined), [room])
