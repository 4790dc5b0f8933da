import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../access/access'
import { registerRoute } from '../../access/register'
import { Role } from '../../access/roles'
import { refusalOfSignIn } from '../../access/signInRule'
import { newToken } from '../../access/tokens'
import * as contract from '../../contracts/signOn'
import type { ServerContext } from '../../platform/context'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { createSecrets } from '../../platform/secrets/secrets'
import { signOnRuleChanged } from '../accounts/events'
import { readHostname } from '../domains/hostname'
import type { Documents } from '../flows/collab/documents'
import { clientOf, placeOfSecret, redirectAddressOf, renewRule } from './connections'
import type { DomainFinding, DomainProof } from './domains'
import { signOnChanged, signOnDomainAdded, signOnDomainRemoved, signOnJoiningChanged, signOnRemoved } from './events'
import { presentSignOn } from './present'
import { type Provider, ProviderProblem } from './provider'
import { renewMapped } from './scim/groupRoles'

const findings: Record<NonNullable<DomainFinding>, string> = {
  missing: 'The TXT record was not found. It can take an hour until a new one is seen everywhere.',
  wrong: 'There are TXT records at this name, but none with this value.',
  dns_failed: 'The domain’s name servers did not answer. Try again later.',
  taken:
    'Another project here has proven this domain. Remove it there, or take its TXT record away: a week later it is free.',
}

