import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Json } from '../../../engine/values/json'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { createJobs, type Jobs } from './createJobs'
import { defineJob, type JobHandler, type JobKind } from './defineJob'
import type { NewJob } from './insertJob'

// How many jobs are under way at once, in a process and of a project.

let database: TestDatabase
let clock: TestClock
let jobs: Jobs
beforeEach(async () => {
  database = await createTestDatabase()
  clock = createTestClock()
  jobs = jobsOver(database.db)
  // the periodic look does not happen here
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await jobs.close()
  await database.close()
})

const jobsOver = (db: TestDatabase['db']): Jobs => createJobs({ db, clock, log: pino({ level: 'silent' }) })
const note = defineJob('note', z.json())
const handle = (handler: JobHandler<Json>) => jobs.handle(note.handledBy(handler))
const schedule = (job: Partial<NewJob<Json>> = {}) =>
  jobs.schedule(database.db, note, { payload: null, runAt: clock(), projectId: null, ...job })

test('as soon as a job ends, one that waits for its place begins', async () => {
  let count = 0
  const [allDone, finish] = gate()
  handle(async () => {
    if (++count === 20) finish()
    return undefined
  })
  for (let n = 0; n < 20; n++) await schedule({ payload: n })
  jobs.start()
  await allDone
})

test('what waits for servers elsewhere takes no place of other jobs, and has more of its own', async () => {
  const [busy, other] = [await project(), await project()]
  const send = defineJob('send', z.json(), { lane: 'sending' })
  const { begun, has, end } = holdingAll(note, send)
  for (let count = 0; count < 60; count++) {
    await jobs.schedule(database.db, send, { payload: null, runAt: clock(), projectId: busy })
    await schedule({ projectId: busy })
  }
  await jobs.schedule(database.db, send, { payload: null, runAt: clock(), projectId: other })
  try {
    jobs.start()
    await has(() => begun.includes(other) && begun.filter((id) => id === busy).length === 24 + 4)
  } finally {
    end()
  }
})

test('slow jobs of one project leave room for those of another', async () => {
  const [slow, other] = [await project(), await project()]
  const { begun, has, end } = holdingAll()
  for (let count = 0; count < 20; count++) await schedule({ projectId: slow })
  await schedule({ projectId: other })
  try {
    jobs.start()
    await has(() => begun.includes(other))
    expect(begun.filter((id) => id === slow)).toHaveLength(4)
  } finally {
    end()
  }
})

test('a project has at most four jobs under way, however many of them began before', async () => {
  const [slow, other] = [await project(), await project()]
  const { begun, has, end } = holdingAll()
  for (let count = 0; count < 3; count++) await schedule({ projectId: slow })
  try {
    jobs.start()
    await has(() => begun.length === 3)
    const earlier = new Date(clock().getTime() - 1_000)
    for (let count = 0; count < 5; count++) await schedule({ projectId: slow, runAt: earlier })
    await schedule({ projectId: other })
    jobs.wake()
    await has(() => begun.includes(other))
    expect(begun.filter((id) => id === slow)).toHaveLength(4)
  } finally {
    end()
  }
})

test('a process all of whose places are taken asks for no more jobs until one of them is free', async () => {
  let reads = 0
  const counted = new Proxy(database.db, {
    get(target, name) {
      if (name === 'with') reads += 1
      return Reflect.get(target, name).bind(target)
    },
  })
  jobs = jobsOver(counted)
  const { begun, has, end } = holdingAll()
  for (let count = 0; count < 9; count++) await schedule()
  try {
    jobs.start()
    await has(() => begun.length === 8)
    await new Promise(setImmediate)
    const before = reads
    jobs.wake()
    await new Promise(setImmediate)
    expect([before, reads]).toEqual([2, 2])
  } finally {
    end()
  }
})

/** Handles jobs, none of which ends before `end` is called. */
function holdingAll(...kinds: JobKind<Json>[]) {
  const [over, end] = gate()
  const begun: (string | null)[] = []
  let look = () => {}
  const hold: JobHandler<Json> = async (_, { projectId }) => {
    begun.push(projectId)
    look()
    await over
    return undefined
  }
  for (const kind of kinds.length > 0 ? kinds : [note]) jobs.handle(kind.handledBy(hold))
  return {
    /** the project of each job that has begun */
    begun,
    end,
    /** Resolves once that is so. */
    has: (isSo: () => boolean) =>
      new Promise<void>((done) => {
        look = () => {
          if (isSo()) done()
        }
        look()
      }),
  }
}

/** A promise, and the function that resolves it. */
function gate(): [opened: Promise<void>, open: () => void] {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return [opened, open]
}

async function project(): Promise<string> {
  const { id } = await database.db
    .insertInto('projects')
    .values({ gid: randomBytes(8).toString('hex'), name: 'Test', created_at: clock(), updated_at: clock() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
