import type { ProjectCaller } from '../../../access/access'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import type { Vendor } from '../defineVendor'
import { integrationConnected } from '../events'
import type { Accounts } from './accounts'
import type { Granted } from './granted'
import type { Tokens } from './oauth'

/** A project has at most so many. */
const MOST = 50

interface NewConnection {
  vendor: Vendor
  granted: Granted
  /** how the tokens were got */
  by: Pick<Tokens, 'way' | 'filled'>
  scopes: readonly string[]
  account: { id: string; name: string }
  /** whether a stand-in granted it */
  sandbox: boolean
  origin: EventContext
}

/**
 * Stores what a vendor grants: as a new connection, or as the new tokens of one with the same account.
 * @returns its id. @throws ApiError conflict if the project has as many as it may have
 */
export const createConnectionStore =
  ({ clock, ids }: Pick<ServerContext, 'clock' | 'ids'>, accounts: Accounts) =>
  ({ db, project, user }: ProjectCaller, { vendor, granted, by, scopes, account, sandbox, origin }: NewConnection) =>
    db.transaction().execute(async (work): Promise<string> => {
      const known = await work
        .selectFrom('connections')
        .selectAll()
        .where('vendor', '=', vendor.slug)
        .where('account_id', '=', account.id)
        .forUpdate()
        .executeTakeFirst()
      const place = { gid: known?.gid ?? ids(), project_id: project.id }
      const values = {
        ...accounts.columnsOf(place, granted, by, known ? accounts.tokensOf(known) : null),
        account_name: account.name,
        scopes: [...scopes],
        sandbox,
        problem: null,
        problem_at: null,
        connected_by: user.id,
        connected_at: clock(),
        used_at: clock(),
      }
      if (known) await work.updateTable('connections').set(values).where('gid', '=', known.gid).execute()
      else {
        const { count } = await work
          .selectFrom('connections')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .executeTakeFirstOrThrow()
        if (Number(count) >= MOST)
          throw new ApiError('conflict', { message: `A project has at most ${MOST} connections.` })
        await work
          .insertInto('connections')
          .values({ ...place, ...values, vendor: vendor.slug, account_id: account.id })
          .execute()
      }
      await appendEvent(work, integrationConnected, origin, { connection: place.gid, vendor: vendor.slug })
      return place.gid
    })
