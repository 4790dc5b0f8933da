import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, bench, describe } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database'
import { fill, firstQuestions, indexOfSize, makeFolder } from './retrieval/sizes'

/**
 * What an index costs by the number of a chatbot's chunks: `npm run bench -- index`, or `-- index 10000` for one size.
 * The largest takes some minutes.
 */
const SIZES = [1_000, 10_000, 100_000, 300_000]
const asked = process.env.PARLEY_BENCH_SIZES?.split(',').map(Number)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

describe('an index', () => {
  const once = { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 }
  for (const size of asked ?? SIZES)
    bench(
      `of ${size} chunks`,
      async () => {
        const folder = await makeFolder()
        try {
          const filled = await fill(database.db, size)
          const first = await firstQuestions(database.connection, filled, folder)
          console.table([{ chunks: size, ...first }])
          console.table([{ chunks: size, ...(await indexOfSize(database.db, filled, folder)) }])
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      },
      once,
    )
})
