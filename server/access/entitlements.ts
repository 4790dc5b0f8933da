import { type RawBuilder, sql } from 'kysely'
import { type Addons, addons, bonusOf } from './addons'
import { isPlanFeature, type Plan, type PlanLimits, planOf, plans } from './plans'

/** What the row of a project says of what it paid for. */
export interface Entitled {
  plan_id: string
  addons: Addons
}

/**
 * What a project may do: its plan's limits and features, with what its add-ons add. The one place where both are put
 * together: a gate that asked for the plan alone would take from people what they bought.
 * @returns the plan, with limits and features as they hold for this project; an unknown add-on adds nothing
 */
export function entitlementsOf(project: Entitled): Plan {
  const plan = planOf(project.plan_id)
  const limits = { ...plan.limits }
  const features = { ...plan.features }
  limits.lifetime_credits += bonusOf(project.addons).aiCredits
  for (const { id, adds, feature } of addons) {
    const quantity = project.addons[id] ?? 0
    if (quantity <= 0) continue
    for (const limit of Object.keys(adds) as (keyof typeof limits)[]) limits[limit] += quantity * (adds[limit] ?? 0)
    if (feature) features[feature] = true
  }
  return { ...plan, limits, features }
}

/** Whether a project may use a feature; false for unknown features. */
export const hasFeature = (project: Entitled, feature: string): boolean =>
  isPlanFeature(feature) && entitlementsOf(project).features[feature]

/** A limit of the project that a query has as `projects`, as SQL: the same number as `entitlementsOf` gives. */
export function limitAsSql(limit: keyof PlanLimits): RawBuilder<number> {
  const ofPlans = plans.map(({ id, limits }) => sql`when ${sql.lit(id)} then ${sql.lit(limits[limit])}`)
  const bought = addons.flatMap(({ id, adds }) =>
    adds[limit] === undefined
      ? []
      : [
          sql` + greatest(coalesce((projects.addons ->> ${sql.lit(String(id))})::numeric, 0), 0) * ${sql.lit(adds[limit])}`,
        ],
  )
  return sql<number>`(case projects.plan_id ${sql.join(ofPlans, sql` `)}
    else ${sql.lit(planOf('free').limits[limit])} end${sql.join(bought, sql``)})`
}
