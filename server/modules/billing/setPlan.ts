import { isDeepStrictEqual } from 'node:util'
import { type Addons, addons, bonuses, MOST_BONUS } from '../../access/addons'
import { plans } from '../../access/plans'
import type { ProjectWork, RootDb } from '../../platform/database/database'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { planChanged } from './events'

/** What changes; what is left out stays. */
export interface PlanChange {
  plan_id?: string
  /** how many there are to be of each add-on; 0 takes it away */
  addons?: Addons
}

/**
 * Changes what a project may do, from now on. Nothing of what it has is deleted: gates look at each use.
 * @returns the plan and add-ons as they are now
 * @throws RangeError for a plan or add-on that there is not, and for a quantity that is no whole number from 0 to 1000
 */
export async function setPlan(
  db: RootDb,
  change: PlanChange,
  origin: EventContext,
): Promise<{ plan_id: string; addons: Addons }> {
  if (change.plan_id !== undefined && !plans.some(({ id }) => id === change.plan_id))
    throw new RangeError(`There is no plan "${change.plan_id}". There are: ${plans.map(({ id }) => id).join(', ')}`)
  for (const [id, quantity] of Object.entries(change.addons ?? {})) {
    const bonus = bonuses.find(({ slug }) => slug === id)
    if (bonus && !isWhole(quantity, MOST_BONUS))
      throw new RangeError(`"${quantity}" of ${bonus.name}: give a whole number from 0 to ${MOST_BONUS}`)
    if (bonus) continue
    const addon = addons.find((each) => String(each.id) === id)
    if (!addon) throw new RangeError(`There is no add-on ${id}. There are 1 to ${addons.length}`)
    if (!isWhole(quantity, MOST))
      throw new RangeError(`"${quantity}" of ${addon.name}: give a whole number from 0 to ${MOST}`)
  }
  return db
    .forProject(origin.projectId)
    .transaction()
    .execute((work) => changePlan(work, change, origin))
}

/** The same, of a change that is known to be right, in its caller's transaction. What is the same is told to nobody. */
export async function changePlan(
  work: ProjectWork,
  change: PlanChange,
  origin: EventContext,
): Promise<{ plan_id: string; addons: Addons }> {
  const before = await work
    .selectFrom('projects')
    .select(['plan_id', 'addons'])
    .where('id', '=', origin.projectId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const together = Object.entries({ ...before.addons, ...change.addons }).filter(([, quantity]) => quantity > 0)
  const after = { plan_id: change.plan_id ?? before.plan_id, addons: Object.fromEntries(together) }
  if (isDeepStrictEqual(before, after)) return after
  await work
    .updateTable('projects')
    .set({ plan_id: after.plan_id, addons: JSON.stringify(after.addons) })
    .where('id', '=', origin.projectId)
    .execute()
  await appendEvent(work, planChanged, origin, { before, after })
  return after
}

/** The most of one add-on. */
const MOST = 1_000
const isWhole = (quantity: number, most: number) => Number.isInteger(quantity) && quantity >= 0 && quantity <= most
