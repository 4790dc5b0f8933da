import {
  type SourceKind,
  type SourceList,
  type SourceStatus,
  sourceKinds,
  sourceStatuses,
} from '../../../contracts/sources'
import type { Db } from '../../../platform/database/database'
import type { KnowledgePlace } from '../knowledge'

/** The training progress of all of a chatbot's sources. */
export async function trainingState(db: Db, { projectId, chatbotId }: KnowledgePlace): Promise<SourceList['training']> {
  const rows = await db
    .selectFrom('knowledge_sources')
    .select(({ fn }) => [
      'kind',
      'status',
      fn.countAll<string>().as('count'),
      fn.sum<string | null>('characters').as('characters'),
      fn.sum<string | null>('chunk_count').as('chunks'),
    ])
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .groupBy(['kind', 'status'])
    .execute()
  const sum = (of: (row: (typeof rows)[number]) => string | null, among = rows) =>
    among.reduce((total, row) => total + Number(of(row) ?? 0), 0)
  const counts = <Key extends string>(keys: readonly Key[], is: (row: (typeof rows)[number]) => string) =>
    Object.fromEntries(
      keys.map((key) => [
        key,
        sum(
          ({ count }) => count,
          rows.filter((row) => is(row) === key),
        ),
      ]),
    ) as Record<Key, number>
  const by_status: Record<SourceStatus, number> = counts(sourceStatuses, ({ status }) => status)
  const by_kind: Record<SourceKind, number> = counts(sourceKinds, ({ kind }) => kind)
  const underWay = by_status.queued + by_status.reading + by_status.training
  return {
    status: underWay > 0 ? 'training' : by_status.error > 0 ? 'error' : 'idle',
    by_status,
    by_kind,
    characters: sum(({ characters }) => characters),
    chunks: sum(({ chunks }) => chunks),
  }
}
