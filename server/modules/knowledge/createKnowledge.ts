import type { ServerContext } from '../../platform/context'
import type { HandledJob } from '../../platform/jobs/defineJob'
import { embedderChanged } from '../models/local/embedderChanged'
import type { Models } from '../models/models'
import { asksOfComing } from './evidence/days'
import { readSection } from './evidence/suggestions'
import { todayOf } from './evidence/today'
import { WEIGHED } from './evidence/weigh'
import { extract } from './extractive/extract'
import { judgePassages, loadMeanings, searchWords } from './judgePassages'
import type { Found, Knowledge, KnowledgePlace, Passage } from './knowledge'
import { loadLexicon } from './lexicon/loadLexicon'
import { CALIBRATION_FORM, type Calibration, calibrationOf, judge } from './retrieval/calibration'
import { evidenceOf, thresholdOf } from './retrieval/confidence'
import { createEmbedding, type Embedded } from './retrieval/embedding'
import { fuse } from './retrieval/fuse'
import { type Base, createIndexes, type Loaded } from './retrieval/indexes'
import type { IndexFiles } from './retrieval/indexFiles'
import { languageOf } from './retrieval/language'
import type { Hits } from './retrieval/lexicalIndex'
import { readPassages } from './retrieval/passages'
import { askedOf, beginningOf } from './retrieval/question'
import { unrelatedTo } from './retrieval/unrelated'

const LIMIT = 8
/** Length of each result list before they are merged. */
const DEPTH = 50
const SAMPLE = 300

