import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../access/access'
import { chatbotOf } from '../../access/chatbots'
import { entitlementsOf } from '../../access/entitlements'
import { registerRoute } from '../../access/register'
import { newToken } from '../../access/tokens'
import * as contract from '../../contracts/domains'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { ApiError, fieldError, isUniqueViolation } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { createSecrets } from '../../platform/secrets/secrets'
import { careForDomain } from './care'
import { claim } from './claim'
import { domainAdded, domainCertified, domainRemoved } from './events'
import { ownHosts, readHostname } from './hostname'
import type { Hosts } from './hosts'
import { presentDomain } from './presenter'
import { readCertificate } from './readCertificate'
import { countDomains, domainOf, dropDomain } from './rows'

const TAKEN = 'This domain is connected to another chatbot.'
const HAS_ONE = 'This chatbot has a domain. Remove it first.'

/** Routes for a chatbot's custom domain, for the project's members. */
export function registerDomains(app: FastifyInstance, context: ServerContext, hosts: Hosts): void {
  const { clock, config, ids, jobs } = context
  const secrets = createSecrets(config)

  async function view({ db, project }: ProjectCaller, chatbotId: string): Promise<contract.DomainView> {
    const row = await domainOf(db, chatbotId)
    const used = await countDomains(db, project.id)
    const plan = entitlementsOf(project)
    return {
      domain: row ? presentDomain(row, config, clock()) : null,
      mode: config.domains.mode,
      in_plan: plan.features.custom_domain,
      limit_reached: limitReached(plan.limits.custom_domains, used),
    }
  }

  /** Schedules a check now, from the first step. */
  const schedule = (work: Db, gid: string, projectId: string) =>
    jobs.schedule(work, careForDomain, { key: gid, payload: { domain: gid }, runAt: clock(), projectId })

  registerRoute(app, context, contract.readDomain, async ({ caller, params }) => {
    const { id } = await chatbotOf(caller.db, caller.project.id, params.cgid)
    return view(caller, id)
  })

  registerRoute(app, context, contract.addDomain, async ({ caller, params, body, origin }) => {
    const { db, project } = caller
    const chatbot = await chatbotOf(db, project.id, params.cgid)
    const read = readHostname(body.hostname, ownHosts(config))
    if ('wrong' in read) throw fieldError('hostname', read.wrong)
    await claim(context, read.hostname)
    const gid = ids()
    await db
      .transaction()
      .execute(async (trx) => {
        // a row lock: two concurrent requests would both see the last free place
        await trx.selectFrom('projects').select('id').where('id', '=', project.id).forNoKeyUpdate().execute()
        if (await domainOf(trx, chatbot.id)) throw new ApiError('conflict', { message: HAS_ONE })
        const { custom_domains: max } = entitlementsOf(project).limits
        if (limitReached(max, await countDomains(trx, project.id))) throw new ApiError('plan_limit')
        const now = clock()
        await trx
          .insertInto('custom_domains')
          .values({
            gid,
            project_id: project.id,
            chatbot_id: chatbot.id,
            ...read,
            status: 'pending_ownership',
            challenge: `parley-${newToken()}`,
            token: newToken(),
            requested_at: now,
            created_at: now,
          })
          .execute()
        await appendEvent(trx, domainAdded, origin, { domain: gid, chatbot: params.cgid, hostname: read.hostname })
        await schedule(trx, gid, project.id)
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? fieldError('hostname', TAKEN) : error
      })
    hosts.forget(read.hostname)
    jobs.wake()
    return view(caller, chatbot.id)
  })

  registerRoute(app, context, contract.checkDomain, async ({ caller, params }) => {
    const { db, project } = caller
    const { id } = await chatbotOf(db, project.id, params.cgid)
    await db.transaction().execute(async (trx) => {
      const row = await domainOf(trx, id)
      if (!row) throw new ApiError('not_found')
      // starts waiting again if the checks were given up; an active domain keeps its deadline
      const anew = row.status === 'active' || row.status === 'renewing' ? {} : { attempts: 0, failing_since: null }
      await trx
        .updateTable('custom_domains')
        .set({ requested_at: clock(), ...anew })
        .where('id', '=', row.id)
        .execute()
      await schedule(trx, row.gid, project.id)
    })
    jobs.wake()
    return view(caller, id)
  })

  registerRoute(app, context, contract.uploadCertificate, async ({ caller, params, body, origin }) => {
    const { db, project } = caller
    const { id } = await chatbotOf(db, project.id, params.cgid)
    if (config.domains.mode !== 'manual')
      throw new ApiError('conflict', { message: 'This server gets its certificates by itself.' })
    const hostname = await db.transaction().execute(async (trx) => {
      const row = await domainOf(trx, id)
      if (!row) throw new ApiError('not_found')
      const { certificate, key, expiresAt } = readCertificate(body, row.hostname, clock())
      const now = clock()
      await trx
        .updateTable('custom_domains')
        .set({
          certificate,
          sealed_key: secrets.seal(key, { projectId: project.id, row: `custom_domains/${row.gid}` }),
          certified_at: now,
          expires_at: expiresAt,
          requested_at: now,
        })
        .where('id', '=', row.id)
        .execute()
      const what = { domain: row.gid, chatbot: params.cgid, hostname: row.hostname }
      await appendEvent(trx, domainCertified, origin, what)
      await schedule(trx, row.gid, project.id)
      return row.hostname
    })
    hosts.forget(hostname)
    jobs.wake()
    return view(caller, id)
  })

  registerRoute(app, context, contract.removeDomain, async ({ caller, params, origin }) => {
    const { db, project } = caller
    const { id } = await chatbotOf(db, project.id, params.cgid)
    const hostname = await db.transaction().execute(async (trx) => {
      const domain = await dropDomain(trx, id)
      if (!domain) throw new ApiError('not_found')
      const what = { domain: domain.gid, chatbot: params.cgid, hostname: domain.hostname }
      await appendEvent(trx, domainRemoved, origin, what)
      return domain.hostname
    })
    hosts.forget(hostname)
    return {}
  })
}

/** SPEC.md 4. */
const limitReached = (max: number, used: number): boolean => max <= 0 || used >= max
