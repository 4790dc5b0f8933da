import type { FlowUndo, KeptUndo } from '../../engine/document/undo'

const PREFIX = 'parley-undo/'
/** Number of undo steps stored; fewer if they are too large. */
const STEPS = [100, 20, 5]
/** Characters; browsers allow some five million per page. */
const MOST = 1_000_000

type Place = { user: string; room: string }
const keyOf = ({ user, room }: Place) => `${PREFIX}${user}/${room}`

/** Stores the newest undo steps for a reload of this tab, in session storage. */
export function keepUndo(storage: Storage, place: Place, undo: Pick<FlowUndo, 'keep'>): void {
  const key = keyOf(place)
  storage.removeItem(key)
  for (const most of STEPS) {
    const kept = undo.keep(most)
    if (!kept) return
    const text = JSON.stringify(kept)
    if (text.length > MOST) continue
    try {
      storage.setItem(key, text)
      return
    } catch {
      // no room for that many
    }
  }
}

/** Restores stored steps once. False while the flow lacks updates that they depend on: retry then. */
export function bringBackUndo(storage: Storage, place: Place, undo: Pick<FlowUndo, 'restore'>): boolean {
  const key = keyOf(place)
  const text = storage.getItem(key)
  if (text === null) return true
  try {
    if (!undo.restore(JSON.parse(text) as KeptUndo)) return false
  } catch {
    // of an earlier release, or somebody else's: the history starts empty
  }
  storage.removeItem(key)
  return true
}

/** Deletes all stored steps at logout. */
export function forgetUndo(storage: Storage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key)
}
