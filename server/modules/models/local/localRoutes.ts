import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import type { ProjectCaller } from '../../../access/access'
import { registerRoute } from '../../../access/register'
import {
  addLocalModel,
  changeLocalModel,
  continueLocalModel,
  deleteLocalModel,
  findLocalServers,
  LOCAL_MODEL_CAPS,
  type LocalModel,
  listLocalModels,
  MOST_LOCAL_MODELS,
  missingModelFiles,
  uploadLocalModelFile,
  useLocalModel,
} from '../../../contracts/localModels'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { refuseWithoutSpace } from '../../../platform/files/freeSpace'
import { createUploadQuotas } from '../../../platform/files/uploadQuotas'
import { lengthOf, readBody } from '../../../platform/http/fileBody'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { localModelAdded, localModelChanged, localModelDeleted, localModelUsed } from '../events'
import type { Models } from '../models'
import { embedderChanged } from './embedderChanged'
import { tooLarge } from './loadFile'
import type { LocalModels } from './localModels'
import { findServers, mayCallHere } from './localServers'
import { placeOf } from './modelAddress'
import type { LocalModelsTable } from './tables'

/** Embedding models in files of a project: added by address or upload, used, removed. */
export function registerLocalModels(app: FastifyInstance, context: ServerContext, local: LocalModels, models: Models) {
  const { ids, clock, config, jobs } = context
  const quotas = createUploadQuotas(context)

  registerRoute(app, context, listLocalModels, async ({ caller }) => ({
    models: (await rowsOf(caller).orderBy('id').execute()).map(present),
    allowed: config.localModels,
    embedder: (await models.embedder(caller.project.id))?.name ?? null,
  }))

  registerRoute(app, context, addLocalModel, async ({ caller, body, origin }) => {
    if (!config.localModels)
      throw fieldError(
        'address',
        'Models in files are switched off here. Whoever runs this server can allow them with LOCAL_MODELS=allow',
      )
    const place = body.address === null ? null : placeOf(body.address)
    if (body.address !== null && !place)
      throw fieldError(
        'address',
        `"${body.address}" is no address of a model: give one such as https://huggingface.co/minishlab/potion-base-8M`,
      )
    if ((await rowsOf(caller).execute()).length >= MOST_LOCAL_MODELS)
      throw fieldError('address', `A project has at most ${MOST_LOCAL_MODELS} models: remove one first`)
    const gid = ids()
    const now = clock()
    await caller.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('local_models')
        .values({
          gid,
          project_id: caller.project.id,
          name: (body.name || place?.name || 'Model').slice(0, 100),
          address: body.address,
          state: place ? 'loading' : 'waiting',
          created_at: now,
          updated_at: now,
        })
        .execute()
      await appendEvent(trx, localModelAdded, origin, { model: gid })
    })
    if (place) await start(caller, gid)
    return { model: await one(caller, gid) }
  })

  app.register(async (scope) => {
    // the body is the file: a client without permission is refused before a byte is read
    scope.addContentTypeParser('*', (_, body, done) => done(null, body))

    registerRoute(scope, context, uploadLocalModelFile, async ({ caller, params, query: { name }, body, request }) => {
      const { state } = await one(caller, params.gid)
      if (state !== 'waiting' && state !== 'failed')
        throw new ApiError('conflict', { message: 'The files of this model are here already' })
      const cap = LOCAL_MODEL_CAPS[name]
      const refused = () => new ApiError('too_large', { message: tooLarge(name) })
      if (lengthOf(request) > cap) throw refused()
      const folder = local.folderOf(caller.project.id, params.gid)
      await mkdir(folder, { recursive: true })
      await refuseWithoutSpace(folder, config.freeSpace, lengthOf(request))
      const part = join(folder, `${name}.upload`)
      const reserved = { projectId: caller.project.id, visitor: null, bytes: lengthOf(request) || cap }
      await quotas.during(reserved, async () => {
        const opened = await readBody(body, { head: 0, cap, tooLarge: refused })
        try {
          await pipeline(opened.bytes, createWriteStream(part))
          await rename(part, join(folder, name))
        } catch (error) {
          await rm(part, { force: true })
          throw error
        }
        const { bytes } = await local.filesOf(caller.project.id, params.gid)
        await caller.db
          .updateTable('local_models')
          .set({ loaded_bytes: String(bytes), updated_at: clock() })
          .where('gid', '=', params.gid)
          .where('project_id', '=', caller.project.id)
          .execute()
        return { bytes }
      })
      return { model: await one(caller, params.gid) }
    })
  })

  registerRoute(app, context, continueLocalModel, async ({ caller, params }) => {
    const model = await one(caller, params.gid)
    if (model.state === 'ready') return { model }
    const missing = missingModelFiles((await local.filesOf(caller.project.id, params.gid)).names)
    if (model.address === null && missing.length > 0)
      throw new ApiError('conflict', { message: `${missing.join(' and ')} of this model is missing: upload it` })
    const state = model.state === 'packing' || missing.length === 0 ? 'packing' : 'loading'
    await caller.db
      .updateTable('local_models')
      .set({ state, problem: null, stalled: 0, updated_at: clock() })
      .where('gid', '=', params.gid)
      .where('project_id', '=', caller.project.id)
      .where('state', '<>', 'ready')
      .execute()
    await start(caller, params.gid)
    return { model: await one(caller, params.gid) }
  })

  registerRoute(app, context, useLocalModel, async ({ caller, params, body: { in_use }, origin }) => {
    const model = await one(caller, params.gid)
    if (in_use && model.state !== 'ready')
      throw new ApiError('conflict', { message: `${model.name} is not ready yet: wait until it is loaded and checked` })
    if (in_use !== model.in_use) {
      await caller.db.transaction().execute(async (trx) => {
        // one after the other: at most one row may be in use
        for (const use of in_use ? [false, true] : [false])
          await trx
            .updateTable('local_models')
            .set({ in_use: use, updated_at: clock() })
            .where('project_id', '=', caller.project.id)
            .$if(use, (query) => query.where('gid', '=', params.gid))
            .$if(!use, (query) => query.where('in_use', '=', true))
            .execute()
        await appendEvent(trx, localModelUsed, origin, { model: params.gid, in_use })
        await embedAgain(trx, caller)
      })
      jobs.wake()
    }
    return { model: await one(caller, params.gid) }
  })

  registerRoute(app, context, changeLocalModel, async ({ caller, params, body, origin }) => {
    const model = await one(caller, params.gid)
    if (model.kind !== 'onnx')
      throw new ApiError('conflict', { message: `${model.name} has no settings: only models in ONNX have` })
    const fields = (Object.keys(body) as (keyof typeof body)[]).filter((field) => body[field] !== model[field])
    if (fields.length > 0) {
      await caller.db.transaction().execute(async (trx) => {
        await trx
          .updateTable('local_models')
          .set({ ...body, updated_at: clock() })
          .where('gid', '=', params.gid)
          .where('project_id', '=', caller.project.id)
          .execute()
        await appendEvent(trx, localModelChanged, origin, { model: params.gid, fields })
        if (model.in_use) await embedAgain(trx, caller)
      })
      jobs.wake()
    }
    return { model: await one(caller, params.gid) }
  })

  registerRoute(app, context, deleteLocalModel, async ({ caller, params, origin }) => {
    const { in_use } = await one(caller, params.gid)
    await caller.db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom('local_models')
        .where('gid', '=', params.gid)
        .where('project_id', '=', caller.project.id)
        .execute()
      await appendEvent(trx, localModelDeleted, origin, { model: params.gid })
      if (in_use) await embedAgain(trx, caller)
    })
    jobs.wake()
    await local.removeFiles(caller.project.id, params.gid)
    return {}
  })

  registerRoute(app, context, findLocalServers, async ({ caller }) => {
    const allowed = await networksOf(context, caller.project.id)
    const connected = await caller.db
      .selectFrom('ai_connections')
      .select('base_url')
      .where('project_id', '=', caller.project.id)
      .execute()
    const known = new Set(connected.map(({ base_url }) => base_url?.replace('//localhost:', '//127.0.0.1:')))
    const servers = (await findServers(allowed)).filter(({ base_url }) => !known.has(base_url))
    return { servers, may_call: mayCallHere(allowed) }
  })

  async function start(caller: ProjectCaller, gid: string): Promise<void> {
    await local.begin(caller.db, { projectId: caller.project.id, gid })
    jobs.wake()
  }

  const embedAgain = (trx: Work, { project }: ProjectCaller) =>
    jobs.schedule(trx, embedderChanged, {
      payload: { projectId: project.id },
      runAt: clock(),
      projectId: project.id,
      key: project.id,
    })

  const rowsOf = ({ db, project }: ProjectCaller) =>
    db.selectFrom('local_models').selectAll().where('project_id', '=', project.id)

  async function one(caller: ProjectCaller, gid: string): Promise<LocalModel> {
    const row = await rowsOf(caller).where('gid', '=', gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return present(row)
  }
}

const present = (row: Selectable<LocalModelsTable>): LocalModel => ({
  gid: row.gid,
  name: row.name,
  address: row.address,
  state: row.state,
  problem: row.problem,
  loaded_bytes: Number(row.loaded_bytes),
  total_bytes: row.total_bytes === null ? null : Number(row.total_bytes),
  licence: row.licence,
  sha256: row.sha256,
  dimension: row.dimension,
  tokens: row.tokens,
  kind: row.kind,
  question_prefix: row.question_prefix,
  passage_prefix: row.passage_prefix,
  pooling: row.pooling,
  in_use: row.in_use,
  created_at: row.created_at.toISOString(),
})
