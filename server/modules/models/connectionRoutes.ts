import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../access/access'
import { registerRoute } from '../../access/register'
import {
  addConnection,
  type Connection,
  type ConnectionInput,
  changeConnection,
  deleteConnection,
  listConnections,
  MOST_CONNECTIONS,
} from '../../contracts/ai'
import { isAddress, isKey, keyedProviders } from '../../platform/config/aiSettings'
import type { ServerContext } from '../../platform/context'
import type { Db, ProjectDb } from '../../platform/database/database'
import { ApiError, fieldError, isUniqueViolation } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { createConnections } from './connections'
import { connectionChanged, connectionCreated, connectionDeleted } from './events'
import { createOpenEmbedder } from './providers/openEmbedder'
import { tryConnection } from './providers/tryConnection'
import type { AiConnectionsTable } from './tables'

/** A connection's new values, before they are tested. */
interface Draft {
  provider: Connection['provider']
  key: string | null
  baseUrl: string | null
  models: Connection['models'] | { name: string; supports_actions: boolean }[]
  embeddingModel: string | null
  speechModel: string | null
}

/** Routes for a project's model providers. Keys are written, never read back. */
export function registerConnections(app: FastifyInstance, context: ServerContext): void {
  const { ids, clock, config } = context
  const connections = createConnections(context)

  registerRoute(app, context, listConnections, async ({ caller }) => ({
    connections: await read(caller.db, caller.project.id),
    environment: [
      ...(config.ai ? [{ provider: 'openai-compatible' as const, model: config.ai.model }] : []),
      ...keyedProviders.flatMap((provider) =>
        config.providers[provider].apiKey === null ? [] : [{ provider, model: null }],
      ),
    ],
  }))

  registerRoute(app, context, addConnection, async ({ caller, body: { provider, ...body }, origin }) => {
    const place = { project_id: caller.project.id, gid: ids() }
    const nothing = { provider, key: null, baseUrl: null, models: [], embeddingModel: null, speechModel: null }
    const draft = await tried(place.project_id, withInput(nothing, body))
    const { count } = await caller.db
      .selectFrom('ai_connections')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST_CONNECTIONS)
      throw fieldError('provider', `A project has at most ${MOST_CONNECTIONS} connections`)
    const now = clock()
    await caller.db
      .transaction()
      .execute(async (trx) => {
        const { id } = await trx
          .insertInto('ai_connections')
          .values({ ...place, provider, ...columnsOf(draft, place), created_at: now, updated_at: now })
          .returning('id')
          .executeTakeFirstOrThrow()
        await writeModels(trx, { projectId: place.project_id, id }, draft.models)
        await appendEvent(trx, connectionCreated, origin, { connection: place.gid, provider })
      })
      .catch((error) => {
        throw isUniqueViolation(error)
          ? fieldError('provider', 'This provider is connected already: change its key instead')
          : error
      })
    return { connection: await one(caller.db, place) }
  })

  registerRoute(app, context, changeConnection, async ({ caller, params, body, origin }) => {
    const place = { project_id: caller.project.id, gid: params.gid }
    const row = await find(caller, params.gid)
    const key = connections.keyOf(row)
    if (key === undefined && body.key === undefined)
      throw fieldError('key', 'The key that was saved can no longer be read: enter it again')
    const present: Draft = {
      provider: row.provider,
      key: key ?? null,
      baseUrl: row.base_url,
      models: await modelsOf(caller.db, place.project_id, [row.id]),
      embeddingModel: row.embedding_model,
      speechModel: row.speech_model,
    }
    const changed = withInput(present, body)
    // a changed address could be used to learn the key
    if (changed.baseUrl !== row.base_url && key && body.key === undefined)
      throw fieldError('key', 'Enter the key again: one that was saved is never sent to another address')
    const draft = await tried(place.project_id, changed)
    await caller.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('ai_connections')
        .set({ ...columnsOf(draft, place), updated_at: clock() })
        .where('id', '=', row.id)
        .execute()
      if (body.models) await writeModels(trx, { projectId: place.project_id, id: row.id }, draft.models)
      await appendEvent(trx, connectionChanged, origin, { connection: place.gid, provider: row.provider })
    })
    return { connection: await one(caller.db, place) }
  })

  registerRoute(app, context, deleteConnection, async ({ caller, params, origin }) => {
    const { id, provider } = await find(caller, params.gid)
    await caller.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('ai_connections').where('id', '=', id).execute()
      await appendEvent(trx, connectionDeleted, origin, { connection: params.gid, provider })
    })
    return {}
  })

  /** @throws ApiError at the field that is invalid, or that the provider rejects */
  async function tried(projectId: string, draft: Draft): Promise<Draft> {
    const wrong = problemOf(draft)
    if (wrong) throw fieldError(...wrong)
    const access = connections.accessTo(projectId, draft.provider, draft.key, draft.baseUrl)
    if (!access) throw fieldError('base_url', 'Enter the address of the server')
    const problem = await tryConnection(access, draft.models[0]?.name ?? null)
    if (problem) throw fieldError(problem.field, problem.message)
    if (draft.embeddingModel !== null) {
      const embedded = await createOpenEmbedder(access, draft.embeddingModel, { retries: 0 }).embed(['Hello'], 15_000)
      if (!embedded.ok) throw fieldError('embedding_model', embedded.error)
    }
    return draft
  }

  const columnsOf = (
    { key, baseUrl, embeddingModel, speechModel }: Draft,
    place: { gid: string; project_id: string },
  ) => ({
    sealed_key: key === null ? null : connections.seal(place, key),
    key_preview: key === null ? null : previewOf(key),
    base_url: baseUrl,
    embedding_model: embeddingModel,
    speech_model: speechModel,
  })

  async function find({ db }: ProjectCaller, gid: string) {
    const row = await db.selectFrom('ai_connections').selectAll().where('gid', '=', gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return row
  }

  async function one(db: ProjectDb, { project_id, gid }: { project_id: string; gid: string }): Promise<Connection> {
    const connection = (await read(db, project_id)).find((each) => each.gid === gid)
    if (!connection) throw new ApiError('not_found')
    return connection
  }
}

