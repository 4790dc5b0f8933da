import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Json } from '../../../engine/values/json'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { refusing } from '../../../tests/support/refusing'
import { backgroundRetries } from '../backoff'
import { createDatabase } from '../database/database'
import { createJobs, type Jobs } from './createJobs'
import { defineJob, type JobHandler } from './defineJob'
import { insertAgain, type NewJob } from './insertJob'

let database: TestDatabase
let clock: TestClock
let jobs: Jobs
beforeEach(async () => {
  database = await createTestDatabase()
  clock = createTestClock()
  jobs = anotherProcess()
})
afterEach(async () => {
  await jobs.close()
  await database.close()
})

/** A separate process over the same database, with the same clock. */
const anotherProcess = (db = database.db): Jobs => createJobs({ db, clock, log: pino({ level: 'silent' }) })

const inSeconds = (seconds: number) => new Date(clock().getTime() + seconds * 1_000)
const note = defineJob('note', z.json())
const schedule = (job: Partial<NewJob<Json>> = {}) =>
  jobs.schedule(database.db, note, { payload: null, runAt: clock(), projectId: null, ...job })
const rows = () => database.db.selectFrom('jobs').selectAll().orderBy('id').execute()

function noting(on: Jobs, then: JobHandler<Json> = async () => undefined): Json[] {
  const seen: Json[] = []
  const noted = note.handledBy((payload, job) => {
    seen.push(payload)
    return then(payload, job)
  })
  on.handle(noted)
  return seen
}

test('a job is carried out once it is due, not before, and is gone then', async () => {
  const seen = noting(jobs)
  await schedule({ payload: { text: 'tea' }, runAt: inSeconds(60) })
  expect(await jobs.runDue()).toBe(0)
  clock.pass(60)
  expect(await jobs.runDue()).toBe(1)
  expect(seen).toEqual([{ text: 'tea' }])
  expect(await rows()).toEqual([])
  expect(await jobs.runDue()).toBe(0)
})

test('a lease is renewed while its job is under way, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const timers: number[] = []
    noting(jobs, async () => {
      timers.push(vi.getTimerCount())
      if (timers.length === 2) throw new Error('not now')
      return undefined
    })
    await schedule({ payload: 'done' })
    await jobs.runDue()
    await schedule({ payload: 'failed' })
    await jobs.runDue()
    expect(timers).toEqual([1, 1])
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a job is written with the transaction that schedules it, or not at all', async () => {
  const seen = noting(jobs)
  await database.db
    .transaction()
    .execute(async (work) => {
      await jobs.schedule(work, note, { payload: 1, runAt: clock(), projectId: null })
      throw new Error('rolled back')
    })
    .catch(() => {})
  expect(await jobs.runDue()).toBe(0)
  expect(seen).toEqual([])
})

test('of jobs with the same key the last is carried out; one that is kept stays', async () => {
  const seen = noting(jobs)
  await schedule({ key: 'a', payload: 1 })
  await schedule({ key: 'a', payload: 2 })
  await schedule({ key: 'a', payload: 3, keep: true })
  await schedule({ key: 'b', payload: 4 })
  await jobs.runDue()
  expect(seen).toEqual([2, 4])
})

test('a job that replaces the one under way is carried out as well', async () => {
  const seen = noting(jobs, async (payload) => {
    if (payload === 1) await schedule({ key: 'a', payload: 2 })
    return undefined
  })
  await schedule({ key: 'a', payload: 1 })
  expect(await jobs.runDue()).toBe(2)
  expect(seen).toEqual([1, 2])
  expect(await rows()).toEqual([])
})

