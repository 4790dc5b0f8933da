import { expect, test } from 'vitest'
import { staticValue } from '../../engine/values/dynamicValue'
import { runKind, skipped, typed } from '../../tests/support/conversations'
import { importBlock } from '../../tests/support/typebot'
import { dateInput } from './block'
import { dateInputDefaults, dateInputSchema } from './schema'

const data = (change: object = {}) => ({ ...dateInputDefaults(), saveTo: 'when', ...change })
const kept = (change: object, text: string, variables = {}) =>
  runKind('date-input', data(change), { variables, replies: [typed(text)] }).variables.when

test.each([
  [{}, ' 2026-11-21 ', '2026-11-21'],
  [{}, '2026-02-30', undefined],
  [{ mode: 'time' }, '09:30', '09:30'],
  [{ mode: 'date-time' }, '2026-11-21 09:30', '2026-11-21T09:30'],
  [{ mode: 'date-time' }, '2026-11-21T09:30-05:00', '2026-11-21T09:30-05:00'],
  [{ mode: 'date-time', timeZone: 'Europe/Berlin' }, '2026-11-21T09:30', '2026-11-21T09:30+01:00'],
  [{ mode: 'date-time', timeZone: 'Europe/Berlin' }, '2026-11-21T09:30Z', '2026-11-21T10:30+01:00'],
  [{ timeZone: 'Europe/Berlin' }, '2026-11-21', '2026-11-21'],
  [{ range: true }, '2026-11-21/2026-11-23', '2026-11-21/2026-11-23'],
  [{ range: true }, ' 2026-11-21 / 2026-11-21 ', '2026-11-21/2026-11-21'],
  [{ range: true }, '2026-11-23/2026-11-21', undefined],
  [{ range: true }, '2026-11-21', undefined],
  [{ range: true }, '2026-11-21/2026-11-22/2026-11-23', undefined],
  [{}, '2026-11-21/2026-11-22', undefined],
  [{ range: true, mode: 'time' }, '22:00/06:00', '22:00/06:00'],
])('with %j, %j is kept as %j', (change, text, expected) => {
  expect(kept(change, text)).toBe(expected)
})

test('the first and the last that are taken are taken, what lies beyond is not, and it says why', () => {
  const limits = { min: staticValue('2026-11-10'), max: staticValue('2026-11-20') }
  expect(kept(limits, '2026-11-10')).toBe('2026-11-10')
  expect(kept(limits, '2026-11-20')).toBe('2026-11-20')
  const run = runKind('date-input', data(limits), { replies: ['2026-11-09', '2026-11-21'].map(typed) })
  expect(run.said).toEqual(Array(2).fill('Must be from 2026-11-10 to 2026-11-20'))
  expect(run.request).toMatchObject({ input: 'date', mode: 'date', range: false, min: '2026-11-10', max: '2026-11-20' })
  expect(kept({ ...limits, range: true }, '2026-11-10/2026-11-21')).toBeUndefined()
})

test('today and now move with time, by the clock of the zone', () => {
  // these tests run at 2026-11-21T10:00Z
  const today = { min: staticValue('today') }
  expect(runKind('date-input', data(today)).request).toMatchObject({ min: '2026-11-21' })
  expect(kept(today, '2026-11-20')).toBeUndefined()
  const kiritimati = { ...today, timeZone: 'Pacific/Kiritimati' }
  expect(runKind('date-input', data(kiritimati)).request).toMatchObject({
    min: '2026-11-22',
    timeZone: 'Pacific/Kiritimati',
  })
  const day = { mode: 'date-time', min: staticValue('today'), max: staticValue('today') }
  expect(runKind('date-input', data(day)).request).toMatchObject({ min: '2026-11-21T00:00', max: '2026-11-21T23:59' })
  const now = { mode: 'date-time', max: staticValue('now'), timeZone: 'America/New_York' }
  expect(runKind('date-input', data(now)).request).toMatchObject({ max: '2026-11-21T05:00' })
})

test('a limit may be a variable; what it gives that is no date limits nothing', () => {
  const min = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'from' }] }
  expect(kept({ min }, '2026-11-20', { from: '2026-11-21' })).toBeUndefined()
  expect(kept({ min }, '2026-11-20', { from: 'soon' })).toBe('2026-11-20')
  expect(dateInput.reads(dateInputSchema.parse(data({ min })))).toContain('from')
})

test('says what a date looks like, unless there is a text of one’s own', () => {
  const said = (change: object) =>
    runKind('date-input', data(change), { replies: [typed('tomorrow'), typed('')] }).said[0]
  expect(said({})).toBe('Enter a date such as 2026-11-21')
  expect(said({ mode: 'time', range: true })).toBe('Enter from and to as 09:30/17:00')
  expect(said({ retryText: [{ type: 'paragraph', children: [{ text: 'When?' }] }] })).toBe('When?')
})

test('can be skipped when it is optional, and leaves by invalid after the last attempt', () => {
  expect(runKind('date-input', data({ required: false }), { replies: [skipped] }).port).toBe('skip')
  expect(runKind('date-input', data({ attempts: 1 }), { replies: [typed('tomorrow')] }).port).toBe('invalid')
})

test.each([
  [{ min: staticValue('2026-11-21'), max: staticValue('2026-11-20') }, 'max', 'Must not be before the earliest'],
  [{ min: staticValue('soon') }, 'min', 'Enter a date such as 2026-11-21'],
  [{ mode: 'time', min: staticValue('today') }, 'min', 'Enter a time such as 09:30'],
  [{ timeZone: 'Berlin' }, 'timeZone', 'Choose a time zone'],
])('%j is said at %s: %s', (change, field, message) => {
  const issue = dateInputSchema.safeParse(data(change)).error?.issues[0]
  expect([issue?.path[0], issue?.message]).toEqual([field, message])
})

test('is what a date input of another product becomes', () => {
  const options = {
    hasTime: false,
    isRange: true,
    min: '2026-11-21T00:00',
    max: 'soon',
    format: 'dd/MM',
    labels: { from: 'From:' },
  }
  expect(importBlock({ type: 'date input', options })).toMatchObject({
    kind: 'date-input',
    data: { mode: 'date', range: true, min: staticValue('2026-11-21'), max: staticValue('') },
    notes: [
      'The format of its answer is left out: answers are kept as 2026-11-21.',
      "The latest date 'soon' is not one and is left out.",
    ],
  })
})
