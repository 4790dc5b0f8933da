import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { insertChatbot, insertSources } from '../../../../tests/support/knowledgeBase'
import { type ModelServer, startModelServer } from '../../../../tests/support/modelServer'
import { createJobs } from '../../../platform/jobs/createJobs'
import type { Models, OpenEmbedder } from '../../models/models'
import { environmentAccess } from '../../models/providers/environment'
import { createOpenEmbedder } from '../../models/providers/openEmbedder'
import { createKnowledge } from '../createKnowledge'

let database: TestDatabase
let server: ModelServer
const clock = createTestClock()
beforeAll(async () => {
  ;[database, server] = await Promise.all([createTestDatabase(), startModelServer()])
  server.embeds(meaningOf)
})
afterAll(() => Promise.all([database.close(), server.close()]))

/** Synonyms get the same vector. */
const MEANINGS = [/car|automobile|vehicle/i, /doctor|physician|ill/i, /bread|baker|loaf/i]
const meaningOf = (text: string): number[] => [...MEANINGS.map((words) => (words.test(text) ? 1 : 0)), 0.1]

const SOURCES = [
  { title: 'Cars', texts: ['An automobile stands before the house.'] },
  { title: 'Health', texts: ['The physician comes at noon.'] },
  { title: 'Food', texts: ['A loaf costs two coins.'] },
]

/** A process with an embedder of that name; null: none. */
function start(name: string | null) {
  const process = { db: database.db, clock, log: pino({ level: 'silent' }) }
  const jobs = createJobs(process)
  const setUp: { embedder: OpenEmbedder | null } = { embedder: name === null ? null : embedder(name) }
  const models: Models = { catalogue: async () => [], open: async () => null, embedder: async () => setUp.embedder }
  const knowledge = createKnowledge({ ...process, jobs }, models)
  for (const job of knowledge.jobs) jobs.handle(job)
  return { knowledge, jobs, setUp }
}
const embedder = (name: string) => createOpenEmbedder(environmentAccess(server.settings), name, { retries: 0 })

async function known() {
  const place = await insertChatbot(database.db)
  await insertSources(database.db, place, SOURCES)
  return place
}
const modelsOf = ({ chatbotId }: { chatbotId: string }) =>
  database.db.selectFrom('knowledge_chunks').select('embedding_model').where('chatbot_id', '=', chatbotId).execute()

test('words alone answer until a job has given every chunk its vector; then other words with the same meaning find it too', async () => {
  const place = await known()
  const { knowledge, jobs } = start('small')
  expect((await knowledge.find(place, 'a vehicle')).passages.map(({ source }) => source.title)).not.toContain('Cars')
  await jobs.runDue()
  const found = await knowledge.find(place, 'vehicle?')
  expect(found.passages[0]?.source.title).toBe('Cars')
  expect(found.zone).toBe('confident')
})

test('after another embedder was chosen its vectors take the place of the old ones, and answers go on meanwhile', async () => {
  const place = await known()
  const { knowledge, jobs, setUp } = start('small')
  await knowledge.calibrate(place)
  await jobs.runDue()
  setUp.embedder = embedder('large')
  // for a moment after an index was built it is used as it is: whoever asks later has it built for the new embedder
  const filled = async () => {
    expect((await knowledge.find(place, 'automobile before the house')).passages[0]?.source.title).toBe('Cars')
    await jobs.runDue()
    return new Set((await modelsOf(place)).map((row) => row.embedding_model))
  }
  await expect.poll(filled).toEqual(new Set([setUp.embedder.id]))
  expect((await knowledge.find(place, 'vehicle')).passages[0]?.source.title).toBe('Cars')
})

test('while the embedder fails words alone answer, and it is left in peace for a while', async () => {
  const place = await known()
  const { knowledge, jobs } = start('small')
  await knowledge.calibrate(place)
  await jobs.runDue()
  await knowledge.find(place, 'vehicle')
  server.answers('')
  server.wants('another key')
  const ask = async () => (await knowledge.find(place, 'physician at noon')).passages[0]?.source.title
  expect([await ask(), await ask()]).toEqual(['Health', 'Health'])
  expect(server.others).toHaveLength(1)
  server.wants(null)
  clock.pass(60)
  expect((await knowledge.find(place, 'vehicle')).passages[0]?.source.title).toBe('Cars')
})

test('without an embedder vectors that are there do not count', async () => {
  const place = await known()
  const before = start('small')
  await before.knowledge.calibrate(place)
  await before.jobs.runDue()
  const { passages } = await start(null).knowledge.find(place, 'vehicle')
  expect(passages).toEqual([])
})
