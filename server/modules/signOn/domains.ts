import { domainOfEmail } from '../../access/signInRule'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { isUniqueViolation } from '../../platform/errors'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { ownershipName } from '../domains/checks'
import type { Dns } from '../domains/dns'
import { renewRule } from './connections'
import { signOnDomainLost, signOnDomainProven } from './events'
import type { SignOnDomainsTable } from './tables'

const DAY = 24 * 60 * 60_000
/** How long a proven domain may lack its record: somebody may be mending it. */
const GRACE = 7 * DAY
/** Domains that one sweep looks at. */
const AT_ONCE = 50

export type DomainRow = Pick<SignOnDomainsTable, 'gid' | 'domain' | 'challenge'> &
  Record<'proven_at' | 'checked_at' | 'missing_since', Date | null>

/** Whether a project has proven the domain of an address. */
export const isProven = async (db: Db, projectId: string, email: string): Promise<boolean> =>
  (await db
    .selectFrom('sign_on_domains')
    .select('id')
    .where('project_id', '=', projectId)
    .where('domain', '=', domainOfEmail(email))
    .where('proven_at', 'is not', null)
    .executeTakeFirst()) !== undefined

/** Why a domain is not proven; null: it is. */
export type DomainFinding = 'missing' | 'wrong' | 'dns_failed' | 'taken' | null

/** Creates the proof that a project has the domains whose people its provider lets in. */
export function createDomainProof({ db, clock, log }: Pick<ServerContext, 'db' | 'clock' | 'log'>, dns: Dns) {
  async function look({ domain, challenge }: Pick<DomainRow, 'domain' | 'challenge'>) {
    try {
      const texts = await dns.texts(ownershipName(domain))
      if (texts.some((text) => text.trim() === challenge)) return null
      return texts.length > 0 ? 'wrong' : 'missing'
    } catch {
      return 'dns_failed'
    }
  }

  /** @param origin of the event, where a member asks */
  async function prove(
    projectId: string,
    row: Pick<DomainRow, 'gid' | 'domain' | 'challenge' | 'proven_at' | 'missing_since'>,
    origin: EventContext,
  ): Promise<DomainFinding> {
    const finding = await look(row)
    const now = clock()
    // servers that can't be asked say nothing of the record
    const missing_since =
      finding === null ? null : finding === 'dns_failed' ? row.missing_since : (row.missing_since ?? now)
    const isLost =
      finding !== null && finding !== 'dns_failed' && now.getTime() - (missing_since ?? now).getTime() >= GRACE
    const proven_at = finding === null ? (row.proven_at ?? now) : isLost ? null : row.proven_at
    try {
      await db
        .forProject(projectId)
        .transaction()
        .execute(async (work) => {
          await work
            .updateTable('sign_on_domains')
            .set({ checked_at: now, proven_at, missing_since: proven_at ? missing_since : null })
            .where('gid', '=', row.gid)
            .execute()
          if (Boolean(row.proven_at) === Boolean(proven_at)) return
          await renewRule(work)
          await appendEvent(work, proven_at ? signOnDomainProven : signOnDomainLost, origin, { domain: row.domain })
        })
    } catch (error) {
      if (isUniqueViolation(error)) return 'taken'
      throw error
    }
    return finding
  }

  return {
    prove,

    /** Looks once a day whether proven domains still have their record: one that was sold proves nothing. */
    async recheck(): Promise<void> {
      const due = await db
        .selectFrom('sign_on_domains')
        .selectAll()
        .where('proven_at', 'is not', null)
        .where('checked_at', '<=', new Date(clock().getTime() - DAY))
        .orderBy('checked_at')
        .limit(AT_ONCE)
        .execute()
      for (const { project_id: projectId, ...row } of due) {
        const origin = { projectId, by: { actor: 'system' as const }, correlation: 'sign-on-domains', at: clock() }
        const finding = await prove(projectId, row, origin)
        if (finding) log.warn({ domain: row.domain, finding }, 'a domain of an identity provider lacks its record')
      }
    },
  }
}
export type DomainProof = ReturnType<typeof createDomainProof>
