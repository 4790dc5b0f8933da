import type { Delivery } from '../../../contracts/conversations'

interface Row {
  /** null: the message has no row in the outbox, it is read where it was written */
  delivery: 'due' | 'sent' | 'dead' | null
  reached: 'delivered' | 'read' | null
  reason: string | null
}

/** How far a message has come, as its presenters say it. */
export function deliveryOf({ delivery, reached, reason }: Row): { delivery?: Delivery } {
  if (delivery === null) return {}
  return { delivery: { status: delivery === 'sent' ? (reached ?? 'sent') : delivery, reason } }
}
