import pino from 'pino'
import { createKnowledge } from '../../../server/modules/knowledge/createKnowledge'
import { createIndexes } from '../../../server/modules/knowledge/retrieval/indexes'
import { askedOf } from '../../../server/modules/knowledge/retrieval/question'
import type { Models } from '../../../server/modules/models/models'
import type { RootDb } from '../../../server/platform/database/database'
import { createJobs } from '../../../server/platform/jobs/createJobs'
import { insertChatbot, insertSources, type Place } from '../../support/knowledgeBase'
import { lexicon, seeded, squad } from './sets'

const noModels: Models = { catalogue: async () => [], open: async () => null, embedder: async () => null }
const contextOf = (db: RootDb) => {
  const process = { db, clock: () => new Date(), log: pino({ level: 'silent' }) }
  return { ...process, jobs: createJobs(process) }
}

export const milliseconds = (values: number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(2)

/** Questions of SQuAD to a chatbot that has its paragraphs: found, and answered by the built-in model. */
export async function throughput(db: RootDb, count = 10_000, callers = 16) {
  const { texts, questions } = squad()
  const place = await insertChatbot(db)
  await insertSources(
    db,
    place,
    texts.map(({ body }, at) => ({ title: `Text ${at}`, texts: [body] })),
  )
  const knowledge = createKnowledge(contextOf(db), noModels)
  await knowledge.calibrate(place)
  const took: number[] = []
  let next = 0
  let answered = 0
  const began = performance.now()
  const spent = process.cpuUsage()
  const caller = async () => {
    while (next < count) {
      const { question } = questions[next++ % questions.length] as { question: string }
      const from = performance.now()
      const found = await knowledge.find(place, question)
      if (knowledge.extract(found, question)) answered++
      took.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const seconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(spent)
  return {
    questions: count,
    callers,
    'answers a second': Math.round(count / seconds),
    'p50 ms': milliseconds(took, 0.5),
    'p95 ms': milliseconds(took, 0.95),
    'CPU ms an answer': ((user + system) / 1_000 / count).toFixed(2),
    'not "I don\'t know"': `${Math.round((100 * answered) / count)} %`,
  }
}

/** Texts of some 900 characters: words as often as in a language, the rare ones rare. */
export function madeText(random: () => number): string {
  const word = () => {
    const rank = Math.floor(60_000 ** random())
    return (rank * 7_919 + 13).toString(36).replace(/\d/g, (digit) => 'aeioubdlmr'[Number(digit)] ?? '')
  }
  return Array.from({ length: 12 }, () => `${Array.from({ length: 13 }, word).join(' ')}.`).join(' ')
}

/** One chatbot with very many chunks: built from the database, asked, and built again while it is asked. */
export async function large(db: RootDb, count = 100_000) {
  const random = seeded(5)
  const place = await insertChatbot(db)
  const asked: string[] = []
  for (let at = 0; at < count; at += 2_000) {
    const texts = Array.from({ length: Math.min(2_000, count - at) }, () => madeText(random))
    asked.push(...texts.slice(0, 10).map((text) => text.split(/[ .]+/).slice(20, 29).join(' ')))
    for (let part = 0; part < texts.length; part += 500)
      await insertSources(db, place, [{ texts: texts.slice(part, part + 500) }])
  }
  const indexes = createIndexes(db, { budget: Number.POSITIVE_INFINITY })
  const base = { ...place, version: '1' }
  global.gc?.()
  const before = process.memoryUsage()
  let longest = 0
  let last = performance.now()
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const began = performance.now()
  const spent = process.cpuUsage()
  const { lexical } = await indexes.get(base, null)
  const built = performance.now() - began
  const { user, system } = process.cpuUsage(spent)
  clearInterval(watch)
  global.gc?.()
  const after = process.memoryUsage()
  const took = asked.map((question) => {
    const from = performance.now()
    lexical.search(askedOf(question, lexicon), 8)
    return performance.now() - from
  })
  const held = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
  return {
    chunks: lexical.size,
    'built in s': (built / 1_000).toFixed(1),
    'CPU s': ((user + system) / 1e6).toFixed(1),
    'longest step ms': Math.round(longest),
    'index MB': Math.round(lexical.bytes / 1e6),
    'memory MB': Math.round(held / 1e6),
    'query p50 ms': milliseconds(took, 0.5),
    'query p95 ms': milliseconds(took, 0.95),
  }
}

/** An installation of many chatbots: each asked for the first time, then in any order. */
export async function manyChatbots(db: RootDb, count = 1_000, chunks = 20) {
  const random = seeded(9)
  const places: { place: Place; question: string }[] = []
  for (let at = 0; at < count; at++) {
    const texts = Array.from({ length: chunks }, () => madeText(random))
    const place = await insertChatbot(db)
    await insertSources(db, place, [{ texts }])
    places.push({ place, question: (texts[3] ?? '').split(' ').slice(5, 13).join(' ') })
  }
  const knowledge = createKnowledge(contextOf(db), noModels)
  const ask = async ({ place, question }: (typeof places)[number]) => {
    const from = performance.now()
    await knowledge.find(place, question)
    return performance.now() - from
  }
  global.gc?.()
  const before = process.memoryUsage()
  const first: number[] = []
  for (const one of places) first.push(await ask(one))
  global.gc?.()
  const after = process.memoryUsage()
  const again: number[] = []
  for (let at = 0; at < 2_000; at++)
    again.push(await ask(places[Math.floor(random() * places.length)] as (typeof places)[number]))
  return {
    chatbots: count,
    'chunks of each': chunks,
    'first question p50 / p95 ms': `${milliseconds(first, 0.5)} / ${milliseconds(first, 0.95)}`,
    'further p50 / p95 ms': `${milliseconds(again, 0.5)} / ${milliseconds(again, 0.95)}`,
    'memory MB': Math.round((after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 1e6),
  }
}
