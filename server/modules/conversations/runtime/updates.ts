import { EventEmitter } from 'node:events'
import type { Draft } from '../../../contracts/chat'
import type { Bus } from '../../../platform/bus/bus'

/**
 * Notifies subscribers, in any process, that a conversation has something new. It sends the id alone: subscribers read
 * the rest from the database.
 */
export interface Updates {
  publish(conversationId: string): void
  /** Sends a message that is still being written to current subscribers. A lost one is compensated by the next. */
  draft(conversationId: string, draft: Draft): void
  /** The listener is also called when notifications may have been lost. Returns unsubscribe. */
  subscribe(conversationId: string, listener: () => unknown, onDraft?: (draft: Draft) => unknown): () => void
}

const NOTHING = new Uint8Array()
const draftOf = (conversationId: string) => `draft:${conversationId}`

export function createUpdates(bus: Bus): Updates {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const channelOf = (conversationId: string) => `conversation:${conversationId}`
  return {
    publish(conversationId) {
      emitter.emit(conversationId)
      bus.publish(channelOf(conversationId), NOTHING)
    },
    draft(conversationId, draft) {
      emitter.emit(draftOf(conversationId), draft)
      bus.publish(channelOf(conversationId), Buffer.from(JSON.stringify(draft)))
    },
    subscribe(conversationId, listener, onDraft = () => {}) {
      emitter.on(conversationId, listener)
      emitter.on(draftOf(conversationId), onDraft)
      const leave = bus.subscribe(channelOf(conversationId), {
        hear: (message) => (message.length === 0 ? listener() : onDraft(JSON.parse(Buffer.from(message).toString()))),
        look: listener,
      })
      return () => {
        emitter.off(conversationId, listener)
        emitter.off(draftOf(conversationId), onDraft)
        leave()
      }
    },
  }
}
