import type { Db } from '../platform/database/database'
import { ApiError } from '../platform/errors'
import { domainOfEmail } from './signInRule'

/**
 * Refuses an account of one's own to people of an organisation that wants them to come in by its identity provider.
 * Nobody becomes a member by an address that they typed: the provider says whose it is.
 * @param ownAccount they were asked, and want one all the same
 * @throws ApiError organisation_asks; organisation_needed, where it is not left to them
 */
export async function refuseCaptured(db: Db, email: string, ownAccount = false): Promise<void> {
  const captured = await db
    .selectFrom('sign_on_domains')
    .innerJoin('sign_on_connections', 'sign_on_connections.project_id', 'sign_on_domains.project_id')
    .innerJoin('projects', 'projects.id', 'sign_on_domains.project_id')
    .select('sign_on_connections.joining')
    .where('sign_on_domains.domain', '=', domainOfEmail(email))
    .where('sign_on_domains.proven_at', 'is not', null)
    .where('projects.suspended_at', 'is', null)
    .executeTakeFirst()
  if (captured?.joining === 'must') throw new ApiError('organisation_needed')
  if (captured?.joining === 'ask' && !ownAccount) throw new ApiError('organisation_asks')
}