/** Absent fields stay; an empty text clears one. */
const withInput = (draft: Draft, { key, base_url, models, embedding_model, speech_model }: ConnectionInput): Draft => ({
  ...draft,
  ...(key !== undefined && { key: key || null }),
  ...(base_url !== undefined && { baseUrl: base_url?.replace(/\/+$/, '') || null }),
  ...(models && { models }),
  ...(embedding_model !== undefined && { embeddingModel: embedding_model || null }),
  ...(speech_model !== undefined && { speechModel: speech_model || null }),
})

function problemOf(draft: Draft): [field: string, message: string] | null {
  const { provider, key, baseUrl, models, embeddingModel, speechModel } = draft
  const isOwn = provider === 'openai-compatible'
  if (key === null && !isOwn) return ['key', 'Enter the key']
  if (key !== null && !isKey(key)) return ['key', 'A key has no spaces or line breaks: paste it whole, without quotes']
  if (isOwn && baseUrl === null) return ['base_url', 'Enter the address of the server']
  if (baseUrl !== null && !isAddress(baseUrl))
    return ['base_url', `"${baseUrl}" is no address of a server: give one such as https://llm.example.com/v1`]
  if (isOwn && models.length === 0 && embeddingModel === null && speechModel === null)
    return ['models', 'Enter the name of at least one model that the server has']
  if (!isOwn && models.length > 0) return ['models', 'The models of this provider are known already']
  const twice = models.findIndex(({ name }, at) => models.findIndex((each) => each.name === name) < at)
  if (twice >= 0) return [`models.${twice}.name`, 'This model is in the list already']
  if (provider === 'anthropic' && embeddingModel !== null)
    return ['embedding_model', 'Anthropic has no embedding models: use another provider for them']
  if (!isOwn && speechModel !== null)
    return ['speech_model', 'Only an OpenAI-compatible server has a model of speech of its own']
  return null
}

/** The end of a short key would reveal too much. */
const previewOf = (key: string): string => (key.length >= 12 ? key.slice(-4) : '')

/** Kept models keep their ids, which chatbots refer to. */
async function writeModels(trx: Db, { projectId, id }: { projectId: string; id: string }, models: Draft['models']) {
  const names = models.map(({ name }) => name)
  await trx
    .deleteFrom('ai_connection_models')
    .where('project_id', '=', projectId)
    .where('connection_id', '=', id)
    .$if(names.length > 0, (query) => query.where('name', 'not in', names))
    .execute()
  for (const [position, { name, supports_actions }] of models.entries())
    await trx
      .insertInto('ai_connection_models')
      .values({ project_id: projectId, connection_id: id, position, name, supports_actions })
      .onConflict((conflict) => conflict.columns(['connection_id', 'name']).doUpdateSet({ position, supports_actions }))
      .execute()
}

async function read(db: Db, projectId: string): Promise<Connection[]> {
  const rows = await db
    .selectFrom('ai_connections')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  const models = await modelsOf(
    db,
    projectId,
    rows.map(({ id }) => id),
  )
  return rows.map((row) =>
    present(
      row,
      models.filter(({ connection_id }) => connection_id === row.id),
    ),
  )
}

async function modelsOf(db: Db, projectId: string, connectionIds: string[]) {
  if (connectionIds.length === 0) return []
  return db
    .selectFrom('ai_connection_models')
    .select(['id', 'name', 'supports_actions', 'connection_id'])
    .where('project_id', '=', projectId)
    .where('connection_id', 'in', connectionIds)
    .orderBy('position')
    .execute()
}

const present = (
  row: Pick<
    AiConnectionsTable,
    'gid' | 'provider' | 'sealed_key' | 'key_preview' | 'base_url' | 'embedding_model' | 'speech_model' | 'created_at'
  >,
  models: Connection['models'],
): Connection => ({
  gid: row.gid,
  provider: row.provider,
  key_preview: row.sealed_key === null ? null : (row.key_preview ?? ''),
  base_url: row.base_url,
  models: models.map(({ id, name, supports_actions }) => ({ id, name, supports_actions })),
  embedding_model: row.embedding_model,
  speech_model: row.speech_model,
  created_at: row.created_at.toISOString(),
})
