import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { insertChatbot, insertSources, type Place } from '../../../../tests/support/knowledgeBase'
import { forgetIndexFiles } from './forgetIndexFiles'
import { createIndexes } from './indexes'
import { createIndexFiles } from './indexFiles'
import { askedOf } from './question'
import { nameOf } from './segmentFile'

let database: TestDatabase
let folder: string
let place: Place
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-indexes-'))
  place = await insertChatbot(database.db)
  await insertSources(database.db, place, [{ texts: Array.from({ length: 30 }, (_, at) => textOf(at)) }])
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const THINGS = ['lamp', 'tent', 'boat', 'chair', 'bread', 'clock', 'horse', 'river', 'stone', 'violin']
const textOf = (at: number) => `The ${THINGS[at % THINGS.length]} number ${at} stands in room ${at % 7}.`

/** A process over the folder, as after a start. */
function start(least = 10) {
  const files = createIndexFiles(folder, { freeSpace: 0, least })
  const indexes = createIndexes(database.db, { files })
  return {
    files,
    indexes,
    async ask(question: string, version = '1') {
      const { lexical } = await indexes.get({ ...place, version }, null, true)
      const { hits } = lexical.search(askedOf(question), 8)
      await indexes.written()
      return hits
    },
  }
}
const ownFolder = () => join(folder, place.projectId, place.chatbotId)
const segments = async () => (await readdir(ownFolder())).filter((name) => name.endsWith('.segment')).sort()

test('after a start an index is read from files, and what changed meanwhile from the database', async () => {
  const question = textOf(3)
  const built = start()
  const before = await built.ask(question)
  expect(built.indexes.builds).toBe(1)
  const [first] = await segments()

  const again = start()
  expect(await again.ask(question)).toEqual(before)
  expect(again.indexes.builds).toBe(0)
  expect(await segments()).toEqual([first])

  await insertSources(database.db, place, [{ texts: ['A yellow submarine lies in the harbour.'] }])
  const own = database.db.forProject(place.projectId)
  await own.deleteFrom('knowledge_chunks').where('id', '=', String(before[0]?.id)).execute()
  const later = start()
  expect(await later.ask('yellow submarine')).toHaveLength(1)
  expect((await later.ask(question)).map(({ id }) => id)).not.toContain(before[0]?.id)
  expect(later.indexes.builds).toBe(0)
  expect(await segments()).toHaveLength(2)
  const last = start()
  const { lexical } = await last.indexes.get({ ...place, version: '2' }, null)
  expect(lexical.parts.map(({ segment }) => segment.size)).toEqual([30, 1])
})

test('of three processes that start at once, one builds', async () => {
  const processes = [start(), start(), start()]
  // none makes files before all have looked for them
  let looking = processes.length
  let allLooked = () => {}
  const all = new Promise<void>((resolve) => {
    allLooked = resolve
  })
  for (const { files } of processes) {
    const { read } = files
    files.read = async (of) => {
      const found = await read(of)
      if (--looking <= 0) allLooked()
      await all
      return found
    }
  }
  const answers = await Promise.all(processes.map(({ ask }) => ask(textOf(5))))
  expect(processes.reduce((sum, { indexes }) => sum + indexes.builds, 0)).toBe(1)
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
  expect(await readdir(ownFolder())).toEqual(await segments())
})

test('a process that ended while it built holds nobody up', async () => {
  const built = start()
  await built.ask(textOf(1))
  const [name = ''] = await segments()
  await rm(join(ownFolder(), name))
  await writeFile(join(ownFolder(), 'building'), '')
  const long = new Date(Date.now() - 60_000)
  await utimes(join(ownFolder(), 'building'), long, long)
  expect(await start().ask(textOf(1))).toHaveLength(8)
})

test('files that are damaged, cut off, longer, of another form or of another chatbot are not used', async () => {
  const answer = await start().ask(textOf(4))
  const [name = ''] = await segments()
  const path = join(ownFolder(), name)
  const whole = await readFile(path)
  const flipped = Buffer.from(whole)
  flipped[whole.length - 100] = (flipped[whole.length - 100] as number) ^ 1
  const foreign = createIndexFiles(folder, { freeSpace: 0, least: 1 })
  for (const damage of [
    () => writeFile(path, flipped),
    () => writeFile(path, whole.subarray(0, -8)),
    () => appendFile(path, 'more'),
    () => writeFile(path, ''),
  ]) {
    await damage()
    expect(await foreign.read(place)).toBeNull()
    const next = start()
    expect(await next.ask(textOf(4))).toEqual(answer)
    expect(next.indexes.builds).toBe(1)
    // it was made anew
    expect(await readFile(path)).toEqual(whole)
  }
  await rm(path)
  for (const [at, value] of [
    [0, 7],
    [1, 2 ** 31],
    [2, 2 ** 31],
    [3, 1],
  ] as const) {
    const lying = Buffer.from(whole)
    lying.writeUInt32LE(value, at * 4)
    const named = await nameOf(lying, async () => undefined)
    await writeFile(join(ownFolder(), named), lying)
    expect(await foreign.read(place), `${at}`).toBeNull()
    await rm(join(ownFolder(), named))
  }
  await writeFile(path, whole)
  const other = await insertChatbot(database.db)
  await insertSources(database.db, other, [{ texts: Array.from({ length: 30 }, (_, at) => `Other ${textOf(at)}`) }])
  await cp(ownFolder(), join(folder, other.projectId, other.chatbotId), { recursive: true })
  const own = place
  place = other
  const next = start()
  const hits = await next.ask('other lamp')
  expect(next.indexes.builds).toBe(1)
  const rows = await database.db
    .selectFrom('knowledge_chunks')
    .select('id')
    .where('chatbot_id', '=', own.chatbotId)
    .execute()
  expect(hits.filter(({ id }) => rows.some((row) => Number(row.id) === id))).toEqual([])
})

test('files of a chatbot that is gone, has no sources, or too few, go', async () => {
  const process = start()
  await process.ask(textOf(1))
  const { sweep } = forgetIndexFiles({ db: database.db, log: pino({ level: 'silent' }) }, process.files)
  await sweep()
  expect(await segments()).toHaveLength(1)
  await start(100).ask(textOf(1))
  await expect(stat(ownFolder())).rejects.toThrow('ENOENT')
  await start().ask(textOf(2))
  expect(await segments()).toHaveLength(1)
  await database.db.deleteFrom('knowledge_sources').where('chatbot_id', '=', place.chatbotId).execute()
  await sweep()
  await expect(stat(ownFolder())).rejects.toThrow('ENOENT')
})

test('without a folder that can be written, an index is built and nobody waits', async () => {
  await writeFile(join(folder, place.projectId), 'no folder')
  const process = start()
  expect(await process.ask(textOf(1))).toHaveLength(8)
  expect(process.indexes.builds).toBe(1)
})
