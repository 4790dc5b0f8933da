import { X509Certificate } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import { appendEvent } from '../../platform/events/defineEvent'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import { createSecrets } from '../../platform/secrets/secrets'
import { AcmeProblem } from './acme/acmeProblem'
import type { Issuer } from './acme/createIssuer'
import { twoThirds } from './acme/renewal'
import type { Checks } from './checks'
import { domainActivated, domainFailed } from './events'
import type { Hosts } from './hosts'
import { active, lacking, type Outcome, refused, sooner } from './outcome'
import type { DomainRow } from './presenter'
import type { CustomDomainsTable } from './tables'

/**
 * Maintains one domain: checks its records, orders and renews its certificate. Each domain has one job, with its id as
 * the key.
 */
export const careForDomain = defineJob('care-for-domain', z.strictObject({ domain: z.string() }))

/** The time that one process may work on a domain: an order takes no longer. */
const LEASE = 5 * 60_000
const ORDER_LIMIT = 4 * 60_000
/** When to try again if another process works on the domain. */
const BUSY = 30_000

export interface Care {
  job: HandledJob
  /** Aborts work in progress: it is repeated at the next start. */
  stop(): void
}

type Parts = Pick<ServerContext, 'db' | 'config' | 'clock' | 'log' | 'jobs'>

