import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { makeIdentitySecret, readIdentitySecret } from '../../contracts/embed'
import type { ServerContext } from '../../platform/context'
import { appendEvent } from '../../platform/events/defineEvent'
import { createSecrets } from '../../platform/secrets/secrets'
import { identitySecretMade } from './events'

const rowOf = (gid: string): string => `identity_secrets/${gid}`

/** A chatbot's secret that signs the ids of visitors: made and shown once, sealed in the database. */
export function registerIdentity(app: FastifyInstance, context: ServerContext): void {
  const secrets = createSecrets(context.config)

  registerRoute(app, context, readIdentitySecret, async ({ caller: { db, project }, params }) => {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    const row = await db
      .selectFrom('identity_secrets')
      .select('created_at')
      .where('project_id', '=', project.id)
      .where('chatbot_id', '=', id)
      .executeTakeFirst()
    return { made_at: row?.created_at.toISOString() ?? null }
  })

  registerRoute(app, context, makeIdentitySecret, async ({ caller: { db, project }, params, origin }) => {
    const { id } = await chatbotOf(db, project.id, params.cgid)
    const secret = randomBytes(32).toString('base64url')
    const gid = context.ids()
    const created_at = context.clock()
    const sealed_secret = secrets.seal(secret, { projectId: project.id, row: rowOf(gid) })
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('identity_secrets')
        .values({ gid, project_id: project.id, chatbot_id: id, sealed_secret, created_at })
        .onConflict((conflict) => conflict.column('chatbot_id').doUpdateSet({ gid, sealed_secret, created_at }))
        .execute()
      await appendEvent(trx, identitySecretMade, origin, { chatbot: params.cgid })
    })
    return { secret, made_at: created_at.toISOString() }
  })
}

/**
 * Makes what tells whether a site has signed a visitor's id: HMAC with SHA-256 by the chatbot's secret, in hexadecimal.
 * False where the chatbot has no secret.
 */
export function createIdentityCheck({ db, config }: Pick<ServerContext, 'db' | 'config'>) {
  const secrets = createSecrets(config)
  return async (place: { projectId: string; chatbotId: string }, id: string, hash: string): Promise<boolean> => {
    const row = await db
      .forProject(place.projectId)
      .selectFrom('identity_secrets')
      .select(['gid', 'sealed_secret'])
      .where('project_id', '=', place.projectId)
      .where('chatbot_id', '=', place.chatbotId)
      .executeTakeFirst()
    const secret = row && secrets.open(row.sealed_secret, { projectId: place.projectId, row: rowOf(row.gid) })
    if (!secret) return false
    const wanted = createHmac('sha256', secret).update(id).digest()
    const given = Buffer.from(hash, 'hex')
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }
}
