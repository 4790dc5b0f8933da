import { afterAll, beforeAll, bench, describe } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database'
import { indexOfSize } from './retrieval/sizes'

/** What an index costs by the number of a chatbot's chunks: `npm run bench -- index`. The largest takes some minutes. */
const SIZES = [1_000, 10_000, 100_000, 300_000]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

describe('an index', () => {
  const once = { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 }
  for (const size of SIZES)
    bench(`of ${size} chunks`, async () => console.table([await indexOfSize(database.db, size)]), once)
})
