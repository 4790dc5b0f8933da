import type { ServerContext } from '../../platform/context'

/** How long a host is reserved for a user who entered it without proving ownership. */
const UNPROVEN = 3 * 24 * 60 * 60_000

/**
 * Frees a host that was entered days ago without proof of ownership, so that its owner can use it. It covers all
 * projects, since a host is unique in the installation.
 */
export async function claim({ db, clock }: Pick<ServerContext, 'db' | 'clock'>, hostname: string): Promise<void> {
  await db
    .deleteFrom('custom_domains')
    .where('hostname', '=', hostname)
    .where('proven_at', 'is', null)
    .where('created_at', '<', new Date(clock().getTime() - UNPROVEN))
    .execute()
}
