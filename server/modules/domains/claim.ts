import type { ServerContext } from '../../platform/context'

/** For how long a host is kept for who entered it and did not prove to own it. */
const UNPROVEN = 3 * 24 * 60 * 60_000

/**
 * Frees a host that somebody entered days ago and nobody has proven to own: whoever owns it may want it. Of all projects: the host is one's
 * in the whole installation.
 */
export async function claim({ db, clock }: Pick<ServerContext, 'db' | 'clock'>, hostname: string): Promise<void> {
  await db
    .deleteFrom('custom_domains')
    .where('hostname', '=', hostname)
    .where('proven_at', 'is', null)
    .where('created_at', '<', new Date(clock().getTime() - UNPROVEN))
    .execute()
}
