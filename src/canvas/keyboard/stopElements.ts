import { handleId } from '../geometry'
import type { Stop } from './order'

/** The group, block or port that an element on the canvas is, or is in; null for anything else. */
export function stopOf(element: Element | null): Stop | null {
  const groupId = element?.closest<HTMLElement>('.react-flow__node')?.dataset.id
  if (!element || groupId === undefined) return null
  const blockId = element.closest<HTMLElement>('[data-block-id]')?.dataset.blockId
  if (blockId === undefined) return { groupId }
  const handle = element.closest<HTMLElement>('.react-flow__handle.source')?.dataset.handleid
  return handle === undefined
    ? { groupId, blockId }
    : { groupId, blockId, portId: handle.slice(handleId(blockId, '').length) }
}

/** The stop that has the browser's focus. */
export const stopInFocus = (): Stop | null => stopOf(document.activeElement)

/** The element that takes the focus for a stop; null while it is not drawn. */
export function elementOf(root: Element, { groupId, blockId, portId }: Stop): HTMLElement | null {
  const group = root.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(groupId)}"]`)
  if (blockId === undefined) return group
  // from afar a block is a bar that can't take the focus
  const block = group?.querySelector<HTMLElement>(`[data-block-id="${CSS.escape(blockId)}"][tabindex]`)
  if (portId === undefined) return block ?? null
  return block?.querySelector<HTMLElement>(`[data-handleid="${CSS.escape(handleId(blockId, portId))}"]`) ?? null
}

/**
 * Focuses an element as soon as it is there; gives up after a while in which no part of a panel is on its way, or when the person goes
 * elsewhere meanwhile.
 * Gives what stops the waiting.
 *
 * @param missing called once where it is not there yet
 * @param ended called when the waiting is over, however it ends
 */
export function focusWhenThere(find: () => HTMLElement | null, missing?: () => void, ended?: () => void): () => void {
  let frame = 0
  let told = false
  const before = document.activeElement
  let until = performance.now() + PATIENCE
  const attempt = () => {
    const now = document.activeElement
    if (now !== before && now !== document.body && now !== null && before?.isConnected) return ended?.()
    const element = find()
    if (element) {
      element.focus({ preventScroll: true })
      return ended?.()
    }
    if (!told) missing?.()
    told = true
    // what is fetched takes as long as the line does
    if (document.querySelector('aside [aria-busy="true"]')) until = performance.now() + PATIENCE
    if (performance.now() < until) frame = requestAnimationFrame(attempt)
    else ended?.()
  }
  // what was just done to the flow is drawn first
  frame = requestAnimationFrame(attempt)
  return () => {
    cancelAnimationFrame(frame)
    ended?.()
  }
}

/** milliseconds: a form that is drawn, a canvas that moves there */
const PATIENCE = 4000
