import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashToken, newToken } from '../../access/tokens'
import type { ServerContext } from '../../platform/context'
import { createSecrets } from '../../platform/secrets/secrets'

const COOKIE = 'parley_sign_on'
const PATH = '/api/sign-on'
/** How long a person may take at the provider, in ms. */
const LIFETIME = 10 * 60_000
/** Attempts of a project that are under way: the oldest give way. */
const MOST = 2_000

/** What is kept of an attempt until the person comes back. */
interface Kept {
  verifier: string
  nonce: string
}

/**
 * People on their way to a provider and back. An attempt is of one browser, by a cookie that opens nothing, and is
 * taken once: so nobody is logged in by an address that somebody else has sent them.
 */
export function createAttempts({ db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>) {
  const secrets = createSecrets(config)
  const placeOf = (projectId: string, hash: Buffer) => ({ projectId, row: `sign_on_attempts/${hash.toString('hex')}` })

  return {
    async keep(
      { request, reply }: { request: FastifyRequest; reply: FastifyReply },
      { projectId, state, returnTo, ...kept }: Kept & { projectId: string; state: string; returnTo: string },
    ): Promise<void> {
      // tabs of one browser may be on their way at once
      const browser = request.cookies[COOKIE] || newToken()
      const [now, hash] = [clock(), hashToken(state)]
      await db.deleteFrom('sign_on_attempts').where('expires_at', '<=', now).execute()
      await db
        .deleteFrom('sign_on_attempts')
        .where('state_hash', 'in', ({ selectFrom }) =>
          selectFrom('sign_on_attempts')
            .select('state_hash')
            .where('project_id', '=', projectId)
            .orderBy('created_at', 'desc')
            .offset(MOST),
        )
        .execute()
      await db
        .insertInto('sign_on_attempts')
        .values({
          ...{ state_hash: hash, project_id: projectId, browser_hash: hashToken(browser), return_to: returnTo },
          sealed_secrets: secrets.seal(JSON.stringify(kept), placeOf(projectId, hash)),
          ...{ created_at: now, expires_at: new Date(now.getTime() + LIFETIME) },
        })
        .execute()
      const secure = config.publicUrl.startsWith('https:')
      const options = { path: PATH, sameSite: 'lax', httpOnly: true, secure } as const
      reply.setCookie(COOKIE, browser, { ...options, maxAge: LIFETIME / 1_000 })
    },

    /** Takes an attempt, whatever comes of it. @returns null: it is none of this browser, was taken, or is too old */
    async take(
      request: FastifyRequest,
      state: string,
    ): Promise<(Kept & { projectId: string; returnTo: string }) | null> {
      const hash = hashToken(state)
      const row = await db
        .deleteFrom('sign_on_attempts')
        .where('state_hash', '=', hash)
        .where('browser_hash', '=', hashToken(request.cookies[COOKIE] ?? ''))
        .where('expires_at', '>', clock())
        .returning(['project_id', 'sealed_secrets', 'return_to'])
        .executeTakeFirst()
      const text = row && secrets.open(row.sealed_secrets, placeOf(row.project_id, hash))
      if (!row || !text) return null
      return { ...(JSON.parse(text) as Kept), projectId: row.project_id, returnTo: row.return_to }
    },
  }
}
export type Attempts = ReturnType<typeof createAttempts>
