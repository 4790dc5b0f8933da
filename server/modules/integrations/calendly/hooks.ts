import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { receiveCalendly } from '../../../contracts/calendly'
import type { ServerContext } from '../../../platform/context'
import { createSecrets } from '../../../platform/secrets/secrets'
import { VendorError } from '../calls/vendorError'
import type { Accounts, ConnectionRow } from '../connections/accounts'
import type { VendorCall } from '../defineVendor'
import { calendly } from './vendor'

const uri = z.string().max(500)
const meSchema = z.object({ resource: z.object({ uri, current_organization: uri }) })
const subscriptionSchema = z.object({ uri, callback_url: z.string().catch(''), state: z.string().catch('active') })
const oneSchema = z.object({ resource: subscriptionSchema })
const allSchema = z.object({ collection: z.array(subscriptionSchema) })

/** How long Calendly is asked when an account is disconnected, in ms. */
const LEAVING = 5_000
const NO_KEY =
  'The installation has no webhook signing key of its app at Calendly. Whoever runs Parley can set CALENDLY_SIGNING_KEY.'

/** Where Calendly tells of a connection's bookings: one subscription of its own, kept alive. */
export function createHooks({ db, config, clock }: Pick<ServerContext, 'db' | 'config' | 'clock'>, accounts: Accounts) {
  const secrets = createSecrets(config)
  /** Asked for at each call: stand-ins may take Calendly's place, and the other way round. */
  const settings = () => config.vendors.calendly
  const placeOf = (row: Pick<ConnectionRow, 'gid' | 'project_id'>) => ({
    projectId: row.project_id,
    row: `calendly_hooks/${row.gid}`,
  })
  const addressOf = (row: ConnectionRow) => config.publicUrl + receiveCalendly.path.replace(':connection', row.gid)
  const read = (row: Pick<ConnectionRow, 'id' | 'project_id'>) =>
    db
      .forProject(row.project_id)
      .selectFrom('calendly_hooks')
      .selectAll()
      .where('connection_id', '=', row.id)
      .executeTakeFirst()

  return {
    /** The connection that an address is of; undefined for none. */
    connectionOf: (gid: string): Promise<{ id: string; gid: string; project_id: string } | undefined> =>
      db
        .selectFrom('connections')
        .select(['id', 'gid', 'project_id'])
        .where('gid', '=', gid)
        .where('vendor', '=', calendly.slug)
        .executeTakeFirst(),

    /** What a connection's webhooks are signed with; null: they can't be believed. */
    async secretOf(gid: string): Promise<string | null> {
      const row = await this.connectionOf(gid)
      const hook = row && (await read(row))
      if (!row || !hook) return null
      return hook.by_app ? settings().signingKey : secrets.open(hook.sealed_key, placeOf(row))
    },

    /** Why Calendly does not tell of a connection's bookings; null: it does, or will soon. */
    problemOf: async (row: Pick<ConnectionRow, 'id' | 'project_id'>): Promise<string | null> =>
      (await read(row))?.problem ?? null,

    /**
     * Subscribes, or looks whether the subscription still lives and makes it anew. What stands in the way is kept for
     * people. @throws VendorError only where another attempt soon may help
     */
    async keep(row: ConnectionRow, signal?: AbortSignal): Promise<void> {
      const call = accounts.callAs(calendly, row, signal)
      const by_app = accounts.tokensOf(row)?.way === null
      const known = await read(row)
      const own = known ? secrets.open(known.sealed_key, placeOf(row)) : null
      const key = own ?? randomBytes(32).toString('base64url')
      const note = (found: { uri: string | null; problem: string | null }) => {
        const values = { ...found, by_app, sealed_key: secrets.seal(key, placeOf(row)), checked_at: clock() }
        return db
          .forProject(row.project_id)
          .insertInto('calendly_hooks')
          .values({ connection_id: row.id, project_id: row.project_id, ...values })
          .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(values))
          .execute()
      }
      if (by_app && settings().signingKey === null) {
        await note({ uri: null, problem: NO_KEY })
        return
      }
      try {
        const isSame = known?.uri != null && known.by_app === by_app && own !== null
        if (isSame && known.uri !== null && (await lives(call, known.uri)))
          await note({ uri: known.uri, problem: null })
        else {
          // it may be told of before the answer has come: by then the key has to be known
          await note({ uri: null, problem: known?.problem ?? null })
          await note({ uri: await subscribe(call, row, by_app ? null : key), problem: null })
        }
      } catch (cause) {
        const error = cause instanceof z.ZodError ? new VendorError('unreadable', calendly.name, { cause }) : cause
        if (!(error instanceof VendorError)) throw error
        await note({ uri: null, problem: error.message })
        if (PASSING.has(error.code)) throw error
      }
    },

    /** Ends the subscription, if Calendly answers. */
    async end(row: ConnectionRow): Promise<void> {
      const hook = await read(row)
      if (!hook?.uri) return
      const call = accounts.callAs(calendly, row, AbortSignal.timeout(LEAVING))
      // a Calendly that does not answer keeps nobody from disconnecting: it stops by itself after a day of refusals
      await remove(call, hook.uri).catch(() => undefined)
    },
  }

  async function lives(call: VendorCall, subscription: string): Promise<boolean> {
    try {
      const answer = await call({ method: 'GET', url: pathOf(subscription), kind: 'read' })
      if (oneSchema.parse(answer).resource.state === 'active') return true
    } catch (error) {
      if (error instanceof VendorError && error.code === 'not_found') return false
      throw error
    }
    await remove(call, subscription)
    return false
  }

  async function subscribe(call: VendorCall, row: ConnectionRow, key: string | null): Promise<string> {
    const answer = await call({ method: 'GET', url: `${settings().apiUrl}/users/me`, kind: 'read' })
    const { uri: user, current_organization: organization } = meSchema.parse(answer).resource
    const url = addressOf(row)
    const make = async () => {
      const json = {
        ...{ url, organization, user, scope: 'user', events: ['invitee.created', 'invitee.canceled'] },
        ...(key !== null && { signing_key: key }),
      }
      const made = await call({
        method: 'POST',
        url: `${settings().apiUrl}/webhook_subscriptions`,
        json,
        kind: 'write',
      })
      return oneSchema.parse(made).resource.uri
    }
    try {
      return await make()
    } catch (error) {
      // the same address again: one whose answer got lost, or of another way to connect, with another key
      const isThere = error instanceof VendorError && (error.code === 'taken' || error.isUncertain)
      if (!isThere) throw error
      const query = { organization, user, scope: 'user', count: '100' }
      const listed = await call({
        method: 'GET',
        url: `${settings().apiUrl}/webhook_subscriptions`,
        query,
        kind: 'read',
      })
      for (const one of allSchema.parse(listed).collection) if (one.callback_url === url) await remove(call, one.uri)
      return make()
    }
  }

  async function remove(call: VendorCall, subscription: string): Promise<void> {
    const removal = call({ method: 'DELETE', url: pathOf(subscription), kind: 'write', isRepeatable: true })
    await removal.catch((error: unknown) => {
      if (!(error instanceof VendorError && error.code === 'not_found')) throw error
    })
  }

  /** What Calendly names is asked of its own address only. @throws VendorError unreadable */
  function pathOf(subscription: string): string {
    const id = subscription.slice(subscription.lastIndexOf('/') + 1)
    if (!/^[\w-]{1,100}$/.test(id)) throw new VendorError('unreadable', calendly.name)
    return `${settings().apiUrl}/webhook_subscriptions/${id}`
  }
}
export type Hooks = ReturnType<typeof createHooks>

/** After these it may work a little later. */
const PASSING: ReadonlySet<string> = new Set(['busy', 'unavailable', 'unreachable', 'unreadable'])
