import { createHmac } from 'node:crypto'
import type { WebhookSender } from '../webhooks'
import { invalid, refuseCalendly } from './errors'
import { presentEvent, presentInvitee } from './present'
import { type Booking, type CalendlyState, type EventType, type Invitee, type Subscription, uris } from './state'
import { isFree } from './times'

export interface NewBooking {
  eventType: EventType
  start: Date
  invitee: Pick<Invitee, 'name' | 'email' | 'timezone'> & Partial<Pick<Invitee, 'answers' | 'tracking'>>
}

/** How long deliveries may fail until a subscription is switched off. */
const PATIENCE = 86_400_000

/** What happens to bookings, each of which is told to those who asked for it. */
export class Bookings {
  constructor(
    private readonly state: CalendlyState,
    private readonly webhooks: WebhookSender,
  ) {}

  /** @throws a Refusal for a time that is not free, and for a required question without an answer */
  book(given: NewBooking): Booking {
    const booking = this.#add(given, null)
    this.#tell('invitee.created', booking)
    return booking
  }

  cancel(booking: Booking, by: 'host' | 'invitee', reason: string): Booking {
    if (booking.canceled) throw refuseCalendly(403, 'Permission Denied', 'Event is already canceled')
    this.#end(booking, by, reason)
    this.#tell('invitee.canceled', booking)
    return booking
  }

  /** Two events: the old booking is cancelled, the new one created. */
  reschedule(booking: Booking, start: Date): Booking {
    if (booking.canceled) throw refuseCalendly(403, 'Permission Denied', 'Event is already canceled')
    const { eventType, invitee } = booking
    const next = this.#add({ eventType, start, invitee }, booking)
    booking.invitee.newBooking = next
    this.#end(booking, 'invitee', '')
    this.#tell('invitee.canceled', booking)
    this.#tell('invitee.created', next)
    return next
  }

  #add({ eventType, start, invitee }: NewBooking, oldBooking: Booking | null): Booking {
    if (!eventType.active) throw invalid('event_type', 'is not active')
    if (!isFree(this.state, eventType, start)) throw invalid('start_time', 'is not available')
    const missing = eventType.questions.find(
      ({ name, required }) => required && !invitee.answers?.some(({ question, answer }) => question === name && answer),
    )
    if (missing) throw invalid('questions_and_answers', `${missing.name} must be answered`)
    const now = this.state.clock()
    const booking: Booking = {
      uuid: this.state.random.text(16),
      eventType,
      start,
      end: new Date(start.getTime() + eventType.minutes * 60_000),
      canceled: null,
      createdAt: now,
      invitee: {
        uuid: this.state.random.text(16),
        name: invitee.name,
        email: invitee.email,
        timezone: invitee.timezone,
        answers: invitee.answers ?? [],
        tracking: invitee.tracking ?? {},
        oldBooking,
        newBooking: null,
        updatedAt: now,
      },
    }
    this.state.bookings.push(booking)
    return booking
  }

  #end(booking: Booking, by: 'host' | 'invitee', reason: string): void {
    booking.canceled = { reason, by, at: this.state.clock() }
    booking.invitee.updatedAt = this.state.clock()
  }

  #tell(event: string, booking: Booking): void {
    const scheduled_event = presentEvent(this.state, booking)
    const payload = { ...presentInvitee(this.state, booking), scheduled_event }
    const created_by = uris(this.state.origin()).user(this.state.people[0])
    const body = { event, created_at: this.state.clock().toISOString(), created_by, payload }
    for (const subscription of this.state.subscriptions) {
      if (subscription.state !== 'active' || !subscription.events.includes(event)) continue
      this.webhooks.send({
        event,
        url: subscription.url,
        body,
        headers: (raw, at) => sign(raw, at, subscription.signingKey),
        wrongHeaders: (raw, at) => sign(raw, at, `not ${subscription.signingKey}`),
        onAnswer: (status) => this.#note(subscription, status),
      })
    }
  }

  #note(subscription: Subscription, status: number | null): void {
    const now = this.state.clock()
    if (status !== null && status >= 200 && status < 300) subscription.failingSince = null
    else subscription.failingSince ??= now
    const since = subscription.failingSince
    if (since && now.getTime() - since.getTime() >= PATIENCE) subscription.state = 'disabled'
  }
}

/** `t=<seconds>,v1=<hex>` over the time, a dot and the bytes of the body */
function sign(raw: string, at: Date, key: string): Record<string, string> {
  const t = Math.floor(at.getTime() / 1_000)
  const v1 = createHmac('sha256', key).update(`${t}.${raw}`).digest('hex')
  return { 'calendly-webhook-signature': `t=${t},v1=${v1}` }
}
