import { EngineError } from '../../../engine/errors'
import { parseFlow } from '../../../engine/flow/parseFlow'
import type { Registry } from '../../../engine/flow/registry'
import type { ChatbotFlows, Flow } from '../../../engine/flow/schema'
import type { ServerContext } from '../../context'
import { ApiError } from '../../errors'
import type { FlowRow } from '../flows/chatbotFlows'

export type VersionRow = Awaited<ReturnType<typeof versionOf>>

/** What a version is, without its flows; the newest with a number below `before`. */
export function versionsOf(
  { db }: Pick<ServerContext, 'db'>,
  place: { id: string; project_id: string },
  { before, limit }: { before?: number | undefined; limit: number },
) {
  return db
    .selectFrom('flow_versions')
    .leftJoin('users', 'users.id', 'flow_versions.created_by')
    .select(about)
    .where('flow_id', '=', place.id)
    .where('project_id', '=', place.project_id)
    .where('number', 'is not', null)
    .$if(before !== undefined, (versions) => versions.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

const about = [
  'flow_versions.id',
  'flow_versions.number',
  'flow_versions.name',
  'flow_versions.notes',
  'flow_versions.created_at',
  'flow_versions.first_published_at',
  'users.first_name',
  'users.last_name',
] as const

/**
 * A version with its flows as they were frozen.
 * @throws ApiError not_found for a number that the chatbot has no version of
 */
export async function versionOf(
  { db }: Pick<ServerContext, 'db'>,
  place: { id: string; project_id: string },
  number: number,
) {
  const row = await db
    .selectFrom('flow_versions')
    .leftJoin('users', 'users.id', 'flow_versions.created_by')
    .select(about)
    .select(['flow_versions.flow', 'flow_versions.flows', 'flow_versions.titles'])
    .where('flow_id', '=', place.id)
    .where('project_id', '=', place.project_id)
    .where('number', '=', number)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found', { message: `There is no version ${number}.` })
  return row
}

/** The flows of a version, as a draft has them; a name that was not kept yet is that of the flow as it is now. */
export function flowsOfVersion(row: VersionRow, present: readonly FlowRow[], registry: Registry): ChatbotFlows {
  const titles = new Map(present.map(({ gid, title }) => [gid, title]))
  return {
    main: atPresentKinds(row.flow, registry),
    others: Object.entries(row.flows).map(([id, flow]) => ({
      id,
      title: row.titles[id] ?? titles.get(id) ?? 'Restored flow',
      flow: atPresentKinds(flow, registry),
    })),
  }
}

/** With every block at the present version of its kind: else another form of the same would look like a change. What can't be read stays. */
export function atPresentKinds(flow: Flow, registry: Registry): Flow {
  try {
    return parseFlow(flow, registry)
  } catch (error) {
    if (error instanceof EngineError) return flow
    throw error
  }
}
