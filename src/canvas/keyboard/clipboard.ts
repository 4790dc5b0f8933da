import { type Clip, parseClip } from '../clip'

/** What was copied last: for browsers and addresses (plain HTTP) where a page may not read the clipboard. */
let last: string | null = null

/** Puts a piece of a flow on the clipboard, from a menu or the palette; the keys go through the browser's own events. */
export function writeClipboard(clip: Clip): void {
  last = JSON.stringify(clip)
  void navigator.clipboard?.writeText(last).catch(() => undefined)
}

/** The piece of a flow on the clipboard; null when something else is there. */
export async function readClipboard(): Promise<Clip | null> {
  const text = await navigator.clipboard?.readText().catch(() => undefined)
  return parseClip(text ?? last ?? '')
}
