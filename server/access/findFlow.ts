import type { Db } from '../platform/database/database'
import { ApiError } from '../platform/errors'

/** Throws not_found if the flow or chatbot does not exist or belongs to another project. */
export async function findFlow({ db }: { db: Db }, projectId: string, params: { cgid: string; fid: string }) {
  const flow = await db
    .selectFrom('flows')
    .innerJoin('chatbots', (join) =>
      join.onRef('chatbots.id', '=', 'flows.chatbot_id').onRef('chatbots.project_id', '=', 'flows.project_id'),
    )
    .select([
      'flows.id',
      'flows.gid',
      'flows.project_id',
      'flows.chatbot_id',
      'flows.is_main',
      'flows.title',
      'chatbots.slug',
    ])
    .where('flows.gid', '=', params.fid)
    .where('flows.project_id', '=', projectId)
    .where('chatbots.gid', '=', params.cgid)
    .executeTakeFirst()
  if (!flow) throw new ApiError('not_found')
  return flow
}

/** The chatbot's main flow, which owns its versions, for any of its flows. Throws not_found as findFlow does. */
export async function findMainFlow(from: { db: Db }, projectId: string, params: { cgid: string; fid: string }) {
  const flow = await findFlow(from, projectId, params)
  if (flow.is_main) return flow
  const { id, gid } = await from.db
    .selectFrom('flows')
    .select(['id', 'gid'])
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', flow.chatbot_id)
    .where('is_main', '=', true)
    .executeTakeFirstOrThrow()
  return { ...flow, id, gid, is_main: true }
}
