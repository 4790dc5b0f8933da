import { readVarUint } from 'lib0/decoding'
import { WebsocketProvider } from 'y-websocket'
import type * as Y from 'yjs'
import { AS_PARAM, MESSAGE_SAVED, SAVED_PARAM } from '../../engine/document/syncProtocol'

/** An edit of this tab that the server has not confirmed yet. */
export interface UnsentEdit {
  readonly update: Uint8Array
  readonly at: number
  /** which edit it belongs to, as people count them: what is typed without a pause is one */
  readonly number: number
}

export interface SavedProvider {
  provider: WebsocketProvider
  /** what is not stored on the server, the oldest first */
  unsent(): readonly UnsentEdit[]
  /** gives up on what is unsent: it is in the document, and nobody waits for it any more */
  forget(): void
}

/** What follows sooner belongs to the same edit, as in the history. */
const PAUSE_MS = 500

/**
 * A WebsocketProvider that knows what is stored. The server confirms how many write frames of the present connection are; an edit is
 * stored once the frame that carried it is: its own, or on a new connection the answer to the server's state vector, which carries all
 * that was done while offline.
 */
export function connectTracked(
  url: string,
  room: string,
  doc: Y.Doc,
  options: { onChange: () => void; as?: string | undefined; WebSocket?: typeof WebSocket; clock?: () => number },
): SavedProvider {
  const { onChange, as, clock = Date.now } = options
  let unsent: UnsentEdit[] = []
  /** by which frame of the present connection an edit went */
  let frames = new WeakMap<UnsentEdit, number>()
  let sent = 0
  let present: object | null = null
  const Socket = options.WebSocket ?? WebSocket
  class CountingSocket extends Socket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args)
      present = this
      sent = 0
      frames = new WeakMap()
    }
    override send(data: Parameters<WebSocket['send']>[0]): void {
      if (present === this && data instanceof Uint8Array && data[0] === SYNC && data[1] !== STEP_1) {
        sent += 1
        const carried = data[1] === STEP_2 ? unsent : unsent.slice(-1)
        for (const edit of carried) if (!frames.has(edit)) frames.set(edit, sent)
      }
      super.send(data)
    }
  }
  // before the provider's own listener: what it sends is the last of these
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin === provider) return
    const at = clock()
    const last = unsent.at(-1)
    const number = last ? last.number + (at - last.at < PAUSE_MS ? 0 : 1) : 1
    unsent.push({ update, at, number })
    onChange()
  })
  const provider = new WebsocketProvider(url, room, doc, {
    connect: false,
    params: { [SAVED_PARAM]: '1', ...(as && { [AS_PARAM]: as }) },
    // every edit goes through the server, which checks it; a second path between tabs would go around
    disableBc: true,
    WebSocketPolyfill: CountingSocket,
  })
  provider.messageHandlers[MESSAGE_SAVED] = (_encoder, decoder) => {
    const stored = readVarUint(decoder)
    const left = unsent.filter((edit) => (frames.get(edit) ?? Number.POSITIVE_INFINITY) > stored)
    if (left.length === unsent.length) return
    unsent = left
    onChange()
  }
  provider.connect()
  const forget = () => {
    unsent = []
    onChange()
  }
  return { provider, unsent: () => unsent, forget }
}

/** First two bytes of a frame (y-protocols): the message's type, then the kind of sync message. */
const SYNC = 0
const STEP_1 = 0
const STEP_2 = 1
