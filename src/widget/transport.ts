import type { ChatMessage, ChatPage, Conversation, Draft, Reply, SurveyAnswer } from './types'

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
  /** Uploads a file. Resolves with the id to send it by. `onProgress` is called with the uploaded share, 0 to 1. */
  upload(file: File, onProgress: (share: number) => void, stop: AbortSignal): Promise<string>
  /** updates from elsewhere (another tab, a person who answers); returns the stop function */
  listen(
    after: number,
    onUpdate: (conversation: Conversation) => void,
    onConnected: (connected: boolean) => void,
    onDraft: (draft: Draft) => void,
  ): () => void
  /** says whether a message helped; null takes that back. Left out: nothing is asked */
  rate?(seq: number, helpful: boolean | null): Promise<void>
  /** messages before one, the nearest last, and whether there are more. Left out: all were there at the beginning */
  earlier?(before: number): Promise<{ messages: ChatMessage[]; earlier: boolean }>
  /** the same while everything else waits, for paper; null: they can't be had */
  earlierNow?(before: number): { messages: ChatMessage[]; earlier: boolean } | null
  /** reports that the visitor is typing or has read the messages. Optional: without it nobody is notified */
  presence?(state: { typing?: true; seen?: true }): Promise<void>
  /** has the conversation mailed to an address. Left out: it can't be */
  sendTranscript?(email: string): Promise<void>
  /** a link by which the visitor goes on at WhatsApp, once. Left out: there is none */
  askForWhatsapp?(): Promise<PhoneLink>
  /** left out: what was not sent is lost with the page */
  outbox?: Outbox
  /** left out: nothing is asked at the end */
  survey?: Omit<SurveyTransport, 'settings'>
}

export interface PhoneLink {
  link: string
  /** until when it can be used */
  expires_at: string
}

/** What visitors are asked of a conversation, and where their answer goes. */
export interface SurveyTransport {
  settings: NonNullable<ChatPage['survey']>
  /** whether this browser has answered for the present conversation */
  isAnswered(): boolean
  /** rejects with a ChatFailure */
  answer(answer: SurveyAnswer): Promise<void>
}

/** What was sent and not acknowledged, kept where a reload finds it again. */
export interface Outbox {
  read(): Kept | null
  write(message: Kept | null): void
}
interface Kept {
  clientId: string
  reply: Reply
  label: string
}

/**
 * Thrown when a call fails: `gone` if the chat does not exist, `offline` without a response or when the server is
 * unavailable (it may be retried automatically), `refused` with the server's message, `failed` after an error of the
 * server. `code` is the server's error code, such as `wrong_password`.
 */
export class ChatFailure extends Error {
  override readonly name = 'ChatFailure'
  /** the server wants to be left alone so long */
  readonly retryAfterMs: number
  /** the server's words; null where it had none */
  readonly said: string | null
  readonly code: string | null
  constructor(
    readonly reason: 'gone' | 'offline' | 'refused' | 'failed',
    message: string,
    {
      retryAfterMs = 0,
      said = null,
      code = null,
      ...options
    }: { cause?: unknown; retryAfterMs?: number; said?: string | null; code?: string | null } = {},
  ) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
    this.said = said
    this.code = code
  }
}

/** What a status means for who sent something: proxies answer 502 to 504 (and 520 on) while the server is not there. */
export function failureOf(status: number): ChatFailure['reason'] {
  if (status === 404) return 'gone'
  if ([408, 425, 429, 502, 503, 504].includes(status) || status >= 520) return 'offline'
  return status >= 500 ? 'failed' : 'refused'
}

/** Reads Retry-After (RFC 9110, 10.2.3), seconds or a date, in ms from now; 0 without one. */
export function retryAfterOf(headers: Pick<Headers, 'get'>, now: () => number = Date.now): number {
  const said = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(said)) return Number(said) * 1_000
  const date = Date.parse(said)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now())
}

/** 16 letters and digits, as the server wants them. */
export function createClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => (byte % 36).toString(36)).join('')
}