test('a job that fails is tried again later and later, ten times, and kept with the reason then', async () => {
  const seen = noting(jobs, async () => {
    throw new Error('no luck')
  })
  await schedule()
  const waits: number[] = []
  for (let attempt = 1; attempt <= 10; attempt++) {
    expect(await jobs.runDue(), `attempt ${attempt}`).toBe(1)
    waits.push(backgroundRetries.waitAfter(attempt) / 1_000)
    clock.pass(backgroundRetries.waitAfter(attempt) / 1_000 - 1)
    expect(await jobs.runDue()).toBe(0)
    clock.pass(1)
  }
  expect(waits.slice(0, 4)).toEqual([10, 20, 40, 80])
  clock.pass(1e6)
  expect(await jobs.runDue()).toBe(0)
  expect(seen).toHaveLength(10)
  expect(await rows()).toMatchObject([{ attempts: 10, error: 'no luck', failed_at: expect.any(Date) }])
})

test('a job that answers with a date is carried out again then', async () => {
  const seen = noting(jobs, async () => inSeconds(3_600))
  await schedule({ key: 'hourly' })
  for (let hour = 0; hour < 3; hour++) {
    expect(await jobs.runDue()).toBe(1)
    clock.pass(3_600)
  }
  expect(seen).toHaveLength(3)
  expect(await rows()).toHaveLength(1)
})

test('what a process that died was at is done by another when its lease ends', async () => {
  const lost = createDatabase(database.connection)
  const dying = anotherProcess(lost)
  let taken = () => {}
  const underWay = new Promise<void>((resolve) => {
    taken = resolve
  })
  noting(dying, () => {
    taken()
    return new Promise(() => {})
  })
  await schedule({ payload: 'mine' })
  void dying.runDue()
  await underWay
  await lost.destroy()

  const seen = noting(jobs)
  expect(await jobs.runDue()).toBe(0)
  clock.pass(15)
  expect(await jobs.runDue()).toBe(1)
  expect(seen).toEqual(['mine'])
})

test('a job that outlived its lease ends nothing that another has taken', async () => {
  const slow = anotherProcess(createDatabase(database.connection))
  let finish = () => {}
  let taken = () => {}
  const underWay = new Promise<void>((resolve) => {
    taken = resolve
  })
  noting(slow, () => {
    taken()
    return new Promise((resolve) => {
      finish = () => resolve(undefined)
    })
  })
  await schedule()
  const first = slow.runDue()
  await underWay
  clock.pass(15)
  let finishSecond = () => {}
  const takenAgain = new Promise<void>((resolve) => {
    noting(jobs, () => {
      resolve()
      return new Promise((done) => {
        finishSecond = () => done(undefined)
      })
    })
  })
  const second = jobs.runDue()
  await takenAgain
  finish()
  await first
  expect(await rows()).toHaveLength(1)
  finishSecond()
  await second
  expect(await rows()).toEqual([])
})

test.each<[string, () => Date]>([
  ['wants to be carried out again', () => inSeconds(3_600)],
  [
    'fails',
    () => {
      throw new Error('too late')
    },
  ],
])('a job that outlived its lease changes nothing that another has taken: it %s', async (_, end) => {
  const slow = anotherProcess()
  const [underWay, begin] = gate()
  const [finished, finish] = gate()
  noting(slow, async () => {
    begin()
    await finished
    return end()
  })
  await schedule()
  const first = slow.runDue()
  await underWay
  clock.pass(15)
  const [underWayAgain, beginAgain] = gate()
  const [finishedAgain, finishAgain] = gate()
  noting(jobs, async () => {
    beginAgain()
    await finishedAgain
    return undefined
  })
  const second = jobs.runDue()
  await underWayAgain
  const taken = await rows()
  finish()
  await first
  expect(await rows()).toEqual(taken)
  finishAgain()
  await second
  expect(await rows()).toEqual([])
})

/** A promise, and the function that resolves it. */
function gate(): [opened: Promise<void>, open: () => void] {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return [opened, open]
}

test('several processes carry out a hundred jobs, each of them once', async () => {
  const pools = Array.from({ length: 3 }, () => createDatabase(database.connection, { max: 3 }))
  const processes = pools.map((db) => anotherProcess(db))
  const seen = processes.flatMap((one) => [noting(one)])
  await Promise.all(Array.from({ length: 100 }, (_, index) => schedule({ payload: index })))
  const counts = await Promise.all(processes.map((one) => one.runDue()))
  expect(counts.reduce((sum, count) => sum + count)).toBe(100)
  expect(new Set(seen.flat()).size).toBe(100)
  await Promise.all(pools.map((db) => db.destroy()))
})

