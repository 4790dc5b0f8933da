import { readVarString } from 'lib0/decoding'
import type { WebsocketProvider } from 'y-websocket'
import { MESSAGE_NEWS } from '../../engine/document/syncProtocol'
import type { OpenFlow } from './openFlow'

/** Hears what the server announces to everybody in a flow: `topic`, or `topic:detail`. */
export function receiveNews(provider: WebsocketProvider): OpenFlow['onNews'] {
  const listeners = new Map<string, Set<(detail: string | null) => void>>()
  provider.messageHandlers[MESSAGE_NEWS] = (_encoder, decoder) => {
    const news = readVarString(decoder)
    const colon = news.indexOf(':')
    const topic = colon < 0 ? news : news.slice(0, colon)
    for (const listener of listeners.get(topic) ?? []) listener(colon < 0 ? null : news.slice(colon + 1))
  }
  return (topic, listener) => {
    const present = listeners.get(topic) ?? new Set()
    listeners.set(topic, present.add(listener))
    return () => present.delete(listener)
  }
}
