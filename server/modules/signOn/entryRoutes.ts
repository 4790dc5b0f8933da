import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import { closeSession, giveXsrfCookie } from '../../access/sessions'
import { domainOfEmail } from '../../access/signInRule'
import { newToken } from '../../access/tokens'
import { beginSignOn, finishSignOn } from '../../contracts/signOn'
import type { ServerContext } from '../../platform/context'
import { ApiError, fieldError } from '../../platform/errors'
import { createSecrets } from '../../platform/secrets/secrets'
import { createEnter } from '../accounts/auth/enter'
import { createTellPerson } from '../accounts/auth/tellPerson'
import { createBegunLogins } from '../accounts/two-factor/begunLogins'
import { createTwoFactor } from '../accounts/two-factor/twoFactor'
import type { Documents } from '../flows/collab/documents'
import { admitPerson, SignOnRefused } from './admit'
import { createAttempts } from './attempts'
import { clientOf, connectionFor } from './connections'
import { type Claims, type Provider, ProviderProblem } from './provider'

/** The interface's screen that asks for the address, and says what went wrong. */
const SCREEN = '/sign-on'

/** Routes for people who sign on: to the provider's page, and back from it. */
export function registerEntry(
  app: FastifyInstance,
  context: ServerContext,
  { provider, documents }: { provider: Provider; documents: Documents },
): void {
  const { db, config, log } = context
  const secrets = createSecrets(config)
  const attempts = createAttempts(context)
  const begun = createBegunLogins(context)
  const twoFactor = createTwoFactor(context)
  const enter = createEnter(context, createTellPerson(app, context))

  registerRoute(app, context, beginSignOn, async ({ body, request, reply }) => {
    const email = body.email.toLowerCase()
    const row = await connectionFor(db, domainOfEmail(email))
    const client = row && clientOf(secrets, config, row)
    if (!client)
      throw fieldError('email', 'No organisation signs in here with this address. Log in with your password instead.')
    const state = newToken()
    const { url, ...kept } = await provider.begin(client, { state, email, claim: row.role_claim }).catch((error) => {
      if (!(error instanceof ProviderProblem)) throw error
      log.warn({ err: error, project: client.projectId }, 'an identity provider can’t be used')
      throw fieldError('email', 'Your organisation’s sign-in can’t be reached right now. Try again in a moment.')
    })
    await attempts.keep(
      { request, reply },
      { ...kept, projectId: client.projectId, state, returnTo: ownPathOf(body.next) },
    )
    return { url }
  })

  registerRoute(app, context, finishSignOn, async ({ params, query, request, reply }) => {
    const attempt = await attempts.take(request, query.state ?? '')
    const failed = (problem: string) => reply.redirect(`${SCREEN}?problem=${problem}`)
    if (!attempt) return failed('expired')
    const row = await db
      .forProject(attempt.projectId)
      .selectFrom('sign_on_connections')
      .innerJoin('projects', 'projects.id', 'sign_on_connections.project_id')
      .selectAll('sign_on_connections')
      .select('projects.gid as pgid')
      // each provider has an address of its own: what another one sends counts for nothing
      .where('projects.gid', '=', params.project)
      .where('projects.suspended_at', 'is', null)
      .executeTakeFirst()
    const client = row && clientOf(secrets, config, row)
    if (!client) return failed('expired')
    if (query.error !== undefined) return failed('refused')
    let claims: Claims
    try {
      const { verifier, nonce } = attempt
      claims = await provider.finish(client, query, {
        state: query.state ?? '',
        verifier,
        nonce,
        claim: row.role_claim,
      })
    } catch (error) {
      log.warn({ err: error, project: client.projectId }, 'an identity provider’s answer was refused')
      return failed('provider')
    }
    try {
      const user = await admitPerson(context, row, claims, request)
      documents.rightsChanged(user.id)
      // a log-in by a password, where that was not enough
      await closeSession(context, request, reply)
      if ((await twoFactor.read(user.id)).on_since !== null) {
        await begun.begin(reply, { id: user.id, passwordHash: await hashOf(user.id), signOn: attempt.projectId })
        await giveXsrfCookie(context, request, reply)
        return reply.redirect(`${SCREEN}?code=1&next=${encodeURIComponent(attempt.returnTo)}`)
      }
      await enter(request, reply, { ...user, secondFactor: null, signOn: attempt.projectId })
      return reply.redirect(attempt.returnTo)
    } catch (error) {
      if (error instanceof SignOnRefused) return failed(error.problem)
      if (error instanceof ApiError && error.code === 'account_suspended') return failed('suspended')
      throw error
    }
  })

  const hashOf = async (id: string): Promise<string> =>
    (await db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow()).password_hash
}

/** A path of this origin; `/` for anything that a browser could take for another address. */
function ownPathOf(next = '/'): string {
  const origin = 'http://own.invalid'
  if (!next.startsWith('/') || !URL.canParse(next, origin)) return '/'
  const url = new URL(next, origin)
  return url.origin === origin && !next.includes('\\') ? url.pathname + url.search + url.hash : '/'
}
