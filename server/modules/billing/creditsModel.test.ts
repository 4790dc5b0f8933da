import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFlow } from '../../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { seededRandom } from '../../../tests/support/documents'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { planOf } from '../../access/plans'
import { releaseReservations, reserveCredits, settleCredits, usedByChatbot, usedMessageCredits } from './credits'

// Two projects whose answers have the same keys, with two chatbots each: after whatever happens to them in whatever
// order, what is used is what a plain count in whole tenths gives.

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const MINUTE = 60_000
const { ai_message_credits, lifetime_credits } = planOf('free').limits
const [MONTH, LIFETIME] = [ai_message_credits * 10, lifetime_credits * 10]
const MONTHLY_BUDGET = 600
const VISITOR_BUDGET = 300

interface Answer {
  key: string
  chatbotId: string
  visitor: string | null
  at: Date
  month: number
  lifetime: number
  released: boolean
}

const startOf = (length: 7 | 10, at: Date) => new Date(at.toISOString().slice(0, length) + (length === 7 ? '-01' : ''))
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

/** A project's credits in tenths, counted from the list of its answers. */
class Count {
  private reserved: Answer[] = []
  private used: Answer[] = []

  private get counted() {
    return [...this.used, ...this.reserved.filter(({ released }) => !released)]
  }
  usedAt(now: Date) {
    const ofMonth = this.counted.filter(({ at }) => at >= startOf(7, now))
    return { month: sum(ofMonth.map(({ month }) => month)), lifetime: sum(this.counted.map((each) => each.lifetime)) }
  }
  usedBy(chatbotId: string, from: Date, visitor: string | null = null) {
    const own = this.counted.filter(
      (each) => each.chatbotId === chatbotId && each.at >= from && (visitor === null || each.visitor === visitor),
    )
    return sum(own.map(({ month, lifetime }) => month + lifetime))
  }
  reserve(answer: Omit<Answer, 'month' | 'lifetime' | 'released'>, amount: number, budgeted: boolean) {
    const { key, chatbotId, visitor, at } = answer
    if (amount <= 0 || this.counted.some((each) => each.key === key)) return { ok: true }
    const before = this.usedAt(at)
    const month = Math.min(amount, Math.max(0, MONTH - before.month))
    const lifetime = amount - month
    if (lifetime > 0 && before.lifetime + lifetime > LIFETIME) return { ok: false, reason: 'plan' }
    if (budgeted && this.usedBy(chatbotId, startOf(7, at)) + amount > MONTHLY_BUDGET)
      return { ok: false, reason: 'chatbot' }
    if (budgeted && visitor !== null && this.usedBy(chatbotId, startOf(10, at), visitor) + amount > VISITOR_BUDGET)
      return { ok: false, reason: 'visitor' }
    this.reserved = this.reserved.filter((each) => each.key !== key)
    this.reserved.push({ ...answer, month, lifetime, released: false })
    return { ok: true }
  }
  settle(key: string, amount: number) {
    const answer = this.reserved.find((each) => each.key === key)
    this.reserved = this.reserved.filter((each) => each !== answer)
    if (!answer || amount <= 0) return
    const lifetime = Math.min(Math.max(0, amount - answer.month), answer.lifetime)
    this.used.push({ ...answer, month: amount - lifetime, lifetime })
  }
  release(now: Date) {
    const age = (each: Answer) => now.getTime() - each.at.getTime()
    this.reserved = this.reserved.filter((each) => age(each) <= 24 * 60 * MINUTE)
    for (const each of this.reserved) each.released ||= age(each) > 15 * MINUTE
  }
}

async function openProject() {
  const { db } = database
  const { projectId, chatbotId } = await insertPublishedFlow(db, emptyFlow())
  const other = await insertPublishedFlow(db, emptyFlow(), undefined, {}, projectId)
  await db.updateTable('projects').set({ plan_id: 'free' }).where('id', '=', projectId).execute()
  const budgets = { monthly_budget: MONTHLY_BUDGET / 10, visitor_budget: VISITOR_BUDGET / 10 }
  await db.updateTable('chatbots').set(budgets).where('id', '=', chatbotId).execute()
  return { projectId, chatbotIds: [chatbotId, other.chatbotId], count: new Count() }
}

test.each([1, 2, 3, 4])('credits of two projects are what a plain count gives (seed %i)', async (seed) => {
  const { db } = database
  const random = seededRandom(seed)
  const below = (most: number) => Math.floor(random() * most)
  const projects = [await openProject(), await openProject()]
  let now = new Date('2026-11-29T23:50:00Z')
  for (let round = 0; round < 90; round++) {
    const { projectId, chatbotIds, count } = projects[below(2)] ?? (await openProject())
    const number = below(24)
    // whose answer it is, its key says
    const key = `answer.${number}`
    const chatbotId = chatbotIds[number % 2] ?? ''
    const visitor = [null, 'eve', 'bob'][number % 3] ?? null
    const amount = below(6) === 0 ? 0 : 1 + below(250)
    const step = below(8)
    if (step < 4) {
      const expected = count.reserve({ key, chatbotId, visitor, at: now }, amount, chatbotId === chatbotIds[0])
      const given = { projectId, chatbotId, visitor, key, amount: amount / 10, at: now }
      expect(await reserveCredits(db, given), `round ${round}`).toEqual(expected)
    } else if (step < 6) {
      count.settle(key, amount)
      await settleCredits(db, { projectId, key, amount: amount / 10, at: now })
    } else if (step === 6) {
      for (const each of projects) each.count.release(now)
      await releaseReservations(db, now)
    } else {
      // to the limits of reservations exactly, and beyond
      const passes = [15, 16, 24 * 60, 24 * 60 + 1, 12 * 60, 9 * 24 * 60][below(6)] ?? 0
      now = new Date(now.getTime() + passes * MINUTE)
    }
    for (const each of projects) {
      const { month, lifetime } = each.count.usedAt(now)
      const used = await usedMessageCredits(db, each.projectId, now)
      expect(used, `round ${round}`).toEqual({ month: month / 10, lifetime: lifetime / 10 })
      for (const id of each.chatbotIds)
        expect(await usedByChatbot(db, each.projectId, id, now), `round ${round}`).toBe(
          each.count.usedBy(id, startOf(7, now)) / 10,
        )
    }
  }
})
