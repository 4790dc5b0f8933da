import type { FastifyInstance } from 'fastify'
import { ZodError } from 'zod'
import { registerRoute } from '../../../access/register'
import { type ChoiceQuery, type Choices, listChoices } from '../../../contracts/integrations'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import { ApiError, fieldError } from '../../../platform/errors'
import { VendorError } from '../calls/vendorError'
import { vendorOf } from '../vendors'
import type { Accounts } from './accounts'

/** Younger lists are not asked for again, in ms. */
const FRESH = 5 * 60_000
/** Lists that are kept of a connection. */
const KEPT = 200

/** The route by which forms list what a vendor offers to choose from; what it last said, when it can't be asked. */
export function registerChoices(app: FastifyInstance, context: ServerContext, accounts: Accounts): void {
  const { clock, config } = context

  registerRoute(app, context, listChoices, async ({ caller, params, body }): Promise<Choices> => {
    const row = await caller.db.selectFrom('connections').selectAll().where('gid', '=', params.gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const vendor = vendorOf(row.vendor)
    const offered = vendor.choices[body.list]
    if (!offered) throw fieldError('list', `${vendor.name} has no ${body.list}`)
    const known = await caller.db
      .selectFrom('vendor_choices')
      .select(['choices', 'fetched_at'])
      .where('connection_id', '=', row.id)
      .where('list', '=', nameOf(body))
      .executeTakeFirst()
    const age = known ? clock().getTime() - known.fetched_at.getTime() : Number.POSITIVE_INFINITY
    if (known && age < FRESH && !body.reload)
      return { choices: known.choices, fetched_at: known.fetched_at.toISOString(), problem: null }
    try {
      const { within, search } = body
      const choices = await offered(accounts.callAs(vendor, row), { settings: config.vendors, within, search })
      const fetched_at = clock()
      await store(caller.db, { ...row, list: nameOf(body) }, choices, fetched_at)
      return { choices, fetched_at: fetched_at.toISOString(), problem: null }
    } catch (cause) {
      // an answer of another shape than the contract's
      const error = cause instanceof ZodError ? new VendorError('unreadable', vendor.name, { cause }) : cause
      if (!(error instanceof VendorError)) throw error
      return {
        choices: known?.choices ?? [],
        fetched_at: known?.fetched_at.toISOString() ?? null,
        problem: error.message,
      }
    }
  })
}

const nameOf = ({ list, within, search }: ChoiceQuery): string => JSON.stringify([list, ...within, search])

async function store(
  db: ProjectDb,
  { id, project_id, list }: { id: string; project_id: string; list: string },
  choices: Choices['choices'],
  fetched_at: Date,
): Promise<void> {
  const values = { choices: JSON.stringify(choices), fetched_at }
  await db.transaction().execute(async (work) => {
    // gone meanwhile: there is nothing to keep
    const present = await work
      .selectFrom('connections')
      .select('id')
      .where('id', '=', id)
      .forKeyShare()
      .executeTakeFirst()
    if (!present) return
    await work
      .insertInto('vendor_choices')
      .values({ connection_id: id, project_id, list, ...values })
      .onConflict((conflict) => conflict.columns(['connection_id', 'list']).doUpdateSet(values))
      .execute()
    const surplus = await work
      .selectFrom('vendor_choices')
      .select('list')
      .where('connection_id', '=', id)
      .orderBy('fetched_at', 'desc')
      .offset(KEPT)
      .execute()
    if (surplus.length > 0)
      await work
        .deleteFrom('vendor_choices')
        .where('connection_id', '=', id)
        .where(
          'list',
          'in',
          surplus.map((one) => one.list),
        )
        .execute()
  })
}
