import { readVarString } from 'lib0/decoding'
import type { WebsocketProvider } from 'y-websocket'
import { MESSAGE_NEWS } from '../../engine/document/syncProtocol'
import type { OpenFlow } from './flowState'

const KEPT = 20

/** Receives the server's news for everybody in a flow: `topic`, or `topic:detail`. */
export function receiveNews(provider: WebsocketProvider): OpenFlow['onNews'] {
  // news received before the first listener: the screen may load after the connection
  const early = new Map<string, (string | null)[]>()
  const listeners = new Map<string, Set<(detail: string | null) => void>>()
  provider.messageHandlers[MESSAGE_NEWS] = (_encoder, decoder) => {
    const news = readVarString(decoder)
    const colon = news.indexOf(':')
    const topic = colon < 0 ? news : news.slice(0, colon)
    const detail = colon < 0 ? null : news.slice(colon + 1)
    if (!listeners.get(topic)?.size) early.set(topic, [...(early.get(topic) ?? []), detail].slice(-KEPT))
    for (const listener of listeners.get(topic) ?? []) listener(detail)
  }
  return (topic, listener) => {
    const present = listeners.get(topic) ?? new Set()
    listeners.set(topic, present.add(listener))
    for (const detail of early.get(topic) ?? []) listener(detail)
    early.delete(topic)
    return () => present.delete(listener)
  }
}
