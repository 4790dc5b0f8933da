import { type Carried, CLIP_TYPE } from './carried'

/** Storage key of the last copy on the canvas. */
const KEPT = 'parley-clipboard'
let kept: string | null = null

/** Writes text to the clipboard, for menus and the palette; keyboard shortcuts use the browser's events. */
export function writeClipboard(text: string): void {
  keep(text)
  if (navigator.clipboard) void navigator.clipboard.writeText(text).catch(() => copyBySelection(text))
  else copyBySelection(text)
}

/** Remembers what was copied for when the clipboard can't be read: in this tab, and on plain HTTP in all tabs. */
export function keep(text: string): void {
  kept = text
  if (isSecureContext) return
  try {
    localStorage.removeItem(KEPT)
    localStorage.setItem(KEPT, text)
  } catch {
    // too large for the storage: only available in this tab
  }
}

/** The clipboard's content, or what was copied last if it can't be read; null if there is neither. */
export async function readClipboard(): Promise<Carried | null> {
  try {
    return await carriedByItems(await navigator.clipboard.read())
  } catch {
    const text = stored() ?? kept
    return text === null ? null : { texts: new Map([[CLIP_TYPE, text]]), files: [] }
  }
}

async function carriedByItems(items: readonly ClipboardItem[]): Promise<Carried> {
  const texts = new Map<string, string>()
  const files: File[] = []
  for (const item of items)
    for (const type of item.types) {
      const blob = await item.getType(type)
      if (type.startsWith('image/')) files.push(new File([blob], `image.${type.slice('image/'.length)}`, { type }))
      else if (type.startsWith('text/')) texts.set(type, await blob.text())
    }
  return { texts, files }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEPT)
  } catch {
    return null
  }
}

/** Writes to the clipboard on pages without the Clipboard API. */
function copyBySelection(text: string): void {
  const before = document.activeElement
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
  Object.assign(area.style, { position: 'fixed', opacity: '0' })
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
}
