import type { SeededRandom } from '../seededRandom'

/** What a phone did or was sent. `from` is who said it. */
export interface PhoneMessage {
  /** `wamid.…` */
  id: string
  from: 'person' | 'business'
  at: Date
  /** a message's body as the interface takes it or a webhook gives it: `type` and a field of that name */
  content: MessageContent
  /** how far a message of the business has come */
  status?: 'sent' | 'delivered' | 'read' | 'failed'
  /** the message that it answers */
  replyTo?: string
  /** the template of its name, as it was when it came */
  template?: MessageTemplate
  /** as the business gave it with the message */
  callbackData?: string
  /** the number of the business, by its id; absent: the first one */
  number?: string
  /** by which emoji the person reacted to it */
  reaction?: string
}

/** A number of the business: a chat on each phone. */
export interface BusinessNumber {
  id: string
  display: string
  name: string
  /** null: it is not registered */
  pin: string | null
  tier: string
}
export type MessageContent = { type: string } & Readonly<Record<string, unknown>>

/** A person with a phone, who writes to the business's number. */
export interface Phone {
  /** digits without a plus; null: the person hides it */
  number: string | null
  /** `GB.…`: what identifies people who hide their numbers */
  userId: string
  name: string
  messages: PhoneMessage[]
  /** when the person last wrote, to whichever number */
  wroteAt: Date | null
  /** hours that count as passed since then, which a person sets on the phone's page */
  hoursPassed: number
  /** what becomes of the next message to it */
  next: 'arrives' | 'fails' | 'stays unread'
  /** times of the last messages to it, for the limit of a pair */
  sentTimes: number[]
}

export interface StoredMedia {
  id: string
  type: string
  bytes: Buffer
}

export interface MessageTemplate {
  id: string
  name: string
  language: string
  category: string
  status: 'APPROVED' | 'PENDING' | 'REJECTED' | 'PAUSED'
  quality: 'UNKNOWN' | 'GREEN' | 'YELLOW' | 'RED'
  components: readonly unknown[]
}

export interface WhatsappState {
  appId: string
  appSecret: string
  /** of the app's sign-up */
  configuration: string
  token: string
  /** what the token may do */
  scopes: string[]
  businessId: string
  /** the first of its numbers */
  number: BusinessNumber
  numbers: readonly BusinessNumber[]
  profile: Record<string, unknown>
  /** where webhooks go; null: nobody is subscribed */
  subscription: { url: string; verifyToken: string } | null
  phones: Phone[]
  media: Map<string, StoredMedia>
  /** files that the business has given, by the ids of their uploads */
  uploads: Map<string, StoredMedia>
  templates: MessageTemplate[]
  /** ids of messages of people that the business has marked as read */
  readByBusiness: Set<string>
  clock: () => Date
  random: SeededRandom
  origin: () => string
}

const HOUR = 3_600_000
/** Hours after a person's last message in which anything may be sent to them. */
export const WINDOW_HOURS = 24

/** What a person and a number said to each other. */
export const chatWith = ({ messages }: Phone, { numbers: [first] }: WhatsappState, number: BusinessNumber) =>
  messages.filter(({ number: of }) => (of ?? first?.id) === number.id)

/** Hours since the person wrote to a number, with those that count as passed; null: they never wrote. */
export function hoursSince(phone: Phone, state: WhatsappState, number: BusinessNumber): number | null {
  const at = chatWith(phone, state, number).findLast(({ from }) => from === 'person')?.at
  return at === undefined ? null : (state.clock().getTime() - at.getTime()) / HOUR + phone.hoursPassed
}

export const isWindowOpen = (phone: Phone, state: WhatsappState, number: BusinessNumber): boolean =>
  (hoursSince(phone, state, number) ?? WINDOW_HOURS) < WINDOW_HOURS
