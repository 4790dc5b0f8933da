import type { AnalyticsDetail, AnalyticsFilter } from '../../../contracts/analytics'
import type { ProjectDb } from '../../../platform/database/database'
import { readPlaces, readStatistics } from '../../statistics/readStatistics'
import type { Period } from './period'

interface FunnelScope extends Pick<AnalyticsFilter, 'environment' | 'channel'> {
  projectId: string
  chatbotId: string
  period: Period
}

/** Rows of each list, of which blocks are more. */
const MOST = { groups: 12, blocks: 20, left: 12 }

/**
 * How many conversations reached which groups and blocks of the main flow, and at which of them visitors left: the
 * counts of the statistics on the canvas, whose days are those of UTC. What the published version does not have is left
 * out.
 * @param now for whose who have only just been asked: they have not left
 */
export async function readFunnel(
  db: ProjectDb,
  { projectId, chatbotId, period, environment, channel }: FunnelScope,
  now: Date,
): Promise<Pick<AnalyticsDetail, 'funnel' | 'blocks' | 'drop_off'>> {
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
  if (!version) return { funnel: [], blocks: [], drop_off: [] }
  const place = { projectId, chatbotId, flow: '' }
  const filter = { from: period.from, to: period.to, channel, ...(environment !== undefined && { environment }) }
  const counted = await readStatistics({ db, clock: () => now }, place, filter)
  const passed = new Map((await readPlaces(db, place, filter, ['block'])).map((block) => [block.id, block]))
  const reached = new Map(counted.groups.map((group) => [group.id, group]))
  const left = new Map(counted.blocks.map((block) => [block.id, block.left]))
  const { groups } = version.flow
  const blocks = groups.flatMap(({ title, blocks: own }) =>
    own.map(({ id, kind }) => ({
      ...{ block: id, kind, group: title },
      ...{ conversations: passed.get(id)?.conversations ?? 0, left: left.get(id) ?? 0 },
    })),
  )
  return {
    funnel: groups
      .flatMap(({ id, title }) => {
        const group = reached.get(id)
        return group ? [{ group: id, title, conversations: group.conversations, left: group.left }] : []
      })
      .filter(({ conversations }) => conversations > 0)
      .toSorted((one, other) => other.conversations - one.conversations)
      .slice(0, MOST.groups),
    blocks: blocks
      .filter(({ conversations }) => conversations > 0)
      .toSorted((one, other) => other.conversations - one.conversations)
      .slice(0, MOST.blocks),
    drop_off: blocks
      .filter((block) => block.left > 0)
      .toSorted((one, other) => other.left - one.left)
      .slice(0, MOST.left)
      .map(({ conversations: _, ...block }) => block),
  }
}
