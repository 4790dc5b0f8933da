import { z } from 'zod'
import { cleanText } from '../../../engine/values/cleanText'
import type { Json } from '../../../engine/values/json'
import { boundMessage } from './boundMessage'
import type { PersonId } from './people'

/** A person's message, as it came, with what is needed to store it. */
export interface InboundMessage {
  wamid: string
  person: PersonId
  sentAt: Date
  message: Json
}

/** What became of a message that was sent. */
export interface InboundStatus {
  wamid: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  /** what was given with the message */
  callbackData: string | null
  error: { code: number; words: string } | null
}

/** What a webhook says of one number. */
export interface NumberReport {
  numberId: string
  messages: InboundMessage[]
  statuses: InboundStatus[]
}

/** The most messages and statuses of one webhook: WhatsApp puts up to 1,000 into one. */
const MOST_ITEMS = 5_000

const text = z
  .string()
  .max(2_000)
  .regex(/^[^\0]*$/)
const envelope = z.object({ entry: z.array(z.unknown()).max(MOST_ITEMS) })
const entrySchema = z.object({ changes: z.array(z.unknown()).max(MOST_ITEMS) })
const changeSchema = z.object({
  field: z.literal('messages'),
  value: z.object({
    metadata: z.object({ phone_number_id: text }),
    contacts: z.array(z.unknown()).catch([]),
    messages: z.array(z.unknown()).catch([]),
    statuses: z.array(z.unknown()).catch([]),
  }),
})
const id = z
  .string()
  .max(512)
  // the database keeps no NUL
  .regex(/^[^\0]+$/)
const contactSchema = z.object({
  wa_id: text.optional(),
  user_id: text.optional(),
  profile: z.object({ name: z.string().catch('') }).catch({ name: '' }),
})
/** In seconds, as a text. */
const timestamp = z.string().regex(/^\d{1,11}$/)
const messageSchema = z.looseObject({ id, timestamp, from: text.optional(), from_user_id: text.optional() })
const statusSchema = z.object({
  id,
  status: z.enum(['sent', 'delivered', 'read', 'played', 'failed']),
  biz_opaque_callback_data: text.optional(),
  errors: z
    .array(
      z.object({
        code: z.int(),
        title: z.string().catch(''),
        error_data: z
          .object({ details: z.string().catch('') })
          .optional()
          .catch(undefined),
      }),
    )
    .catch([]),
})

/**
 * Reads a webhook. What is not known is passed over, part by part: kinds are added at any time, and one strange message
 * must not take the others along.
 */
export function readWebhook(body: unknown): NumberReport[] {
  const reports = new Map<string, NumberReport>()
  for (const entry of envelope.safeParse(body).data?.entry ?? [])
    for (const change of entrySchema.safeParse(entry).data?.changes ?? []) {
      const value = changeSchema.safeParse(change).data?.value
      if (!value) continue
      const numberId = value.metadata.phone_number_id
      const report = reports.get(numberId) ?? { numberId, messages: [], statuses: [] }
      reports.set(numberId, report)
      const contacts = value.contacts.flatMap((contact) => contactSchema.safeParse(contact).data ?? [])
      report.messages.push(...value.messages.flatMap((message) => readMessage(message, contacts)))
      report.statuses.push(...value.statuses.flatMap(readStatus))
    }
  return [...reports.values()]
}

type Contact = z.infer<typeof contactSchema>

function readMessage(given: unknown, contacts: readonly Contact[]): InboundMessage[] {
  const message = messageSchema.safeParse(given).data
  if (!message) return []
  const { from, from_user_id, timestamp: seconds } = message
  const contact =
    contacts.find(
      ({ wa_id, user_id }) =>
        (from !== undefined && wa_id === from) || (from_user_id !== undefined && user_id === from_user_id),
    ) ?? (contacts.length === 1 ? contacts[0] : undefined)
  const person = {
    userId: from_user_id ?? contact?.user_id ?? null,
    phone: from ?? contact?.wa_id ?? null,
    name: cleanText(contact?.profile.name.slice(0, 255) ?? ''),
  }
  if (person.userId === null && person.phone === null) return []
  return [
    { wamid: message.id, person, sentAt: new Date(Number(seconds) * 1_000), message: boundMessage(message as Json) },
  ]
}

function readStatus(given: unknown): InboundStatus[] {
  const found = statusSchema.safeParse(given).data
  if (!found) return []
  const [error] = found.errors
  return [
    {
      wamid: found.id,
      // a voice message that was played was read
      status: found.status === 'played' ? 'read' : found.status,
      callbackData: found.biz_opaque_callback_data ?? null,
      error: error
        ? { code: error.code, words: cleanText((error.error_data?.details || error.title).slice(0, 300)) }
        : null,
    },
  ]
}
