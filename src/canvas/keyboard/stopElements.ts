import { handleId } from '../geometry'
import type { Stop } from './order'

/** The group, block or port of an element on the canvas; null for others. */
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

/** The stop with the browser's focus. */
export const stopInFocus = (): Stop | null => stopOf(document.activeElement)

/** The focusable element of a stop; null if it is not rendered. */
export function elementOf(root: Element, { groupId, blockId, portId }: Stop): HTMLElement | null {
  const group = root.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(groupId)}"]`)
  if (blockId === undefined) return group
  // zoomed out, a block is a bar that can't be focused
  const block = group?.querySelector<HTMLElement>(`[data-block-id="${CSS.escape(blockId)}"][tabindex]`)
  if (portId === undefined) return block ?? null
  return block?.querySelector<HTMLElement>(`[data-handleid="${CSS.escape(handleId(blockId, portId))}"]`) ?? null
}

/**
 * Focuses an element as soon as it exists; gives up after a while in which no part of a panel is loading, or when the
 * user focuses something else. Returns a function that cancels.
 *
 * @param missing called once if it does not exist yet
 * @param ended called when the waiting ends for any reason
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
    // a fetch may take longer on a slow connection: keep waiting
    if (document.querySelector('aside [aria-busy="true"]')) until = performance.now() + PATIENCE
    if (performance.now() < until) frame = requestAnimationFrame(attempt)
    else ended?.()
  }
  // pending changes of the flow are rendered first
  frame = requestAnimationFrame(attempt)
  return () => {
    cancelAnimationFrame(frame)
    ended?.()
  }
}

/** milliseconds: for a form that is loading, or a canvas that is moving */
const PATIENCE = 4000