/** Creates the retrieval service of a process, with its indexes in memory. @param files where these are kept besides */
export function createKnowledge(
  context: Pick<ServerContext, 'db' | 'clock' | 'log' | 'jobs'>,
  models: Models,
  files: IndexFiles | null = null,
): Knowledge & { jobs: readonly HandledJob[] } {
  const { db } = context
  const indexes = createIndexes(db, { files })
  const embedding = createEmbedding(context, models, (place) => knowledge.calibrate(place))

  /** The knowledge base of a chatbot, possibly another one's; null if that is gone. */
  async function baseOf({
    projectId,
    chatbotId,
  }: KnowledgePlace): Promise<(Base & { calibration: Calibration }) | null> {
    const row = await db
      .forProject(projectId)
      .selectFrom('chatbots as own')
      .innerJoin('chatbots as base', (join) =>
        join
          .onRef('base.project_id', '=', 'own.project_id')
          .on(({ eb, fn }) => eb('base.id', '=', fn.coalesce('own.linked_kb_id', 'own.id'))),
      )
      .select(['base.id', 'base.knowledge_version as version', 'base.knowledge_calibration as calibration'])
      .where('own.id', '=', chatbotId)
      .where('own.project_id', '=', projectId)
      .executeTakeFirst()
    return row
      ? { projectId, chatbotId: row.id, version: row.version, calibration: calibrationOf(row.calibration) }
      : null
  }

  async function search(loaded: Loaded, hits: Hits, embedded: Embedded | null) {
    const near = embedded && loaded.vectors ? await loaded.vectors.search(embedded.vector, DEPTH) : []
    const words = hits.hits.map(({ id, score }) => ({ id, score: Math.min(1, score / hits.full) }))
    const ranked = near.length > 0 ? fuse([words.map(({ id }) => id), near.map(({ id }) => id)]) : words
    const [nearest] = near
    return { ranked, cosine: embedded && nearest ? { model: embedded.model, value: nearest.score } : null }
  }

  const knowledge: Knowledge = {
    async find(place, whole, limit = LIMIT) {
      const typed = beginningOf(whole)
      const base = await baseOf(place)
      const nothing: Found = { passages: [], zone: 'unknown', confidence: 0, language: await languageOf(typed) }
      if (!base) return nothing
      const embedder = await models.embedder(place.projectId)
      const loaded = await indexes.get(base, embedder?.id ?? null)
      if (embedder && loaded.lacksVectors) await embedding.fill(base, embedder)
      const meanings = await loadMeanings()
      const depth = loaded.vectors ? Math.max(limit, DEPTH) : limit
      const { question, hits } = searchWords(loaded.lexical, typed, meanings, depth)
      const embedded = embedder && loaded.vectors ? await embedding.embed(place.projectId, embedder, question) : null
      const { ranked, cosine } = await search(loaded, hits, embedded)
      const passages = await readPassages(
        db.forProject(base.projectId),
        base,
        ranked.slice(0, Math.max(limit, WEIGHED)),
      )
      if (passages.length === 0) return nothing
      const today = asksOfComing(question)
        ? await todayOf(db.forProject(place.projectId), place.projectId, context.clock())
        : null
      const { unsure } = base.calibration.words
      const judged = judgePassages(passages, question, meanings, { hits, unsure, today })
      const first = (all: readonly Passage[]) => all.slice(0, limit)
      if (cosine) {
        const quotes = new Map(judged.passages.map((passage) => [passage.id, passage]))
        const inOrder = passages.map((passage) => quotes.get(passage.id) ?? passage)
        return { ...nothing, passages: first(inOrder), ...judge({ words: evidenceOf(hits), cosine }, base.calibration) }
      }
      return { ...nothing, ...judged, passages: first(judged.passages) }
    },

    extract: (found, question, number) => extract(found, beginningOf(question), number),

    async section(place, id) {
      const base = await baseOf(place)
      return base && readSection(db.forProject(base.projectId), base, id)
    },

    async language(place) {
      const base = await baseOf(place)
      return base && mainLanguage(base)
    },

    async calibrate(place) {
      const base = await baseOf(place)
      if (!base) return
      const embedder = await models.embedder(place.projectId)
      const { lexical, vectors, lacksVectors } = await indexes.get(base, embedder?.id ?? null, true)
      if (embedder && lacksVectors) await embedding.fill(base, embedder)
      const { questions, madeUp } = unrelatedTo(await mainLanguage(base), await sample(base))
      const lexicon = await loadLexicon()
      // made-up words don't show what people's words reach
      const asked = madeUp ? [] : questions
      const calibration: Calibration = {
        form: CALIBRATION_FORM,
        words: thresholdOf(asked.map((question) => evidenceOf(lexical.search(askedOf(question, lexicon), LIMIT)))),
        vectors: embedder && vectors ? await embedding.spread(embedder, vectors, questions) : null,
      }
      await db
        .forProject(base.projectId)
        .updateTable('chatbots')
        .set({ knowledge_calibration: JSON.stringify(calibration) })
        .where('id', '=', base.chatbotId)
        .where('project_id', '=', base.projectId)
        .execute()
    },
  }

  /** The language of most of a chatbot's text. */
  async function mainLanguage({ projectId, chatbotId }: KnowledgePlace): Promise<string | null> {
    const row = await db
      .forProject(projectId)
      .selectFrom('knowledge_sources')
      .select('language')
      .where('project_id', '=', projectId)
      .where('chatbot_id', '=', chatbotId)
      .where('language', 'is not', null)
      .groupBy('language')
      .orderBy(({ fn }) => fn.sum('characters'), 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.language ?? null
  }

  /** A sample of a chatbot's texts, enough for the language's common words. */
  async function sample({ projectId, chatbotId }: KnowledgePlace): Promise<string[]> {
    const rows = await db
      .forProject(projectId)
      .selectFrom('knowledge_chunks')
      .select('body')
      .where('project_id', '=', projectId)
      .where('chatbot_id', '=', chatbotId)
      .orderBy('id')
      .limit(SAMPLE)
      .execute()
    return rows.map(({ body }) => body)
  }

  const embeddedAgain = embedderChanged.handledBy(async ({ projectId }) => {
    const chatbots = await db
      .forProject(projectId)
      .selectFrom('knowledge_chunks')
      .select('chatbot_id')
      .distinct()
      .where('project_id', '=', projectId)
      .execute()
    for (const { chatbot_id } of chatbots) await knowledge.calibrate({ projectId, chatbotId: chatbot_id })
    return undefined
  })

  return { ...knowledge, jobs: [...embedding.jobs, embeddedAgain] }
}
