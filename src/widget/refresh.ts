import type { ChatPage } from './types'

/** All open chats hear of a publication at the same moment: those that are looked at ask within these seconds. */
const SPREAD_MS = 5_000

/**
 * Draws a chat that is looked at as its chatbot is set now: the name, and the look with its texts and branding.
 * @param read asks the server; what it refuses is left as it is
 * @returns what is told of a publication
 */
export function createRefresh(read: () => Promise<ChatPage>, draw: (page: ChatPage) => void): () => void {
  let isWaiting = false
  const look = () => {
    isWaiting = false
    read().then(draw, () => undefined)
  }
  return () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(look, Math.random() * SPREAD_MS)
  }
}
