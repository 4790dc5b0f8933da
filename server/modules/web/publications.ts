import { EventEmitter } from 'node:events'
import type { Bus } from '../../platform/bus/bus'

/**
 * Tells open chats, in every process, that their chatbot is shown otherwise from now on. One that misses it sees it
 * when it is loaded again.
 */
export interface Publications {
  publish(chatbotId: string): void
  /** @returns unsubscribe */
  subscribe(chatbotId: string, listener: () => void): () => void
}

const NOTHING = new Uint8Array()
const channelOf = (chatbotId: string) => `web:${chatbotId}`

/** One subscription of the bus a chatbot, however many listen. */
export function createPublications(bus: Bus): Publications {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const leaving = new Map<string, () => void>()
  return {
    publish(chatbotId) {
      emitter.emit(chatbotId)
      bus.publish(channelOf(chatbotId), NOTHING)
    },
    subscribe(chatbotId, listener) {
      if (!leaving.has(chatbotId)) {
        const hear = () => void emitter.emit(chatbotId)
        leaving.set(chatbotId, bus.subscribe(channelOf(chatbotId), { hear, look() {} }))
      }
      emitter.on(chatbotId, listener)
      return () => {
        emitter.off(chatbotId, listener)
        if (emitter.listenerCount(chatbotId) > 0) return
        leaving.get(chatbotId)?.()
        leaving.delete(chatbotId)
      }
    },
  }
}
