import type { KeyboardEvent } from 'react'

/** What a field is told that stands on a card of the canvas: it is open from the start, and its keys lead from text to text. */
export interface CardField {
  /** where the press was that opened it, on the screen; without one the cursor goes to the end */
  at?: { x: number; y: number } | undefined
  /** all of it is selected: what is typed takes its place */
  all?: boolean | undefined
  /** gives what was typed before the field was there, once */
  typed: () => string
  /** asked first; true where the key is done with */
  onKey: (event: KeyboardEvent, isEmpty: boolean) => boolean
  /** the focus has gone elsewhere */
  onLeave: () => void
}
