import { expect, test } from 'vitest'
import type { Reply } from '../../engine/flow/effects'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { Json } from '../../engine/values/json'
import { chose, flowAround, stillHost, typed } from '../../tests/support/conversations'
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
    if (effect.type !== 'call') return stillHost(effect)
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
