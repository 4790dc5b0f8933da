import { type bookingSchema, bookingsEffect } from '../../../../engine/effects/bookings'
import { resultOf } from '../../../../engine/effects/defineEffect'
import { testEffectsOf } from '../../../../engine/flow/testEffects'
import type { ActionConfig } from '../../../../engine/values/agentActions'
import { bookingCaps } from '../../../../engine/values/bookings'
import { inTimeZone, isTimeZone, parseDate } from '../../../../engine/values/date'
import type { Json } from '../../../../engine/values/json'
import type { CallContext } from '../../../platform/effects/callContext'
import type { EffectHandler } from '../../../platform/effects/handleEffect'
import type { ActionCall, Outcome } from './actionCall'

type Needs = Pick<CallContext, 'project' | 'idempotencyKey' | 'signal' | 'writes'> & {
  conversation: Pick<CallContext['conversation'], 'id'> | null
}
/** Free times at a vendor, and the booking of one: the handler that the block has too. */
export type Bookings = Pick<EffectHandler<Needs>, 'answer'>
type Values = Readonly<Record<string, unknown>>

const ASK =
  'Not booked yet. Tell the visitor the time, the name and the email address, and ask whether to book. ' +
  'When they have agreed, call this again with the same values.'
const CANNOT = 'Appointments can’t be booked at the moment. Say so.'
const TAKEN = 'That time is no longer free. Offer other times.'

/**
 * Lists free times; with a `start`, asks the visitor first, and books when they were asked before (`call.agreed`).
 * What only Calendly's own page can book is booked there, by a button. Never throws.
 */
export async function appointment(
  bookings: Bookings,
  config: ActionConfig<'appointment'>,
  values: Values,
  call: ActionCall,
): Promise<Outcome> {
  const given = (name: string) => (typeof values[name] === 'string' ? values[name].trim() : '')
  const zone = given('time_zone') || config.time_zone
  if (!isTimeZone(zone)) return refused(`“${zone}” is no time zone. Give one such as Europe/Berlin, or none.`)
  const shared = { connection: config.connection, eventType: config.event_type.id, timeZone: zone, language: 'en' }
  const who = { name: given('name').slice(0, bookingCaps.name), email: given('email'), phone: given('phone') }
  const from = momentOf(given('from'), zone)
  if (from === undefined) return refused('from: Give a date as YYYY-MM-DD, or what an earlier list says.')
  const start = momentOf(given('start'), zone)
  if (start === undefined) return refused('start: Give the start of a listed time, exactly as it was listed.')
  if (start === null) return list()
  if (who.name === '' || who.email === '') return refused('Ask the visitor for their name and email address first.')
  return call.agreed === false ? ask(start) : book(start)

  async function answerOf(request: object, key = call.key) {
    const answer = await bookings.answer({ ...shared, ...request } as Json, {
      project: { id: call.projectId },
      conversation: call.call && { id: call.call.conversation.id },
      ...{ idempotencyKey: key, signal: call.signal, writes: call.writes },
    })
    const [effect] = testEffectsOf(answer)
    return { ...resultOf(bookingsEffect, answer), ...(effect && { effect }) }
  }

  async function list(): Promise<Outcome> {
    const { ok, error, times = [], more, nextDay } = await answerOf({ action: 'times', from, most: bookingCaps.times })
    if (!ok && error === 'link') return showPage()
    if (!ok && error !== 'not-found') return cannot(error)
    return {
      ok: true,
      answer: { ok: true, time_zone: zone, times, more: more ?? null, next_day: nextDay ?? null },
      detail: `${times.length} free times of “${config.event_type.name}”.`,
    }
  }

  async function ask(at: string): Promise<Outcome> {
    const { ok, error, times = [] } = await answerOf({ action: 'times', from: at, most: 1 })
    if (!ok && error === 'link') return showPage()
    if (!ok && error !== 'not-found') return cannot(error)
    const [time] = times
    if (!time || Date.parse(time.start) !== Date.parse(at)) return refused(TAKEN)
    const told = { booked: false, what_to_do: ASK, time: time.label, time_zone: zone, name: who.name, email: who.email }
    return { ok: true, answer: told, detail: `The visitor is asked first: ${time.label}, ${who.email}.` }
  }

  async function book(at: string): Promise<Outcome> {
    const { ok, error, booking, effect } = await answerOf({ action: 'book', start: at, ...who })
    if (!ok && error === 'link') return showPage()
    if (!ok && error === 'taken') return refused(TAKEN)
    if (!ok || !booking) return cannot(error)
    const buttons = buttonsOf(booking, config)
    return {
      ok: true,
      answer: { ok: true, booked: true, time: booking.label, time_zone: zone, email: who.email },
      detail: `${effect?.carriedOut === false ? 'Not booked, since this is a test' : 'Booked'}: ${booking.label}.`,
      ...(buttons.length > 0 && { parts: [{ type: 'buttons', text: '', buttons }] }),
      saved: booking.start,
      ...(effect && { effect }),
    }
  }

  /** Times that ask more than a call can answer, or a plan that books by the page alone. */
  async function showPage(): Promise<Outcome> {
    const request = { action: 'link', name: who.name, email: who.email, day: from }
    const { ok, error, link, note = '' } = await answerOf(request, `${call.key}.link`)
    if (!ok || !link) return cannot(error)
    return {
      ok: true,
      answer: { ok: true, booked: false, shown: 'The visitor sees a button to the booking page below your answer.' },
      detail: `Only Calendly’s page books this: a button is shown. ${note}`.trim(),
      parts: [{ type: 'booking', label: config.link_label, url: link.url }],
    }
  }
}

const refused = (error: string): Outcome => ({ ok: false, answer: { ok: false, error }, detail: error })
/** The editor is told why; visitors, by the model, only that it does not work. */
const cannot = (error = 'not-found'): Outcome => ({ ok: false, answer: { ok: false, error: CANNOT }, detail: error })

const buttonsOf = ({ rescheduleUrl, cancelUrl }: typeof bookingSchema._output, config: ActionConfig<'appointment'>) =>
  [
    { label: config.reschedule_label, url: rescheduleUrl },
    { label: config.cancel_label, url: cancelUrl },
  ].filter(({ url }) => /^https?:\/\//.test(url))

/** The instant that a date or a listed time is, in UTC; null for none, undefined for neither. */
function momentOf(text: string, zone: string): string | null | undefined {
  if (text === '') return null
  const day = parseDate(text, 'date')
  const moment = day === null ? parseDate(text.replace(/\.\d{1,3}(?=Z|[+-]|$)/i, ''), 'date-time') : `${day}T00:00`
  return moment === null ? undefined : new Date(inTimeZone(moment, zone)).toISOString()
}
