import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { registerRoute } from '../../../access/register'
import { readLiveness, readReadiness, readSecurityText } from '../../../contracts/probes'
import type { ServerContext } from '../../../platform/context'
import { migrations } from '../../../platform/database/migrate'
import { ApiError } from '../../../platform/errors'
import { countFailures } from '../../../platform/events/failures'
import { isDraining } from '../../../platform/http/drain'
import { once, within } from '../patience'

/** A slower database counts as unavailable, in ms. */
const PATIENCE = 2_000
/** ms for which security.txt says it is right: less than a year, as RFC 9116 2.5.5 advises. */
const SECURITY_TEXT_LASTS = 300 * 86_400_000
/** ms for which an answer is cached: anybody may call. */
const FRESH = 1_000

/** Probes for proxies and orchestrators, without a session, and never refused because of load. */
export function registerProbes(app: FastifyInstance, context: ServerContext): void {
  registerRoute(app, context, readLiveness, ({ reply }) => {
    reply.header('cache-control', 'no-store')
    return { status: 'alive' as const, uptime: process.uptime() }
  })

  registerRoute(app, context, readSecurityText, ({ reply }) => {
    const { securityContact: contact, publicUrl } = context.config
    if (contact === null) throw new ApiError('not_found')
    const until = new Date(context.clock().getTime() + SECURITY_TEXT_LASTS)
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${until.toISOString()}`,
      'Preferred-Languages: en, de',
      `Canonical: ${publicUrl}${readSecurityText.path}`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })

  const ask = once(FRESH, () => within(PATIENCE, stateOf(context)))
  registerRoute(app, context, readReadiness, async ({ reply }) => {
    reply.header('cache-control', 'no-store')
    if (isDraining(app)) throw notReady('The server is stopping.')
    const { missing, failed, failedEvents } = await ask().catch((cause: unknown) => {
      throw notReady('The database does not answer.', cause)
    })
    if (missing.length > 0) throw notReady(`The database lacks migrations: ${missing.join(', ')}.`)
    return { status: 'ready' as const, failed_jobs: failed, failed_events: failedEvents }
  })
}

const notReady = (message: string, cause?: unknown) => new ApiError('unavailable', { message, cause })

async function stateOf({
  db,
}: Pick<ServerContext, 'db'>): Promise<{ missing: string[]; failed: number; failedEvents: number }> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  const missing = migrations.map(({ name }) => name).filter((name) => !applied.has(name))
  if (missing.length > 0) return { missing, failed: 0, failedEvents: 0 }
  const { count } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('failed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return { missing, failed: Number(count), failedEvents: await countFailures(db) }
}
