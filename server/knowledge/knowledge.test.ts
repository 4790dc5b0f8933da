import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../tests/support/database'
import { insertChatbot, insertSources, type Place } from '../../tests/support/knowledgeBase'
import type { Models } from '../ai/models'
import type { ServerContext } from '../context'
import { createKnowledge } from './createKnowledge'
import type { Knowledge } from './knowledge'

let database: TestDatabase
let knowledge: Knowledge
const noModels: Models = { catalogue: async () => [], open: async () => null, embedder: async () => null }

beforeAll(async () => {
  database = await createTestDatabase()
  knowledge = createKnowledge(contextOf(), noModels)
})
afterAll(() => database.close())

/** A process of its own over the same database. */
const contextOf = (): ServerContext =>
  ({ db: database.db, clock: () => new Date(), log: pino({ level: 'silent' }) }) as unknown as ServerContext

const SHOP = [
  {
    title: 'Delivery',
    texts: ['We deliver within three working days. Parcels to islands take a week. Delivery is free above 50 euros.'],
  },
  {
    title: 'Returns',
    texts: [
      'Goods can be sent back within 30 days. The refund reaches your account after five days. Opened games are not taken back.',
    ],
  },
  { title: 'Opening', texts: ['Our shop in Harbour Street is open from nine to six. On Sundays it is closed.'] },
  { asked: ['How can I pay?', 'Do you take credit cards?'], texts: ['By card, by invoice or in cash at the shop.'] },
]

async function shop(): Promise<Place> {
  const place = await insertChatbot(database.db)
  await insertSources(database.db, place, SHOP)
  await knowledge.calibrate(place)
  return place
}

test('a question is answered with the sentence that says it, cited', async () => {
  const found = await knowledge.find(await shop(), 'How long do parcels to islands take?')
  expect(found.passages[0]?.source.title).toBe('Delivery')
  expect(found.zone).toBe('confident')
  expect(knowledge.extract(found, 'How long do parcels to islands take?')).toEqual({
    text: 'Parcels to islands take a week. [1]',
    cites: [0],
  })
})

test('what the sources say nothing about is not known, and not answered', async () => {
  const place = await shop()
  for (const question of [
    'Who painted the ceiling of the chapel?',
    'Why do cats purr?',
    'What is the capital of Peru?',
  ]) {
    const found = await knowledge.find(place, question)
    expect([question, found.zone]).toEqual([question, 'unknown'])
    expect(knowledge.extract(found, question)).toBeNull()
  }
})