test('a process leaves the kinds that it does not know to those that do', async () => {
  noting(jobs)
  const unknown = defineJob('from the future', z.null())
  await jobs.schedule(database.db, unknown, { payload: null, runAt: clock(), projectId: null })
  await schedule()
  expect(await jobs.runDue()).toBe(1)
  expect(await rows()).toMatchObject([{ kind: 'from the future', attempts: 0 }])
  expect(() => noting(jobs)).toThrow('has a handler already')
})

test('what a job was given is read before its handler has it: what does not fit is kept with the reason', async () => {
  const seen: number[] = []
  const counted = defineJob('count', z.strictObject({ amount: z.int() }))
  jobs.handle(
    counted.handledBy(async ({ amount }) => {
      seen.push(amount)
      return undefined
    }),
  )
  await jobs.schedule(database.db, counted, { payload: { amount: 2 }, runAt: clock(), projectId: null })
  await jobs.schedule(database.db, counted, { payload: { amount: 2.5 }, runAt: clock(), projectId: null })
  await jobs.runDue()
  expect(seen).toEqual([2])
  expect(await rows()).toMatchObject([{ payload: { amount: 2.5 }, error: expect.stringContaining('amount') }])
})

test('once started, a job is carried out by itself after it is written, and closing waits for it', async () => {
  let carriedOut = () => {}
  const done = new Promise<void>((resolve) => {
    carriedOut = resolve
  })
  let finished = false
  noting(jobs, async () => {
    carriedOut()
    await rows()
    finished = true
    return undefined
  })
  jobs.start()
  await schedule()
  jobs.wake()
  await done
  await jobs.close()
  expect(finished).toBe(true)
  expect(await rows()).toEqual([])
})

test('a process that closes while it reads what is due carries out that, and takes no more', async () => {
  const seen = noting(jobs)
  for (let n = 0; n < 20; n++) await schedule({ payload: n, runAt: inSeconds(n - 20) })
  jobs.start()
  await jobs.close()
  // as many as are taken at once
  expect(seen.toSorted()).toEqual([0, 1, 2, 3])
  expect((await rows()).map(({ payload, attempts }) => [payload, attempts])).toEqual(
    Array.from({ length: 16 }, (_, n) => [n + 4, 0]),
  )
})

test('a process whose kinds are not due does not look again at once for those of others that are', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  try {
    noting(jobs)
    const unknown = defineJob('from the future', z.null())
    await jobs.schedule(database.db, unknown, { payload: null, runAt: clock(), projectId: null })
    const waits = () => timers.mock.calls.flatMap(([, ms]) => (ms === 50 || ms === 5_000 ? [ms] : []))
    jobs.start()
    await expect.poll(waits, { interval: 20 }).not.toEqual([])
    expect(waits()[0]).toBe(5_000)
  } finally {
    timers.mockRestore()
  }
})

test('a process without handlers reads nothing, and has nothing to complain of', async () => {
  const complaints: unknown[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void complaints.push(line) })
  const idle = createJobs({ db: database.db, clock, log })
  await schedule()
  idle.start()
  await idle.close()
  expect(complaints).toEqual([])
  expect(await rows()).toMatchObject([{ attempts: 0 }])
})

