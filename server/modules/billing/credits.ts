import type { Kysely } from 'kysely'
import { entitlementsOf } from '../../access/entitlements'
import type { PlanLimits } from '../../access/plans'
import type { Db } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { creditsRefused, creditsReserved, creditsSettled } from './events'
import { monthOf, startOfDay, startOfMonth } from './months'

export interface CreditUse {
  projectId: string
  credit: keyof PlanLimits & ('email_credits' | 'training_credits' | 'resync_credits' | 'speech_to_text_seconds')
  /** the same key is charged once */
  key: string
  amount: number
  at: Date
}

/**
 * Takes a month's (UTC) credits from a project's plan. @returns whether there were enough; true for a key that was
 * charged before
 */
export function takeCredits(db: Db, { projectId, credit, key, amount, at }: CreditUse): Promise<boolean> {
  return db.transaction().execute(async (work) => {
    // row lock: two concurrent uses would each see the last credit
    const project = await lockProject(work, projectId)
    const known = await work
      .selectFrom('credit_uses')
      .select('key')
      .where('project_id', '=', projectId)
      .where('credit', '=', credit)
      .where('key', 'in', [key, backKey(key)])
      .execute()
    if (known.length > 0) return known.length === 1
    const used = await usedCredits(work, projectId, credit, at)
    if (used + amount > entitlementsOf(project).limits[credit]) return false
    await work.insertInto('credit_uses').values({ project_id: projectId, credit, key, amount, used_at: at }).execute()
    return true
  })
}

/** Returns what `key` used, to the month of its use; repeating it has no effect. */
export async function returnCredits(
  db: Kysely<Database>,
  { projectId, credit, key }: Omit<CreditUse, 'amount' | 'at'>,
): Promise<void> {
  await db
    .insertInto('credit_uses')
    .columns(['project_id', 'credit', 'key', 'amount', 'used_at'])
    .expression(({ selectFrom, val, neg }) =>
      selectFrom('credit_uses')
        .select((eb) => [
          'project_id',
          'credit',
          val(backKey(key)).as('key'),
          neg(eb.ref('amount')).as('amount'),
          'used_at',
        ])
        .where('project_id', '=', projectId)
        .where('credit', '=', credit)
        .where('key', '=', key),
    )
    .onConflict((conflict) => conflict.columns(['project_id', 'credit', 'key']).doNothing())
    .execute()
}

const backKey = (key: string): string => `${key}:back`

/** Serializes the uses of a project's credits. */
const lockProject = (work: Kysely<Database>, projectId: string) =>
  work
    .selectFrom('projects')
    .select(['plan_id', 'addons'])
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** A project's use of a credit in the month (UTC) of `at`. */
export async function usedCredits(
  db: Kysely<Database>,
  projectId: string,
  credit: CreditUse['credit'],
  at: Date,
): Promise<number> {
  const { used } = await db
    .selectFrom('credit_uses')
    .select(({ fn }) => fn.sum<string | null>('amount').as('used'))
    .where('project_id', '=', projectId)
    .where('credit', '=', credit)
    .where('used_at', '>=', startOfMonth(at))
    .where('used_at', '<', startOfMonth(at, 1))
    .executeTakeFirstOrThrow()
  return Number(used ?? 0)
}

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
 * Reserves AI message credits before an answer: the month's first, then the plan's one-time credits. Settle them
 * afterwards (`settleCredits`); unsettled ones are released after `RESERVED_FOR`. Uses its own transaction.
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
    const lifetime = amount - month
    if (lifetime > 0 && used.lifetime + lifetime > unitsOf(limits.lifetime_credits)) {
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
        reserved_at: at,
      })
      // a released one is reserved again
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'key']).doUpdateSet(({ ref }) => ({
          month: ref('excluded.month'),
          lifetime: ref('excluded.lifetime'),
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
    const spent = { amount: creditsOf(amount), lifetime: creditsOf(lifetime) }
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
        refused_at: null,
      })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'month']).doUpdateSet(({ eb, ref }) => ({
          used: eb(ref('credit_months.used'), '+', ref('excluded.used')),
          lifetime: eb(ref('credit_months.lifetime'), '+', ref('excluded.lifetime')),
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
    .select(['month', 'used', 'lifetime'])
    .where('project_id', '=', projectId)
    .execute()
  const open = await work
    .selectFrom('credit_reservations')
    .select(['month', 'lifetime', 'reserved_at'])
    .where('project_id', '=', projectId)
    .where('released_at', 'is', null)
    .execute()
  const now = monthOf(at)
  const ofMonth = [
    ...months.map(({ month, used, lifetime }) => (month === now ? Number(used) - Number(lifetime) : 0)),
    ...open.map(({ reserved_at, month }) => (monthOf(reserved_at) === now ? Number(month) : 0)),
  ]
  return { month: sum(ofMonth), lifetime: sum([...months, ...open].map(({ lifetime }) => Number(lifetime))) }
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
    .select(['month', 'lifetime'])
    .where('project_id', '=', projectId)
    .where('released_at', 'is', null)
    .where('chatbot_id', '=', chatbotId)
    .where('reserved_at', '>=', from)
    .$if(visitor !== null, (query) => query.where('visitor', '=', visitor))
    .execute()
  return sum([Number(used ?? 0), ...open.flatMap(({ month, lifetime }) => [Number(month), Number(lifetime)])])
}

const sum = (credits: number[]): number => credits.reduce((units, each) => units + unitsOf(each), 0)

const noteRefusal = (work: Kysely<Database>, projectId: string, at: Date) =>
  work
    .insertInto('credit_months')
    .values({ project_id: projectId, month: monthOf(at), refused_at: at })
    .onConflict((conflict) => conflict.columns(['project_id', 'month']).doUpdateSet({ refused_at: at }))
    .execute()
