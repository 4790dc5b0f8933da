import type { Kysely } from 'kysely'
import { entitlementsOf } from '../../access/entitlements'
import type { PlanLimits } from '../../access/plans'
import type { Db } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { creditsRefused, creditsReserved, creditsSettled } from './events'
import { lockProject } from './lockProject'
import { monthOf, startOfDay, startOfMonth } from './months'

/** The most that a model's answer may cost, reserved in advance. */
export interface Reservation {
  projectId: string
  chatbotId: string
  /** the visitor for the daily budget; null: a member of the project */
  visitor: string | null
  /** of the answer: the same key is charged once */
  key: string
  /** decimal, up to four places */
  amount: number
  at: Date
}
/** What is used up: the plan's credits, the chatbot's monthly budget, or the visitor's daily one. */
export type Reserved = { ok: true } | { ok: false; reason: 'plan' | 'chatbot' | 'visitor' }

/**
 * Reserves AI message credits before an answer: the month's first, then one-time credits, then as many beyond the plan
 * as an owner allowed. Settle them afterwards (`settleCredits`); unsettled ones are released after `RESERVED_FOR`. Uses
 * its own transaction.
 */
export function reserveCredits(db: Db, reservation: Reservation): Promise<Reserved> {
  const { projectId, chatbotId, visitor, key, at } = reservation
  const amount = unitsOf(reservation.amount)
  if (amount <= 0) return Promise.resolve({ ok: true })
  const told = { key, chatbot_id: chatbotId, amount: creditsOf(amount) }
  return db.transaction().execute(async (work): Promise<Reserved> => {
    const project = await lockProject(work, projectId)
    if (await isReservedOrUsed(work, projectId, key)) return { ok: true }
    const { limits } = entitlementsOf(project)
    const used = await messageUnits(work, projectId, at)
    const month = Math.min(amount, Math.max(0, unitsOf(limits.ai_message_credits) - used.month))
    const lifetime = Math.min(amount - month, Math.max(0, unitsOf(limits.lifetime_credits) - used.lifetime))
    const overage = amount - month - lifetime
    if (overage > 0 && used.overage + overage > unitsOf(project.overage_credits)) {
      await noteRefusal(work, projectId, at)
      await appendEvent(work, creditsRefused, ofAnswer(projectId, key, at), told)
      return { ok: false, reason: 'plan' }
    }
    const budgets = await work
      .selectFrom('chatbots')
      .select(['monthly_budget', 'visitor_budget'])
      .where('id', '=', chatbotId)
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    const fits = async (budget: string | null, from: Date, who: string | null) =>
      budget === null || (await chatbotUnits(work, projectId, chatbotId, from, who)) + amount <= unitsOf(Number(budget))
    if (!(await fits(budgets.monthly_budget, startOfMonth(at), null))) return { ok: false, reason: 'chatbot' }
    if (visitor !== null && !(await fits(budgets.visitor_budget, startOfDay(at), visitor)))
      return { ok: false, reason: 'visitor' }
    await work
      .insertInto('credit_reservations')
      .values({
        project_id: projectId,
        key,
        chatbot_id: chatbotId,
        visitor,
        month: creditsOf(month),
        lifetime: creditsOf(lifetime),
        overage: creditsOf(overage),
        reserved_at: at,
      })
      // a released one is reserved again
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'key']).doUpdateSet(({ ref }) => ({
          month: ref('excluded.month'),
          lifetime: ref('excluded.lifetime'),
          overage: ref('excluded.overage'),
          reserved_at: ref('excluded.reserved_at'),
          released_at: null,
        })),
      )
      .execute()
    await appendEvent(work, creditsReserved, ofAnswer(projectId, key, at), told)
    return { ok: true }
  })
}

/** No account: the keys of one conversation's answers share a prefix. */
const ofAnswer = (projectId: string, key: string, at: Date): EventContext => ({
  projectId,
  by: { actor: 'bot' },
  correlation: key,
  at,
})

/**
 * Settles an answer's cost at `at` (0 if there was none), in the month of its reservation, even if that was released
 * meanwhile. Only the first settlement of a key counts, and none without a reservation. Uses its own transaction.
 */
export function settleCredits(
  db: Db,
  settlement: { projectId: string; key: string; amount: number; at: Date },
): Promise<void> {
  const { projectId, key, at } = settlement
  const amount = Math.max(0, unitsOf(settlement.amount))
  return db.transaction().execute(async (work) => {
    const project = await work
      .selectFrom('projects')
      .select('id')
      .where('id', '=', projectId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const reserved =
      project &&
      (await work
        .deleteFrom('credit_reservations')
        .where('project_id', '=', projectId)
        .where('key', '=', key)
        .returningAll()
        .executeTakeFirst())
    if (!reserved || amount === 0) return
    // anything beyond the reservation is charged to the month
    const kept = Math.min(amount, unitsOf(Number(reserved.month)))
    const lifetime = Math.min(amount - kept, unitsOf(Number(reserved.lifetime)))
    const overage = Math.min(amount - kept - lifetime, unitsOf(Number(reserved.overage)))
    const spent = { amount: creditsOf(amount), lifetime: creditsOf(lifetime), overage: creditsOf(overage) }
    await work
      .insertInto('credit_uses')
      .values({
        project_id: projectId,
        credit: MESSAGES,
        key,
        chatbot_id: reserved.chatbot_id,
        visitor: reserved.visitor,
        used_at: reserved.reserved_at,
        ...spent,
      })
      .execute()
    await work
      .insertInto('credit_months')
      .values({
        project_id: projectId,
        month: monthOf(reserved.reserved_at),
        used: spent.amount,
        lifetime: spent.lifetime,
        overage: spent.overage,
        refused_at: null,
      })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'month']).doUpdateSet(({ eb, ref }) => ({
          used: eb(ref('credit_months.used'), '+', ref('excluded.used')),
          lifetime: eb(ref('credit_months.lifetime'), '+', ref('excluded.lifetime')),
          overage: eb(ref('credit_months.overage'), '+', ref('excluded.overage')),
        })),
      )
      .execute()
    await appendEvent(work, creditsSettled, ofAnswer(projectId, key, at), {
      key,
      chatbot_id: reserved.chatbot_id,
      amount: spent.amount,
    })
  })
}

