import { createHash } from 'node:crypto'
import { hashToken } from '../../../access/tokens'
import type { Session } from '../../../contracts/profile'
import type { Db } from '../../../platform/database/database'
import { networkOf } from './networkOf'

/** A session's public id: its token can't be derived from it. */
const idOf = (tokenHash: Buffer): string =>
  createHash('sha256').update('id:').update(tokenHash).digest('hex').slice(0, 16)

/** The account's sessions, last used first. @param token of the calling one */
export async function sessionsOf(db: Db, userId: string, token: string, now: Date): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['token_hash', 'user_agent', 'address', 'created_at', 'seen_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('seen_at', (order) => order.desc().nullsLast())
    .execute()
  const own = hashToken(token)
  return rows.map(({ token_hash, user_agent, address, created_at, seen_at }) => ({
    id: idOf(token_hash),
    user_agent,
    address,
    network: networkOf(address),
    created_at: created_at.toISOString(),
    seen_at: seen_at?.toISOString() ?? null,
    current: token_hash.equals(own),
  }))
}

/** @returns false if the account has no such session */
export async function endSessionOf(db: Db, userId: string, id: string): Promise<boolean> {
  const rows = await db.selectFrom('sessions').select('token_hash').where('user_id', '=', userId).execute()
  const row = rows.find(({ token_hash }) => idOf(token_hash) === id)
  if (!row) return false
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '=', row.token_hash).execute()
  return true
}
