import type { Presence } from '../../collab/presence'
import type { Viewport } from '../adapter'
import type { Editor } from '../context'
import type { Scene } from '../placed'
import { createCarrying } from './carrying'
import { createCursors } from './cursors'
import { createOutlines, type OutlineWords } from './outlines'

/** How often it is looked whether a pointer has come to rest. */
const REST_MS = 2_000
/** A frame that comes later than that after a pause goes on as if it had not been late. */
const LONGEST_FRAME = 50

/**
 * Draws the others over the canvas: pointers, selections, and the groups they drag. React has no part in it: what others do wakes one
 * listener, and all that came since the last picture is drawn in the next. A pan moves the sheet alone.
 *
 * @returns what ends it
 */
export function startOverlay(
  sheet: HTMLElement,
  { editor, presence, scene, viewport }: { editor: Editor; presence: Presence; scene: Scene; viewport: Viewport },
  words: () => OutlineWords,
): () => void {
  const { store, document: flow } = editor
  const motion = window.matchMedia('(prefers-reduced-motion: reduce)')
  const cursors = createCursors(sheet)
  const outlines = createOutlines(sheet, editor, words)
  const carrying = createCarrying((id) => flow.projection().groups.has(id))
  let planned = 0
  let last = 0

  const draw = (now: number) => {
    planned = 0
    const seen = viewport.seen()
    if (!seen) return
    const peers = presence.peers()
    const frame = { seen, now, elapsed: Math.min(now - last, LONGEST_FRAME), still: motion.matches }
    last = now
    const carried = carrying.step(peers, frame)
    if (carried.places !== store.getState().carried) store.setState({ carried: carried.places })
    sheet.style.transform = `translate(${-seen.area.x * seen.zoom}px, ${-seen.area.y * seen.zoom}px)`
    // what oneself selects in a second tab is nobody else's choice
    outlines.draw(new Map([...peers].filter(([, peer]) => !presence.isMe(peer))), scene, frame)
    const moving = cursors.draw(peers, frame, !store.getState().othersShown)
    if (moving || carried.moving) plan()
  }
  const plan = () => {
    planned ||= requestAnimationFrame(draw)
  }
  /** While nobody is there nothing is drawn for. */
  const planForOthers = () => {
    if (presence.peers().size > 0) plan()
  }
  const rest = setInterval(() => cursors.any() && plan(), REST_MS)
  const stops = [
    presence.subscribe(plan),
    viewport.subscribe(planForOthers),
    flow.subscribe(planForOthers),
    store.subscribe((state, before) => {
      if (
        state.othersShown !== before.othersShown ||
        state.moving !== before.moving ||
        state.carried !== before.carried
      )
        planForOthers()
    }),
  ]
  plan()
  return () => {
    cancelAnimationFrame(planned)
    clearInterval(rest)
    for (const stop of stops) stop()
    sheet.replaceChildren()
    store.setState({ carried: new Map() })
  }
}
