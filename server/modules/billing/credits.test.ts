import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyFlow } from '../../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { planOf } from '../../access/plans'
import { releaseReservations, reserveCredits, settleCredits, usedByChatbot, usedMessageCredits } from './credits'
import { returnCredits, takeCredits, usedCredits, usedTrainingOnce } from './monthlyCredits'

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

it('that credits were refused is noted, also in a month in which none were used', async () => {
  const refusedAt = async () => {
    const row = database.db.selectFrom('credit_months').select('refused_at').where('project_id', '=', projectId)
    return (await row.executeTakeFirst())?.refused_at ?? null
  }
  const { chatbotId } = await insertPublishedFlow(database.db, emptyFlow(), undefined, {}, projectId)
  const much = { projectId, chatbotId, visitor: null, key: 'first', amount: 1e6, at: NOW }
  expect(await reserveCredits(database.db, much)).toMatchObject({ ok: false })
  expect(await refusedAt()).toEqual(NOW)
})

it('a month ends at midnight UTC, and what comes back goes to the month that it was used in', async () => {
  expect(await take('all', LIMIT)).toBe(true)
  expect([await take('more'), await take('next', 1, NEXT_MONTH)]).toEqual([false, true])
  await returnCredits(database.db, use('all'))
  expect([await used(), await used(NEXT_MONTH)]).toEqual([0, 1])
})

it('what was given once to train is taken when a month’s is used up, and comes back to where it came from', async () => {
  const { training_credits: month } = planOf('free').limits
  await database.db
    .updateTable('projects')
    .set({ addons: JSON.stringify({ 'bonus-training': 1_000 }) })
    .where('id', '=', projectId)
    .execute()
  const train = (key: string, amount: number, at = NOW) =>
    takeCredits(database.db, { projectId, credit: 'training_credits', key, amount, at })
  const usedNow = async (at = NOW) => [
    await usedCredits(database.db, projectId, 'training_credits', at),
    await usedTrainingOnce(database.db, projectId),
  ]
  expect(await train('a', month - 100)).toBe(true)
  expect(await train('b', 700)).toBe(true)
  expect(await usedNow()).toEqual([month, 600])
  expect(await train('c', 401)).toBe(false)
  // the next month begins anew, what was given once does not
  expect(await train('d', month + 401, NEXT_MONTH)).toBe(false)
  expect(await train('d', month + 400, NEXT_MONTH)).toBe(true)
  expect(await usedNow(NEXT_MONTH)).toEqual([month, 1_000])
  await returnCredits(database.db, { projectId, credit: 'training_credits', key: 'b' })
  expect(await usedNow()).toEqual([month - 100, 400])
})

