import type { Kysely } from 'kysely'
import type { Db } from '../storage/database'
import type { Database } from '../storage/tables'
import { type PlanLimits, planOf } from './plans'

export interface CreditUse {
  projectId: string
  credit: keyof PlanLimits & ('email_credits' | 'training_credits' | 'resync_credits')
  /** the same key is one use, however often it is asked for */
  key: string
  amount: number
  at: Date
}

/**
 * Takes credits of the month (UTC) from a project's plan. @returns whether there were enough; a key that was used before has them.
 */
export function takeCredits(db: Db, { projectId, credit, key, amount, at }: CreditUse): Promise<boolean> {
  return db.transaction().execute(async (work) => {
    // the row's lock: two uses at once would each see the last credit
    const { plan_id } = await work
      .selectFrom('projects')
      .select('plan_id')
      .where('id', '=', projectId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
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
    .where('used_at', '>=', new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)))
    .where('used_at', '<', new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)))
    .executeTakeFirstOrThrow()
  return Number(used ?? 0)
}
