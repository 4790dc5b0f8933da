import { readVarUint } from 'lib0/decoding'
import { WebsocketProvider } from 'y-websocket'
import type * as Y from 'yjs'
import { AS_PARAM, MESSAGE_SAVED, SAVED_PARAM } from '../../engine/document/syncProtocol'

/** An edit of this tab that the server has not confirmed. */
export interface UnsentEdit {
  readonly update: Uint8Array
  readonly at: number
  /** the number of the edit as people count them: continuous typing is one */
  readonly number: number
}

export interface SavedProvider {
  provider: WebsocketProvider
  /** edits that are not stored on the server, oldest first */
  unsent(): readonly UnsentEdit[]
  /** stops waiting for unsent edits; they stay in the document */
  forget(): void
}

/** Updates within this time belong to the same edit, as in the history. */
const PAUSE_MS = 500

/**
 * A WebsocketProvider that knows what is stored. The server confirms the number of stored write frames of the
 * connection; an edit is stored when its frame is: its own one or, on a new connection, the answer to the server's
 * state vector, which contains all offline edits.
 */
export function connectTracked(
  url: string,
  room: string,
  doc: Y.Doc,
  options: { onChange: () => void; as?: string | undefined; WebSocket?: typeof WebSocket; clock?: () => number },
): SavedProvider {
  const { onChange, as, clock = Date.now } = options
  let unsent: UnsentEdit[] = []
  /** the frame of the present connection that carried an edit */
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
  // before the provider's own listener, which sends the last of these
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
    // every edit must go through the server, which checks it, not directly between tabs
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

/** The first two bytes of a frame (y-protocols): the message's type, then the kind of sync message. */
const SYNC = 0
const STEP_1 = 0
const STEP_2 = 1
