import type { IncomingHttpHeaders } from 'node:http'
import type { ChannelCapabilities } from '../../../../engine/flow/capabilities'
import type { BotMessage, InputRequest } from '../../../../engine/flow/conversation'

/** What a channel's other side sent us, as it came: a signature is over its bytes. */
export interface InboundRequest {
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A visitor's message, parsed. */
export interface Received {
  /** who the visitor is on the channel */
  address: string
  /** the same id is the same message, however often it comes */
  messageId: string
  text: string
  /** as the channel names it */
  language?: string
}

/** A message to be sent. */
export interface Owed {
  /** the same key is the same message: it may come again after a crash, and is to arrive once */
  key: string
  address: string
  content: BotMessage
  /** what is asked with it; null: nothing */
  request: InputRequest | null
}

/**
 * What became of an attempt. `refused`: for good, so that trying again is of no use. `failed`: to be tried again, not before `after`
 * where the other side says when. What throws has failed.
 */
export type Delivered =
  | { outcome: 'sent'; externalId: string | null }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'failed'; reason: string; after?: Date }

/** What carries messages between visitors and conversations, beside the web. */
export interface Channel {
  capabilities: ChannelCapabilities
  /** Verifies that the request is the other side's, and reads it. Throws ApiError unauthenticated, malformed. */
  receive(request: InboundRequest): Promise<Received[]>
  deliver(owed: Owed): Promise<Delivered>
}

/** By the names that conversations keep. */
export type Channels = Readonly<Record<string, Channel>>

/** Where messages are read from the conversation itself, as its streams do: nothing is to be sent. */
export const WEB = 'web'
