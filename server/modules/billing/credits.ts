import type { Kysely } from 'kysely'
import { type PlanLimits, planOf } from '../../access/plans'
import type { Db } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { creditsRefused, creditsReserved, creditsSettled } from './events'
import { monthOf, startOfDay, startOfMonth } from './months'

export interface CreditUse {
  projectId: string
  credit: keyof PlanLimits & ('email_credits' | 'training_credits' | 'resync_credits')
  /** the same key is one use, however often it is asked for */
  key: string
  amount: number
  at: Date
}

/**
 * Takes credits of the month (UTC) from a project's plan. @returns whether there were enough; a key that was used
 * before has them.
 */
export function takeCredits(db: Db, { projectId, credit, key, amount, at }: CreditUse): Promise<boolean> {
  return db.transaction().execute(async (work) => {
    // the row's lock: two uses at once would each see the last credit
    const { plan_id } = await lockProject(work, projectId)
    const known = await work
      .selectFrom('credit_uses')
      .select('key')
      .where('project_id', '=', projectId)
      .where('credit', '=', credit)
      .where('key', 'in', [key, backKey(key)])
      .execute()
    if (known.length > 0) return known.length === 1
    const used = await usedCredits(work, projectId, credit, at)
    if (used + amount > planOf(plan_id).limits[credit]) return false
    await work.insertInto('credit_uses').values({ project_id: projectId, credit, key, amount, used_at: at }).execute()
    return true
  })
}

/** Gives back what `key` used, in the month that it was used in; twice gives once. */
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

/** Uses of one project's credits happen one after another. */
const lockProject = (work: Kysely<Database>, projectId: string) =>
  work.selectFrom('projects').select('plan_id').where('id', '=', projectId).forNoKeyUpdate().executeTakeFirstOrThrow()

/** What a project has used of a credit in the month (UTC) of that moment. */
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

/** What an answer of a model may cost, before it is asked. */
export interface Reservation {
  projectId: string
  chatbotId: string
  /** who asks, as the daily budget knows visitors; null: somebody of the project */
  visitor: string | null
  /** of the answer: the same key is one use, however often it is asked for */
  key: string
  /** decimal, to four places */
  amount: number
  at: Date
}
/**
 * What stood in the way: the plan's credits are used up, the chatbot's budget of the month, or the visitor's of the
 * day.
 */
export type Reserved = { ok: true } | { ok: false; reason: 'plan' | 'chatbot' | 'visitor' }

/**
 * Takes AI message credits before an answer: those of the month first, then those that the plan gives once for all.
 * They are settled after it (`settleCredits`); what nobody settles is released after `RESERVED_FOR`. In a transaction
 * of its own.
 */
export function reserveCredits(db: Db, reservation: Reservation): Promise<Reserved> {
  const { projectId, chatbotId, visitor, key, at } = reservation
  const amount = unitsOf(reservation.amount)
  if (amount <= 0) return Promise.resolve({ ok: true })
  const told = { key, chatbot_id: chatbotId, amount: creditsOf(amount) }
  return db.transaction().execute(async (work): Promise<Reserved> => {
    const { plan_id } = await lockProject(work, projectId)
    if (await isReservedOrUsed(work, projectId, key)) return { ok: true }
    const { limits } = planOf(plan_id)
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
      // one that was released is reserved anew
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

/** Nobody in particular: answers of one conversation have keys that begin alike. */
const ofAnswer = (projectId: string, key: string, at: Date): EventContext => ({
  projectId,
  by: { actor: 'bot' },
  correlation: key,
  at,
})

/**
 * Writes down what an answer has cost at the moment `at`, 0 where none came, in the month that it was asked in, also
 * when what it reserved was released meanwhile. Only the first settlement of a key counts, and none where nothing was
 * reserved. In a transaction of its own.
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
    // what is more than reserved is the month's
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

/** ms for which a process that was held up may still settle what was released: nothing that answers lives as long */
const SETTLED_WITHIN = 24 * 3_600_000

/**
 * Gives back what was reserved by processes that did not come to settle it. Of every project: it is the installation's
 * own care.
 */
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

/**
 * AI message credits that a project has used or reserved: of the month (UTC) of that moment, and of those given once
 * for all.
 */
export async function usedMessageCredits(
  db: Kysely<Database>,
  projectId: string,
  at: Date,
): Promise<{ month: number; lifetime: number }> {
  const { month, lifetime } = await messageUnits(db, projectId, at)
  return { month: creditsOf(month), lifetime: creditsOf(lifetime) }
}

/** AI message credits that a chatbot has used or reserved in the month (UTC) of that moment. */
export const usedByChatbot = async (db: Kysely<Database>, projectId: string, chatbotId: string, at: Date) =>
  creditsOf(await chatbotUnits(db, projectId, chatbotId, startOfMonth(at), null))

const MESSAGES = 'ai_message_credits' satisfies keyof PlanLimits

/** Whole ten-thousandths, which add up exactly. */
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

/** @param visitor null: of them all */
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
