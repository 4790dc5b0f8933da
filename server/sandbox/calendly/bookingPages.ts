import { type Answer, type Call, fieldsOf, one, Refusal } from '../call'
import { type Html, html } from '../pages/html'
import { page } from '../pages/page'
import type { Route } from '../routes'
import type { Bookings } from './bookings'
import type { Booking, CalendlyState, EventType } from './state'
import { freeTimes } from './times'

const DAYS_SHOWN = 7
const DAY = 86_400_000

/** What people who book see: a page for each kind of event and each link, and pages to cancel and to move a booking. */
export function bookingPages(state: CalendlyState, bookings: Bookings): Route[] {
  const ours = (method: 'GET' | 'POST', path: string, handle: Route['handle']): Route => ({
    method,
    path,
    ours: true,
    handle,
  })
  const ofSlug = ({ params }: Call) => state.eventTypes.find(({ slug, active }) => active && slug === params.slug)
  const ofLink = ({ params }: Call) => state.links.get(params.key ?? '')
  const ofInvitee = ({ params }: Call) => state.bookings.find(({ invitee }) => invitee.uuid === params.uuid)
  const gone = (text: string) =>
    page({ vendor: 'Calendly', title: 'This link is not valid', content: html`<p>${text}</p>` }, 404)

  const book = (call: Call, eventType: EventType): Answer => {
    const form = formOf(call)
    const start = new Date(form.start ?? '')
    const name = (form.name ?? '').trim()
    const email = (form.email ?? '').trim()
    const problem = whatIsWrong(name, email, start)
    if (problem) return timesPage(state, eventType, call, problem)
    const answers = eventType.questions.map((question, position) => ({
      question: question.name,
      answer: form[`a${position + 1}`] ?? '',
      position,
    }))
    const tracking = Object.fromEntries(
      Object.entries(call.query)
        .filter(([key]) => key.startsWith('utm_'))
        .map(([key, value]) => [key, one(value) ?? null]),
    )
    try {
      const booking = bookings.book({
        eventType,
        start,
        invitee: { name, email, timezone: 'Etc/UTC', answers, tracking },
      })
      return bookedPage(booking, 'You are booked')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return timesPage(state, eventType, call, problemOf(error))
    }
  }
  return [
    ours('GET', '/ada/{slug}', (call) => {
      const found = ofSlug(call)
      return found ? timesPage(state, found, call) : gone('There is no such kind of event.')
    }),
    ours('POST', '/ada/{slug}', (call) => {
      const found = ofSlug(call)
      return found ? book(call, found) : gone('There is no such kind of event.')
    }),
    ours('GET', '/d/{key}/{slug}', (call) => {
      const link = ofLink(call)
      return link && !link.used ? timesPage(state, link.eventType, call) : gone('It was used already, or never made.')
    }),
    ours('POST', '/d/{key}/{slug}', (call) => {
      const link = ofLink(call)
      if (!link || link.used) return gone('It was used already, or never made.')
      const before = state.bookings.length
      const answer = book(call, link.eventType)
      link.used = state.bookings.length > before
      return answer
    }),
    ours('GET', '/cancellations/{uuid}', (call) => {
      const booking = ofInvitee(call)
      return booking ? cancelPage(booking) : gone('There is no such booking.')
    }),
    ours('POST', '/cancellations/{uuid}', (call) => {
      const booking = ofInvitee(call)
      if (!booking) return gone('There is no such booking.')
      if (!booking.canceled) bookings.cancel(booking, 'invitee', formOf(call).reason ?? '')
      return bookedPage(booking, 'The booking is cancelled')
    }),
    ours('GET', '/reschedulings/{uuid}', (call) => {
      const booking = ofInvitee(call)
      return booking && !booking.canceled
        ? movePage(state, booking)
        : gone('There is no such booking, or it is cancelled.')
    }),
    ours('POST', '/reschedulings/{uuid}', (call) => {
      const booking = ofInvitee(call)
      if (!booking || booking.canceled) return gone('There is no such booking, or it is cancelled.')
      try {
        return bookedPage(bookings.reschedule(booking, new Date(formOf(call).start ?? '')), 'The booking was moved')
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return movePage(state, booking, problemOf(error))
      }
    }),
  ]
}

