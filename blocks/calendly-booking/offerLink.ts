import { bookingSchema, bookingsEffect } from '../../engine/effects/bookings'
import type { ResultOf } from '../../engine/effects/defineEffect'
import { chosenIn } from '../../engine/flow/chosenIn'
import type { Step } from '../../engine/flow/effects'
import { listening, timeoutOf } from '../../engine/flow/inputFields'
import { ask, call, note, read, say } from '../../engine/flow/steps'
import { bookingCaps } from '../../engine/values/bookings'
import { counts } from '../../engine/values/caps'
import { renderText } from '../../engine/values/render'
import { save, savesOf } from './save'
import type { CalendlyBookingData } from './schema'

/** What is known when a link is offered. */
export interface Asked {
  shared: { connection: string; eventType: string; timeZone: string; language: string }
  name: string
  email: string
  /** the day that its page opens with */
  day: string | null
}

/**
 * Offers Calendly's page for one booking, and waits until somebody has booked there: Calendly tells so, or the visitor
 * says so and it is looked for.
 */
export function* offerLink(
  data: CalendlyBookingData,
  { shared, name, email, day }: Asked,
): Step<'success' | 'skip' | 'no-reply' | 'failure'> {
  const made: ResultOf<typeof bookingsEffect> = yield* call(bookingsEffect, {
    ...{ action: 'link', ...shared, day },
    ...{ name: name.slice(0, bookingCaps.name), email: email.slice(0, bookingCaps.email), ...savesOf(data) },
  })
  if (made.note) yield* note(made.note)
  if (!made.ok || !made.link) {
    if (made.error) yield* note(made.error)
    return 'failure'
  }
  const { url, event } = made.link
  yield* say(data.linkText)
  const labels = yield* read()
  const options = [
    { id: 'link', label: renderText(data.linkLabel, labels), url },
    { id: 'booked', label: renderText(data.bookedLabel, labels) },
    { id: 'skip', label: renderText(data.skipLabel, labels) },
  ].filter(({ id, label }) => id === 'link' || label.trim() !== '')
  for (let attempt = 1; attempt <= counts.attempts; attempt++) {
    const reply = yield* ask(
      { input: 'choice', ...timeoutOf(data), event, multiple: false, typing: false, placeholder: '', options },
      listening(data),
    )
    if (reply.type === 'timeout') return 'no-reply'
    if (reply.type === 'event') {
      const booking = bookingSchema.safeParse(reply.values).data
      if (!booking) return 'failure'
      yield* save(data, booking)
      return 'success'
    }
    const [chosen] = chosenIn(options, reply, false)
    if (chosen?.id === 'skip') return 'skip'
    if (chosen?.id !== 'booked') continue
    const found: ResultOf<typeof bookingsEffect> = yield* call(bookingsEffect, { action: 'find', ...shared, event })
    if (found.ok && found.booking) {
      yield* save(data, found.booking)
      return 'success'
    }
    if (found.error !== 'not-found') {
      if (found.error) yield* note(found.error)
      return 'failure'
    }
    yield* say(data.notYetText)
  }
  return 'skip'
}
