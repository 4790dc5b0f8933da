import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { hashToken, newToken } from '../../../access/tokens'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'

const DEVICE_COOKIE = 'parley_device'
const YEAR = 365 * 24 * 60 * 60
/** Per account; the least recently used one is forgotten first. */
const MOST_DEVICES = 20

const tokenOf = (request: FastifyRequest) => request.cookies[DEVICE_COOKIE] || undefined

/**
 * The rate-limit key of this browser, if the account with that address has logged in with it before; otherwise null.
 */
export async function knownDeviceOf(
  { db }: Pick<ServerContext, 'db'>,
  request: FastifyRequest,
  email: string,
): Promise<string | null> {
  const token = tokenOf(request)
  if (!token) return null
  const hash = hashToken(token)
  const row = await db
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .select('users.id')
    .where('users.email', '=', email)
    .where('known_devices.token_hash', '=', hash)
    .executeTakeFirst()
  return row ? hash.toString('base64url') : null
}

/** Whether any browser is known to be of the account's owner. */
export async function hasDevices(db: Kysely<Database>, userId: string): Promise<boolean> {
  const row = await db.selectFrom('known_devices').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  return row !== undefined
}

/** Records that the account's owner uses this browser. The cookie only identifies the browser: it logs nobody in. */
export async function rememberDevice(
  { db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const token = tokenOf(request) ?? newToken()
  await db
    .insertInto('known_devices')
    .values({ token_hash: hashToken(token), user_id: userId, used_at: clock() })
    .onConflict((conflict) => conflict.columns(['user_id', 'token_hash']).doUpdateSet({ used_at: clock() }))
    .execute()
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('token_hash', 'in', ({ selectFrom }) =>
      selectFrom('known_devices')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('used_at', 'desc')
        .orderBy('token_hash')
        .offset(MOST_DEVICES),
    )
    .execute()
  reply.setCookie(DEVICE_COOKIE, token, {
    path: '/api/auth',
    sameSite: 'lax',
    secure: config.publicUrl.startsWith('https:'),
    httpOnly: true,
    maxAge: YEAR,
  })
}

/** Somebody else may have used one of them. */
export async function forgetDevices(db: Kysely<Database>, userId: string): Promise<void> {
  await db.deleteFrom('known_devices').where('user_id', '=', userId).execute()
}
