import { expect, test } from 'vitest'
import { sentReplySchema } from '../../engine/flow/conversation'
import type { Reply } from '../../engine/flow/effects'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { Json } from '../../engine/values/json'
import { chose, flowAround, stillRuntime, typed } from '../../tests/support/conversations'
import { registry } from '../registry'
import { calendlyBookingDefaults } from './schema'

const still = (value: string) => ({ type: 'static' as const, value })
const ready = {
  connection: 'c123456789012345',
  eventType: { id: 'https://calendly.example/event_types/A', name: 'Call' },
  name: still('Eve'),
  email: still('eve@b.co'),
}
const NINE = '2026-11-30T09:00:00Z'
const day = {
  ok: true,
  times: [
    { start: NINE, label: 'Mon 9:00' },
    { start: '2026-11-30T10:00:00Z', label: 'Mon 10:00' },
  ],
  more: '2026-11-30T11:00:00Z',
  nextDay: '2026-12-01T09:00:00Z',
}
const booking = {
  start: NINE,
  label: 'Mon 9:00',
  cancelUrl: 'https://c.example/c',
  rescheduleUrl: 'https://c.example/r',
}

function run(replies: Reply[], answers: Json[], data: object = {}) {
  const requests: Json[] = []
  const flow = flowAround('calendly-booking', { ...calendlyBookingDefaults(), ...ready, ...data }, { t: null, c: null })
  const { turns } = replay(createProgram(flow, registry), { replies }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push(effect.request)
    return answers[requests.length - 1] ?? null
  })
  const steps = turns.flatMap(({ trace }) => trace).filter(({ blockId }) => blockId === 'subject')
  return { requests, port: steps.at(-1)?.port, writes: Object.assign({}, ...steps.map(({ writes }) => writes)) }
}

test('books the time that was chosen, by a button or in words, and saves it with its links', () => {
  for (const reply of [chose('time-0'), typed('mon 9:00')]) {
    const saved = { saveTimeTo: 't', saveCancelTo: 'c' }
    const { requests, port, writes } = run([reply], [day, { ok: true, booking }], saved)
    expect(requests).toMatchObject([
      { action: 'times', from: null, most: 5, timeZone: 'UTC' },
      { action: 'book', start: NINE, name: 'Eve', email: 'eve@b.co', phone: '' },
    ])
    expect(port).toBe('success')
    expect(writes).toEqual({ t: 'Mon 9:00', c: 'https://c.example/c' })
  }
})

test('turns to later times and to other days', () => {
  const { requests } = run([chose('more'), chose('next-day')], [day, day, day])
  expect(requests).toMatchObject([{ from: null }, { from: day.more }, { from: day.nextDay }])
})

test('offers the next times when somebody was faster', () => {
  const answers: Json[] = [day, { ok: false, error: 'taken' }, day, { ok: true, booking }]
  const { requests, port } = run([chose('time-0'), chose('time-1')], answers)
  expect(requests[2]).toMatchObject({ action: 'times', from: NINE })
  expect(port).toBe('success')
})

test.each<[string, Reply[], Json[]]>([
  ['no-times', [], [{ ok: false, error: 'not-found' }]],
  ['failure', [], [{ ok: false, error: 'Refused.' }]],
  ['failure', [], ['nothing like it']],
  ['skip', [chose('skip')], [day]],
  ['failure', [chose('time-0')], [day, { ok: false, error: 'Refused.' }]],
  ['skip', Array.from({ length: 10 }, () => typed('what?')), Array.from({ length: 10 }, () => day)],
])('leaves by %s', (port, replies, answers) => {
  expect(run(replies, answers).port).toBe(port)
})

test('says what is not chosen yet, and names its connection', () => {
  const definition = registry.get('calendly-booking')
  const problems = definition.problems(calendlyBookingDefaults()).map(({ path }) => path)
  expect(problems).toEqual(['connection', 'eventType', 'name', 'email'])
  expect(definition.connections({ ...calendlyBookingDefaults(), ...ready })).toEqual([ready.connection])
  expect(run([], [], { connection: null }).port).toBe('failure')
})

const EVENT = 'b123456789012345'
const link = { ok: true, link: { url: 'https://c.example/d/1?utm_content=b123456789012345', event: EVENT } }
const told = (event: string, values: Record<string, Json> = booking): Reply => ({ type: 'event', event, values })
const saved = { saveTimeTo: 't', saveStateTo: 'c' }

test('offers the link where only Calendly’s page books, and goes on when it tells of the booking', () => {
  const alone = run([told(EVENT)], [link], { way: 'link', name: still(''), email: still(''), ...saved })
  expect(alone.requests).toEqual([
    {
      ...{ action: 'link', connection: ready.connection, eventType: ready.eventType.id, timeZone: 'UTC', language: '' },
      ...{ name: '', email: '', day: null },
      saves: { time: 't', start: null, reschedule: null, cancel: null, state: 'c' },
    },
  ])
  expect(alone).toMatchObject({ port: 'success', writes: { t: 'Mon 9:00', c: 'booked' } })
  expect(run([told(EVENT)], [{ ok: false, error: 'link' }, link])).toMatchObject({ port: 'success' })
  const late = run([chose('time-0'), told(EVENT)], [day, { ok: false, error: 'link' }, link])
  expect(late).toMatchObject({ port: 'success', requests: [{}, {}, { action: 'link', day: NINE, email: 'eve@b.co' }] })
})

test('keeps waiting at another event and at a reply that is none of its buttons', () => {
  const { requests, port } = run([told('another'), typed('Choose a time'), told(EVENT)], [link], { way: 'link' })
  expect(requests).toHaveLength(1)
  expect(port).toBe('success')
})

test('looks for the booking when the visitor says that there is one', () => {
  const answers: Json[] = [link, { ok: false, error: 'not-found' }, { ok: true, booking }]
  const { requests, port, writes } = run([typed('I have booked'), chose('booked')], answers, { way: 'link', ...saved })
  expect(requests[1]).toMatchObject({ action: 'find', event: EVENT })
  expect(port).toBe('success')
  expect(writes).toEqual({ t: 'Mon 9:00', c: 'booked' })
})

test.each<[string, Reply[], Json[]]>([
  ['skip', [chose('skip')], [link]],
  ['failure', [], [{ ok: false, error: 'Refused.' }]],
  ['failure', [], [{ ok: true }]],
  ['failure', [told(EVENT, { start: 7 })], [link]],
  ['failure', [chose('booked')], [link, { ok: false, error: 'Refused.' }]],
  ['skip', Array.from({ length: 10 }, () => typed('what?')), [link]],
])('leaves the link by %s', (port, replies, answers) => {
  expect(run(replies, answers, { way: 'link' }).port).toBe(port)
})

test('a visitor’s own reply is no event: nobody books by writing one', () => {
  expect(sentReplySchema.safeParse(told(EVENT)).success).toBe(false)
})