/** A project's settings for its identity provider: seen by owners and administrators, changed by owners. */
export function registerSignOn(
  app: FastifyInstance,
  context: ServerContext,
  { provider, proof, documents }: { provider: Provider; proof: DomainProof; documents: Documents },
): void {
  const { config, clock, ids } = context
  const secrets = createSecrets(config)

  registerRoute(app, context, contract.readSignOn, ({ caller }) => present(caller))
  const present = ({ db, project }: ProjectCaller) => presentSignOn(db, config, project.gid)

  registerRoute(app, context, contract.saveSignOn, async ({ caller, body, origin }) => {
    wantOwner(caller)
    const { db, project } = caller
    const { client_secret, ...fields } = body
    const stored = await db.selectFrom('sign_on_connections').selectAll().executeTakeFirst()
    const gid = stored?.gid ?? ids()
    // a kept secret goes to no other provider than the one that it is of
    const kept = stored?.issuer === fields.issuer ? clientOf(secrets, config, { ...stored, pgid: project.gid }) : null
    const clientSecret = client_secret ?? kept?.clientSecret
    if (clientSecret === undefined) throw fieldError('client_secret', 'Enter the client’s secret')
    const { issuer, client_id: clientId } = fields
    const redirectAddress = redirectAddressOf(config, project.gid)
    await provider.check({ projectId: project.id, issuer, clientId, clientSecret, redirectAddress }).catch((error) => {
      throw error instanceof ProviderProblem ? fieldError(error.field, error.message) : error
    })
    const now = clock()
    const values = {
      ...{ ...fields, role_map: JSON.stringify(fields.role_map), updated_at: now },
      sealed_secret: secrets.seal(clientSecret, placeOfSecret(project.id, gid)),
    }
    const renewed = await db.transaction().execute(async (work) => {
      await work
        .insertInto('sign_on_connections')
        .values({ ...values, gid, project_id: project.id, created_at: now })
        // of two at once the first one's id stays, for which its secret is sealed
        .onConflict((again) =>
          again.column('project_id').doUpdateSet(values).where('sign_on_connections.gid', '=', gid),
        )
        .returning('id')
        .executeTakeFirstOrThrow(() => new ApiError('conflict'))
      // another provider's ids of people say nothing here
      if (stored && stored.issuer !== issuer)
        await work.updateTable('sign_on_people').set({ subject: null, updated_at: now }).execute()
      const { default_role: defaultRole, role_claim: roleClaim, role_map: roleMap } = fields
      await appendEvent(work, signOnChanged, origin, { issuer, clientId, defaultRole, roleClaim, roleMap })
      return renewMapped(context, work, { projectId: project.id, origin, before: stored, after: fields })
    })
    for (const userId of renewed) documents.rightsChanged(userId)
    return present(caller)
  })

  registerRoute(app, context, contract.requireSignOn, async ({ caller, body: { required }, origin }) => {
    wantOwner(caller)
    const { db, project, user } = caller
    await db.transaction().execute(async (work) => {
      const changed = await work.updateTable('sign_on_connections').set({ required }).returning('id').executeTakeFirst()
      if (!changed) throw new ApiError('conflict')
      await renewRule(work)
      const rule = await work
        .selectFrom('projects')
        .innerJoin('project_members', 'project_members.project_id', 'projects.id')
        .select(['projects.id', 'second_factor_required', 'sign_on_domains', 'by_sign_on'])
        .where('project_members.user_id', '=', user.id)
        .executeTakeFirstOrThrow()
      if (required && rule.sign_on_domains.length === 0)
        throw new ApiError('conflict', { message: 'Prove a domain first.' })
      // nobody asks of others what would lock themselves out
      if (refusalOfSignIn(rule, user) === 'sign_on_required')
        throw new ApiError('conflict', { message: 'Sign in with your organisation yourself first.' })
      await appendEvent(work, signOnRuleChanged, origin, { required })
    })
    // who has come by a password loses what they have open
    documents.rightsChangedIn(project.id)
    return present(caller)
  })

  registerRoute(app, context, contract.changeJoining, async ({ caller, body, origin }) => {
    wantOwner(caller)
    await caller.db.transaction().execute(async (work) => {
      const changed = await work.updateTable('sign_on_connections').set(body).returning('id').executeTakeFirst()
      if (!changed) throw new ApiError('conflict')
      await appendEvent(work, signOnJoiningChanged, origin, body)
    })
    return present(caller)
  })

  registerRoute(app, context, contract.removeSignOn, async ({ caller, origin }) => {
    wantOwner(caller)
    const { db } = caller
    await db.transaction().execute(async (work) => {
      const removed = await work.deleteFrom('sign_on_connections').returning('issuer').executeTakeFirst()
      if (!removed) throw new ApiError('conflict')
      await work.updateTable('sign_on_people').set({ subject: null, updated_at: clock() }).execute()
      await renewRule(work)
      await appendEvent(work, signOnRemoved, origin, removed)
    })
    return present(caller)
  })

  registerRoute(app, context, contract.addSignOnDomain, async ({ caller, body, origin }) => {
    wantOwner(caller)
    const { db, project } = caller
    const read = readHostname(body.domain.replace(/^@/, ''), new Set())
    if ('wrong' in read) throw fieldError('domain', 'Enter the part of your addresses after the @, such as example.com')
    await db.transaction().execute(async (work) => {
      const { count } = await work
        .selectFrom('sign_on_domains')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= contract.MOST_DOMAINS) throw fieldError('domain', `At most ${contract.MOST_DOMAINS} domains`)
      const added = await work
        .insertInto('sign_on_domains')
        .values({
          ...{ gid: ids(), project_id: project.id, domain: read.hostname, created_at: clock() },
          challenge: `parley-sign-on=${newToken()}`,
        })
        .onConflict((again) => again.columns(['project_id', 'domain']).doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!added) throw fieldError('domain', 'This domain is in the list already')
      await appendEvent(work, signOnDomainAdded, origin, { domain: read.hostname })
    })
    return present(caller)
  })

  registerRoute(app, context, contract.checkSignOnDomain, async ({ caller, params, origin }) => {
    wantOwner(caller)
    const { db, project } = caller
    const row = await db.selectFrom('sign_on_domains').selectAll().where('gid', '=', params.gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const finding = await proof.prove(project.id, row, origin)
    if (finding) throw fieldError('domain', findings[finding])
    return present(caller)
  })

  registerRoute(app, context, contract.removeSignOnDomain, async ({ caller, params, origin }) => {
    wantOwner(caller)
    const { db } = caller
    await db.transaction().execute(async (work) => {
      const removed = await work
        .deleteFrom('sign_on_domains')
        .where('gid', '=', params.gid)
        .returning('domain')
        .executeTakeFirst()
      if (!removed) throw new ApiError('not_found')
      await renewRule(work)
      await appendEvent(work, signOnDomainRemoved, origin, removed)
    })
    return present(caller)
  })
}

function wantOwner({ roles }: ProjectCaller): void {
  if (!roles.includes(Role.OWNER)) throw new ApiError('forbidden')
}
