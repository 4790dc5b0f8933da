import type { AnalyticsDetail, AnalyticsFilter } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import type { Period } from './period'

interface FunnelScope extends Pick<AnalyticsFilter, 'environment'> {
  chatbotId: string
  period: Period
}

const MOST = 12

/**
 * How many conversations reached which groups of the main flow: the counts of the statistics on the canvas, whose days
 * are those of UTC. Groups that the published version does not have are left out.
 */
export async function readFunnel(
  db: ProjectDb,
  { chatbotId, period, environment }: FunnelScope,
): Promise<AnalyticsDetail['funnel']> {
  const version = await db
    .selectFrom('flows')
    .innerJoin('flow_versions', (join) =>
      join
        .onRef('flow_versions.id', '=', 'flows.published_version_id')
        .onRef('flow_versions.project_id', '=', 'flows.project_id'),
    )
    .select('flow_versions.flow')
    .where('flows.chatbot_id', '=', chatbotId)
    .where('flows.is_main', '=', true)
    .executeTakeFirst()
  if (!version) return []
  const rows = await db
    .selectFrom('place_visits')
    .select('place')
    .select(({ fn }) => fn.sum<string>('conversations').as('conversations'))
    .where('chatbot_id', '=', chatbotId)
    .where('flow', '=', '')
    .where('kind', '=', 'group')
    .where('day', '>=', period.from)
    .where('day', '<=', period.to)
    .$if(environment !== undefined, (visits) => visits.where('environment', '=', environment ?? 'production'))
    .groupBy('place')
    .execute()
  const reached = new Map(rows.map(({ place, conversations }) => [place, Number(conversations)]))
  return version.flow.groups
    .map(({ id, title }) => ({ title, conversations: reached.get(id) ?? 0 }))
    .filter(({ conversations }) => conversations > 0)
    .toSorted((one, other) => other.conversations - one.conversations)
    .slice(0, MOST)
}