/** @param issuer null: a proxy provides certificates, or they are uploaded */
export function createCare(context: Parts, checks: Checks, hosts: Hosts, issuer: Issuer | null): Care {
  const { config, clock, log } = context
  const secrets = createSecrets(config)
  const stopping = new AbortController()

  /** Claims the domain for this process. @returns null if another one has it */
  async function take(projectId: string, gid: string) {
    const now = clock()
    const until = new Date(now.getTime() + LEASE)
    const row = await context.db
      .forProject(projectId)
      .updateTable('custom_domains')
      .set({ busy_until: until })
      .where('gid', '=', gid)
      .where((where) => where.or([where('busy_until', 'is', null), where('busy_until', '<=', now)]))
      .returningAll()
      .executeTakeFirst()
    return row ? { row, until } : null
  }

  /** Stores the result, unless the domain was deleted or another process has claimed it. */
  async function write(row: DomainRow, until: Date, changes: Updateable<CustomDomainsTable>, last: boolean) {
    const now = clock()
    const done = last ? { busy_until: null, checked_at: now, requested_at: null } : {}
    const written = await context.db
      .forProject(row.project_id)
      .transaction()
      .execute(async (trx) => {
        const changed = await trx
          .updateTable('custom_domains')
          .set({ ...changes, ...done })
          .where('id', '=', row.id)
          .where('busy_until', '=', until)
          .returningAll()
          .executeTakeFirst()
        if (changed && changed.status !== row.status) await tell(changed, now)
        return changed ?? null

        async function tell(domain: DomainRow, at: Date) {
          const { gid } = await trx
            .selectFrom('chatbots')
            .select('gid')
            .where('id', '=', domain.chatbot_id)
            .executeTakeFirstOrThrow()
          const by = { actor: 'system' } as const
          const origin = { projectId: domain.project_id, by, correlation: domain.gid, at }
          const what = { domain: domain.gid, chatbot: gid, hostname: domain.hostname }
          if (domain.status === 'active') await appendEvent(trx, domainActivated, origin, what)
          if (domain.status === 'failed')
            await appendEvent(trx, domainFailed, origin, { ...what, problem: domain.problem ?? '' })
        }
      })
    hosts.forget(row.hostname)
    return written
  }

  /** Runs all checks from the first step: what was valid may not be any more. */
  async function look(row: DomainRow, until: Date): Promise<Outcome> {
    const ownership = await checks.ownership(row)
    if (ownership) return lacking(row, 'ownership', ownership, clock())
    // while the page is requested, the proxy asks whether it may order a certificate
    if (!row.owned) await write(row, until, { owned: true, proven_at: row.proven_at ?? clock() }, false)
    const reach = await checks.reach(row)
    if (reach) return lacking(row, reach.problem === 'tls_missing' ? 'tls' : 'dns', reach, clock())
    if (config.domains.mode === 'proxy') {
      const tls = await checks.tls(row)
      return tls ? lacking(row, 'tls', tls, clock()) : active(row, clock())
    }
    return issuer ? lookAfterCertificate(row, until, issuer) : lookAtUploaded(row)
  }

  function lookAtUploaded(row: DomainRow): Outcome {
    const now = clock()
    if (row.certificate === null) return lacking(row, 'tls', { problem: 'certificate_missing', detail: '' }, now)
    if (row.expires_at !== null && row.expires_at <= now)
      return refused(row, { problem: 'certificate_expired', detail: '' }, now)
    return active(row, now, row.expires_at)
  }

  async function lookAfterCertificate(row: DomainRow, until: Date, issuer: Issuer): Promise<Outcome> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ORDER_LIMIT)])
    try {
      const { certificate } = row
      if (certificate !== null && row.expires_at !== null && row.expires_at > clock()) {
        const { renewAt, askAt } = await issuer.renewal({ ...row, certificate }, signal)
        if (renewAt > clock()) {
          const outcome = active(row, clock(), sooner(renewAt, askAt))
          return { ...outcome, changes: { ...outcome.changes, renew_at: renewAt } }
        }
      }
      await write(row, until, { status: certificate === null ? 'issuing' : 'renewing', problem: null }, false)
      const issued = await issuer.issue(row, signal)
      const now = clock()
      const renewAt = twoThirds(issued.certificate)
      const outcome = active(row, now, renewAt)
      return {
        ...outcome,
        changes: {
          ...outcome.changes,
          certificate: issued.certificate,
          sealed_key: secrets.seal(issued.key, { projectId: row.project_id, row: `custom_domains/${row.gid}` }),
          certified_at: now,
          expires_at: new Date(new X509Certificate(issued.certificate).validTo),
          renew_at: renewAt,
        },
      }
    } catch (error) {
      if (stopping.signal.aborted) throw error
      const problem = asProblem(error, signal)
      if (!problem) throw error
      return refused(row, { problem: problem.problem, detail: problem.message }, clock(), problem.retryAfter)
    }
  }

  async function care(projectId: string, gid: string): Promise<Date | undefined> {
    const taken = await take(projectId, gid)
    if (!taken) return (await isThere(projectId, gid)) ? new Date(clock().getTime() + BUSY) : undefined
    const { row, until } = taken
    try {
      const { changes, again } = await look(row, until)
      const left = await write(row, until, changes, true)
      return left ? (again ?? undefined) : undefined
    } catch (error) {
      await context.db
        .forProject(projectId)
        .updateTable('custom_domains')
        .set({ busy_until: null })
        .where('id', '=', row.id)
        .where('busy_until', '=', until)
        .execute()
        .catch(() => undefined)
      if (stopping.signal.aborted) throw error
      // a job that fails too often is given up; this must not happen to a certificate
      log.error({ err: error, domain: gid }, 'a custom domain could not be looked after')
      return new Date(clock().getTime() + LEASE)
    }
  }

  const isThere = async (projectId: string, gid: string): Promise<boolean> =>
    (await context.db
      .forProject(projectId)
      .selectFrom('custom_domains')
      .select(sql`1`.as('one'))
      .where('gid', '=', gid)
      .executeTakeFirst()) !== undefined

  return {
    job: careForDomain.handledBy(({ domain }, { projectId }) => care(projectId ?? '0', domain)),
    stop: () => stopping.abort(new Error('the server stops')),
  }
}

function asProblem(error: unknown, signal: AbortSignal): AcmeProblem | null {
  if (error instanceof AcmeProblem) return error
  if (error instanceof z.ZodError) return new AcmeProblem('', 'The certificate authority gave an answer that is none.')
  return signal.aborted ? new AcmeProblem('', 'The certificate authority took too long.') : null
}
