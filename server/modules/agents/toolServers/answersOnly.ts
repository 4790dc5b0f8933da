import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Messages that are no answers, such as news of progress, before a server is taken for one that floods. */
const MOST_OTHERS = 100

/**
 * A transport on which a server may only answer. What it asks for itself (a model's words, a person's input, roots, a ping) is refused by
 * not being heard: an answer to each would let it make us send as much as it likes.
 * @param onFlood told when it sends much else
 */
export function answersOnly(transport: Transport, onFlood: () => void): Transport {
  let others = 0
  const filtered: Transport = {
    start: () => transport.start(),
    send: (message, options) => transport.send(message, options),
    close: () => transport.close(),
    setProtocolVersion: (version) => transport.setProtocolVersion?.(version),
  }
  transport.onclose = () => filtered.onclose?.()
  transport.onerror = (error) => filtered.onerror?.(error)
  transport.onmessage = (message, extra) => {
    if ('result' in message || 'error' in message) return filtered.onmessage?.(message, extra)
    others += 1
    if (others === MOST_OTHERS) onFlood()
  }
  return filtered
}
