import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { seededRandom } from '../../../tests/support/documents'
import { refusing } from '../../../tests/support/refusing'
import { createDatabase, type RootDb, type Work } from '../database/database'
import { type Consumers, createConsumers } from './createConsumers'
import { type Consumer, defineBatchConsumer, defineConsumer } from './defineConsumer'
import { appendEvent, defineEvent, eventRow, insertEvents } from './defineEvent'
import { keepEpoch } from './epoch'
import { keepMonths } from './months'
import { isBehind } from './place'

// A long file, since the promises of the event log hold only together: each test writes the same two events and reads
// them by consumers of one or more processes, with failures, months and restores in between.

const noted = defineEvent('note.written', z.strictObject({ text: z.string() }))
const erased = defineEvent('note.erased', z.strictObject({ text: z.string() }))

let database: TestDatabase
let clock: TestClock
let projectId: string
let opened: { close(): Promise<unknown> }[]
beforeEach(async () => {
  database = await createTestDatabase()
  clock = createTestClock('2026-01-15T00:00:00Z')
  opened = []
  projectId = await addProject()
})
afterEach(async () => {
  await Promise.all(opened.map((each) => each.close()))
  await database.close()
})

async function addProject(): Promise<string> {
  const gid = `project-${Math.random().toString(36).slice(2)}`
  const row = { gid, name: gid, created_at: clock(), updated_at: clock() }
  const { id } = await database.db
    .insertInto('projects')
    .values(row as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const write = (work: Work, text: string, project = projectId, definition = noted) =>
  appendEvent(
    work,
    definition,
    { projectId: project, by: { actor: 'system' }, correlation: 'a', at: clock() },
    { text },
  )
const written = (text: string, project = projectId, definition = noted) =>
  database.db.transaction().execute((work) => write(work, text, project, definition))

function processWith(consumers: readonly Consumer[], db = database.db): Consumers {
  const made = createConsumers({ db, clock, log: pino({ level: 'silent' }) }, consumers)
  opened.push(made)
  return made
}

function reader(seen: string[], { name = 'reader', events = [noted] as const, since = 'beginning' as const } = {}) {
  return defineConsumer({
    name,
    events,
    since,
    handle: async (_work, { payload }) => seen.push(payload.text),
  })
}

test('an event is there with the command that wrote it, or not at all', async () => {
  const seen: string[] = []
  const consumers = processWith([reader(seen)])
  await written('kept')
  await expect(
    database.db.transaction().execute(async (work) => {
      await write(work, 'lost')
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await consumers.runDue()
  expect(seen).toEqual(['kept'])
})

test('an event that commits after a later one is not passed over, and keeps its place', async () => {
  const seen: string[] = []
  const consumers = processWith([reader(seen)])
  await written('before')
  const slow = await database.db.startTransaction().execute()
  await write(slow as never, 'begun first')
  await written('begun second')
  consumers.start()
  await expect.poll(() => seen).toEqual(['before'])
  await slow.commit().execute()
  await expect.poll(() => seen).toEqual(['before', 'begun first', 'begun second'])
})

test('an event is heard of once it is committed, by whichever handle: nobody has to tell its consumers', async () => {
  // the look that comes from time to time does not come here
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    let tell: (text: string) => void = () => {}
    const next = () =>
      new Promise<string>((done) => {
        tell = done
      })
    const hears = defineConsumer({
      name: 'hears',
      events: [noted],
      since: 'beginning',
      handle: async (_work, { payload }) => tell(payload.text),
    })
    const consumers = processWith([hears])
    let heard = next()
    await written('before it begins')
    consumers.start()
    expect(await heard).toBe('before it begins')
    heard = next()
    await written('by the handle that sees all')
    expect(await heard).toBe('by the handle that sees all')
    heard = next()
    await database.db
      .forProject(projectId)
      .transaction()
      .execute((work) => write(work, 'by a project’s'))
    expect(await heard).toBe('by a project’s')
    heard = next()
    const about = { projectId, by: { actor: 'system' as const }, correlation: 'a', at: clock() }
    await insertEvents(database.db, [eventRow(noted, about, { text: 'alone' })]).execute()
    expect(await heard).toBe('alone')
  } finally {
    vi.useRealTimers()
  }
})

/** A promise, and the function that resolves it. */
function gate(): [opened: Promise<void>, open: () => void] {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return [opened, open]
}

/** Consumers whose looks are counted, in a process that is told of commits by `commit` alone. */
function countedLooks(those: readonly Consumer[]) {
  let committed: (parameters: readonly unknown[]) => void = () => {}
  let batches = 0
  const { db } = database
  const afterInsert = (_table: string, listener: typeof committed) => {
    committed = listener
    return () => {}
  }
  const counted: RootDb = new Proxy(db, {
    get(target, name) {
      if (name === 'afterInsert') return afterInsert
      if (name === 'transaction') batches += 1
      return Reflect.get(target, name).bind(target)
    },
  })
  const consumers = processWith(those, counted)
  consumers.start()
  return {
    consumers,
    commit: (parameters: readonly unknown[]) => committed(parameters),
    /** Waits for what begins at once. @returns how many transactions looks have had since `looked` was called */
    async begun() {
      await new Promise(setImmediate)
      return batches
    },
    /** Waits for what has begun. @returns how many transactions the looks since then had */
    async looked() {
      await new Promise(setImmediate)
      const begun = batches
      await consumers.runDue()
      batches = 0
      return begun
    },
  }
}

test('a commit costs a look where a consumer waits for its events, and many of them one each 500 ms', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  try {
    const { commit, looked } = countedLooks([reader([], { events: [noted, erased] as never })])
    await looked()
    vi.advanceTimersByTime(500)
    commit(['note.copied', 'system'])
    expect(await looked()).toBe(0)
    for (let count = 0; count < 5; count++) commit(['a', 'note.written'])
    expect(await looked()).toBeGreaterThan(0)
    commit(['note.written'])
    vi.advanceTimersByTime(499)
    expect(await looked()).toBe(0)
    vi.advanceTimersByTime(1)
    expect(await looked()).toBeGreaterThan(0)
    vi.advanceTimersByTime(500)
    expect(await looked()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a commit while a look is under way brings none beside it', async () => {
  const [underWay, handling] = gate()
  const [held, release] = gate()
  const slow = defineConsumer({
    name: 'slow',
    events: [noted],
    since: 'beginning',
    async handle() {
      handling()
      await held
    },
  })
  await written('slow')
  const { commit, begun } = countedLooks([slow])
  try {
    await underWay
    const before = await begun()
    commit(['note.written'])
    expect(await begun()).toBe(before)
  } finally {
    release()
  }
})

test('a commit of what a visitor did costs no look of a consumer that wants what members did', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  try {
    const ofMembers = { ...reader([], { events: [noted, erased] as never }), byMembers: [noted] }
    const { commit, looked } = countedLooks([ofMembers])
    await looked()
    vi.advanceTimersByTime(500)
    commit(['note.written', 'visitor'])
    expect(await looked()).toBe(0)
    commit(['note.written', 'user'])
    expect(await looked()).toBeGreaterThan(0)
    vi.advanceTimersByTime(500)
    commit(['note.erased', 'visitor'])
    expect(await looked()).toBeGreaterThan(0)
  } finally {
    vi.useRealTimers()
  }
})

test('what a transaction under way hides is handled once it ends, though it wrote no event itself', async () => {
  // the look that comes from time to time does not come here
  const noInterval = vi.spyOn(globalThis, 'setInterval').mockReturnValue(setTimeout(() => {}) as never)
  try {
    const seen: string[] = []
    const consumers = processWith([reader(seen)])
    await written('before')
    const other = await database.db.startTransaction().execute()
    await sql`select pg_current_xact_id()`.execute(other)
    await written('hidden behind another')
    consumers.start()
    await expect.poll(() => seen).toEqual(['before'])
    await other.commit().execute()
    await expect.poll(() => seen).toEqual(['before', 'hidden behind another'])
  } finally {
    noInterval.mockRestore()
  }
})

test('a run of what is due waits for what a transaction under way still hides', async () => {
  const seen: string[] = []
  const consumers = processWith([reader(seen)])
  await written('before')
  const slow = await database.db.startTransaction().execute()
  await write(slow as never, 'begun first')
  await written('begun second')
  const run = consumers.runDue()
  await expect.poll(() => seen).toEqual(['before'])
  await written('begun third')
  await slow.commit().execute()
  expect(await run).toBe(4)
  expect(seen).toEqual(['before', 'begun first', 'begun second', 'begun third'])
})

test('a run whose consumers’ places can’t be written handles nothing, and fails', async () => {
  const seen: string[] = []
  const consumers = processWith([reader(seen)])
  await written('kept')
  await refusing(database.db, 'event_consumers', () => expect(consumers.runDue()).rejects.toThrow('refuses_all'))
  expect(seen).toEqual([])
  await consumers.runDue()
  expect(seen).toEqual(['kept'])
})

test('each consumer gets the events of its kinds alone, and a new one those to come if it says so', async () => {
  const [notes, erasures, late]: string[][] = [[], [], []]
  await written('one')
  await written('two', projectId, erased as never)
  const consumers = processWith([
    reader(notes as string[]),
    reader(erasures as string[], { name: 'erasures', events: [erased] as never }),
    reader(late as string[], { name: 'late', since: 'now' as never }),
  ])
  await consumers.runDue()
  await written('three')
  await consumers.runDue()
  expect({ notes, erasures, late }).toEqual({ notes: ['one', 'three'], erasures: ['two'], late: ['three'] })
})

test('a consumer of what members did is given what visitors and bots did only of its other kinds', async () => {
  const seen: string[] = []
  const consumers = processWith([{ ...reader(seen, { events: [noted, erased] as never }), byMembers: [noted] }])
  const ada = { gid: 'ada', email: 'ada@example.org', first_name: 'Ada', last_name: 'L', password_hash: '' }
  const { id: userId } = await database.db
    .insertInto('users')
    .values({ ...ada, created_at: clock() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const about = { projectId, correlation: 'a', at: clock() }
  await insertEvents(database.db, [
    eventRow(noted, { ...about, by: { actor: 'visitor' } }, { text: 'a note of a visitor' }),
    eventRow(noted, { ...about, by: { actor: 'user', userId } }, { text: 'a note of a member' }),
    eventRow(erased, { ...about, by: { actor: 'bot' } }, { text: 'an erasure of the bot' }),
  ]).execute()
  await consumers.runDue()
  expect(seen).toEqual(['a note of a member', 'an erasure of the bot'])
})

test("a consumer's place goes on past events that it does not want, so that it reads them once", async () => {
  const seen: string[] = []
  const consumers = processWith([reader(seen)])
  const wanted = async () => {
    await consumers.runDue()
    const behind = database.db
      .selectFrom('events')
      .innerJoin('event_consumers', (join) => join.on('event_consumers.name', '=', 'reader'))
      .select('events.id')
      .where(isBehind)
    return (await behind.execute()).length
  }
  await written('one')
  for (let count = 0; count < 5; count++) await written('not mine', projectId, erased as never)
  // not at once: whatever runs in another database of the server meanwhile keeps them from being settled
  await expect.poll(wanted).toBe(0)
  await written('two')
  await expect.poll(wanted).toBe(0)
  expect(seen).toEqual(['one', 'two'])
})

test('several processes handle each event once', async () => {
  const texts = Array.from({ length: 400 }, (_, at) => `note ${at}`)
  await Promise.all(texts.map((text) => written(text)))
  const seen: string[] = []
  const processes = [1, 2, 3].map(() => {
    const db = createDatabase(database.connection, { max: 2 })
    opened.push({ close: () => db.destroy() })
    return processWith([reader(seen)], db)
  })
  await Promise.all(processes.map((each) => each.runDue()))
  expect(seen.toSorted()).toEqual(texts.toSorted())
})

test('what a consumer wrote before it failed is undone; others go on, and the event is tried again', async () => {
  let broken = true
  const other = await addProject()
  const consumers = processWith([
    defineConsumer({
      name: 'writer',
      events: [noted],
      since: 'beginning',
      async handle(work, event) {
        await work.updateTable('projects').set({ name: event.payload.text }).where('id', '=', event.projectId).execute()
        if (broken && event.projectId === projectId) throw new Error('not now')
      },
    }),
  ])
  const names = async () =>
    new Map(
      (await database.db.selectFrom('projects').select(['id', 'name']).execute()).map((row) => [row.id, row.name]),
    )
  const before = (await names()).get(projectId)
  await written('mine')
  await written('theirs', other)
  await consumers.runDue()
  expect(await names()).toEqual(
    new Map([
      [projectId, before],
      [other, 'theirs'],
    ]),
  )
  expect(await failures()).toEqual([expect.objectContaining({ attempts: 1, error: 'not now' })])
  broken = false
  await consumers.runDue()
  expect((await names()).get(projectId)).toBe(before)
  clock.pass(60)
  await consumers.runDue()
  expect((await names()).get(projectId)).toBe('mine')
  expect(await failures()).toEqual([])
})

test('a batch is handled at once; if one of its events fails, each is handled alone, and none twice', async () => {
  const batches: string[][] = []
  let broken = false
  const consumers = processWith([
    defineBatchConsumer({
      name: 'batches',
      events: [noted],
      since: 'beginning',
      async handle(work, events) {
        const texts = events.map(({ payload }) => payload.text)
        batches.push(texts)
        const add = sql`name || ${`/${texts.join(',')}`}`
        await sql`update projects set name = ${add} where id = ${projectId}`.execute(work)
        if (broken && texts.includes('b')) throw new Error('not now')
      },
    }),
  ])
  const name = async () => {
    const { name } = await database.db
      .selectFrom('projects')
      .select('name')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    return name.slice(name.indexOf('/'))
  }
  // in one commit: consumers look for what is new by themselves too, and would find a part of them
  const together = () =>
    database.db.transaction().execute(async (work) => {
      for (const text of ['a', 'b', 'c']) await write(work, text)
    })
  await together()
  await consumers.runDue()
  expect(batches).toEqual([['a', 'b', 'c']])
  expect(await name()).toBe('/a,b,c')
  broken = true
  await together()
  await consumers.runDue()
  expect(batches.slice(1)).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']])
  expect(await name()).toBe('/a,b,c/a/c')
  expect(await failures()).toEqual([expect.objectContaining({ attempts: 1, error: 'not now' })])
})

test('a commit looks for new events alone; failures that are due are tried again every five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    const handled: string[] = []
    let broken = true
    const tries = defineConsumer({
      name: 'tries',
      events: [noted],
      since: 'beginning',
      async handle(_work, { payload }) {
        if (broken && payload.text === 'failed') throw new Error('not now')
        handled.push(payload.text)
      },
    })
    const looked: string[] = []
    // a look comes to it when it is done with the one before
    const consumers = processWith([tries, reader(looked)])
    await written('failed')
    await consumers.runDue()
    broken = false
    consumers.start()
    await written('first')
    await expect.poll(() => looked).toEqual(['failed', 'first'])
    clock.pass(60)
    await written('second')
    await expect.poll(() => looked).toEqual(['failed', 'first', 'second'])
    expect(handled).toEqual(['first', 'second'])
    vi.advanceTimersByTime(5_000)
    await expect.poll(() => handled).toEqual(['first', 'second', 'failed'])
  } finally {
    vi.useRealTimers()
  }
})

test('while one process handles a batch of a consumer, another goes on with the next consumer', async () => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const seen = { one: [] as string[], two: [] as string[] }
  const one = defineConsumer({
    name: 'one',
    events: [noted],
    since: 'beginning',
    async handle(_work, { payload }) {
      seen.one.push(payload.text)
      await held
    },
  })
  const [slow, quick] = [1, 2].map(() => processWith([one, reader(seen.two, { name: 'two' })]))
  await written('a')
  slow?.start()
  await expect.poll(() => seen.one).toEqual(['a'])
  quick?.start()
  await expect.poll(() => seen.two).toEqual(['a'])
  expect(seen.one).toEqual(['a'])
  release()
  await Promise.all([slow?.close(), quick?.close()])
  expect(seen).toEqual({ one: ['a'], two: ['a'] })
})

test('closing waits for the batch under way, and begins none for the next consumer', async () => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const seen = { first: [] as string[], second: [] as string[] }
  const first = defineConsumer({
    name: 'first',
    events: [noted],
    since: 'beginning',
    async handle(_work, { payload }) {
      seen.first.push(`begun ${payload.text}`)
      await held
      seen.first.push(`done ${payload.text}`)
    },
  })
  await written('one')
  const consumers = processWith([first, reader(seen.second)])
  consumers.start()
  await expect.poll(() => seen.first).toEqual(['begun one'])
  let isClosed = false
  const closed = consumers.close().then(() => {
    isClosed = true
  })
  try {
    await new Promise(setImmediate)
    expect(isClosed).toBe(false)
  } finally {
    release()
  }
  await closed
  expect(seen).toEqual({ first: ['begun one', 'done one'], second: [] })
})

test('an event whose project is gone holds up nobody when it fails', async () => {
  const gone = await addProject()
  await database.db.deleteFrom('projects').where('id', '=', gone).execute()
  const seen: string[] = []
  const consumers = processWith([
    defineConsumer({
      name: 'writer',
      events: [noted],
      since: 'beginning',
      async handle(_work, event) {
        if (event.projectId === gone) throw new Error('no such project')
        seen.push(event.payload.text)
      },
    }),
  ])
  await written('late', gone)
  await written('mine')
  await consumers.runDue()
  expect(seen).toEqual(['mine'])
  expect(await failures()).toEqual([])
})

test('of two failures that are due, one process handles the first and another the second meanwhile', async () => {
  let broken = true
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const seen: string[] = []
  const consumer = (handle: (text: string) => Promise<void>) =>
    defineConsumer({
      name: 'tries',
      events: [noted],
      since: 'beginning',
      async handle(_work, { payload }) {
        if (broken) throw new Error('not now')
        await handle(payload.text)
        seen.push(payload.text)
      },
    })
  const slow = processWith([consumer(async (text) => (text === 'first' ? held : undefined))])
  const quick = processWith([consumer(async () => {})])
  await written('first')
  await slow.runDue()
  clock.pass(1)
  await written('second')
  await slow.runDue()
  expect(await failures()).toHaveLength(2)
  broken = false
  clock.pass(600)
  const slowly = slow.runDue()
  await expect.poll(() => isLocked('first')).toBe(true)
  await quick.runDue()
  expect(seen).toEqual(['second'])
  release()
  await slowly
  expect(seen).toEqual(['second', 'first'])
  expect(await failures()).toEqual([])
})

/** Whether a process is handling the failure of a note. */
async function isLocked(text: string): Promise<boolean> {
  const free = await database.db
    .selectFrom('event_failures')
    .innerJoin('events', 'events.id', 'event_failures.event_id')
    .select('event_failures.event_id')
    .where(sql<boolean>`events.payload ->> 'text' = ${text}`)
    .forUpdate('event_failures')
    .skipLocked()
    .execute()
  return free.length === 0
}

const failures = () => database.db.selectFrom('event_failures').selectAll().execute()

test('an event that fails ten times is given up, kept with its reason, and tried no more', async () => {
  let attempts = 0
  const consumers = processWith([
    defineConsumer({
      name: 'broken',
      events: [noted],
      since: 'beginning',
      async handle() {
        attempts++
        throw new Error('never')
      },
    }),
  ])
  await written('a')
  for (let hour = 0; hour < 15; hour++) {
    await consumers.runDue()
    clock.pass(3_600)
  }
  expect(attempts).toBe(10)
  expect(await failures()).toEqual([expect.objectContaining({ attempts: 10, error: 'never', retry_at: null })])
})

test('events since a moment are handled again on demand', async () => {
  const seen: string[] = []
  const consumers = processWith([reader(seen)])
  await written('old')
  clock.pass(60)
  const since = clock()
  await written('new')
  await consumers.runDue()
  await consumers.replay('reader', since)
  await consumers.runDue()
  expect(seen).toEqual(['old', 'new', 'new'])
  await expect(consumers.replay('nobody', since)).rejects.toThrow("No consumer of events is called 'nobody'.")
})

test('events that are to be handled again are so at once, in a process that is at work', async () => {
  // neither the look that comes from time to time nor that of a commit comes here
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  try {
    const seen: string[] = []
    await written('once')
    const { consumers, looked, begun } = countedLooks([reader(seen)])
    await looked()
    do vi.advanceTimersByTime(500)
    while ((await looked()) > 0)
    expect(seen).toEqual(['once'])
    await consumers.replay('reader', new Date(0))
    expect(await begun()).toBeGreaterThan(0)
    await looked()
    expect(seen).toEqual(['once', 'once'])
  } finally {
    vi.useRealTimers()
  }
})

test('an event of an older version is read as the present one', async () => {
  await written('plain')
  const present = defineEvent('note.written', z.strictObject({ text: z.string(), words: z.number() }), [
    (payload) => ({ ...(payload as { text: string }), words: 1 }),
  ])
  const seen: unknown[] = []
  const consumers = processWith([
    defineConsumer({
      name: 'reader',
      events: [present],
      since: 'beginning',
      handle: async (_work, { payload }) => seen.push(payload),
    }),
  ])
  await consumers.runDue()
  expect(seen).toEqual([{ text: 'plain', words: 1 }])
})

test('a payload that is not what its definition says is not written', async () => {
  await expect(written(1 as never)).rejects.toThrow(z.ZodError)
  expect(await database.db.selectFrom('events').select('id').execute()).toEqual([])
})

const months = async () =>
  (await database.db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => /^events_\d/.test(name))
    .toSorted()

test('months are made ahead, and what came before its month had a table is moved there', async () => {
  await written('early')
  await keepMonths(database.db, clock(), [])
  await keepMonths(database.db, clock(), [])
  expect(await months()).toEqual(['events_2026_01', 'events_2026_02', 'events_2026_03'])
  const seen: string[] = []
  const consumers = processWith([reader(seen)])
  await written('late')
  await consumers.runDue()
  expect(seen).toEqual(['early', 'late'])
  const { rows } = await database.db.executeQuery<{ count: string }>(
    database.db
      .selectFrom('events_default' as 'events')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .compile(),
  )
  expect(rows).toEqual([{ count: '0' }])
})

test('the making of a month ends no transaction that writes an event meanwhile', async () => {
  // otherwise the server would detect a deadlock in the writer's transaction first
  const patient = createDatabase({ ...database.connection, options: '-c deadlock_timeout=100s' } as never)
  opened.push({ close: () => patient.destroy() })
  const making = { months: Promise.resolve() }
  await database.db.transaction().execute(async (work) => {
    await sql`set local deadlock_timeout = '500ms'`.execute(work)
    // a partition's reference to users is made under a lock of both
    await sql`lock table users in row exclusive mode`.execute(work)
    let isMade = false
    making.months = keepMonths(patient, clock(), []).then(() => {
      isMade = true
    })
    const waiting = sql`select 1 from pg_locks where not granted and relation = 'users'::regclass
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await waiting.execute(database.db)).rows.length).toBe(1)
    expect(isMade).toBe(false)
    await write(work, 'written meanwhile')
  })
  await making.months
  expect(await months()).toHaveLength(3)
})

test('who writes events while months are made has none of them refused', async () => {
  let done = false
  const last = 40
  const begun = clock()
  const inMonth = (month: number) => new Date(Date.UTC(begun.getUTCFullYear(), begun.getUTCMonth() + month, 2))
  const context = { projectId, by: { actor: 'system' }, correlation: 'a' } as const
  let month = 3
  const write = async () => {
    let count = 0
    for (; !done; count++)
      await database.db
        .transaction()
        .execute((work) => appendEvent(work, noted, { ...context, at: inMonth(month) }, { text: 'x' }))
    return count
  }
  const writers = Promise.all([1, 2, 3, 4].map(write))
  const keep = () => keepMonths(database.db, inMonth(month - 2), [])
  for (; month < last; month++) await keep()
  done = true
  // none was refused
  expect(Math.min(...(await writers))).toBeGreaterThan(0)
  await keep()
  expect(await months()).toContain(`events_${inMonth(last).toISOString().slice(0, 7).replace('-', '_')}`)
})

test('a month older than thirteen is dropped once every consumer has read it, not before', async () => {
  const consumer = reader([])
  const consumers = processWith([consumer])
  await keepMonths(database.db, clock(), [consumer])
  await consumers.runDue()
  await written('long ago')
  clock.pass(430 * 86_400)
  await keepMonths(database.db, clock(), [consumer])
  expect(await months()).toContain('events_2026_01')
  await consumers.runDue()
  await keepMonths(database.db, clock(), [consumer])
  expect(await months()).not.toContain('events_2026_01')
  expect(await months()).toContain('events_2026_02')
})

test('after a restore into another server, whose transactions are counted anew, none is passed over', async () => {
  const seen: string[] = []
  await keepEpoch(database.db)
  const consumers = processWith([reader(seen)])
  await written('handled before')
  await consumers.runDue()
  await written('not yet handled')
  // as after restoring a dump: numbers far above those of the new server
  await database.db.updateTable('events').set({ tx: '900000000000' }).execute()
  await database.db.updateTable('event_consumers').set({ tx: '900000000000' }).execute()
  await database.db.updateTable('installation').set({ event_server: '1' }).execute()
  await keepEpoch(database.db)
  await keepEpoch(database.db)
  await written('after it')
  await consumers.runDue()
  expect(seen).toEqual(['handled before', 'not yet handled', 'after it'])
})

test('with random writers, none is lost, and those of a writer stay in their order', async () => {
  const random = seededRandom(7)
  const seen: string[] = []
  const consumers = processWith([reader(seen)])
  const writer = async (name: number) => {
    for (let at = 0; at < 25; at++) {
      const work = await database.db.startTransaction().execute()
      await write(work as never, `${name}-${at}-first`)
      for (let turns = random() * 8; turns > 0; turns--) await new Promise(setImmediate)
      await write(work as never, `${name}-${at}-second`)
      if (random() < 0.2) await work.rollback().execute()
      else await work.commit().execute()
    }
  }
  let writing = true
  const reading = (async () => {
    while (writing) await consumers.runDue()
  })()
  await Promise.all([1, 2, 3, 4].map(writer))
  writing = false
  await reading
  await consumers.runDue()
  const rows = await database.db.selectFrom('events').select('payload').orderBy('id').execute()
  const texts = rows.map(({ payload }) => (payload as { text: string }).text)
  expect(seen.toSorted()).toEqual(texts.toSorted())
  for (const name of [1, 2, 3, 4]) {
    const of = (all: string[]) => all.filter((text) => text.startsWith(`${name}-`))
    expect(of(seen)).toEqual(of(texts))
  }
})
