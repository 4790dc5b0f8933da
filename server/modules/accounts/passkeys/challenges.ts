import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashToken, newToken } from '../../../access/tokens'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'

const COOKIE = 'parley_passkey'
/** How long a device may take, in ms. */
export const CHALLENGE_MS = 5 * 60_000

/** What devices are asked to sign: kept here, of one browser by a cookie, and taken once. */
export function createChallenges({ db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>) {
  const cookie = {
    ...({ path: '/api', sameSite: 'strict', httpOnly: true } as const),
    secure: config.publicUrl.startsWith('https:'),
  }
  return {
    /** @param userId who adds a passkey; null: a log-in */
    async keep(reply: FastifyReply, challenge: string, userId: string | null): Promise<void> {
      const [now, token] = [clock(), newToken()]
      await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
      const expires_at = new Date(now.getTime() + CHALLENGE_MS)
      const row = { token_hash: hashToken(token), challenge, user_id: userId, expires_at }
      await db.insertInto('passkey_challenges').values(row).execute()
      reply.setCookie(COOKIE, token, { ...cookie, maxAge: CHALLENGE_MS / 1_000 })
    },

    /**
     * Takes the challenge of this browser, which is worth nothing afterwards.
     * @throws ApiError conflict if there is none for that person
     */
    async take(request: FastifyRequest, reply: FastifyReply, userId: string | null): Promise<string> {
      const row = await db
        .deleteFrom('passkey_challenges')
        .where('token_hash', '=', hashToken(request.cookies[COOKIE] ?? ''))
        .where('expires_at', '>', clock())
        .returning(['challenge', 'user_id'])
        .executeTakeFirst()
      reply.clearCookie(COOKIE, { path: cookie.path })
      if (!row || row.user_id !== userId)
        throw new ApiError('conflict', { message: 'This took too long. Begin again.' })
      return row.challenge
    },
  }
}
