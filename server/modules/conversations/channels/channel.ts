import type { IncomingHttpHeaders } from 'node:http'
import type { ChannelCapabilities } from '../../../../engine/flow/capabilities'
import type { BotMessage, InputRequest } from '../../../../engine/flow/conversation'

/** A channel's raw webhook request: its signature covers the bytes. */
export interface InboundRequest {
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A visitor's message, parsed. */
export interface Received {
  /** the visitor's address on the channel */
  address: string
  /** idempotency key: the same id is the same message, however often it arrives */
  messageId: string
  text: string
  /** the language code as the channel gives it */
  language?: string
}

/** A message to be sent. */
export interface Owed {
  /** idempotency key: after a crash the message may be sent again with the same key, and should be delivered once */
  key: string
  address: string
  content: BotMessage
  /** the question asked with the message; null: none */
  request: InputRequest | null
}

/**
 * The result of a delivery attempt. `refused`: permanently, so that retrying is useless. `failed`: to be retried, not
 * before `after` if the channel gives a time. An exception counts as failed.
 */
export type Delivered =
  | { outcome: 'sent'; externalId: string | null }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'failed'; reason: string; after?: Date }

/** A channel beside the web, which transports messages between visitors and conversations. */
export interface Channel {
  capabilities: ChannelCapabilities
  /** Verifies the request's signature and parses it. @throws ApiError unauthenticated, malformed */
  receive(request: InboundRequest): Promise<Received[]>
  deliver(owed: Owed): Promise<Delivered>
}

/** Channels by the names that conversations store. */
export type Channels = Readonly<Record<string, Channel>>

/** The web's name as a channel: its clients read messages from the conversation's streams, so nothing is sent. */
export const WEB = 'web'
/** Programs that call a trigger: they read what is said in the answer to the call, or by webhooks. */
export const API = 'api'
/** Whether messages are read by whoever wants them, rather than sent. */
export const isRead = (channel: string): boolean => channel === WEB || channel === API
