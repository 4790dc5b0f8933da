import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashToken, newToken } from '../../../access/tokens'
import type { ServerContext } from '../../../platform/context'

const COOKIE = 'parley_passkey'
/** How long a device may take to answer, in ms. */
export const CHALLENGE_MS = 5 * 60_000

/** For what a challenge is answered: to add a passkey to that account; null: to log in. */
type Purpose = string | null

/**
 * What devices are asked to sign. A challenge is of one browser, by a cookie that opens nothing, and of one purpose. It
 * is taken once, so that nobody uses an answer again, and no answer to another question counts.
 */
export function createChallenges({ db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>) {
  const cookie = {
    ...({ path: '/api', sameSite: 'strict', httpOnly: true } as const),
    secure: config.publicUrl.startsWith('https:'),
  }

  return {
    async keep(
      { request, reply }: { request: FastifyRequest; reply: FastifyReply },
      challenge: string,
      purpose: Purpose,
    ): Promise<void> {
      // tabs of one browser may ask at once
      const browser = request.cookies[COOKIE] || newToken()
      const now = clock()
      await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
      await db
        .insertInto('passkey_challenges')
        .values({
          ...{ challenge_hash: hashToken(challenge), browser_hash: hashToken(browser), user_id: purpose },
          expires_at: new Date(now.getTime() + CHALLENGE_MS),
        })
        .execute()
      reply.setCookie(COOKIE, browser, { ...cookie, maxAge: CHALLENGE_MS / 1_000 })
    },

    /**
     * Takes it, whatever comes of it.
     * @returns false: it is none of this browser and purpose, was taken, or is too old
     */
    async take(request: FastifyRequest, challenge: string, purpose: Purpose): Promise<boolean> {
      const row = await db
        .deleteFrom('passkey_challenges')
        .where('challenge_hash', '=', hashToken(challenge))
        .where('browser_hash', '=', hashToken(request.cookies[COOKIE] ?? ''))
        .where('expires_at', '>', clock())
        .returning('user_id')
        .executeTakeFirst()
      return row !== undefined && row.user_id === purpose
    },
  }
}
