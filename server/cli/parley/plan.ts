import { randomUUID } from 'node:crypto'
import { type Addons, addons, bonuses, MOST_BONUS } from '../../access/addons'
import type { Entitled } from '../../access/entitlements'
import { planOf, plans } from '../../access/plans'
import { setPlan } from '../../modules/billing/setPlan'
import { isLive } from '../../modules/subscriptions/subscriptionState'
import { createDatabase, type RootDb } from '../../platform/database/database'
import { CliError } from './cliError'
import { connectionOf } from './connection'
import { readOptions } from './options'
import { usages } from './usage'

/** `parley plan …`: shows what projects may do, and changes it for who runs Parley for others. */
export async function planCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions(
    'plan',
    args,
    { addon: { type: 'string', multiple: true }, give: { type: 'string', multiple: true } },
    { least: 0, most: 2 },
  )
  const [gid, plan] = files as string[]
  const given = values.give && readBonuses(values.give)
  const bought = (values.addon ?? given) && { ...readAddons(values.addon ?? []), ...given }
  if (gid === undefined && bought) throw new CliError(`Give the project that gets them.\n\n${usages.plan}`)
  if (plan !== undefined && !plans.some(({ id }) => id === plan))
    throw new CliError(`There is no plan "${plan}". There are: ${plans.map(({ id }) => id).join(', ')}`)
  const db = createDatabase(await connectionOf())
  try {
    if (gid === undefined) return await list(db)
    const project = await db.selectFrom('projects').selectAll().where('gid', '=', gid).executeTakeFirst()
    if (!project) throw new CliError(`There is no project "${gid}". "parley plan" lists them.`)
    const { state = null } =
      (await db.forProject(project.id).selectFrom('subscriptions').select('state').executeTakeFirst()) ?? {}
    const changes = plan !== undefined || bought !== undefined
    // what is given once stays, whatever Stripe says
    if ((plan !== undefined || values.addon) && isLive(state))
      throw new CliError(`${project.name} pays by Stripe, which would change it back. Change the subscription instead.`)
    const origin = {
      projectId: project.id,
      by: { actor: 'system' },
      correlation: randomUUID(),
      at: new Date(),
    } as const
    const now = changes ? await setPlan(db, { plan_id: plan, addons: bought }, origin) : project
    print(`${project.name}: ${describe(now)}`)
    return 0
  } finally {
    await db.destroy()
  }
}

async function list(db: RootDb): Promise<number> {
  const projects = await db.selectFrom('projects').select(['gid', 'name', 'plan_id', 'addons']).orderBy('id').execute()
  for (const project of projects) print(`${project.gid}  ${project.name}: ${describe(project)}`)
  return 0
}

/** "Growth, 2 × Seat, 1 × Branding removal" */
function describe({ plan_id, addons: bought }: Entitled): string {
  const parts = addons.flatMap(({ id, name }) => (bought[id] ? [`${bought[id]} × ${name}`] : []))
  const once = bonuses.flatMap(({ slug, name }) =>
    bought[slug] ? [`${bought[slug].toLocaleString('en')} ${name}`] : [],
  )
  return [planOf(plan_id).name, ...parts, ...once].join(', ')
}

/** @throws CliError for what is no add-on or no quantity */
function readAddons(given: readonly string[]): Addons {
  return Object.fromEntries(
    given.map((text) => {
      const [slug, quantity = ''] = text.split('=')
      const addon = addons.find((each) => each.slug === slug)
      if (!addon)
        throw new CliError(`There is no add-on "${slug}". There are: ${addons.map((each) => each.slug).join(', ')}`)
      if (!/^\d{1,4}$/.test(quantity) || Number(quantity) > 1_000)
        throw new CliError(`--addon ${text}: give a whole number from 0 to 1000 after "${slug}=".`)
      return [addon.id, Number(quantity)] as const
    }),
  )
}

/** @throws CliError for what is given to nobody, and for no amount */
function readBonuses(given: readonly string[]): Addons {
  return Object.fromEntries(
    given.map((text) => {
      const [name, amount = ''] = text.split('=')
      const bonus = bonuses.find(({ slug }) => slug === `bonus-${name}`)
      if (!bonus) throw new CliError(`There is no bonus "${name}". There are: ai-credits, training`)
      if (!/^\d{1,10}$/.test(amount) || Number(amount) > MOST_BONUS)
        throw new CliError(`--give ${text}: give a whole number from 0 to ${MOST_BONUS} after "${name}=".`)
      return [bonus.slug, Number(amount)] as const
    }),
  )
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
