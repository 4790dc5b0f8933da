import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { adminCommand } from './admin'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
  vi.stubEnv('DATABASE_URL', database.url)
  const at = new Date()
  await database.db
    .insertInto('projects')
    .values({ gid: 'harbour-lamps-01', name: 'Harbour Lamps', created_at: at, updated_at: at })
    .execute()
  await database.db
    .insertInto('users')
    .values({
      ...{ gid: 'a'.repeat(16), email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
      ...{ password_hash: 'x', created_at: at },
    })
    .execute()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await database.close()
})

/** What a command prints, with its exit code. */
async function admin(...args: string[]): Promise<[code: number, printed: string]> {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const code = await adminCommand(args)
    return [code, printed.mock.calls.map(([text]) => text).join('')]
  } finally {
    printed.mockRestore()
  }
}

test('what /admin does is done without a browser, and noted as the command line’s', async () => {
  expect(await admin('projects', 'lamps')).toEqual([
    0,
    'harbour-lamps-01  Harbour Lamps  self-hosted    0 members, 0 chatbots, 0 credits\n',
  ])
  expect((await admin('allow', 'harbour-lamps-01', '--plan', 'growth', '--bonus-ai-credits', '50'))[1]).toBe('Done.\n')
  expect(await admin('suspend', 'harbour-lamps-01', '--why', 'spam')).toEqual([0, 'Suspended.\n'])
  expect((await admin('projects'))[1]).toContain('growth    0 members, 0 chatbots, 0 credits  suspended: spam')
  expect(await admin('resume', 'harbour-lamps-01')).toEqual([0, 'Resumed.\n'])
  await admin('suspend', 'Ada@example.com', '--why', 'left')
  expect((await admin('people', 'lovelace'))[1]).toContain('last seen never    suspended: left')
  await admin('announce', 'Back at nine', '--warning')
  const { announcement, announcement_warns } = await database.db
    .selectFrom('installation')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect([announcement, announcement_warns]).toEqual(['Back at nine', true])
  const noted = (await admin('actions'))[1].split('\n').map((line) => line.replace(/^\S+ +/, ''))
  expect(noted).toEqual([
    'command line  announce  set  Back at nine',
    'command line  suspend_person  ada@example.com  left',
    'command line  resume_project  Harbour Lamps (harbour-lamps-01)',
    'command line  suspend_project  Harbour Lamps (harbour-lamps-01)  spam',
    'command line  change_allowance  Harbour Lamps (harbour-lamps-01)  plan Growth, 50 bonus AI credits',
    '',
  ])
})

test('what was given up makes the exit code 1 until it is tried again or dismissed', async () => {
  expect((await admin('status'))[0]).toBe(0)
  const at = new Date()
  const job = {
    project_id: null,
    kind: 'errand',
    key: null,
    payload: '"tea"',
    run_at: at,
    failed_at: at,
    created_at: at,
  }
  const rows = await database.db
    .insertInto('jobs')
    .values([
      { ...job, error: 'closed\nstack' },
      { ...job, error: 'gone' },
    ])
    .returning('id')
    .execute()
  expect((await admin('status'))[1]).toContain('2 given up')
  const [code, listed] = await admin('jobs')
  expect(code).toBe(1)
  expect(listed).toMatch(/errand {2}- {2}closed\n/)
  await admin('jobs', 'dismiss', rows[0]?.id ?? '')
  expect(await admin('retry-all')).toEqual([0, '1 jobs and 0 events are tried again.\n'])
  expect(await admin('jobs')).toEqual([0, ''])
})

test('two-factor sign-in is turned off for somebody, and the reason is noted', async () => {
  const ada = await database.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'ada@example.com')
    .executeTakeFirstOrThrow()
  const now = new Date()
  const row = { user_id: ada.id, sealed_secret: 'sealed', created_at: now, confirmed_at: now }
  await database.db.insertInto('two_factors').values(row).execute()
  expect((await admin('two-factor-off', 'Ada@example.com', '--why', 'lost'))[0]).toBe(0)
  expect(await database.db.selectFrom('two_factors').selectAll().execute()).toEqual([])
  expect((await admin('actions'))[1]).toMatch(/command line {2}turn_off_two_factor {2}ada@example.com {2}lost\n/)
  await expect(admin('two-factor-off', 'ada@example.com', '--why', 'lost')).rejects.toThrow('is not on')
})

test('what there is not, and what is not said, is refused in words', async () => {
  await expect(admin('suspend', 'nobody-lives-here', '--why', 'x')).rejects.toThrow('nothing of that name')
  await expect(admin('suspend', 'harbour-lamps-01')).rejects.toThrow('--why')
  await expect(admin('allow', 'harbour-lamps-01', '--plan', 'gold')).rejects.toThrow('Give a plan (free,')
  await expect(admin('jobs', 'burn', '1')).rejects.toThrow('"retry" or "dismiss"')
  await expect(admin('toString')).rejects.toThrow('Say what to do.')
})