describe('AI message credits', () => {
  const DAY_BEFORE = new Date('2026-11-29T12:00:00Z')
  const HOUR_BEFORE = new Date(NOW.getTime() - 3_600_000)
  const month = planOf('free').limits.ai_message_credits
  const lifetime = planOf('free').limits.lifetime_credits
  let chatbotId: string
  beforeEach(async () => {
    ;({ projectId, chatbotId } = await insertPublishedFlow(database.db, emptyFlow()))
    await database.db.updateTable('projects').set({ plan_id: 'free' }).where('id', '=', projectId).execute()
  })
  const reserve = (key: string, amount = 1, at = NOW, visitor: string | null = null) =>
    reserveCredits(database.db, { projectId, chatbotId, visitor, key, amount, at })
  const settle = (key: string, amount: number) => settleCredits(database.db, { projectId, key, amount, at: NOW })
  const spend = async (key: string, amount: number, at = NOW, visitor: string | null = null) => {
    const reserved = await reserve(key, amount, at, visitor)
    if (reserved.ok) await settle(key, amount)
    return reserved
  }
  const usedNow = (at = NOW) => usedMessageCredits(database.db, projectId, at)
  const budget = (values: { monthly_budget?: number; visitor_budget?: number }) =>
    database.db.updateTable('chatbots').set(values).where('id', '=', chatbotId).execute()

  it('of sixteen answers at once that want the last credit, one gets it', async () => {
    await spend('most', month + lifetime - 1)
    const reserved = await Promise.all(Array.from({ length: 16 }, (_, n) => reserve(`last.${n}`)))
    expect(reserved.filter(({ ok }) => ok)).toHaveLength(1)
    expect(reserved.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'plan' })
    await Promise.all(reserved.map((_, n) => settle(`last.${n}`, 1)))
    expect(await usedNow()).toEqual({ month, lifetime })
  })

  it('those of the month go first, and the others last for ever', async () => {
    await spend('a', month - 0.5)
    await spend('b', 1)
    expect(await usedNow()).toEqual({ month, lifetime: 0.5 })
    expect(await usedNow(NEXT_MONTH)).toEqual({ month: 0, lifetime: 0.5 })
    await spend('c', month + lifetime - 0.5, NEXT_MONTH)
    expect(await spend('d', 0.0001, NEXT_MONTH)).toEqual({ ok: false, reason: 'plan' })
  })

  it('tenths add up exactly', async () => {
    for (let n = 0; n < 10; n++) await spend(`n.${n}`, 0.1)
    expect(await usedNow()).toEqual({ month: 1, lifetime: 0 })
  })

  it('what is settled is what an answer has cost, once, in the month that it was asked in', async () => {
    await reserve('a', 5)
    expect(await usedNow()).toMatchObject({ month: 5 })
    await settle('a', 2)
    await settle('a', 4)
    expect([await usedNow(), await usedNow(NEXT_MONTH)]).toMatchObject([{ month: 2 }, { month: 0 }])
    await settle('never reserved', 3)
    expect(await usedNow()).toMatchObject({ month: 2 })
    expect(await reserve('a', 5)).toEqual({ ok: true })
    expect(await usedNow()).toMatchObject({ month: 2 })
  })

  it("what costs more than was reserved is the month's, and takes nothing that is given once for all", async () => {
    await reserve('a', 1)
    await settle('a', 3)
    expect(await usedNow()).toEqual({ month: 3, lifetime: 0 })
    await spend('most', month - 3.5)
    await reserve('b', 1)
    expect(await usedNow()).toEqual({ month, lifetime: 0.5 })
    await settle('b', 4)
    expect(await usedNow()).toEqual({ month: month + 3, lifetime: 0.5 })
  })

  it('an answer that came to nothing costs nothing, and may be asked again', async () => {
    await reserve('a', 5)
    await settle('a', 0)
    expect(await usedNow()).toMatchObject({ month: 0 })
    await spend('a', 5)
    expect(await usedNow()).toMatchObject({ month: 5 })
  })

  it('what a crash has left reserved comes back, and what is being answered stays', async () => {
    await reserve('lost', 5, DAY_BEFORE)
    await reserve('running', 3)
    await releaseReservations(database.db, NOW)
    expect(await usedNow()).toMatchObject({ month: 3 })
    // nobody settles it
    await settle('lost', 5)
    expect(await usedNow()).toMatchObject({ month: 3 })
  })

  it('an answer that is settled after its reservation was released is paid all the same, once', async () => {
    await reserve('slow', 5, HOUR_BEFORE)
    await releaseReservations(database.db, NOW)
    expect(await usedNow()).toMatchObject({ month: 0 })
    await settle('slow', 4)
    await settle('slow', 4)
    expect(await usedNow()).toMatchObject({ month: 4 })
    // the same answer, settled twice at once: by a process considered dead, and by its successor
    await reserve('twice', 5, HOUR_BEFORE)
    await releaseReservations(database.db, NOW)
    await reserve('twice', 5)
    expect(await usedNow()).toMatchObject({ month: 9 })
    await Promise.all([settle('twice', 3), settle('twice', 3)])
    expect(await usedNow()).toMatchObject({ month: 7 })
  })

  it("a chatbot's budget of the month and a visitor's of the day stop them alone", async () => {
    await budget({ monthly_budget: 3, visitor_budget: 1.5 })
    expect(await spend('a', 1, DAY_BEFORE, 'eve')).toEqual({ ok: true })
    expect(await reserve('b', 1, DAY_BEFORE, 'eve')).toEqual({ ok: false, reason: 'visitor' })
    expect(await reserve('c', 1, DAY_BEFORE, 'bob')).toEqual({ ok: true })
    expect(await reserve('d', 1, NOW, 'eve')).toEqual({ ok: true })
    expect(await reserve('e', 1, NOW, null)).toEqual({ ok: false, reason: 'chatbot' })
    expect(await usedByChatbot(database.db, projectId, chatbotId, NOW)).toBe(3)
    expect(await reserve('f', 1, NEXT_MONTH, 'eve')).toEqual({ ok: true })
  })

  it('what is asked in the first moment of a day or month is of it, answered or not', async () => {
    const midnight = new Date('2026-12-01T00:00:00Z')
    await budget({ monthly_budget: 2 })
    expect(await spend('before', 1, new Date(midnight.getTime() - 1))).toEqual({ ok: true })
    expect(await spend('answered', 1, midnight)).toEqual({ ok: true })
    expect(await reserve('asked', 1, midnight)).toEqual({ ok: true })
    expect(await usedByChatbot(database.db, projectId, chatbotId, midnight)).toBe(2)
    expect(await reserve('more', 1, midnight)).toEqual({ ok: false, reason: 'chatbot' })
  })

  it('a reservation stands for 15 minutes, and may be settled within a day', async () => {
    const later = (ms: number) => new Date(NOW.getTime() + ms)
    await reserve('a', 2)
    await releaseReservations(database.db, later(15 * 60_000))
    expect(await usedNow()).toMatchObject({ month: 2 })
    await releaseReservations(database.db, later(15 * 60_000 + 1))
    expect(await usedNow()).toMatchObject({ month: 0 })
    await releaseReservations(database.db, later(24 * 3_600_000))
    await settle('a', 2)
    expect(await usedNow()).toMatchObject({ month: 2 })
    await reserve('b', 3)
    await releaseReservations(database.db, later(24 * 3_600_000 + 1))
    await settle('b', 3)
    expect(await usedNow()).toMatchObject({ month: 2 })
  })
})
