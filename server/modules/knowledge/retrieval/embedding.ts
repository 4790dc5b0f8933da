import { z } from 'zod'
import type { ServerContext } from '../../../platform/context'
import { defineJob, type HandledJob } from '../../../platform/jobs/defineJob'
import type { Models, OpenEmbedder } from '../../models/models'
import type { KnowledgePlace } from '../knowledge'
import type { Calibration } from './calibration'
import { storedVector } from './quantise'
import type { VectorIndex } from './vectorIndex'

const embed = defineJob('knowledge.embed', z.strictObject({ projectId: z.string(), chatbotId: z.string() }))
const AT_ONCE = 64
/** Chunks per run: then other jobs of the project get their turn. */
const A_RUN = 2_048
/** ms after which a question is answered by words only. */
const PATIENCE = 3_000
/** ms during which a failed embedder is not called again. */
const REST = 30_000

/** The vector of a question with the model that created it. */
export interface Embedded {
  model: string
  vector: Float32Array
}
export interface Embedding {
  /** Null if it fails, takes too long, or is paused after a failure: then only words count. */
  embed(projectId: string, embedder: OpenEmbedder, question: string): Promise<Embedded | null>
  /** How similar chunks are to unrelated questions. Null if the embedder fails. */
  spread(embedder: OpenEmbedder, vectors: VectorIndex, unrelated: readonly string[]): Promise<Calibration['vectors']>
  /** Creates missing vectors of chunks in the background. */
  fill(place: KnowledgePlace, embedder: OpenEmbedder): Promise<void>
  jobs: readonly HandledJob[]
}

/** Vectors of questions and chunks. @param onFilled called when all chunks of a chatbot have vectors */
export function createEmbedding(
  context: Pick<ServerContext, 'db' | 'clock' | 'log' | 'jobs'>,
  models: Models,
  onFilled: (place: KnowledgePlace) => Promise<void>,
): Embedding {
  const { clock, log, jobs } = context
  const restsUntil = new Map<string, number>()

  const filled = embed.handledBy(async (place) => {
    const embedder = await models.embedder(place.projectId)
    if (!embedder) return undefined
    for (let count = 0; count < A_RUN; count += AT_ONCE) {
      const done = await fillSome(place, embedder)
      if (done < AT_ONCE) {
        await raiseVersion(place)
        await onFilled(place)
        return undefined
      }
    }
    return clock()
  })

  /** @returns how many got a vector. @throws when the embedder fails: the job is retried later */
  async function fillSome({ projectId, chatbotId }: KnowledgePlace, embedder: OpenEmbedder): Promise<number> {
    const db = context.db.forProject(projectId)
    const rows = await db
      .selectFrom('knowledge_chunks')
      .select(['id', 'heading', 'body'])
      .where('project_id', '=', projectId)
      .where('chatbot_id', '=', chatbotId)
      .where('embedding_model', 'is distinct from', embedder.id)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    if (rows.length === 0) return 0
    const written = await embedder.embed(rows.map(({ heading, body }) => `${heading}\n${body}`.trim()))
    if (!written.ok) throw new Error(written.error)
    await db.transaction().execute(async (trx) => {
      for (const [at, { id }] of rows.entries()) {
        const vector = written.value[at]
        if (!vector) throw new Error('The embedder gave fewer vectors than it was asked for.')
        await trx
          .updateTable('knowledge_chunks')
          .set({ embedding: storedVector(vector), embedding_model: embedder.id })
          .where('id', '=', id)
          .where('project_id', '=', projectId)
          .execute()
      }
    })
    return rows.length
  }

  const raiseVersion = ({ projectId, chatbotId }: KnowledgePlace) =>
    context.db
      .forProject(projectId)
      .updateTable('chatbots')
      .set(({ eb }) => ({ knowledge_version: eb('knowledge_version', '+', '1') }))
      .where('id', '=', chatbotId)
      .where('project_id', '=', projectId)
      .execute()

  return {
    jobs: [filled],
    async embed(projectId, embedder, question) {
      if ((restsUntil.get(projectId) ?? 0) > clock().getTime()) return null
      const written = await embedder.embed([question], PATIENCE, 'question')
      const vector = written.ok ? written.value[0] : undefined
      if (vector) return { model: embedder.id, vector }
      restsUntil.set(projectId, clock().getTime() + REST)
      log.warn({ project: projectId, err: written.ok ? 'no vector came' : written.error }, 'a question has no vector')
      return null
    },
    async spread(embedder, vectors, unrelated) {
      const cosines: number[] = []
      for (let at = 0; at < unrelated.length; at += AT_ONCE) {
        const written = await embedder.embed(unrelated.slice(at, at + AT_ONCE), undefined, 'question')
        if (!written.ok) return null
        for (const vector of written.value) cosines.push((await vectors.search(vector, 1))[0]?.score ?? 0)
      }
      const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length
      const variance = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cosines.length
      return { model: embedder.id, mean, deviation: Math.sqrt(variance) }
    },
    async fill({ projectId, chatbotId }, embedder) {
      const payload = { projectId, chatbotId }
      // one job per model: a new one starts afresh where another one was given up
      const key = `${chatbotId} ${embedder.id}`
      await jobs.schedule(context.db.forProject(projectId), embed, {
        payload,
        runAt: clock(),
        projectId,
        key,
        keep: true,
      })
      jobs.wake()
    },
  }
}
