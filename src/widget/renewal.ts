import type { ChatSession } from './conversation'

/** All chats hear of a publication at the same moment: one comes after the other within a minute. */
const SPREAD_MS = 60_000
export const spread = (): number => Math.random() * SPREAD_MS

/**
 * Restarts a conversation when another version of its flow is published and its visitor has not written yet. While
 * something is being typed, it waits until the page becomes visible again.
 * @returns what to call on a publication, and each time the page becomes visible
 */
export function createRenewal(session: Pick<ChatSession, 'renew'>) {
  let isOld = false
  let timer: ReturnType<typeof setTimeout> | undefined
  function look(): void {
    clearTimeout(timer)
    timer = undefined
    if (!isOld || isTyping()) return
    isOld = false
    void session.renew()
  }
  document.addEventListener('visibilitychange', look)
  return {
    published() {
      isOld = true
      timer ??= setTimeout(look, spread())
    },
    look,
  }
}

function isTyping(): boolean {
  const [...fields] = document.querySelectorAll<HTMLInputElement>('textarea, input')
  return fields.some(({ type, value, checked }) => (['checkbox', 'radio'].includes(type) ? checked : value !== ''))
}
