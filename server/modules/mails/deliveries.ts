import type { DeliveryState } from '../../contracts/mails'
import type { MailDeliveries } from './tables'

/** Later ones say more: whatever order they arrive in, the last one counts. A bounce may follow a delivery. */
const ORDER: readonly DeliveryState[] = ['accepted', 'deferred', 'delivered', 'opened', 'bounced', 'dropped', 'spam']
const PROBLEMS = ORDER.indexOf('bounced')

/** What became of a mail: the worst for any recipient, otherwise what is true for all that something is known of. */
export function deliveryOf(deliveries: MailDeliveries): DeliveryState | null {
  const places = Object.values(deliveries).map((told) => ORDER.findLastIndex((state) => told[state] !== undefined))
  if (places.length === 0) return null
  const worst = Math.max(...places)
  return ORDER[worst >= PROBLEMS ? worst : Math.min(...places)] ?? null
}

/** All that was told of a mail, in the order in which it happened. */
export const listDeliveries = (deliveries: MailDeliveries) =>
  Object.entries(deliveries)
    .flatMap(([recipient, told]) =>
      ORDER.flatMap((state) => {
        const event = told[state]
        return event ? [{ recipient, state, at: event.at, reason: event.reason }] : []
      }),
    )
    .sort((a, b) => a.at.localeCompare(b.at) || ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
