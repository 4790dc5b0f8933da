import type { Outbox } from './transport'

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Keeps the message that is on its way in a tab's storage, for the conversation that it belongs to. */
export function createOutbox(store: Store, key: string, conversation: () => string): Outbox {
  return {
    read() {
      try {
        const kept = JSON.parse(store.getItem(key) ?? 'null')
        return kept?.conversation === conversation() && typeof kept.message?.clientId === 'string' ? kept.message : null
      } catch {
        return null
      }
    },
    write(message) {
      if (message === null) return store.removeItem(key)
      try {
        store.setItem(key, JSON.stringify({ conversation: conversation(), message }))
      } catch {
        // a full storage: it is sent all the same, only a reload loses it
      }
    },
  }
}
