import { z } from 'zod'
import { connectionFields, connectionWays } from '../../../contracts/integrations'
import type { ServerContext } from '../../../platform/context'
import type { Db, ProjectWork } from '../../../platform/database/database'
import { createSecrets } from '../../../platform/secrets/secrets'
import type { CallVendor, Entrance } from '../calls/callVendor'
import { needsReconnect, VendorError, type VendorErrorCode } from '../calls/vendorError'
import type { Vendor, VendorCall } from '../defineVendor'
import type { ConnectionsTable } from '../tables'
import type { ByHand, Filled } from './filled'
import type { Access, Granted } from './granted'
import type { TokenCalls, Tokens } from './oauth'

export type ConnectionRow = Omit<ConnectionsTable, 'id' | 'sandbox'> & { id: string; sandbox: boolean }
type Place = Pick<ConnectionRow, 'gid' | 'project_id'>

const tokensSchema = z.strictObject({
  access: z.string(),
  refresh: z.string().nullable(),
  host: z.string().nullable().default(null),
  way: z.enum(connectionWays).nullable().default(null),
  filled: z.partialRecord(z.enum(connectionFields), z.string()).default({}),
})

/** Tokens that end sooner are renewed first, in ms. */
const EARLY = 60_000
/** The resolution of a connection's last use. */
const USED_EVERY = 60 * 60_000

interface Parts {
  tokens: TokenCalls
  callVendor: CallVendor
  /** Called in the transaction that marks a connection as broken, once each time that it breaks. */
  onBroken: (work: ProjectWork, row: ConnectionRow) => Promise<void>
}

