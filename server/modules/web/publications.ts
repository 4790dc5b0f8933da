import type { Publication } from '../../contracts/chat'
import type { Bus } from '../../platform/bus/bus'
import { nextTurn } from '../../platform/nextTurn'

type What = Publication['what']
type Listener = (what: What) => void

/**
 * Tells open chats, in every process, that their chatbot is shown otherwise from now on, or says something else. One
 * that misses it sees it when it is loaded again.
 */
export interface Publications {
  publish(chatbotId: string, what: What): void
  /** @returns unsubscribe */
  subscribe(chatbotId: string, listener: Listener): () => void
}

/**
 * Listeners that are told in one turn of the event loop: each is a write to a socket, and there may be ten thousand.
 */
const AT_ONCE = 200
const channelOf = (chatbotId: string) => `web:${chatbotId}`

/** One subscription of the bus a chatbot, however many listen. */
export function createPublications(bus: Bus): Publications {
  const audiences = new Map<string, { listeners: Set<Listener>; leave: () => void }>()

  async function tell(chatbotId: string, what: What): Promise<void> {
    let told = 0
    for (const listener of [...(audiences.get(chatbotId)?.listeners ?? [])]) {
      listener(what)
      if (++told % AT_ONCE === 0) await nextTurn()
    }
  }

  return {
    publish(chatbotId, what) {
      void tell(chatbotId, what)
      bus.publish(channelOf(chatbotId), Buffer.from(what))
    },
    subscribe(chatbotId, listener) {
      const audience = audiences.get(chatbotId) ?? { listeners: new Set(), leave: () => {} }
      if (!audiences.has(chatbotId)) {
        audiences.set(chatbotId, audience)
        const hear = (message: Uint8Array) =>
          void tell(chatbotId, Buffer.from(message).toString() === 'flow' ? 'flow' : 'web')
        audience.leave = bus.subscribe(channelOf(chatbotId), { hear, look() {} })
      }
      audience.listeners.add(listener)
      return () => {
        audience.listeners.delete(listener)
        if (audience.listeners.size > 0 || audiences.get(chatbotId) !== audience) return
        audiences.delete(chatbotId)
        audience.leave()
      }
    },
  }
}
