import { EventEmitter } from 'node:events'

/** Says that a conversation has something new, by its id alone: who listens reads the rest from the database. */
export interface Updates {
  publish(conversationId: string): void
  /** returns unsubscribe */
  subscribe(conversationId: string, listener: () => void): () => void
}

export function createUpdates(): Updates {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  return {
    publish: (conversationId) => void emitter.emit(conversationId),
    subscribe(conversationId, listener) {
      emitter.on(conversationId, listener)
      return () => emitter.off(conversationId, listener)
    },
  }
}
