import type { FastifyInstance } from 'fastify'
import { ZodError } from 'zod'
import type { Json } from '../../../../engine/values/json'
import type { ProjectCaller } from '../../../access/access'
import { originOf } from '../../../access/originOf'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/integrations'
import type { ServerContext } from '../../../platform/context'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import type { Documents } from '../../flows/collab/documents'
import { flowUses, placesOf } from '../../flows/flowUses'
import type { Hooks } from '../calendly/hooks'
import { VendorError } from '../calls/vendorError'
import type { Vendor, VendorCall } from '../defineVendor'
import { integrationDisconnected } from '../events'
import { vendorOf, vendors } from '../vendors'
import type { Accounts, ConnectionRow } from './accounts'
import type { Consent, Returned } from './consent'
import { atField, type FieldRule, type Filled, readFilled } from './filled'
import type { TokenCalls } from './oauth'
import { presentConnections } from './presentConnections'
import { createConnectionStore } from './saveConnection'

interface Parts {
  accounts: Accounts
  consent: Consent
  tokens: TokenCalls
  documents: Documents
  hooks: Pick<Hooks, 'end'>
}

const knowledge: readonly contract.VendorSlug[] = contract.knowledgeVendors

/** Routes by which projects connect their accounts at vendors. Tokens are stored, never returned. */
export function registerConnections(app: FastifyInstance, context: ServerContext, parts: Parts): void {
  const { config } = context
  const { accounts, consent, tokens, documents, hooks } = parts
  const save = createConnectionStore(context, accounts)

  async function find({ db }: ProjectCaller, gid: string): Promise<ConnectionRow> {
    const row = await db.selectFrom('connections').selectAll().where('gid', '=', gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return row
  }

  async function present({ db, project }: ProjectCaller, gid: string) {
    const [connection] = await presentConnections(db, project.id, gid)
    if (!connection) throw new ApiError('not_found')
    return connection
  }

  registerRoute(app, context, contract.listVendorConnections, async ({ caller }) => ({
    vendors: Object.values(vendors).map((vendor) => ({
      slug: vendor.slug,
      name: vendor.name,
      available: vendor.oauth(config.vendors, {}).client !== null,
      callback: consent.callbackOf(vendor.slug),
      knowledge_callback: knowledge.includes(vendor.slug) ? consent.callbackOf(vendor.slug, 'knowledge') : null,
      fields: toFill(vendor.fields),
      by_hand: (vendor.byHand ?? []).map(({ way, fields }) => ({ way, fields: toFill(fields) })),
    })),
    connections: await presentConnections(caller.db, caller.project.id),
    sandbox: config.vendors.sandbox,
  }))

  registerRoute(app, context, contract.listConnectionUses, async ({ caller }) => ({
    uses: await flowUses(caller, documents, caller.project.id, 'connections'),
  }))

  registerRoute(app, context, contract.beginConnection, async ({ caller, params: { pgid }, body, request }) => {
    const isOwn = new RegExp(`^/projects/${pgid}(?:[/?#][\\w\\-./?=&#%]*)?$`).test(body.return_to)
    const returnTo = isOwn ? body.return_to : `/projects/${pgid}/integrations`
    return { url: await consent.begin(caller, request, { ...body, returnTo, given: body.fields ?? {} }) }
  })

  registerRoute(app, context, contract.connectByHand, async ({ caller, body, origin }) => {
    const vendor = vendorOf(body.vendor)
    const byHand = vendor.byHand?.find(({ way }) => way === body.way)
    if (!byHand) throw fieldError('way', `${vendor.name} is not connected in this way`)
    const filled = readFilled(byHand.fields, body.fields)
    const sandbox = config.vendors.sandbox !== null
    const found = await atField(vendor.name, byHand.fieldOf, async () => {
      const granted = await accounts.grantByHand(vendor, byHand, filled)
      const call = accounts.callWith(vendor, granted.access)
      const account = await identify(vendor, call, granted.answer, filled)
      await vendor.check(call, config.vendors)
      return { granted, account }
    })
    const by = { way: body.way, filled }
    const gid = await save(caller, { vendor, ...found, by, scopes: found.granted.scopes ?? [], sandbox, origin })
    return { connection: await present(caller, gid) }
  })

  registerRoute(app, context, contract.finishConnection, async ({ caller: { user }, body, request }) => {
    const returned = await consent.take(user, request, body.vendor, body.state)
    const nothing = { return_to: returned.returnTo, connection: null }
    const vendor = vendorOf(body.vendor)
    if (body.code === undefined) {
      const isDenied = body.error === 'access_denied'
      return { ...nothing, problem: isDenied ? 'denied' : `${vendor.name} answered “${body.error ?? ''}”.` }
    }
    const { project } = returned.caller
    const origin = originOf(context, request, { projectId: project.id, userId: user.id })
    try {
      const gid = await connect(vendor, returned, body, origin)
      return { return_to: returned.returnTo, connection: await present(returned.caller, gid), problem: null }
    } catch (error) {
      if (error instanceof VendorError) return { ...nothing, problem: error.message }
      throw error
    }
  })

  registerRoute(app, context, contract.checkConnection, async ({ caller, params }) => {
    const row = await find(caller, params.gid)
    const vendor = vendorOf(row.vendor)
    // a problem that was noted is looked at again
    const call = accounts.callAs(vendor, { ...row, problem: null })
    await vendor.check(call, config.vendors).catch((error: unknown) => {
      if (!(error instanceof VendorError)) throw error
      if (error.code !== 'reconnect' && error.code !== 'scope')
        throw new ApiError('unavailable', { message: error.message, cause: error })
    })
    return { connection: await present(caller, params.gid) }
  })

  registerRoute(app, context, contract.disconnect, async ({ caller, params, body, origin }) => {
    const row = await find(caller, params.gid)
    const uses = body.confirmed ? {} : await flowUses(caller, documents, caller.project.id, 'connections')
    const places = placesOf(uses[row.gid] ?? [])
    if (places !== '') throw new ApiError('conflict', { message: `${row.account_name} is used in ${places}.` })
    const vendor = vendorOf(row.vendor)
    const held = accounts.tokensOf(row)
    // before: the token that it takes is revoked afterwards
    await hooks.end(row)
    await caller.db.transaction().execute(async (work) => {
      await work.deleteFrom('connections').where('gid', '=', row.gid).execute()
      await appendEvent(work, integrationDisconnected, origin, { connection: row.gid, vendor: row.vendor })
    })
    if (row.sandbox !== (config.vendors.sandbox !== null)) return { revoked: false }
    // afterwards: a vendor that does not answer keeps nobody from disconnecting
    return { revoked: held !== null && (await tokens.revoke(vendor, vendor.oauth(config.vendors, held.filled), held)) }
  })

  /** Whose account it is. @throws VendorError, for an answer of another shape than the contract's as well */
  function identify(vendor: Vendor, call: VendorCall, granted: Json, filled: Filled) {
    return vendor.identify(call, config.vendors, granted, filled).catch((cause: unknown) => {
      throw cause instanceof ZodError ? new VendorError('unreadable', vendor.name, { cause }) : cause
    })
  }

  /** Takes what a person came back with. @throws VendorError */
  async function connect(
    vendor: Vendor,
    { caller, verifier, filled }: Returned,
    { code = '', area }: { code?: string | undefined; area?: contract.ConnectionArea | undefined },
    origin: EventContext,
  ): Promise<string> {
    const oauth = vendor.oauth(config.vendors, filled)
    const sandbox = config.vendors.sandbox !== null
    const callback = consent.callbackOf(vendor.slug, area)
    const granted = await tokens.exchange(vendor, oauth, { code, verifier, callback })
    const scopes = granted.scopes ?? [...oauth.scopes]
    // people can untick what they grant
    const missing = Object.entries(oauth.needed).find(([scope]) => !scopes.includes(scope))
    if (missing) {
      await tokens.revoke(vendor, oauth, granted.access)
      throw new VendorError('scope', missing[1])
    }
    const call = accounts.callWith(vendor, granted.access)
    const account = await identify(vendor, call, granted.answer, filled)
    return save(caller, { vendor, granted, by: { way: null, filled }, scopes, account, sandbox, origin })
  }
}

const toFill = (rules: readonly FieldRule[] = []): contract.FieldToFill[] =>
  rules.map(({ name, max, isSecret = false, isLong = false }) => ({ name, max, secret: isSecret, long: isLong }))
