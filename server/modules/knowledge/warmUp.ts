import type { ServerContext } from '../../platform/context'
import { nextTurn } from '../../platform/nextTurn'
import { extract } from './extractive/extract'
import { judgePassages, loadMeanings, searchWords } from './judgePassages'
import type { Passage } from './knowledge'
import { averagesOf } from './retrieval/impacts'
import { buildIndex } from './retrieval/lexicalIndex'
import { tokensOf } from './retrieval/tokens'
import { questionsIn } from './retrieval/unrelated'

/** Sentences of a passage, and how often one is asked: then nearly all that a question runs through is compiled. */
const SENTENCES = 6
const ROUNDS = 12
/** Passages that are weighed between two pauses. */
const AT_ONCE = 2

/** Does so once the server answers, in pauses of other work; where nobody has sources, nobody asks. */
export async function warmUpIfNeeded({ db, log }: Pick<ServerContext, 'db' | 'log'>): Promise<void> {
  try {
    const chunk = await db.selectFrom('knowledge_chunks').select('id').limit(1).executeTakeFirst()
    if (chunk) await warmUp()
  } catch (error) {
    log.error({ err: error }, 'the search was not warmed up')
  }
}

/**
 * Asks questions about themselves, so that a visitor's first one finds everything read and compiled: by itself it holds
 * the event loop ten times as long.
 */
export async function warmUp(): Promise<void> {
  const sentences = questionsIn('en') ?? []
  const texts = sentences.flatMap((_, at) =>
    at % SENTENCES === 0 ? [sentences.slice(at, at + SENTENCES).join('\n\n')] : [],
  )
  const meanings = await loadMeanings()
  const records = texts.map((body, id) => ({
    id,
    tokens: tokensOf({ heading: 'Questions', body, isFaq: false, language: 'en' }, meanings.lexicon),
  }))
  const index = await buildIndex(records, averagesOf(records.map(({ tokens }) => tokens)))
  const source = { gid: '', kind: 'text' as const, title: 'Questions', url: null }
  const passages = texts.map((text, id): Passage => ({ id: String(id), source, heading: 'Questions', text, score: 1 }))
  for (const asked of sentences.slice(0, ROUNDS)) {
    await nextTurn()
    const { question, hits } = searchWords(index, asked, meanings)
    const found = hits.hits.slice(0, AT_ONCE).flatMap(({ id }) => passages[id] ?? [])
    if (found.length === 0) continue
    const judged = judgePassages(found, question, meanings, { hits, unsure: 0 })
    extract({ ...judged, zone: 'confident', language: 'en' }, question)
  }
}
