import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { planChanged } from '../../modules/billing/events'
import { setPlan } from '../../modules/billing/setPlan'
import { readEvent } from '../../platform/events/defineEvent'
import { planCommand } from './plan'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
  vi.stubEnv('DATABASE_URL', database.url)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await database.close()
})

async function addProject(gid: string, name: string): Promise<string> {
  const row = { gid, name, created_at: new Date(), updated_at: new Date() }
  return (await database.db.insertInto('projects').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** What a command prints. */
async function plan(...args: string[]): Promise<string> {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    expect(await planCommand(args)).toBe(0)
    return printed.mock.calls.map(([text]) => text).join('')
  } finally {
    printed.mockRestore()
  }
}

test('a project’s plan and add-ons are listed and changed, and what is not named stays', async () => {
  await addProject('harbour-lamps-01', 'Harbour Lamps')
  await addProject('kettle-lane-0001', 'Kettle Lane')
  expect(await plan('harbour-lamps-01', 'starter', '--addon', 'seat=2', '--addon', 'branding-removal=1')).toBe(
    'Harbour Lamps: Starter, 2 × Seat, 1 × Branding removal\n',
  )
  expect(await plan('harbour-lamps-01', '--addon', 'seat=0')).toBe('Harbour Lamps: Starter, 1 × Branding removal\n')
  expect(await plan('harbour-lamps-01', 'growth')).toBe('Harbour Lamps: Growth, 1 × Branding removal\n')
  expect(await plan('harbour-lamps-01')).toBe('Harbour Lamps: Growth, 1 × Branding removal\n')
  expect(await plan()).toBe(
    'harbour-lamps-01  Harbour Lamps: Growth, 1 × Branding removal\nkettle-lane-0001  Kettle Lane: Self-hosted\n',
  )
})

test('what is given once is shown beside what is paid for, and another amount takes its place', async () => {
  await addProject('harbour-lamps-01', 'Harbour Lamps')
  expect(await plan('harbour-lamps-01', '--give', 'training=2000000', '--give', 'ai-credits=500')).toBe(
    'Harbour Lamps: Self-hosted, 500 Bonus AI credits, 2,000,000 Bonus training\n',
  )
  expect(await plan('harbour-lamps-01', 'free', '--give', 'ai-credits=0')).toBe(
    'Harbour Lamps: Free, 2,000,000 Bonus training\n',
  )
})

test('a change is told with what was before it, and showing is none', async () => {
  await addProject('harbour-lamps-01', 'Harbour Lamps')
  await plan('harbour-lamps-01', 'starter', '--addon', 'email=3')
  await plan('harbour-lamps-01')
  const rows = await database.db.selectFrom('events').selectAll().where('type', '=', planChanged.type).execute()
  expect(rows.map((row) => readEvent(planChanged, row).payload)).toEqual([
    { before: { plan_id: 'self-hosted', addons: {} }, after: { plan_id: 'starter', addons: { '7': 3 } } },
  ])
})

test('what there is not is named with what there is, and nothing changes', async () => {
  const projectId = await addProject('harbour-lamps-01', 'Harbour Lamps')
  const cases: [string[], string][] = [
    [['harbour-lamps-01', 'gold'], 'There is no plan "gold". There are: free, starter'],
    [['nobody-000000000'], 'There is no project "nobody-000000000"'],
    [['harbour-lamps-01', '--addon', 'hats=1'], 'There is no add-on "hats". There are: ai-credits, chatbot'],
    [['harbour-lamps-01', '--addon', 'seat'], 'give a whole number from 0 to 1000 after "seat="'],
    [['harbour-lamps-01', '--addon', 'seat=1001'], '--addon seat=1001'],
    [['--addon', 'seat=1'], 'Give the project that gets them'],
    [['harbour-lamps-01', '--give', 'hats=1'], 'There is no bonus "hats". There are: ai-credits, training'],
    [['harbour-lamps-01', '--give', 'training=-1'], '--give training=-1'],
    [['a', 'free', 'b'], 'one argument too many: b'],
  ]
  for (const [args, message] of cases) await expect(planCommand(args), args.join(' ')).rejects.toThrow(message)
  const origin = { projectId, by: { actor: 'system' }, correlation: 'a', at: new Date() } as const
  await expect(setPlan(database.db, { plan_id: 'gold' }, origin)).rejects.toThrow('There is no plan "gold"')
  await expect(setPlan(database.db, { addons: { 12: 1 } }, origin)).rejects.toThrow('There is no add-on 12')
  await expect(setPlan(database.db, { addons: { 3: 0.5 } }, origin)).rejects.toThrow('"0.5" of Seat')
  expect(await plan()).toBe('harbour-lamps-01  Harbour Lamps: Self-hosted\n')
})
