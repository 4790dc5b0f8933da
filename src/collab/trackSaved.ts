import { readVarUint } from 'lib0/decoding'
import { WebsocketProvider } from 'y-websocket'
import type * as Y from 'yjs'
import { MESSAGE_SAVED, SAVED_PARAM } from '../../engine/document/syncProtocol'

export interface SavedProvider {
  provider: WebsocketProvider
  /** are all edits of this document stored on the server? */
  isSaved(): boolean
}

/**
 * A WebsocketProvider that knows what is stored. An edit is, once every write frame of the present connection has been
 * confirmed, the answer to the server's state vector among them: that one carries all that was done while offline.
 */
export function connectTracked(
  url: string,
  room: string,
  doc: Y.Doc,
  options: { onChange: () => void; WebSocket?: typeof WebSocket },
): SavedProvider {
  let saved = true
  let sent = 0
  let answered = false
  const Socket = options.WebSocket ?? WebSocket
  class CountingSocket extends Socket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args)
      sent = 0
      answered = false
    }
    override send(data: Parameters<WebSocket['send']>[0]): void {
      if (data instanceof Uint8Array && data[0] === SYNC && data[1] !== STEP_1) {
        sent += 1
        answered ||= data[1] === STEP_2
      }
      super.send(data)
    }
  }
  const provider = new WebsocketProvider(url, room, doc, {
    connect: false,
    params: { [SAVED_PARAM]: '1' },
    // every edit goes through the server, which checks it; a second path between tabs would go around
    disableBc: true,
    WebSocketPolyfill: CountingSocket,
  })
  provider.messageHandlers[MESSAGE_SAVED] = (_encoder, decoder) => {
    if (readVarUint(decoder) !== sent || !answered || saved) return
    saved = true
    options.onChange()
  }
  doc.on('update', (_update: Uint8Array, origin: unknown) => {
    if (origin === provider || !saved) return
    saved = false
    options.onChange()
  })
  provider.connect()
  return { provider, isSaved: () => saved }
}

/** First two bytes of a frame (y-protocols): the message's type, then the kind of sync message. */
const SYNC = 0
const STEP_1 = 0
const STEP_2 = 1
