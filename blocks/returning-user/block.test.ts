import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import { flowAround, runKind, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { returningUser } from './block'

const begins = (days: number, awayDays?: number) =>
  returningUser.startsOn?.(
    { days, saveDays: null },
    { type: 'start', ...(awayDays !== undefined && { awayDays }) },
    'b',
  )

test('begins for who has been away long enough, never on a first visit', () => {
  expect(begins(3, 2)).toBe(false)
  expect(begins(3, 3)).toBe(true)
  expect(begins(0, 0)).toBe(true)
  expect(begins(0)).toBe(false)
})

test('comes before the start, and keeps the days', () => {
  const flow = flowAround('returning-user', { days: 3, saveDays: 'away' }, { away: null })
  const program = createProgram(flow, registry)
  const path = (awayDays: number) => replay(program, { event: { type: 'start', awayDays }, replies: [] }, stillRuntime)
  expect(path(5).turns[0]).toMatchObject({ trace: [{ blockId: 'subject' }], variables: { away: 5 } })
  expect(path(1).turns[0]?.trace[0]).toMatchObject({ blockId: 'start' })
})

test('entered by an edge it goes on and keeps nothing', () => {
  expect(runKind('returning-user', { days: 3, saveDays: 'away' }, { variables: { away: 'old' } })).toMatchObject({
    port: 'next',
    variables: { away: 'old' },
  })
})
