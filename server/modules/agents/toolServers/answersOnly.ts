import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Messages other than responses, such as progress notifications, before a server counts as flooding. */
const MOST_OTHERS = 100

/**
 * A transport on which a server may only respond. Its own requests (sampling, elicitation, roots, ping) are ignored:
 * responding to each would let it make us send any amount.
 * @param onFlood called if it sends many other messages
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
