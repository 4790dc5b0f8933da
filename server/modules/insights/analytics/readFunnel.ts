import type { AnalyticsDetail, AnalyticsFilter } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { readStatistics } from '../../statistics/readStatistics'
import type { Period } from './period'

interface FunnelScope extends Pick<AnalyticsFilter, 'environment'> {
  projectId: string
  chatbotId: string
  period: Period
}

const MOST = 12

/**
 * How many conversations reached which groups of the main flow, and at which of its groups and blocks visitors left:
 * the counts of the statistics on the canvas, whose days are those of UTC. What the published version does not have is
 * left out.
 * @param now for whose who have only just been asked: they have not left
 */
export async function readFunnel(
  db: ProjectDb,
  { projectId, chatbotId, period, environment }: FunnelScope,
  now: Date,
): Promise<Pick<AnalyticsDetail, 'funnel' | 'drop_off'>> {
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
  if (!version) return { funnel: [], drop_off: [] }
  const counted = await readStatistics(
    { db, clock: () => now },
    { projectId, chatbotId, flow: '' },
    { from: period.from, to: period.to, ...(environment !== undefined && { environment }) },
  )
  const reached = new Map(counted.groups.map((group) => [group.id, group]))
  const left = new Map(counted.blocks.map((block) => [block.id, block.left]))
  const { groups } = version.flow
  return {
    funnel: groups
      .flatMap(({ id, title }) => {
        const group = reached.get(id)
        return group ? [{ title, conversations: group.conversations, left: group.left }] : []
      })
      .filter(({ conversations }) => conversations > 0)
      .toSorted((one, other) => other.conversations - one.conversations)
      .slice(0, MOST),
    drop_off: groups
      .flatMap(({ title, blocks }) =>
        blocks.map(({ id, kind }) => ({ block: id, kind, group: title, left: left.get(id) ?? 0 })),
      )
      .filter((block) => block.left > 0)
      .toSorted((one, other) => other.left - one.left)
      .slice(0, MOST),
  }
}
