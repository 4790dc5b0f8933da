import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { ServerContext } from '../platform/context'
import type { Db } from '../platform/database/database'
import { ApiError } from '../platform/errors'
import type { CallerUser } from './access'
import { hashToken, newToken } from './tokens'

export const SESSION_COOKIE = 'parley_session'
const XSRF_COOKIE = 'XSRF-TOKEN'
/** What lets a person in besides a password: a code of an app, a recovery code, a passkey. */
export type SecondFactor = 'code' | 'recovery' | 'passkey'
const DAY = 24 * 60 * 60 * 1000
const LIFETIME = 30 * DAY
/** The resolution of a session's last use. */
const SEEN_EVERY = 60 * 60 * 1000
const USER_AGENT = 300
/** Where a session is used: people tell by it whether it was they. */
const addressOf = ({ ip }: Pick<FastifyRequest, 'ip'>) => (ip ?? '').slice(0, 64)

/** Derived from the session's token, which scripts can't read: so it is bound to the session and need not be stored. */
const xsrfToken = (token: string) => hashToken(`xsrf:${token}`).toString('base64url')

/** The account that a session acts as, as SQL of a query that has `sessions`: an operator may see as another person. */
export const actsAs = (now: Date) =>
  sql<string>`case when sessions.viewing_until > ${now} and sessions.viewing_user_id is not null
    then sessions.viewing_user_id else sessions.user_id end`

/**
 * The user of the cookie's session; null without one. A session in use is prolonged (pass `reply` to renew its cookie).
 */
export async function authenticate(
  context: ServerContext,
  request: FastifyRequest,
  reply?: FastifyReply,
): Promise<CallerUser | null> {
  const token = request.cookies[SESSION_COOKIE]
  if (!token) return null
  const now = context.clock()
  const row = await context.db
    .selectFrom('sessions')
    .innerJoin('users as holder', 'holder.id', 'sessions.user_id')
    .innerJoin('users', (join) => join.on('users.id', '=', actsAs(now)))
    .select(['users.id', 'users.gid', 'users.email', 'users.first_name', 'users.last_name'])
    .select(['sessions.expires_at', 'sessions.seen_at', 'sessions.viewing_until', 'sessions.second_factor'])
    .select('sessions.sign_on_project_id as signOn')
    .select(['holder.id as holder_id', 'holder.email as holder_email'])
    .where('sessions.token_hash', '=', hashToken(token))
    .where('sessions.expires_at', '>', now)
    .where('holder.suspended_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { expires_at, seen_at, viewing_until, holder_id, holder_email, second_factor, ...person } = row
  const user = { ...person, secured: second_factor !== null, address: request.ip }
  if (reply && now.getTime() - (seen_at?.getTime() ?? 0) > SEEN_EVERY) {
    await context.db
      .updateTable('sessions')
      .set({ seen_at: now, address: addressOf(request) })
      .where('token_hash', '=', hashToken(token))
      .execute()
  }
  if (reply && expires_at.getTime() - now.getTime() < LIFETIME - DAY) {
    await context.db
      .updateTable('sessions')
      .set({ expires_at: new Date(now.getTime() + LIFETIME) })
      .where('token_hash', '=', hashToken(token))
      .execute()
    setCookies(context, reply, token, LIFETIME)
  }
  if (user.id === holder_id || !viewing_until) return user
  return { ...user, viewer: { id: holder_id, email: holder_email, until: viewing_until } }
}

/**
 * Starts a session with a new token, so that a token known before the login is worthless after it.
 * @param passwordHash the hash that the login was checked against; none for a new account. If it has changed since, no
 *   session starts: a password change ends all sessions, including one that is just being opened.
 * @param secondFactor what else was proved
 * @param signOn the project whose identity provider let them in
 * @throws ApiError credentials in that case; account_suspended
 */
export async function openSession(
  context: ServerContext,
  reply: FastifyReply,
  {
    id,
    passwordHash,
    secondFactor = null,
    signOn = null,
  }: { id: string; passwordHash?: string; secondFactor?: SecondFactor | null; signOn?: string | null },
): Promise<void> {
  const now = context.clock()
  const token = newToken()
  await context.db.deleteFrom('sessions').where('user_id', '=', id).where('expires_at', '<=', now).execute()
  const suspended = context.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('suspended_at', 'is not', null)
  if (await suspended.executeTakeFirst()) throw new ApiError('account_suspended')
  const { numInsertedOrUpdatedRows } = await context.db
    .insertInto('sessions')
    .columns([
      ...(['token_hash', 'user_id', 'user_agent', 'address', 'second_factor', 'sign_on_project_id'] as const),
      ...(['seen_at', 'created_at', 'expires_at'] as const),
    ])
    .expression(({ selectFrom, val }) =>
      selectFrom('users')
        .select([
          val(hashToken(token)).as('token_hash'),
          'users.id',
          val(String(reply.request.headers['user-agent'] ?? '').slice(0, USER_AGENT)).as('user_agent'),
          val(addressOf(reply.request)).as('address'),
          val(secondFactor).as('second_factor'),
          sql<string | null>`${signOn}::bigint`.as('sign_on_project_id'),
          val(now).as('seen_at'),
          val(now).as('created_at'),
          val(new Date(now.getTime() + LIFETIME)).as('expires_at'),
        ])
        .where('users.id', '=', id)
        .where('users.suspended_at', 'is', null)
        .$if(passwordHash !== undefined, (user) => user.where('users.password_hash', '=', passwordHash ?? ''))
        // waits for a concurrent password change, and sees the new hash
        .forShare(),
    )
    .executeTakeFirst()
  if (Number(numInsertedOrUpdatedRows) === 0) throw new ApiError('credentials')
  setCookies(context, reply, token, LIFETIME)
}

export async function closeSession(
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const token = request.cookies[SESSION_COOKIE]
  if (!token) return
  await context.db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute()
  reply.clearCookie(SESSION_COOKIE, { path: '/' }).clearCookie(XSRF_COOKIE, { path: '/' })
}

/** Notes on the calling session that a second factor was proved. */
export async function secureSession({ db }: { db: Db }, request: FastifyRequest, by: SecondFactor): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ second_factor: by })
    .where('token_hash', '=', hashToken(request.cookies[SESSION_COOKIE] ?? ''))
    .execute()
}

/** Ends all sessions of the account except the caller's. @returns how many */
export async function closeOtherSessions({ db }: { db: Db }, request: FastifyRequest, userId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', hashToken(request.cookies[SESSION_COOKIE] ?? ''))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Sets the XSRF cookie; a browser without a session gets a token for logging in. */
export async function giveXsrfCookie(
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const user = await authenticate(context, request)
  setCookies(context, reply, request.cookies[SESSION_COOKIE] || newToken(), user ? LIFETIME : null)
}

/** Whether the header repeats the XSRF token of the call's session. */
export function hasXsrfToken(request: FastifyRequest): boolean {
  const token = request.cookies[SESSION_COOKIE]
  const given = request.headers['x-xsrf-token']
  if (!token || typeof given !== 'string') return false
  return timingSafeEqual(hashToken(given), hashToken(xsrfToken(token)))
}

function setCookies(context: ServerContext, reply: FastifyReply, token: string, lifetime: number | null): void {
  const secure = context.config.publicUrl.startsWith('https:')
  const options = { path: '/', sameSite: 'lax', secure, ...(lifetime && { maxAge: lifetime / 1000 }) } as const
  reply
    .setCookie(SESSION_COOKIE, token, { ...options, httpOnly: true })
    .setCookie(XSRF_COOKIE, xsrfToken(token), options)
}
