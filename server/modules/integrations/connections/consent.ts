import type { FastifyRequest } from 'fastify'
import { type CallerUser, memberOf, type ProjectCaller } from '../../../access/access'
import { hasFeature } from '../../../access/entitlements'
import { SESSION_COOKIE } from '../../../access/sessions'
import { hashToken, newToken } from '../../../access/tokens'
import type { ConnectionArea, VendorSlug } from '../../../contracts/integrations'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { createSecrets } from '../../../platform/secrets/secrets'
import { vendorOf } from '../vendors'
import { type Filled, readFilled } from './filled'
import { authorizeUrl, newVerifier } from './oauth'

/** How long a person may take at the vendor. */
const LIFETIME = 10 * 60_000
/** Attempts that a project has under way. */
const MOST = 50

/** What a person comes back with, as far as it is ours. */
export interface Returned {
  caller: ProjectCaller
  verifier: string
  filled: Filled
  returnTo: string
}

interface Begun {
  vendor: VendorSlug
  area?: ConnectionArea | undefined
  returnTo: string
  given: Filled
}

/** People on their way to a vendor and back. */
export function createConsent(context: ServerContext) {
  const { db, config, clock, ids } = context
  const secrets = createSecrets(config)
  const placeOf = (projectId: string, gid: string) => ({ projectId, row: `oauth_states/${gid}` })
  const filledPlaceOf = (projectId: string, gid: string) => ({ projectId, row: `oauth_states/${gid}/filled` })
  const sessionOf = (request: FastifyRequest) => hashToken(request.cookies[SESSION_COOKIE] ?? '')

  /** Where SPEC.md 2 has each vendor send people back to. */
  function callbackOf(slug: VendorSlug, area: ConnectionArea = 'builder'): string {
    const own = vendorOf(slug).callbackPath ?? `/oauth/cb/builder/${slug}`
    return `${config.publicUrl}${area === 'knowledge' ? `/oauth/kb/${slug}/callback` : own}`
  }

  return {
    callbackOf,

    /**
     * @returns the address of the vendor's page.
     * @throws ApiError conflict if the installation has no client there; invalid, with a message at each wrong field
     */
    async begin(
      caller: ProjectCaller,
      request: FastifyRequest,
      { vendor: slug, area, returnTo, given }: Begun,
    ): Promise<string> {
      const vendor = vendorOf(slug)
      const filled = readFilled(vendor.fields ?? [], given)
      const oauth = vendor.oauth(config.vendors, filled)
      if (!oauth.client)
        throw new ApiError('conflict', {
          message: `This installation is not set up for ${vendor.name} yet. Whoever runs Parley can do that.`,
        })
      const state = newToken()
      const verifier = newVerifier()
      const gid = ids()
      const now = clock()
      await caller.db.transaction().execute(async (work) => {
        await work.deleteFrom('oauth_states').where('expires_at', '<=', now).execute()
        const { count } = await work
          .selectFrom('oauth_states')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .executeTakeFirstOrThrow()
        if (Number(count) >= MOST) throw new ApiError('too_many_requests')
        await work
          .insertInto('oauth_states')
          .values({
            gid,
            project_id: caller.project.id,
            state_hash: hashToken(state),
            session_hash: sessionOf(request),
            user_id: caller.user.id,
            vendor: slug,
            sealed_verifier: secrets.seal(verifier, placeOf(caller.project.id, gid)),
            sealed_filled: secrets.seal(JSON.stringify(filled), filledPlaceOf(caller.project.id, gid)),
            return_to: returnTo,
            expires_at: new Date(now.getTime() + LIFETIME),
          })
          .execute()
      })
      return authorizeUrl(oauth, { state, verifier, callback: callbackOf(slug, area) })
    },

    /**
     * Takes a state, which is then worth nothing any more, whatever comes of it.
     * @throws ApiError conflict if it is not this session's, was used or is too old; forbidden if the person may not
     *   connect any more
     */
    async take(user: CallerUser, request: FastifyRequest, slug: VendorSlug, state: string): Promise<Returned> {
      const row = await db
        .deleteFrom('oauth_states')
        .where('state_hash', '=', hashToken(state))
        .returningAll()
        .executeTakeFirst()
      const isOwn =
        row &&
        row.vendor === slug &&
        row.user_id === user.id &&
        row.session_hash.equals(sessionOf(request)) &&
        row.expires_at.getTime() > clock().getTime()
      const project =
        isOwn && (await db.selectFrom('projects').select('gid').where('id', '=', row.project_id).executeTakeFirst())
      const verifier = isOwn && secrets.open(row.sealed_verifier, placeOf(row.project_id, row.gid))
      if (!project || !verifier)
        throw new ApiError('conflict', {
          message: 'This attempt to connect has ended, or was begun in another browser. Please connect again.',
        })
      const caller = await memberOf(context, user, project.gid, 'integrations.connect')
      if (!hasFeature(caller.project, 'integrations')) throw new ApiError('plan_limit')
      const text = row.sealed_filled && secrets.open(row.sealed_filled, filledPlaceOf(row.project_id, row.gid))
      const filled = readFilled(vendorOf(slug).fields ?? [], text ? JSON.parse(text) : {})
      return { caller, verifier, filled, returnTo: row.return_to }
    },
  }
}
export type Consent = ReturnType<typeof createConsent>