/** ms; longer than any answer takes */
export const RESERVED_FOR = 15 * 60_000

/** ms during which a delayed process may still settle a released reservation: nothing that answers lives as long */
const SETTLED_WITHIN = 24 * 3_600_000

/** Releases reservations that were never settled. For all projects. */
export async function releaseReservations(db: Db, at: Date): Promise<void> {
  const before = (ms: number) => new Date(at.getTime() - ms)
  await db.deleteFrom('credit_reservations').where('reserved_at', '<', before(SETTLED_WITHIN)).execute()
  await db
    .updateTable('credit_reservations')
    .set({ released_at: at })
    .where('reserved_at', '<', before(RESERVED_FOR))
    .where('released_at', 'is', null)
    .execute()
}

/** A project's used and reserved AI message credits: of the month (UTC) of `at`, and of the one-time credits. */
export async function usedMessageCredits(
  db: Kysely<Database>,
  projectId: string,
  at: Date,
): Promise<{ month: number; lifetime: number }> {
  const { month, lifetime } = await messageUnits(db, projectId, at)
  return { month: creditsOf(month), lifetime: creditsOf(lifetime) }
}

/** A project's used and reserved AI message credits beyond its plan, in the month (UTC) of `at`. */
export const usedOverage = async (db: Kysely<Database>, projectId: string, at: Date): Promise<number> =>
  creditsOf((await messageUnits(db, projectId, at)).overage)

/** A chatbot's used and reserved AI message credits in the month (UTC) of `at`. */
export const usedByChatbot = async (db: Kysely<Database>, projectId: string, chatbotId: string, at: Date) =>
  creditsOf(await chatbotUnits(db, projectId, chatbotId, startOfMonth(at), null))

const MESSAGES = 'ai_message_credits' satisfies keyof PlanLimits

/** Integer ten-thousandths, which add up exactly. */
const unitsOf = (credits: number): number => Math.round(credits * 10_000)
const creditsOf = (units: number): number => units / 10_000

async function isReservedOrUsed(work: Kysely<Database>, projectId: string, key: string): Promise<boolean> {
  const row = await work
    .selectFrom('credit_reservations')
    .select('key')
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .where('released_at', 'is', null)
    .unionAll(
      work
        .selectFrom('credit_uses')
        .select('key')
        .where('project_id', '=', projectId)
        .where('credit', '=', MESSAGES)
        .where('key', '=', key),
    )
    .executeTakeFirst()
  return row !== undefined
}

async function messageUnits(work: Kysely<Database>, projectId: string, at: Date) {
  const months = await work
    .selectFrom('credit_months')
    .select(['month', 'used', 'lifetime', 'overage'])
    .where('project_id', '=', projectId)
    .execute()
  const open = await work
    .selectFrom('credit_reservations')
    .select(['month', 'lifetime', 'overage', 'reserved_at'])
    .where('project_id', '=', projectId)
    .where('released_at', 'is', null)
    .execute()
  const now = monthOf(at)
  const ofMonth = [
    ...months.map(({ month, used, ...more }) =>
      month === now ? Number(used) - Number(more.lifetime) - Number(more.overage) : 0,
    ),
    ...open.map(({ reserved_at, month }) => (monthOf(reserved_at) === now ? Number(month) : 0)),
  ]
  const beyond = [
    ...months.map(({ month, overage }) => (month === now ? Number(overage) : 0)),
    ...open.map(({ reserved_at, overage }) => (monthOf(reserved_at) === now ? Number(overage) : 0)),
  ]
  const lifetime = sum([...months, ...open].map((each) => Number(each.lifetime)))
  return { month: sum(ofMonth), lifetime, overage: sum(beyond) }
}

/** @param visitor null: all visitors */
async function chatbotUnits(
  work: Kysely<Database>,
  projectId: string,
  chatbotId: string,
  from: Date,
  visitor: string | null,
): Promise<number> {
  const { used } = await work
    .selectFrom('credit_uses')
    .select(({ fn }) => fn.sum<string | null>('amount').as('used'))
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .where('used_at', '>=', from)
    .$if(visitor !== null, (query) => query.where('visitor', '=', visitor))
    .executeTakeFirstOrThrow()
  const open = await work
    .selectFrom('credit_reservations')
    .select(['month', 'lifetime', 'overage'])
    .where('project_id', '=', projectId)
    .where('released_at', 'is', null)
    .where('chatbot_id', '=', chatbotId)
    .where('reserved_at', '>=', from)
    .$if(visitor !== null, (query) => query.where('visitor', '=', visitor))
    .execute()
  return sum([
    Number(used ?? 0),
    ...open.flatMap((each) => [Number(each.month), Number(each.lifetime), Number(each.overage)]),
  ])
}

const sum = (credits: number[]): number => credits.reduce((units, each) => units + unitsOf(each), 0)

const noteRefusal = (work: Kysely<Database>, projectId: string, at: Date) =>
  work
    .insertInto('credit_months')
    .values({ project_id: projectId, month: monthOf(at), refused_at: at })
    .onConflict((conflict) => conflict.columns(['project_id', 'month']).doUpdateSet({ refused_at: at }))
    .execute()
