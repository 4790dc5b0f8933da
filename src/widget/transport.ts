import type { Conversation, Draft, Reply } from './types'

export interface Opened {
  conversation: Conversation
  resumed: boolean
  /** `teaser`: the visitor is shown the first message, and opens the chat with it; left out: it is open */
  shows?: 'open' | 'teaser'
}

/** What a chat needs from the outside. Every promise rejects with a `ChatFailure`. */
export interface ChatTransport {
  /** the conversation that this visitor has (`resumed`), or a new one */
  open(): Promise<Opened>
  /** `clientId` makes a message that is sent twice one turn */
  send(reply: Reply, clientId: string): Promise<Conversation>
  /** a new conversation in place of the present one */
  restart(): Promise<Conversation>
  /** Brings a file to the server and gives the id to send it by. `onProgress` is told the share that is there, 0 to 1. */
  upload(file: File, onProgress: (share: number) => void, stop: AbortSignal): Promise<string>
  /** updates from elsewhere (another tab, a person who answers); returns the stop function */
  listen(
    after: number,
    onUpdate: (conversation: Conversation) => void,
    onConnected: (connected: boolean) => void,
    onDraft: (draft: Draft) => void,
  ): () => void
}

/** Thrown when a call did not come to an answer: `gone` when there is no such chat, `offline` when nothing answered. */
export class ChatFailure extends Error {
  override readonly name = 'ChatFailure'
  constructor(
    readonly reason: 'gone' | 'offline' | 'refused',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options)
  }
}

/** 16 letters and digits, as the server wants them. */
export function createClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => (byte % 36).toString(36)).join('')
}