const formOf = ({ body }: Call) => fieldsOf(body) as Record<string, string>

const whatIsWrong = (name: string, email: string, start: Date): string | null => {
  if (Number.isNaN(start.getTime())) return 'Choose a time.'
  if (name === '') return 'Enter your name.'
  return /^[^\s@]+@[^\s@]+$/.test(email) ? null : `“${email}” is no email address: write it as ada@example.com.`
}

const problemOf = ({ answer }: Refusal): string => {
  const { message, details } = answer.body as { message: string; details?: { parameter: string; message: string }[] }
  return details?.map(({ parameter, message: why }) => `${parameter} ${why}`).join('; ') ?? message
}

function timeChoices(state: CalendlyState, eventType: EventType, chosen?: string): Html {
  const from = new Date(state.clock().getTime() + 1_000)
  const times = freeTimes(
    state,
    eventType,
    from.toISOString(),
    new Date(from.getTime() + DAYS_SHOWN * DAY - 1_000).toISOString(),
  )
  if (times.length === 0) return html`<p>No time is free in the next ${DAYS_SHOWN} days.</p>`
  return html`<label for="start">Time (UTC)</label><select id="start" name="start">${times.map(
    (time) =>
      html`<option value="${time.toISOString()}"${time.toISOString() === chosen && html` selected`}>${writeTime(time)}</option>`,
  )}</select>`
}

function timesPage(state: CalendlyState, eventType: EventType, call: Call, problem?: string): Answer {
  const before = {
    ...Object.fromEntries(Object.entries(call.query).map(([key, value]) => [key, one(value)])),
    ...formOf(call),
  }
  const questions = eventType.questions.map(
    ({ name, required }, at) => html`<p><label for="a${at + 1}">${name}</label>
<input id="a${at + 1}" name="a${at + 1}" value="${before[`a${at + 1}`]}"${required && html` required`}></p>`,
  )
  const content = html`<form method="post" class="card narrow">
${problem && html`<p class="error" role="alert">${problem}</p>`}
<p>${eventType.minutes} minutes with ${state.people[0].name}.</p>
${timeChoices(state, eventType, before.start)}
<p><label for="name">Your name</label><input id="name" name="name" autocomplete="name" required maxlength="255" value="${before.name}"></p>
<p><label for="email">Your email address</label><input id="email" name="email" type="email" autocomplete="email" required maxlength="255" value="${before.email}"></p>
${questions}
<button>Book</button>
</form>`
  return page({ vendor: 'Calendly', title: eventType.name, content }, problem ? 400 : 200)
}

function cancelPage(booking: Booking): Answer {
  if (booking.canceled) return bookedPage(booking, 'The booking is cancelled')
  const content = html`<form method="post" class="card narrow">${details(booking)}
<p><label for="reason">Why? (may be left empty)</label><textarea id="reason" name="reason" maxlength="10000"></textarea></p>
<button class="danger">Cancel the booking</button></form>`
  return page({ vendor: 'Calendly', title: 'Cancel the booking?', content })
}

function movePage(state: CalendlyState, booking: Booking, problem?: string): Answer {
  const content = html`<form method="post" class="card narrow">
${problem && html`<p class="error" role="alert">${problem}</p>`}${details(booking)}
<p>${timeChoices(state, booking.eventType)}</p><button>Move the booking</button></form>`
  return page({ vendor: 'Calendly', title: 'Move the booking', content }, problem ? 400 : 200)
}

const bookedPage = (booking: Booking, title: string): Answer =>
  page({ vendor: 'Calendly', title, content: html`<div class="card narrow">${details(booking)}</div>` })

const details = ({ eventType, start, invitee }: Booking) => html`<dl><dt>What</dt><dd>${eventType.name}</dd>
<dt>When</dt><dd>${writeTime(start)}</dd><dt>Who</dt><dd>${invitee.name} (${invitee.email})</dd></dl>`

/** `Mon, 5 Jan 2026, 09:00 UTC` */
const writeTime = (time: Date): string =>
  `${time.toLocaleString('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' })} UTC`
