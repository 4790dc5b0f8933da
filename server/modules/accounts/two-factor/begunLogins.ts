import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashToken, newToken } from '../../../access/tokens'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'

const COOKIE = 'parley_login'
/** How long the code may take, in ms. */
const LIFETIME = 5 * 60_000
/** Codes that may be tried before the password is asked again. */
const TRIES = 5

/**
 * Log-ins between the right password and the code. They are of one browser, by a cookie that opens nothing, and no
 * session: nothing but the second step takes them.
 */
export function createBegunLogins({ db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>) {
  const cookie = {
    ...({ path: '/api/auth', sameSite: 'lax', httpOnly: true } as const),
    secure: config.publicUrl.startsWith('https:'),
  }
  const hashOf = (request: FastifyRequest) => hashToken(request.cookies[COOKIE] ?? '')

  return {
    /**
     * Begins one, with a new token.
     * @param passwordHash that the password was checked against, or the present one
     * @param signOn the project whose identity provider let them in instead
     */
    async begin(
      reply: FastifyReply,
      { id, passwordHash, signOn = null }: { id: string; passwordHash: string; signOn?: string | null },
    ): Promise<void> {
      const [now, token] = [clock(), newToken()]
      await db.deleteFrom('begun_logins').where('expires_at', '<=', now).execute()
      await db
        .insertInto('begun_logins')
        .values({
          ...{ token_hash: hashToken(token), user_id: id, password_hash: passwordHash, sign_on_project_id: signOn },
          ...{ created_at: now, expires_at: new Date(now.getTime() + LIFETIME) },
        })
        .execute()
      reply.setCookie(COOKIE, token, { ...cookie, maxAge: LIFETIME / 1_000 })
    },

    /**
     * Counts a try of this browser's log-in, before its code is looked at.
     * @throws ApiError login_expired if there is none, or it has had its tries
     */
    async takeTry(request: FastifyRequest): Promise<{ userId: string; passwordHash: string; signOn: string | null }> {
      const row = await db
        .updateTable('begun_logins')
        .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
        .where('token_hash', '=', hashOf(request))
        .where('expires_at', '>', clock())
        .where('tries', '<', TRIES)
        .returning(['user_id', 'password_hash', 'sign_on_project_id'])
        .executeTakeFirst()
      if (!row) throw new ApiError('login_expired')
      return { userId: row.user_id, passwordHash: row.password_hash, signOn: row.sign_on_project_id }
    },

    /** Ends it. @throws ApiError login_expired if a concurrent call has ended it */
    async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const ended = await db.deleteFrom('begun_logins').where('token_hash', '=', hashOf(request)).executeTakeFirst()
      reply.clearCookie(COOKIE, { path: cookie.path })
      if (ended.numDeletedRows === 0n) throw new ApiError('login_expired')
    },
  }
}
