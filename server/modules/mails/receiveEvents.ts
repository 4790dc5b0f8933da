import { z } from 'zod'
import { cleanText } from '../../../engine/values/cleanText'
import type { DeliveryState } from '../../contracts/mails'
import type { Installation } from '../../platform/installation'
import type { MailAddresses, MailDeliveries } from './tables'

/** SendGrid's names; others (clicks, which are not tracked, and lists of its own) say nothing of a delivery. */
const STATES: Readonly<Record<string, DeliveryState>> = {
  processed: 'accepted',
  deferred: 'deferred',
  delivered: 'delivered',
  open: 'opened',
  bounce: 'bounced',
  dropped: 'dropped',
  spamreport: 'spam',
}

const eventSchema = z.object({
  // what createSendgrid gave along: the Message-ID
  parley_id: z.string().max(400),
  email: z.string().max(400),
  event: z.string().max(40),
  timestamp: z.number().int().min(0).max(4e9),
  reason: z.string().optional(),
  response: z.string().optional(),
})
type MailEvent = z.infer<typeof eventSchema>

/**
 * Notes what a delivery service tells of mails. Each state of a recipient is kept once, with when and why it began, so
 * events that arrive twice or in another order change nothing, and a mail keeps no more than its recipients have
 * states. A mail that a crash left as being sent was sent, if anything is told of it.
 * @param events as they came: what is no event of a mail of ours is left out
 */
export async function receiveEvents({ db }: Pick<Installation, 'db'>, events: readonly unknown[]): Promise<void> {
  const byMail = new Map<string, MailEvent[]>()
  for (const given of events) {
    const { data } = eventSchema.safeParse(given)
    if (data && STATES[data.event]) byMail.set(data.parley_id, [...(byMail.get(data.parley_id) ?? []), data])
  }
  if (byMail.size === 0) return
  const mails = await db
    .selectFrom('mails')
    .select(['id', 'project_id', 'message_id'])
    .where('message_id', 'in', [...byMail.keys()])
    .execute()
  for (const { id, project_id, message_id } of mails)
    await db
      .forProject(project_id)
      .transaction()
      .execute(async (work) => {
        const row = await work
          .selectFrom('mails')
          .select(['addresses', 'deliveries', 'status'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (!row) return
        const deliveries = added(row, byMail.get(message_id) ?? [])
        const wasSent = row.status === 'sending' && Object.keys(deliveries).length > 0
        await work
          .updateTable('mails')
          .set({ deliveries: JSON.stringify(deliveries), ...(wasSent && { status: 'sent' }) })
          .where('id', '=', id)
          .execute()
      })
}

function added(
  { addresses: { to, cc, bcc }, deliveries }: { addresses: MailAddresses; deliveries: MailDeliveries },
  events: readonly MailEvent[],
): MailDeliveries {
  // the same address twice: as it is written first
  const recipients = new Map([...to, ...cc, ...bcc].reverse().map((address) => [address.toLowerCase(), address]))
  const all: MailDeliveries = { ...deliveries }
  for (const { email, event, timestamp, reason, response } of events) {
    const recipient = recipients.get(email.toLowerCase())
    const state = STATES[event]
    if (recipient === undefined || state === undefined) continue
    const at = new Date(timestamp * 1_000).toISOString()
    const known = all[recipient]?.[state]
    if (known && known.at <= at) continue
    const why = reason ?? (state === 'deferred' ? response : undefined)
    all[recipient] = { ...all[recipient], [state]: { at, reason: why ? cleanText(why).slice(0, 500) : null } }
  }
  return all
}