/** Projects' accounts at vendors: their tokens, and calls in their name. */
export function createAccounts({ db, config, clock }: Pick<ServerContext, 'db' | 'config' | 'clock'>, parts: Parts) {
  const secrets = createSecrets(config)
  const placeOf = ({ gid, project_id }: Place) => ({ projectId: project_id, row: `connections/${gid}` })
  /** renewals under way in this process, by connection */
  const renewing = new Map<string, Promise<Tokens>>()

  function tokensOf(row: ConnectionRow): Tokens | null {
    const text = row.sealed_tokens === null ? null : secrets.open(row.sealed_tokens, placeOf(row))
    return text === null ? null : tokensSchema.parse(JSON.parse(text))
  }

  /** Columns of new tokens, got by a way for what was filled in. What is not renewed stays, if it came the same way. */
  const columnsOf = (
    place: Place,
    { access, expiresIn }: Granted,
    { way, filled }: Pick<Tokens, 'way' | 'filled'>,
    known: Tokens | null,
  ) => {
    const before = known?.way === way ? known : null
    const tokens: Tokens = {
      access: access.access,
      refresh: access.refresh ?? before?.refresh ?? null,
      host: access.host ?? before?.host ?? null,
      way,
      filled,
    }
    return { sealed_tokens: secrets.seal(JSON.stringify(tokens), placeOf(place)), expires_at: expiryOf(expiresIn) }
  }
  const expiryOf = (seconds: number | null) => (seconds === null ? null : new Date(clock().getTime() + seconds * 1_000))

  /** The way by hand by which new tokens are got; null: by the refresh token, if there is one. */
  const wayOf = (vendor: Vendor, { way }: Tokens) => vendor.byHand?.find((each) => each.way === way) ?? null
  const canRenew = (vendor: Vendor, tokens: Tokens): boolean => wayOf(vendor, tokens)?.renews ?? tokens.refresh !== null

  /** What one side granted is for that side alone. @throws VendorError sandbox_off, unset */
  function requireSide(vendor: Vendor, row: ConnectionRow): void {
    if (row.sandbox === (config.vendors.sandbox !== null)) return
    throw row.sandbox ? new VendorError('sandbox_off') : new VendorError('unset', vendor.name)
  }

  /** @throws VendorError reconnect if there is no other than this one */
  function askForNew(vendor: Vendor, tokens: Tokens): Promise<Granted> {
    if (!canRenew(vendor, tokens)) throw new VendorError('reconnect', vendor.name)
    const byHand = wayOf(vendor, tokens)
    if (byHand) return grantByHand(vendor, byHand, tokens.filled).catch(asOwn)
    return parts.tokens.refresh(vendor, vendor.oauth(config.vendors, tokens.filled), tokens.refresh ?? '')
  }

  const grantByHand = (vendor: Vendor, { grant }: ByHand, filled: Filled): Promise<Granted> =>
    grant(filled, {
      settings: config.vendors,
      now: clock(),
      exchange: (url, form) => parts.tokens.exchangeForm(vendor, url, form),
    })

  /** A client that people brought is theirs to mend, not the operator's. */
  function asOwn(error: unknown): never {
    if (!(error instanceof VendorError) || error.code !== 'client') throw error
    throw new VendorError('reconnect', error.value, { cause: error })
  }

  const read = (own: Db, gid: string) =>
    own.selectFrom('connections').selectAll().where('gid', '=', gid).executeTakeFirst()

  /** @throws VendorError gone, other_vendor */
  async function find(vendor: Vendor, projectId: string, gid: string): Promise<ConnectionRow> {
    const row = await read(db.forProject(projectId), gid)
    if (!row) throw new VendorError('gone')
    if (row.vendor !== vendor.slug) throw new VendorError('other_vendor', vendor.name)
    return row
  }

  /** Notes why a connection does not work, and tells its people if it is new. */
  async function markBroken(row: ConnectionRow, problem: VendorErrorCode): Promise<void> {
    await db
      .forProject(row.project_id)
      .transaction()
      .execute(async (work) => {
        const broken = await work
          .updateTable('connections')
          .set({ problem, problem_at: clock() })
          .where('gid', '=', row.gid)
          .where('problem', 'is', null)
          // connected anew meanwhile: this is not about the new tokens
          .where('connected_at', '=', row.connected_at)
          .returning('id')
          .executeTakeFirst()
        if (broken) await parts.onBroken(work, row)
      })
  }

  /**
   * Gets a new token, one at a time in all processes: the others find it. A vendor that gives a new refresh token makes
   * the old one worthless, so it is stored in the transaction that got it.
   */
  async function renew(vendor: Vendor, row: ConnectionRow, refused: string): Promise<Tokens> {
    return db
      .forProject(row.project_id)
      .transaction()
      .execute(async (work) => {
        const present = await work
          .selectFrom('connections')
          .selectAll()
          .where('gid', '=', row.gid)
          .forNoKeyUpdate()
          .executeTakeFirst()
        if (!present) throw new VendorError('gone')
        requireSide(vendor, present)
        const tokens = tokensOf(present)
        if (tokens && tokens.access !== refused) return tokens
        if (!tokens) throw new VendorError('reconnect', vendor.name)
        const granted = await askForNew(vendor, tokens)
        await work
          .updateTable('connections')
          .set({ ...columnsOf(present, granted, tokens, tokens), problem: null, problem_at: null })
          .where('gid', '=', row.gid)
          .execute()
        return { ...tokens, ...granted.access, host: granted.access.host ?? tokens.host }
      })
  }

  /** Those who need a new token at once wait for the same one. */
  function renewOnce(vendor: Vendor, row: ConnectionRow, refused: string): Promise<Tokens> {
    const present = renewing.get(row.gid)
    if (present) return present
    const made = renew(vendor, row, refused).finally(() => renewing.delete(row.gid))
    renewing.set(row.gid, made)
    return made
  }

  function entranceOf(vendor: Vendor, row: ConnectionRow): Entrance {
    return {
      key: row.gid,
      async tokens() {
        requireSide(vendor, row)
        if (row.problem !== null && needsReconnect.has(row.problem)) throw new VendorError('reconnect', vendor.name)
        const tokens = tokensOf(row)
        // sealed by a key that is gone
        if (!tokens) throw new VendorError('reconnect', vendor.name)
        const isOld = row.expires_at !== null && row.expires_at.getTime() - EARLY < clock().getTime()
        return isOld && canRenew(vendor, tokens) ? renewOnce(vendor, row, tokens.access) : tokens
      },
      renew: (refused) => renewOnce(vendor, row, refused),
    }
  }

  async function noteUse(row: ConnectionRow): Promise<void> {
    const now = clock()
    if (row.problem === null && now.getTime() - (row.used_at?.getTime() ?? 0) < USED_EVERY) return
    row.used_at = now
    row.problem = null
    await db
      .forProject(row.project_id)
      .updateTable('connections')
      .set({ used_at: now, problem: null, problem_at: null })
      .where('gid', '=', row.gid)
      .where('connected_at', '=', row.connected_at)
      .execute()
  }

  function callAs(vendor: Vendor, row: ConnectionRow, signal?: AbortSignal): VendorCall {
    const entrance = entranceOf(vendor, row)
    return async (request) => {
      try {
        const answer = await parts.callVendor(vendor, entrance, request, signal)
        await noteUse(row)
        return answer
      } catch (error) {
        if (error instanceof VendorError && needsReconnect.has(error.code)) await markBroken(row, error.code)
        throw error
      }
    }
  }

  return {
    tokensOf,
    columnsOf,
    callAs,
    grantByHand,

    /** The way to call a connection's vendor, its row, whose account it is. @throws VendorError gone, other_vendor */
    async open(vendor: Vendor, projectId: string, gid: string, signal?: AbortSignal) {
      const row = await find(vendor, projectId, gid)
      const account = { id: row.account_id, name: row.account_name, host: tokensOf(row)?.host ?? null }
      return { call: callAs(vendor, row, signal), account, row }
    },

    /** The way to call a vendor with tokens that are not stored yet. */
    callWith: (vendor: Vendor, tokens: Access): VendorCall => {
      const refuse = async () => {
        throw new VendorError('reconnect', vendor.name)
      }
      const entrance = { key: `new ${vendor.slug}`, tokens: async () => tokens, renew: refuse }
      return (request) => parts.callVendor(vendor, entrance, request)
    },
  }
}
export type Accounts = ReturnType<typeof createAccounts>
