import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { insertChatbot, insertSources } from '../../../tests/support/knowledgeBase'
import { LexicalIndex } from './retrieval/lexicalIndex'
import { warmUpIfNeeded } from './warmUp'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('a start asks a few questions itself where there are sources, and else none', async () => {
  const search = vi.spyOn(LexicalIndex.prototype, 'search')
  const error = vi.fn()
  const context = { db: database.db, log: { error } as never }
  await warmUpIfNeeded(context)
  expect(search).not.toHaveBeenCalled()
  await insertSources(database.db, await insertChatbot(database.db), [{ texts: ['The lamp is green.'] }])
  await warmUpIfNeeded(context)
  expect(search.mock.results.length).toBeGreaterThan(5)
  // each finds the passage that it stands in
  for (const { value } of search.mock.results) expect(value.hits.length).toBeGreaterThan(0)
  expect(error).not.toHaveBeenCalled()
  search.mockRestore()
})
