import type { Presence } from '../../collab/presence'
import type { Viewport } from '../adapter'
import type { Editor } from '../context'
import type { Scene } from '../placed'
import { createCarrying } from './carrying'
import { createCursors } from './cursors'
import { createOutlines, type OutlineWords } from './outlines'

/** How often resting pointers are detected. */
const REST_MS = 2_000
/** The longest frame time used for animation after a pause. */
const LONGEST_FRAME = 50

/**
 * Draws others over the canvas: pointers, selections, and groups they drag. Bypasses React: all changes since the last
 * frame are drawn in the next one. Panning only moves the sheet.
 *
 * @returns a function that ends it
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
    // one's own selection in another tab is not shown as somebody else's
    outlines.draw(new Map([...peers].filter(([, peer]) => !presence.isMe(peer))), scene, frame)
    const moving = cursors.draw(peers, frame, !store.getState().othersShown)
    if (moving || carried.moving) plan()
  }
  const plan = () => {
    planned ||= requestAnimationFrame(draw)
  }
  /** Stops drawing while nobody else is present. */
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
