import { EventEmitter } from 'node:events'
import type { Bus } from '../bus/bus'

/** Says that a conversation has something new, by its id alone: who listens, in any process, reads the rest from the database. */
export interface Updates {
  publish(conversationId: string): void
  /** The listener is also called when something may have been said unheard. Returns unsubscribe. */
  subscribe(conversationId: string, listener: () => unknown): () => void
}

const NOTHING = new Uint8Array()

export function createUpdates(bus: Bus): Updates {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const channelOf = (conversationId: string) => `conversation:${conversationId}`
  return {
    publish(conversationId) {
      emitter.emit(conversationId)
      bus.publish(channelOf(conversationId), NOTHING)
    },
    subscribe(conversationId, listener) {
      emitter.on(conversationId, listener)
      const leave = bus.subscribe(channelOf(conversationId), { hear: listener, look: listener })
      return () => {
        emitter.off(conversationId, listener)
        leave()
      }
    },
  }
}
