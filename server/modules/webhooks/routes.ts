import type { FastifyInstance } from 'fastify'
import { hasFeature } from '../../access/entitlements'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/webhooks'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { networksOf } from '../../platform/outbound/projectNetworks'
import { webAddressProblem } from '../../platform/outbound/webAddress'
import { createSecrets } from '../../platform/secrets/secrets'
import { webhookChanged, webhookCreated, webhookDeleted } from './events'
import { readEndpoints } from './presenter'
import { giveUp } from './settle'
import { newSecret, secretPlace } from './sign'

/** How long the secret before the present one signs as well. */
const OLD_SECRET = 24 * 60 * 60_000

/** Routes for a project's endpoints and their secrets. */
export function registerEndpoints(app: FastifyInstance, context: ServerContext): void {
  const { clock, config, ids } = context
  const secrets = createSecrets(config)

  registerRoute(app, context, contract.listWebhooks, async ({ caller: { db, project } }) => ({
    endpoints: await readEndpoints(db, project.id),
    allowed: hasFeature(project, 'integrations'),
  }))

  registerRoute(app, context, contract.createWebhook, async ({ caller: { db, project }, body, origin }) => {
    await wantAddress(project.id, body.url)
    const gid = ids()
    const secret = newSecret()
    const now = clock()
    await db.transaction().execute(async (work) => {
      // row lock: two calls at once would each see the last free place
      await work.selectFrom('projects').select('id').where('id', '=', project.id).forNoKeyUpdate().execute()
      const { count } = await work
        .selectFrom('webhook_endpoints')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= contract.webhookCaps.endpoints)
        throw new ApiError('conflict', {
          message: `A project can have ${contract.webhookCaps.endpoints} webhooks. Delete one you no longer use.`,
        })
      await work
        .insertInto('webhook_endpoints')
        .values({
          ...{ gid, project_id: project.id, ...body, created_at: now, updated_at: now },
          sealed_secret: secrets.seal(secret, secretPlace(project.id, gid)),
        })
        .execute()
      await appendEvent(work, webhookCreated, origin, { endpoint: gid })
    })
    return { endpoint: await read(db, project.id, gid), secret }
  })

  registerRoute(app, context, contract.updateWebhook, async ({ caller: { db, project }, params, body, origin }) => {
    if (body.url !== undefined) await wantAddress(project.id, body.url)
    await db.transaction().execute(async (work) => {
      const row = await work
        .selectFrom('webhook_endpoints')
        .select(['id', 'enabled'])
        .where('gid', '=', params.gid)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!row) throw new ApiError('not_found')
      await work
        .updateTable('webhook_endpoints')
        .set({
          ...body,
          // whoever switches it says that its past is known
          ...(body.enabled !== undefined && { stopped: null, stopped_at: null, failures: 0, failing_since: null }),
          updated_at: clock(),
        })
        .where('id', '=', row.id)
        .execute()
      if (row.enabled && body.enabled === false) await giveUp(work, row.id)
      await appendEvent(work, webhookChanged, origin, { endpoint: params.gid })
    })
    return { endpoint: await read(db, project.id, params.gid) }
  })

  registerRoute(app, context, contract.deleteWebhook, async ({ caller: { db }, params, origin }) => {
    await db.transaction().execute(async (work) => {
      const deleted = await work
        .deleteFrom('webhook_endpoints')
        .where('gid', '=', params.gid)
        .returning('id')
        .executeTakeFirst()
      if (!deleted) throw new ApiError('not_found')
      await appendEvent(work, webhookDeleted, origin, { endpoint: params.gid })
    })
    return {}
  })

  registerRoute(app, context, contract.rotateWebhookSecret, async ({ caller: { db, project }, params, origin }) => {
    const secret = newSecret()
    await db.transaction().execute(async (work) => {
      const row = await work
        .selectFrom('webhook_endpoints')
        .select(['id', 'sealed_secret'])
        .where('gid', '=', params.gid)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!row) throw new ApiError('not_found')
      await work
        .updateTable('webhook_endpoints')
        .set({
          sealed_secret: secrets.seal(secret, secretPlace(project.id, params.gid)),
          sealed_old_secret: row.sealed_secret,
          old_secret_until: new Date(clock().getTime() + OLD_SECRET),
          updated_at: clock(),
        })
        .where('id', '=', row.id)
        .execute()
      await appendEvent(work, webhookChanged, origin, { endpoint: params.gid })
    })
    return { endpoint: await read(db, project.id, params.gid), secret }
  })

  async function wantAddress(projectId: string, url: string): Promise<void> {
    const problem = webAddressProblem(url, await networksOf(context, projectId))
    if (problem !== null) throw fieldError('url', problem)
  }

  async function read(db: ProjectDb, projectId: string, gid: string) {
    const [endpoint] = await readEndpoints(db, projectId, gid)
    if (!endpoint) throw new ApiError('not_found')
    return endpoint
  }
}
