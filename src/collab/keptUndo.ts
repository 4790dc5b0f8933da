import type { FlowUndo, KeptUndo } from '../../engine/document/undo'

const PREFIX = 'parley-undo/'
/** How many steps are kept; fewer where those are too much. */
const STEPS = [100, 20, 5]
/** Characters; a browser gives a page some five million. */
const MOST = 1_000_000

type Place = { user: string; room: string }
const keyOf = ({ user, room }: Place) => `${PREFIX}${user}/${room}`

/** Keeps the newest steps for when this tab has been loaded again; they go with the tab, and with the session. */
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
      // there is no room for so many
    }
  }
}

/** Takes up what was kept, once. False while the flow does not have all that it builds on: to be tried again. */
export function bringBackUndo(storage: Storage, place: Place, undo: Pick<FlowUndo, 'restore'>): boolean {
  const key = keyOf(place)
  const text = storage.getItem(key)
  if (text === null) return true
  try {
    if (!undo.restore(JSON.parse(text) as KeptUndo)) return false
  } catch {
    // of an earlier release, or somebody's own: the history begins anew
  }
  storage.removeItem(key)
  return true
}

/** Somebody logs out: nothing of what they did stays in the tab. */
export function forgetUndo(storage: Storage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key)
}
