import { z } from 'zod'
import type { Work } from '../../platform/database/database'
import { appendEvent, defineEvent, type EventContext } from '../../platform/events/defineEvent'
import type { KnowledgeSourcesTable } from './tables'

/** Chatbots by database id: training jobs know no other. */
const chatbot = z.string()
/** The most sources per event; larger changes write several events. */
const SOURCES_OF_EVENT = 1_000
const sources = z.strictObject({ chatbot, sources: z.array(z.string()).min(1).max(SOURCES_OF_EVENT) })
const source = z.strictObject({ chatbot, source: z.string() })

export const sourcesAdded = defineEvent('sources.added', sources)
/** Their content, or their resync interval. */
export const sourcesChanged = defineEvent('sources.changed', sources)
/** They will be read again. */
export const sourcesQueued = defineEvent('sources.queued', sources)
export const sourcesStopped = defineEvent('sources.stopped', sources)
export const sourcesDeleted = defineEvent('sources.deleted', sources)
/** Its new passages are in use. */
export const sourceTrained = defineEvent('source.trained', source)
const REASON = 500
export const sourceFailed = defineEvent('source.failed', source.extend({ reason: z.string().max(REASON) }))
/** None of its sources waits any more, and its thresholds are measured. */
export const knowledgeTrained = defineEvent('knowledge.trained', z.strictObject({ chatbot }))
/** A chatbot uses another one's knowledge base; null: its own again. */
export const knowledgeLinked = defineEvent(
  'knowledge.linked',
  z.strictObject({ chatbot, lender: z.string().nullable() }),
)

const crawl = z.strictObject({ chatbot, crawl: z.string() })
export const crawlStarted = defineEvent('crawl.started', crawl)
export const crawlStopped = defineEvent('crawl.stopped', crawl)
export const crawlDeleted = defineEvent('crawl.deleted', crawl)

const feed = z.strictObject({ chatbot, feed: z.string() })
export const feedAdded = defineEvent('feed.added', feed)
/** How often it is read. */
export const feedChanged = defineEvent('feed.changed', feed)
/** It is read at once. */
export const feedQueued = defineEvent('feed.queued', feed)
export const feedDeleted = defineEvent('feed.deleted', feed)

/** Writes events for a change of sources; none for an empty list. */
export async function appendSources(
  work: Work,
  definition:
    | typeof sourcesAdded
    | typeof sourcesChanged
    | typeof sourcesQueued
    | typeof sourcesStopped
    | typeof sourcesDeleted,
  origin: EventContext,
  { chatbotId }: { chatbotId: string },
  gids: readonly string[],
): Promise<void> {
  for (let at = 0; at < gids.length; at += SOURCES_OF_EVENT)
    await appendEvent(work, definition as typeof sourcesAdded, origin, {
      chatbot: chatbotId,
      sources: gids.slice(at, at + SOURCES_OF_EVENT),
    })
}

type Source = Pick<KnowledgeSourcesTable, 'gid' | 'project_id' | 'chatbot_id'>
/** The event context of a training run. */
export const ofRun = ({ project_id }: Pick<Source, 'project_id'>, run: string, at: Date): EventContext => ({
  projectId: project_id,
  by: { actor: 'system' },
  correlation: run,
  at,
})
export const failureOf = ({ chatbot_id, gid }: Source, reason: string | null) => ({
  chatbot: chatbot_id,
  source: gid,
  reason: (reason ?? '').slice(0, REASON),
})