test('the jobs of a project go with it', async () => {
  const at = clock()
  const { id } = await database.db
    .insertInto('projects')
    .values({ gid: 'aaaaaaaaaaaaaaaa', name: 'Gone', created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await schedule({ projectId: id })
  await database.db.deleteFrom('projects').where('id', '=', id).execute()
  expect(await rows()).toEqual([])
})

test('a job that is told of while a look ends is found by the look after it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    let ends = () => {}
    const ending = new Promise<void>((done) => {
      ends = done
    })
    let goOn = () => {}
    const told = new Promise<void>((done) => {
      goOn = done
    })
    // the statement of a look says when the next is due: its answer is held back
    const held = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some((row) => 'next' in row && row.next === null)) {
          ends()
          await told
        }
        return result
      },
    })
    jobs = anotherProcess(held as typeof database.db)
    const carriedOut = new Promise<void>((done) => {
      noting(jobs, async () => {
        done()
        return undefined
      })
    })
    jobs.start()
    await ending
    await schedule()
    jobs.wake()
    goOn()
    // time stands still: a look that is due later never comes
    await carriedOut
    await jobs.close()
  } finally {
    vi.useRealTimers()
  }
})

test('that a job could not be put back is said; it runs again once its lease ends', async () => {
  const complaints: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void complaints.push(JSON.parse(line).msg) })
  jobs = createJobs({ db: database.db, clock, log })
  const seen = noting(jobs, async () => (seen.length === 1 ? inSeconds(3_600) : undefined))
  await schedule()
  await refusing(database.db, 'jobs', () => jobs.runDue(), sql`lease is not null`)
  expect(complaints).toEqual(['a job could not be put back'])
  expect(await jobs.runDue()).toBe(0)
  clock.pass(15)
  expect(await jobs.runDue()).toBe(1)
  expect(await rows()).toEqual([])
})

const scheduleAgain = (...keys: string[]) =>
  insertAgain(
    note,
    sql`select null::bigint, key, to_json(key) from unnest(${keys}::text[]) as each (key)`,
    clock(),
  ).execute(database.db)

test('a job that is scheduled again while it is under way runs once more, and never beside itself', async () => {
  let atOnce = 0
  const seen = noting(jobs, async (payload) => {
    expect(++atOnce).toBe(1)
    if (seen.length === 1) {
      // by whoever, and however often
      await scheduleAgain('a', 'b')
      await scheduleAgain('b', 'a')
      expect(await anotherProcess().runDue()).toBe(0)
    }
    atOnce--
    return payload === 'a' && seen.length === 1 ? inSeconds(600) : undefined
  })
  await scheduleAgain('a')
  expect(await jobs.runDue()).toBe(3)
  expect(seen.toSorted()).toEqual(['a', 'a', 'b'])
  expect(await rows()).toEqual([])
})

test('a job that waits is due at once when it is scheduled again, also after it failed or was given up', async () => {
  const seen = noting(jobs)
  await schedule({ key: 'a', payload: 'a', runAt: inSeconds(600) })
  await scheduleAgain('a')
  expect(await jobs.runDue()).toBe(1)
  await schedule({ key: 'a', payload: 'a' })
  await database.db.updateTable('jobs').set({ failed_at: clock(), attempts: 10, error: 'no luck' }).execute()
  await scheduleAgain('a')
  expect(await rows()).toMatchObject([{ attempts: 0, failed_at: null, error: null }])
  expect(await jobs.runDue()).toBe(1)
  expect(seen).toEqual(['a', 'a'])
})

test('a job whose last attempt fails is not given up if it was scheduled again meanwhile', async () => {
  noting(jobs, async () => {
    await scheduleAgain('a')
    throw new Error('no luck')
  })
  await schedule({ key: 'a', payload: 'a' })
  await database.db.updateTable('jobs').set({ attempts: 9 }).execute()
  await jobs.runDue()
  expect(await rows()).toMatchObject([{ attempts: 10, failed_at: null }])
})

test('what a process that died had under way runs after its lease, with what was scheduled again', async () => {
  const seen = noting(jobs)
  await schedule({ key: 'a', payload: 'a' })
  await database.db
    .updateTable('jobs')
    .set({ lease: 'of a dead process', run_at: inSeconds(15) })
    .execute()
  await scheduleAgain('a')
  expect(await jobs.runDue()).toBe(0)
  clock.pass(15)
  expect(await jobs.runDue()).toBe(1)
  expect(seen).toEqual(['a'])
  expect(await rows()).toEqual([])
})
