import type { ChannelCapabilities } from '../../../../engine/flow/capabilities'
import type { BotMessage, InputRequest, Referral } from '../../../../engine/flow/conversation'
import type { Json } from '../../../../engine/values/json'
import type { SystemVariableName } from '../../../../engine/values/systemVariables'
import type { ChannelTemplate } from '../../../contracts/channelTemplates'
import type { Db } from '../../../platform/database/database'
import type { ConversationRef } from '../conversations/conversationRef'

/**
 * A visitor's message, as the channel's module has verified and parsed it. `takeReceived` brings it into a
 * conversation.
 */
export interface Received {
  /** the visitor's address on the channel */
  address: string
  /** idempotency key: the same id is the same message, however often it arrives */
  messageId: string
  /** what was typed, the label of what was chosen, or what stands with files; empty: nothing */
  text: string
  /** the id of the option that was chosen, as the channel was given it with the question */
  choice?: string
  files?: readonly InboundFile[]
  /** the language code as the channel gives it */
  language?: string
  /** the contact that the channel knows the visitor as; asked where a conversation is started */
  contactId?: () => Promise<string>
  /** what is said in a voice message, in words; null: nobody can tell. Asked once the message is known to be new */
  transcript?: () => Promise<string | null>
  /** the advertisement that led to the message */
  referral?: Referral
  /**
   * what the channel knows of the visitor, and values of the flow's variables by name: where it starts a conversation
   */
  known?: Partial<Record<SystemVariableName, string>>
  named?: Readonly<Record<string, Json>>
}

/** A file that a visitor sent. Its bytes are fetched once the message is known to be new. */
export interface InboundFile {
  name: string
  /**
   * @throws FileLeftOut if the channel never gives it: the message is then stored without it. Anything else that is
   * thrown ends the taking, so that it is tried again.
   */
  read(): Promise<Uint8Array>
  /** Told that the message is stored without it, and why. */
  leftOut?(why: LeftOut): void
}

/** Why a file is not stored: the channel does not give it any more, it is too large, or no room is left for it. */
export type LeftOut = 'file_missing' | 'file_too_large' | 'file_refused'

/** Thrown by a channel whose file can't be had. */
export class FileLeftOut extends Error {
  override readonly name = 'FileLeftOut'

  constructor(readonly why: LeftOut) {
    super(`A visitor's file is left out (${why}).`)
  }
}

/** A message to be sent. */
export interface Owed {
  /** idempotency key: after a crash the message may be sent again with the same key, and should be delivered once */
  key: string
  conversation: ConversationRef & { gid: string }
  chatbotId: string
  address: string
  content: BotMessage
  /** the question asked with the message; null: none */
  request: InputRequest | null
}

/** Who is written to. */
export type Addressee = Pick<Owed, 'chatbotId' | 'address'> & { conversation: ConversationRef }

/**
 * The result of a delivery attempt. `refused`: permanently, so that retrying is useless. `failed`: to be retried, not
 * before `after` if the channel gives a time. An exception counts as failed. `paced`: not tried yet, since the channel
 * takes no more before `after`; it counts as no attempt.
 */
export type Delivered =
  | { outcome: 'sent'; externalId: string | null }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'failed'; reason: string; after?: Date }
  | { outcome: 'paced'; after: Date }

/**
 * A channel beside the web. Its module verifies what comes from the other side, stores it, and hands visitors' messages
 * to `takeReceived`; what the conversation says goes out by `deliver`.
 */
export interface Channel {
  capabilities: ChannelCapabilities
  deliver(owed: Owed): Promise<Delivered>
  /** Whether people reach this chatbot of the project there; absent: nobody asks. */
  isConnected?(own: Db, projectId: string, chatbotId: string): Promise<boolean>
  /** Until when the visitor can be told anything, which moves on when they write; absent, or null: for ever. */
  windowEnd?(to: Addressee): Promise<Date | null>
  /** What it takes also when the window is over, in the order in which it is offered; absent: nothing. */
  templates?(to: Addressee): Promise<ChannelTemplate[]>
}

/** Channels by the names that conversations store. Modules of channels add theirs before the server listens. */
export type Channels = Map<string, Channel>

/** The web's name as a channel: its clients read messages from the conversation's streams, so nothing is sent. */
export const WEB = 'web'
/** Programs that call a trigger: they read what is said in the answer to the call, or by webhooks. */
export const API = 'api'
/** Whether messages are read by whoever wants them, rather than sent. */
export const isRead = (channel: string): boolean => channel === WEB || channel === API
