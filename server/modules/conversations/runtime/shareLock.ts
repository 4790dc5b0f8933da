import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Json } from '../../../../engine/values/json'
import { shareSchema } from '../../../contracts/web/settings'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'

/** What keeps a shared page to those who may open it. */
export interface ShareLock {
  /** argon2id; null: no password is asked */
  passwordHash: string | null
  /** only members of the project */
  members: boolean
  version: number
  key: Buffer
}

/** What it took to open a conversation. */
export interface Pass {
  /** the version of the password; null: there was none */
  share_version: number | null
  /** the member who was logged in */
  member_id: string | null
}

export interface LockRow {
  share: Json | null
  share_password_hash: string | null
  share_version: number | null
  share_key: Buffer | null
}

/**
 * The lock of a chatbot's shared page; null where it has none, and where it is embedded: who may do that, its domains
 * say.
 */
export function lockOf(environment: 'production' | 'sharing', row: LockRow): ShareLock | null {
  const members = shareSchema.parse(row.share ?? {}).auth_enabled
  if (environment !== 'sharing' || !row.share_key || (row.share_password_hash === null && !members)) return null
  return { passwordHash: row.share_password_hash, members, version: row.share_version ?? 0, key: row.share_key }
}

/** How long a pass opens the page: a working day. */
const PASS_LIFETIME = 12 * 60 * 60_000

/** Makes a pass, for who gave the password, or for a member who is logged in. */
export function makePass({ key, version }: ShareLock, memberId: string | null, now: Date): string {
  const said = `${(now.getTime() + PASS_LIFETIME).toString(36)}.${version}.${memberId ?? ''}`
  return `${said}.${sign(key, said)}`
}

/**
 * What a pass opens the page with.
 * @throws ApiError `login_required`, `password_required` without one that is right, and of the lock's present version
 */
export async function readPass(
  db: Db,
  projectId: string,
  lock: ShareLock | null,
  given: string | undefined,
  now: Date,
): Promise<Pass> {
  if (!lock) return { share_version: null, member_id: null }
  const [, expires = '', version, memberId, signature = ''] =
    /^([0-9a-z]+)\.(\d+)\.(\d*)\.([\w-]+)$/.exec(given ?? '') ?? []
  const said = `${expires}.${version}.${memberId}`
  const valid =
    isSame(signature, sign(lock.key, said)) &&
    Number.parseInt(expires, 36) > now.getTime() &&
    Number(version) === lock.version
  const pass = { share_version: lock.version, member_id: memberId || null }
  if (!valid) throw new ApiError(lock.members ? 'login_required' : 'password_required')
  await wantPass(db, projectId, lock, pass)
  return pass
}

/**
 * @throws ApiError `login_required`, `password_required` where the lock wants something else than a conversation was
 * opened with
 */
export async function wantPass(db: Db, projectId: string, lock: ShareLock | null, pass: Pass): Promise<void> {
  if (!lock) return
  if (lock.members) {
    if (pass.member_id !== null && (await isMember(db, projectId, pass.member_id))) return
    throw new ApiError('login_required')
  }
  if (pass.share_version !== lock.version) throw new ApiError('password_required')
}

async function isMember(db: Db, projectId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('project_members')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

const sign = (key: Buffer, said: string): string => createHmac('sha256', key).update(said).digest('base64url')

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
