import { sql } from 'kysely'
import { Role } from '../../../access/roles'
import type { ServerContext } from '../../../platform/context'

type Context = Pick<ServerContext, 'config' | 'db' | 'openStandIns'>

const names = {
  google: 'GOOGLE',
  hubspot: 'HUBSPOT',
  salesforce: 'SALESFORCE',
  zendesk: 'ZENDESK',
  calendly: 'CALENDLY',
}
const apart = 'start a sandbox on data of its own: npm start -- --sandbox'

/**
 * Why stand-ins may not take the vendors' place in a running installation, with the remedy; null: they may. Nothing
 * real may be reached by what is tried in a sandbox, and nobody who did not want it may find that vendors are
 * stand-ins.
 */
export async function refusalOf({ config, db, openStandIns }: Context, userId: string): Promise<string | null> {
  if (!openStandIns) return 'This server has no stand-ins.'
  const real = Object.entries(names).find(([vendor]) => config.vendors[vendor as keyof typeof names].client !== null)
  if (real)
    return `The sandbox never runs beside a real client, and ${real[1]}_CLIENT_ID is set. Unset it and start Parley again, or ${apart}`
  const shared = config.databaseUrl ? 'DATABASE_URL' : config.redisUrl ? 'REDIS_URL' : null
  if (shared)
    return `Several processes may share what ${shared} names, and one alone would have stand-ins. Instead, ${apart}`
  if (!/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(config.publicUrl).hostname))
    return `Stand-ins are reached from the machine of the server alone, and people come to ${config.publicUrl}. Instead, ${apart}`
  if (config.registration === 'open')
    return 'The sandbox is for the whole installation, and REGISTRATION=open lets anybody have a project in it.'
  const foreign = await db
    .selectFrom('projects')
    .select('id')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('project_members')
            .select('project_id')
            .whereRef('project_members.project_id', '=', 'projects.id')
            .where('user_id', '=', userId)
            .where(sql<boolean>`${Role.OWNER} = any(roles)`),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  if (foreign) return 'The sandbox is for the whole installation: only who owns each of its projects can turn it on.'
  const { count } = await db
    .selectFrom('connections')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('sandbox', '=', false)
    .executeTakeFirstOrThrow()
  if (count === '0') return null
  return `The sandbox never runs beside a real account, and ${count} ${count === '1' ? 'is' : 'are'} connected. Disconnect under Integrations, or ${apart}`
}
