import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { insertChatbot, insertSources, type Place } from '../../../../tests/support/knowledgeBase'
import { createJobs } from '../../../platform/jobs/createJobs'
import type { Models } from '../../models/models'
import { createKnowledge } from '../createKnowledge'
import { FORM } from '../retrieval/tokens'
import { renewRecords } from './renewRecords'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const noModels: Models = { catalogue: async () => [], open: async () => null, embedder: async () => null }

/** Of "Dogs are welcome.", as it was made before there were concepts. */
const EARLIER = Buffer.from(
  'AQEAAAMAAwACAAIACwALAAAAAAAAAAAAAAAAADzBMEQ0bPurkNIR6V83rVYViODNXkOtID963TWZ09FLMfmffFdCFYiXpJKJ4YYOscw4u9dLFibeSheZ4pM3zOMBAQEBAQEBAQEBAQEBAQEB',
  'base64',
)

test('passages from before there were concepts are found by them later, and are not charged for', async () => {
  const { db } = database
  const context = { db, clock: () => new Date('2026-11-29T12:00:00Z'), log: pino({ level: 'silent' }) }
  const jobs = createJobs(context)
  const knowledge = createKnowledge({ ...context, jobs }, noModels)
  const made: Place[] = []
  for (const texts of [['Dogs are welcome.'], Array.from({ length: 120 }, (_, at) => `Lamp ${at} is sold out.`)]) {
    const place = await insertChatbot(db)
    await insertSources(db, place, [{ texts }])
    made.push(place)
  }
  const [kennel] = made as [Place, Place]
  await db.updateTable('knowledge_chunks').set({ tokens: EARLIER }).execute()
  await expect(knowledge.find(kennel, 'Are dogs welcome?')).resolves.toMatchObject({
    passages: [{ text: 'Dogs are welcome.' }],
  })
  await expect(knowledge.find(kennel, 'puppy')).resolves.toMatchObject({ passages: [] })

  await renewRecords({ ...context, jobs })
  await expect(knowledge.find(kennel, 'puppy')).resolves.toMatchObject({ passages: [{ text: 'Dogs are welcome.' }] })
  const records = await db.selectFrom('knowledge_chunks').select('tokens').execute()
  expect(new Set(records.map(({ tokens }) => tokens[0]))).toEqual(new Set([FORM]))
  expect(await db.selectFrom('credit_uses').selectAll().execute()).toEqual([])
  const due = await db.selectFrom('jobs').select('key').where('kind', '=', 'calibrate-knowledge').execute()
  expect(due.map(({ key }) => key).sort()).toEqual(made.map(({ chatbotId }) => chatbotId).sort())
})
