import type { Kysely } from 'kysely'
import { bonusOf } from '../../access/addons'
import { entitlementsOf } from '../../access/entitlements'
import type { PlanLimits } from '../../access/plans'
import type { Db } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'
import { lockProject } from './lockProject'
import { startOfMonth } from './months'

export interface CreditUse {
  projectId: string
  credit: keyof PlanLimits & ('email_credits' | 'training_credits' | 'resync_credits' | 'speech_to_text_seconds')
  /** the same key is charged once */
  key: string
  amount: number
  at: Date
}

/**
 * Takes a month's (UTC) credits from a project's plan, and to train what was given once when those are used up.
 * @returns whether there were enough; true for a key that was charged before
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
    const lifetime = Math.min(amount, Math.max(0, used + amount - entitlementsOf(project).limits[credit]))
    const given = credit === TRAINING ? bonusOf(project.addons).training : 0
    if (lifetime > 0 && (await usedOnce(work, projectId, credit)) + lifetime > given) return false
    await work
      .insertInto('credit_uses')
      .values({ project_id: projectId, credit, key, amount, lifetime, used_at: at })
      .execute()
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
    .columns(['project_id', 'credit', 'key', 'amount', 'lifetime', 'used_at'])
    .expression(({ selectFrom, val, neg }) =>
      selectFrom('credit_uses')
        .select((eb) => [
          'project_id',
          'credit',
          val(backKey(key)).as('key'),
          neg(eb.ref('amount')).as('amount'),
          neg(eb.ref('lifetime')).as('lifetime'),
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

const TRAINING = 'training_credits' satisfies CreditUse['credit']

/** What a project has used of what it was given once, ever. */
async function usedOnce(db: Kysely<Database>, projectId: string, credit: CreditUse['credit']): Promise<number> {
  const { used } = await db
    .selectFrom('credit_uses')
    .select(({ fn }) => fn.sum<string | null>('lifetime').as('used'))
    .where('project_id', '=', projectId)
    .where('credit', '=', credit)
    .where('lifetime', '!=', '0')
    .executeTakeFirstOrThrow()
  return Number(used ?? 0)
}

/** Characters that a project has trained of those it was given once. */
export const usedTrainingOnce = (db: Kysely<Database>, projectId: string) => usedOnce(db, projectId, TRAINING)

/** A project's use of a credit in the month (UTC) of `at`, without what was taken of what is given once. */
export async function usedCredits(
  db: Kysely<Database>,
  projectId: string,
  credit: CreditUse['credit'],
  at: Date,
): Promise<number> {
  const { used, once } = await db
    .selectFrom('credit_uses')
    .select(({ fn }) => [fn.sum<string | null>('amount').as('used'), fn.sum<string | null>('lifetime').as('once')])
    .where('project_id', '=', projectId)
    .where('credit', '=', credit)
    .where('used_at', '>=', startOfMonth(at))
    .where('used_at', '<', startOfMonth(at, 1))
    .executeTakeFirstOrThrow()
  return Number(used ?? 0) - Number(once ?? 0)
}
