import type { KeyboardEvent } from 'react'

/** Options of a field on a card of the canvas: it is focused at once, and its keys move between texts. */
export interface CardField {
  /** screen position of the press that opened it; without one the cursor is at the end */
  at?: { x: number; y: number } | undefined
  /** selects everything: typing replaces it */
  all?: boolean | undefined
  /** returns once what was typed before the field was ready */
  typed: () => string
  /** called first; true if it has handled the key */
  onKey: (event: KeyboardEvent, isEmpty: boolean) => boolean
  /** called when the focus moves elsewhere */
  onLeave: () => void
}
