import { createIndexes } from '../../../server/modules/knowledge/retrieval/indexes'
import { askedOf } from '../../../server/modules/knowledge/retrieval/question'
import type { RootDb } from '../../../server/platform/database/database'
import { insertChatbot, insertSources } from '../../support/knowledgeBase'
import { lexicon, seeded } from './sets'
import { madeText, milliseconds } from './speed'

/** Chunks of a page that is trained again. */
const PAGE = 10
const QUESTIONS = 500

/** A chatbot of so many chunks: its first question after a start, further ones, and an update of one page. */
export async function indexOfSize(db: RootDb, count: number) {
  const random = seeded(5)
  const place = await insertChatbot(db)
  const asked: string[] = []
  for (let at = 0; at < count; at += 500) {
    const texts = Array.from({ length: Math.min(500, count - at) }, () => madeText(random))
    const questions = Math.ceil((QUESTIONS * texts.length) / count)
    asked.push(...texts.slice(0, questions).map((text) => text.split(/[ .]+/).slice(20, 29).join(' ')))
    await insertSources(db, place, [{ texts }])
  }
  const [page = ''] = await insertSources(db, place, [{ texts: pageTexts(random) }])
  const indexes = createIndexes(db, { budget: Number.POSITIVE_INFINITY })
  const ask = async (version: string, question = '') => {
    const { lexical } = await indexes.get({ ...place, version }, null, true)
    return lexical.search(askedOf(question, lexicon), 8)
  }
  global.gc?.()
  const before = process.memoryUsage()
  const first = await timed(() => ask('1', asked[0]))
  global.gc?.()
  const after = process.memoryUsage()
  const took: number[] = []
  for (const question of asked) took.push((await timed(() => ask('1', question))).ms)
  await db.deleteFrom('knowledge_sources').where('id', '=', page).execute()
  await insertSources(db, place, [{ texts: pageTexts(random) }])
  const update = await timed(() => ask('2', asked[0]))
  return {
    chunks: count,
    'first question s': (first.ms / 1_000).toFixed(2),
    'CPU s of it': (first.cpu / 1_000).toFixed(2),
    'memory MB': Math.round((after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 1e6),
    'question p50 / p99 ms': `${milliseconds(took, 0.5)} / ${milliseconds(took, 0.99)}`,
    'after a page changed ms': Math.round(update.ms),
    'CPU ms of that': Math.round(update.cpu),
  }
}

const pageTexts = (random: () => number): string[] => Array.from({ length: PAGE }, () => madeText(random))

async function timed(work: () => Promise<unknown>): Promise<{ ms: number; cpu: number }> {
  const began = performance.now()
  const spent = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(spent)
  return { ms: performance.now() - began, cpu: (user + system) / 1_000 }
}
