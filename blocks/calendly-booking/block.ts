import { bookingsEffect } from '../../engine/effects/bookings'
import type { ResultOf } from '../../engine/effects/defineEffect'
import { chosenIn } from '../../engine/flow/chosenIn'
import { defineBlock, type FieldProblem } from '../../engine/flow/defineBlock'
import { listening, listenPorts, timeoutOf } from '../../engine/flow/inputFields'
import { ask, call, note, read, say, setVariable } from '../../engine/flow/steps'
import { counts } from '../../engine/values/caps'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { renderText } from '../../engine/values/render'
import { richTextVariables } from '../../engine/values/richText'
import { type CalendlyBookingData, calendlyBookingDefaults, calendlyBookingSchema } from './schema'

/** How many questions it asks at most, with those that only turn to other times. */
const QUESTIONS = 50

/**
 * Offers the free times of a day, and books the one that is chosen. Of a time that somebody took meanwhile the next
 * ones are offered. After an invalid reply it asks again, `attempts` times in a row.
 */
export const calendlyBooking = defineBlock({
  kind: 'calendly-booking',
  category: 'other',
  title: 'Calendly',
  help: 'Shows free times and books the one that the visitor chooses.',
  schema: calendlyBookingSchema,
  defaults: calendlyBookingDefaults,
  richTexts: ['prompt', 'takenText'],
  visitorTexts: ['prompt', 'takenText', 'moreLabel', 'nextDayLabel', 'skipLabel'],
  ports: (data) => [
    { id: 'success', label: 'Booked' },
    { id: 'no-times', label: 'No times' },
    { id: 'skip', label: 'Skip' },
    ...listenPorts(data, 'skip'),
    { id: 'failure', label: 'Failure' },
  ],
  reads: (data) => [
    ...richTextVariables(data.prompt),
    ...richTextVariables(data.takenText),
    ...[data.moreLabel, data.nextDayLabel, data.skipLabel].flatMap(dynamicValueVariables),
    ...[data.timeZone, data.name, data.email, data.phone].flatMap(dynamicValueVariables),
    'sys_language',
  ],
  writes: (data) =>
    [data.saveTimeTo, data.saveStartTo, data.saveRescheduleTo, data.saveCancelTo].flatMap((id) => id ?? []),
  needs: (data) => [data.timeZone, data.name, data.email, data.phone].flatMap(dynamicValueVariables),
  connections: ({ connection }) => (connection === null ? [] : [connection]),
  problems: (data) => {
    const found: FieldProblem[] = []
    if (data.connection === null) found.push({ path: 'connection', message: 'Choose a connection' })
    if (data.eventType === null) found.push({ path: 'eventType', message: 'Choose what can be booked' })
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
    yield* say(data.prompt)
    let from: string | null = null
    let invalid = 0
    for (let asked = 0; asked < QUESTIONS && invalid < counts.attempts; asked++) {
      const day: Result = yield* call(bookingsEffect, { action: 'times', ...shared, from, most: data.times })
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
      const booked: Result = yield* call(bookingsEffect, { action: 'book', ...shared, start, name, email, phone })
      if (booked.ok && booked.booking) {
        yield* save(data, booked.booking)
        return 'success'
      }
      if (booked.error !== 'taken') {
        if (booked.error) yield* note(booked.error)
        return 'failure'
      }
      yield* say(data.takenText)
      from = start
    }
    return 'skip'
  },
})

type Result = ResultOf<typeof bookingsEffect>

function* save(data: CalendlyBookingData, booking: NonNullable<Result['booking']>) {
  if (data.saveTimeTo) yield* setVariable(data.saveTimeTo, booking.label)
  if (data.saveStartTo) yield* setVariable(data.saveStartTo, booking.start)
  if (data.saveRescheduleTo) yield* setVariable(data.saveRescheduleTo, booking.rescheduleUrl)
  if (data.saveCancelTo) yield* setVariable(data.saveCancelTo, booking.cancelUrl)
}
