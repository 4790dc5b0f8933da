import { randomUUID } from 'node:crypto'
import { planOf } from '../../access/plans'
import type { RootDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { changePlan } from '../billing/setPlan'
import { isLive } from '../subscriptions/subscriptionState'
import { type Doer, noteAction } from './noteAction'

export interface Allowance {
  plan_id?: string | undefined
  bonus_ai_credits?: number | undefined
}

/**
 * Changes what a project may do. Holds from the next use on; nothing is deleted.
 * @param allowance what is known to be right; what is left out stays
 * @throws ApiError not_found; conflict for the plan of a project that pays by Stripe, which would change it back
 */
export async function changeAllowance(db: RootDb, gid: string, allowance: Allowance, doer: Doer): Promise<void> {
  const { plan_id, bonus_ai_credits } = allowance
  const project = await db
    .selectFrom('projects')
    .leftJoin('subscriptions', 'subscriptions.project_id', 'projects.id')
    .select(['projects.id', 'name', 'subscriptions.state'])
    .where('gid', '=', gid)
    .executeTakeFirst()
  if (!project) throw new ApiError('not_found')
  if (plan_id !== undefined && isLive(project.state)) throw new ApiError('conflict', { message: PAYS })
  const { at } = doer
  const origin = { projectId: project.id, by: { actor: 'system' }, correlation: randomUUID(), at } as const
  const bonus = bonus_ai_credits === undefined ? undefined : { 'bonus-ai-credits': bonus_ai_credits }
  await db
    .forProject(project.id)
    .transaction()
    .execute((work) => changePlan(work, { ...(plan_id && { plan_id }), ...(bonus && { addons: bonus }) }, origin))
  const given = [
    ...(plan_id === undefined ? [] : [`plan ${planOf(plan_id).name}`]),
    ...(bonus_ai_credits === undefined ? [] : [`${bonus_ai_credits} bonus AI credits`]),
  ]
  await noteAction(db, doer, 'change_allowance', `${project.name} (${gid})`, given.join(', '))
}

const PAYS = 'This project pays by Stripe, which would change its plan back. Change the subscription instead.'
