import pino from 'pino'
import { createKnowledge } from '../../../server/modules/knowledge/createKnowledge'
import { createIndexFiles } from '../../../server/modules/knowledge/retrieval/indexFiles'
import { loadDetector } from '../../../server/modules/knowledge/retrieval/language'
import { warmUp } from '../../../server/modules/knowledge/warmUp'
import type { Models } from '../../../server/modules/models/models'
import { type Connection, createDatabase } from '../../../server/platform/database/database'
import { createJobs } from '../../../server/platform/jobs/createJobs'
import type { Place } from '../../support/knowledgeBase'

/** What the process is told, in FIRST_QUESTION. */
export interface FirstQuestion {
  connection: Connection
  place: Place
  question: string
  /** where indexes are kept */
  folder: string
}
export interface FirstAnswer {
  ms: number
  /** of processor time */
  cpu: number
  /** the longest that the event loop was held, ms */
  held: number
  /** whether it made the index of all records */
  built: boolean
}

// A process after its start: it loads what a server does before it listens, is told when to ask, and asks one question.
const { connection, place, question, folder }: FirstQuestion = JSON.parse(process.env.FIRST_QUESTION ?? '')
const noModels: Models = { catalogue: async () => [], open: async () => null, embedder: async () => null }
const db = createDatabase(connection, { max: 8 })
const context = { db, clock: () => new Date(), log: pino({ level: 'silent' }) }
const files = createIndexFiles(folder, { freeSpace: 0 })
let built = false
let written: Promise<unknown> = Promise.resolve()
const knowledge = createKnowledge({ ...context, jobs: createJobs(context) }, noModels, {
  ...files,
  async claim(of) {
    const claim = await files.claim(of)
    built = !claim?.waited
    return claim
  },
  write(...args) {
    written = files.write(...args)
    return written.then(() => undefined)
  },
})
await loadDetector()
await warmUp()
await db
  .forProject(place.projectId)
  .selectFrom('chatbots')
  .select('id')
  .where('project_id', '=', place.projectId)
  .execute()

process.once('message', async () => {
  let held = 0
  let last = performance.now()
  const watch = setInterval(() => {
    held = Math.max(held, performance.now() - last)
    last = performance.now()
  }, 1)
  const spent = process.cpuUsage()
  const began = performance.now()
  const found = await knowledge.find(place, question)
  const ms = performance.now() - began
  const { user, system } = process.cpuUsage(spent)
  if (found.passages.length === 0) throw new Error('nothing was found')
  clearInterval(watch)
  await written
  // the writing begins a moment after the answer
  await new Promise((resolve) => setTimeout(resolve, built ? 1_000 : 0))
  await written
  const answer: FirstAnswer = { ms, cpu: (user + system) / 1_000, held, built }
  process.send?.(answer, () => process.exit(0))
})
process.send?.('ready')
