import { bookingsEffect } from '../../engine/effects/bookings'
import type { ResultOf } from '../../engine/effects/defineEffect'
import { chosenIn } from '../../engine/flow/chosenIn'
import { defineBlock, type FieldProblem } from '../../engine/flow/defineBlock'
import type { Step } from '../../engine/flow/effects'
import { listening, listenPorts, timeoutOf } from '../../engine/flow/inputFields'
import { ask, call, note, read, say } from '../../engine/flow/steps'
import { counts } from '../../engine/values/caps'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { renderText } from '../../engine/values/render'
import { richTextVariables } from '../../engine/values/richText'
import { type Asked, offerLink } from './offerLink'
import { save, savesOf } from './save'
import { addLink, type CalendlyBookingData, calendlyBookingDefaults, calendlyBookingSchema } from './schema'

/** How many questions it asks at most, with those that only turn to other times. */
const QUESTIONS = 50

/**
 * Offers the free times of a day, and books the one that is chosen. Of a time that somebody took meanwhile the next
 * ones are offered. After an invalid reply it asks again, `attempts` times in a row. Where Calendly books from its own
 * page only, or the editor wants that, it offers a link to it and waits for the booking.
 */
export const calendlyBooking = defineBlock({
  kind: 'calendly-booking',
  category: 'other',
  title: 'Calendly',
  help: 'Shows free times and books the one that the visitor chooses.',
  schema: calendlyBookingSchema,
  defaults: calendlyBookingDefaults,
  migrations: [addLink],
  richTexts: ['prompt', 'takenText', 'linkText', 'notYetText'],
  visitorTexts: [
    ...['prompt', 'takenText', 'moreLabel', 'nextDayLabel', 'skipLabel'],
    ...['linkText', 'linkLabel', 'bookedLabel', 'notYetText'],
  ],
  ports: (data) => [
    { id: 'success', label: 'Booked' },
    { id: 'no-times', label: 'No times' },
    { id: 'skip', label: 'Skip' },
    ...listenPorts(data, 'skip'),
    { id: 'failure', label: 'Failure' },
  ],
  reads: (data) => [
    ...[data.prompt, data.takenText, data.linkText, data.notYetText].flatMap(richTextVariables),
    ...[data.moreLabel, data.nextDayLabel, data.skipLabel, data.linkLabel, data.bookedLabel].flatMap(
      dynamicValueVariables,
    ),
    ...[data.timeZone, data.name, data.email, data.phone].flatMap(dynamicValueVariables),
    'sys_language',
  ],
  writes: (data) =>
    [data.saveTimeTo, data.saveStartTo, data.saveRescheduleTo, data.saveCancelTo, data.saveStateTo].flatMap(
      (id) => id ?? [],
    ),
  needs: (data) => [data.timeZone, data.name, data.email, data.phone].flatMap(dynamicValueVariables),
  connections: ({ connection }) => (connection === null ? [] : [connection]),
  problems: (data) => {
    const found: FieldProblem[] = []
    if (data.connection === null) found.push({ path: 'connection', message: 'Choose a connection' })
    if (data.eventType === null) found.push({ path: 'eventType', message: 'Choose what can be booked' })
    // Calendly's page asks for them
    if (data.way === 'link') return found
    if (isBlankValue(data.name)) found.push({ path: 'name', message: 'Enter the name of who books' })
    if (isBlankValue(data.email)) found.push({ path: 'email', message: 'Enter the email address of who books' })
    return found
  },
  *run(data) {
    const { connection, eventType } = data
    const variables = yield* read()
    if (!connection || !eventType) {
      yield* note('Choose the connection and what can be booked in the block’s settings.')
      return 'failure'
    }
    const [name, email, phone, timeZone] = [data.name, data.email, data.phone, data.timeZone].map((value) =>
      renderText(value, variables).trim(),
    ) as [string, string, string, string]
    const language = `${variables.sys_language ?? ''}`
    const shared = { connection, eventType: eventType.id, timeZone, language }
    const asked: Asked = { shared, name, email, day: null }
    return data.way === 'link' ? yield* offerLink(data, asked) : yield* offerTimes(data, asked, phone)
  },
})

type Result = ResultOf<typeof bookingsEffect>
type Exit = 'success' | 'no-times' | 'skip' | 'no-reply' | 'failure'

function* offerTimes(data: CalendlyBookingData, asked: Asked, phone: string): Step<Exit> {
  const { shared, name, email } = asked
  let from: string | null = null
  let invalid = 0
  let isPrompted = false
  for (let count = 0; count < QUESTIONS && invalid < counts.attempts; count++) {
    const day: Result = yield* call(bookingsEffect, { action: 'times', ...shared, from, most: data.times })
    if (day.error === 'link') return yield* offerLink(data, asked)
    if (!isPrompted) yield* say(data.prompt)
    isPrompted = true
    if (!day.ok || !day.times) {
      if (day.error === 'not-found') return 'no-times'
      if (day.error) yield* note(day.error)
      return 'failure'
    }
    const labels = yield* read()
    const turn = (id: string, label: CalendlyBookingData['skipLabel']) => ({ id, label: renderText(label, labels) })
    const options = [
      ...day.times.map(({ label }, at) => ({ id: `time-${at}`, label })),
      ...(day.more ? [turn('more', data.moreLabel)] : []),
      ...(day.nextDay ? [turn('next-day', data.nextDayLabel)] : []),
      turn('skip', data.skipLabel),
    ].filter(({ label }) => label.trim() !== '')
    const reply = yield* ask(
      { input: 'choice', ...timeoutOf(data), multiple: false, typing: false, placeholder: '', options },
      listening(data),
    )
    if (reply.type === 'timeout') return 'no-reply'
    const [chosen] = chosenIn(options, reply, false)
    if (!chosen) {
      invalid++
      continue
    }
    invalid = 0
    if (chosen.id === 'skip') return 'skip'
    if (chosen.id === 'more' || chosen.id === 'next-day') {
      from = (chosen.id === 'more' ? day.more : day.nextDay) ?? from
      continue
    }
    const start = day.times[Number(chosen.id.slice('time-'.length))]?.start ?? ''
    const book = { action: 'book' as const, ...shared, start, name, email, phone, ...savesOf(data) }
    const booked: Result = yield* call(bookingsEffect, book)
    if (booked.ok && booked.booking) {
      yield* save(data, booked.booking)
      return 'success'
    }
    if (booked.error === 'link') return yield* offerLink(data, { ...asked, day: start })
    if (booked.error !== 'taken') {
      if (booked.error) yield* note(booked.error)
      return 'failure'
    }
    yield* say(data.takenText)
    from = start
  }
  return 'skip'
}
