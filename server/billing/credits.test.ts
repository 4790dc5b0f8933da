import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { emptyFlow } from '../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../tests/support/database'
import { insertPublishedFlow } from '../../tests/support/publishedFlow'
import { returnCredits, takeCredits, usedCredits } from './credits'
import { planOf } from './plans'

const NOW = new Date('2026-11-30T23:59:59Z')
const NEXT_MONTH = new Date('2026-12-01T00:00:00Z')
const LIMIT = planOf('free').limits.email_credits
let database: TestDatabase
let projectId: string
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  ;({ projectId } = await insertPublishedFlow(database.db, emptyFlow()))
  await database.db.updateTable('projects').set({ plan_id: 'free' }).where('id', '=', projectId).execute()
})

const use = (key: string) => ({ projectId, credit: 'email_credits' as const, key })
const take = (key: string, amount = 1, at = NOW) => takeCredits(database.db, { ...use(key), amount, at })
const used = (at = NOW) => usedCredits(database.db, projectId, 'email_credits', at)

it('of many who want the last credit, one gets it', async () => {
  for (let round = 0; round < 5; round++) {
    await take(`most.${round}`, LIMIT - 1 - (await used()))
    const taken = await Promise.all(Array.from({ length: 8 }, (_, n) => take(`last.${round}.${n}`)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    const winner = taken.indexOf(true)
    await returnCredits(database.db, use(`last.${round}.${winner}`))
    expect(await used()).toBe(LIMIT - 1)
  }
})

it('the same key is used once, and given back once', async () => {
  expect([await take('a', 3), await take('a', 3)]).toEqual([true, true])
  expect(await used()).toBe(3)
  await returnCredits(database.db, use('a'))
  await returnCredits(database.db, use('a'))
  expect(await used()).toBe(0)
  expect(await take('a', 3)).toBe(false)
})

it('a month ends at midnight UTC, and what comes back goes to the month that it was used in', async () => {
  expect(await take('all', LIMIT)).toBe(true)
  expect([await take('more'), await take('next', 1, NEXT_MONTH)]).toEqual([false, true])
  await returnCredits(database.db, use('all'))
  expect([await used(), await used(NEXT_MONTH)]).toEqual([0, 1])
})
