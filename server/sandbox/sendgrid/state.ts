import type { SeededRandom } from '../seededRandom'

export interface Address {
  email: string
  name?: string
}

/** A mail to the people of one personalization. */
export interface SentMail {
  messageId: string
  from: Address
  to: Address[]
  cc: Address[]
  bcc: Address[]
  replyTo: Address[]
  subject: string
  contents: { type: string; value: string }[]
  headers: Record<string, string>
  customArgs: Record<string, string>
  categories: string[]
  attachments: { filename: string; type?: string; content: string }[]
  /** whether links are rewritten, which a mail with a password must not have */
  tracksClicks: boolean
  sentAt: Date
  /** the last one that was told of it */
  state: EventName | null
}

export type EventName =
  | 'processed'
  | 'delivered'
  | 'deferred'
  | 'bounce'
  | 'dropped'
  | 'open'
  | 'click'
  | 'spamreport'
  | 'unsubscribe'

export interface EventWebhook {
  id: string
  url: string
  name: string | null
  enabled: boolean
  /** which events are told */
  events: Record<string, boolean>
  isSigned: boolean
  createdAt: Date
  updatedAt: Date
}

/** What the stand-in of SendGrid knows. */
export interface SendgridState {
  /** keys with their scopes */
  keys: Map<string, string[]>
  /** addresses, and whole domains as `@example.com`, from which mails may come */
  senders: string[]
  mails: SentMail[]
  webhooks: EventWebhook[]
  batches: Set<string>
  /** of events: ECDSA over P-256 */
  signing: { publicKey: string; privateKey: string }
  clock: () => Date
  random: SeededRandom
}
