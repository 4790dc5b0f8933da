import type { FastifyInstance } from 'fastify'
import { freeSecretName, secretCaps } from '../../../../engine/values/secrets'
import type { ProjectCaller } from '../../../access/access'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/secrets'
import type { ServerContext } from '../../../platform/context'
import { ApiError, fieldError, isUniqueViolation } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { secretCreated, secretDeleted, secretReplaced } from '../../secrets/events'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import type { Documents } from '../collab/documents'
import { flowUses, placesOf } from '../flowUses'

/** Routes for the secrets that a project's flows refer to: created, replaced and deleted here, and never read back. */
export function registerSecrets(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { clock, ids } = context
  const secrets = createProjectSecrets(context)

  const select = ({ db }: ProjectCaller) =>
    db
      .selectFrom('project_secrets')
      .leftJoin('users', 'users.id', 'project_secrets.changed_by')
      .select([
        'project_secrets.gid',
        'project_secrets.project_id',
        'project_secrets.name',
        'project_secrets.changed_at',
        'users.first_name',
        'users.last_name',
      ])

  async function find(caller: ProjectCaller, gid: string) {
    const row = await select(caller).where('project_secrets.gid', '=', gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return row
  }

  registerRoute(app, context, contract.listSecrets, async ({ caller }) => {
    const rows = await select(caller).orderBy('project_secrets.name').execute()
    return { secrets: rows.map(present) }
  })

  registerRoute(app, context, contract.listSecretUses, async ({ caller }) => ({
    uses: await flowUses(caller, documents, caller.project.id, 'secrets'),
  }))

  registerRoute(app, context, contract.createSecret, async ({ caller, body, origin }) => {
    const { project, user } = caller
    const taken = await secrets.namesOf(project.id)
    if (taken.length >= secretCaps.count)
      throw new ApiError('conflict', { message: `A project can have ${secretCaps.count} secrets.` })
    const gid = ids()
    const at = clock()
    const name = body.name ?? freeSecretName(body.like ?? '', (other) => taken.includes(other))
    await caller.db
      .transaction()
      .execute(async (trx) => {
        await trx
          .insertInto('project_secrets')
          .values({
            gid,
            project_id: project.id,
            name,
            sealed_value: secrets.seal(body.value, { gid, project_id: project.id }),
            created_at: at,
            changed_by: user.id,
            changed_at: at,
          })
          .execute()
        await appendEvent(trx, secretCreated, origin, { secret: gid, name })
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? fieldError('name', 'This project has a secret of that name already') : error
      })
    return { secret: present(await find(caller, gid)) }
  })

  registerRoute(app, context, contract.replaceSecret, async ({ caller, params, body, origin }) => {
    const row = await find(caller, params.gid)
    await caller.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('project_secrets')
        .set({ sealed_value: secrets.seal(body.value, row), changed_by: caller.user.id, changed_at: clock() })
        .where('gid', '=', row.gid)
        .execute()
      await appendEvent(trx, secretReplaced, origin, { secret: row.gid, name: row.name })
    })
    return { secret: present(await find(caller, params.gid)) }
  })

  registerRoute(app, context, contract.deleteSecret, async ({ caller, params, body, origin }) => {
    const { name, project_id } = await find(caller, params.gid)
    const uses = body.confirmed ? [] : ((await flowUses(caller, documents, project_id, 'secrets'))[name] ?? [])
    if (uses.length > 0) throw new ApiError('conflict', { message: `${name} is used in ${placesOf(uses)}.` })
    await caller.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('project_secrets').where('gid', '=', params.gid).execute()
      await appendEvent(trx, secretDeleted, origin, { secret: params.gid, name })
    })
    return {}
  })
}

const present = (row: {
  gid: string
  name: string
  changed_at: Date
  first_name: string | null
  last_name: string | null
}): contract.ProjectSecret => ({
  gid: row.gid,
  name: row.name,
  changed_by: row.first_name === null ? null : `${row.first_name} ${row.last_name ?? ''}`.trim(),
  changed_at: row.changed_at.toISOString(),
})
