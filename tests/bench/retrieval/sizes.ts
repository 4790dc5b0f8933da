import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { createIndexes } from '../../../server/modules/knowledge/retrieval/indexes'
import { createIndexFiles } from '../../../server/modules/knowledge/retrieval/indexFiles'
import { askedOf } from '../../../server/modules/knowledge/retrieval/question'
import type { Connection, RootDb } from '../../../server/platform/database/database'
import { bundleForNode } from '../../support/bundle'
import { insertChatbot, insertSources, type Place } from '../../support/knowledgeBase'
import type { FirstAnswer, FirstQuestion } from './firstQuestion'
import { lexicon, seeded } from './sets'
import { madeText, milliseconds } from './speed'

/** Chunks of a page that is trained again. */
const PAGE = 10
const QUESTIONS = 500
/** Texts that are made: twice a segment's, and from there on they repeat, so that each segment is as of its own texts. */
const TEXTS = 16_384
const PROCESSES = 3

interface Filled {
  place: Place
  asked: string[]
}

/** A chatbot of so many chunks. */
export async function fill(db: RootDb, count: number): Promise<Filled> {
  const random = seeded(5)
  const place = await insertChatbot(db)
  const asked: string[] = []
  const made = Math.min(count, TEXTS)
  for (let at = 0; at < made; at += 500) {
    const texts = Array.from({ length: Math.min(500, made - at) }, () => madeText(random))
    const questions = Math.ceil((QUESTIONS * texts.length) / made)
    asked.push(...texts.slice(0, questions).map((text) => text.split(/[ .]+/).slice(20, 29).join(' ')))
    await insertSources(db, place, [{ texts }])
  }
  for (let at = made; at < count; at += made)
    await sql`insert into knowledge_chunks (project_id, chatbot_id, source_id, position, heading, body, tokens)
      select project_id, chatbot_id, source_id, position + ${at}::integer, heading, body, tokens from knowledge_chunks
      where chatbot_id = ${place.chatbotId} and position < 500 order by id limit ${Math.min(made, count - at)}`.execute(
      db,
    )
  await sql`analyze knowledge_chunks`.execute(db)
  return { place, asked }
}

/** What one process measures of it: further questions, and an update of one page. */
export async function indexOfSize(db: RootDb, { place, asked }: Filled, folder: string) {
  const random = seeded(6)
  const [page = ''] = await insertSources(db, place, [{ texts: pageTexts(random) }])
  const indexes = createIndexes(db, {
    budget: Number.POSITIVE_INFINITY,
    files: createIndexFiles(folder, { freeSpace: 0 }),
  })
  const ask = async (version: string, question = '') => {
    const { lexical } = await indexes.get({ ...place, version }, null, true)
    return lexical.search(askedOf(question, lexicon), 8)
  }
  global.gc?.()
  const before = process.memoryUsage()
  await ask('1', asked[0])
  await indexes.written()
  global.gc?.()
  const after = process.memoryUsage()
  const took: number[] = []
  for (const question of asked) took.push((await timed(() => ask('1', question))).ms)
  await db.deleteFrom('knowledge_sources').where('id', '=', page).execute()
  await insertSources(db, place, [{ texts: pageTexts(random) }])
  const update = await timed(() => ask('2', asked[0]))
  await indexes.written()
  return {
    'memory MB': megabytes(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers),
    'files MB': megabytes(await sizeOf(folder)),
    'question p50 / p99 ms': `${milliseconds(took, 0.5)} / ${milliseconds(took, 0.99)}`,
    'after a page changed ms': Math.round(update.ms),
    'CPU ms of that': Math.round(update.cpu),
  }
}

/** Processes after their start, each as the build makes it: what the first question to them takes. */
export async function firstQuestions(connection: Connection, { place, asked }: Filled, folder: string) {
  const question = asked[0] ?? ''
  const bundle = await bundleForNode('tests/bench/retrieval/firstQuestion.ts')
  try {
    await prepare(dirname(bundle.entry))
    const ask = (count: number) => Promise.all(startAll(bundle.entry, count, { connection, place, question, folder }))
    const [without] = await ask(1)
    const [withFiles] = await ask(1)
    await rm(folder, { recursive: true, force: true })
    const three = await ask(PROCESSES)
    if (!without || !withFiles) throw new Error('A process did not answer.')
    return {
      'first question ms': Math.round(withFiles.ms),
      'CPU ms': Math.round(withFiles.cpu),
      'held ms': Math.round(withFiles.held),
      'without files s': (without.ms / 1_000).toFixed(2),
      'CPU s': (without.cpu / 1_000).toFixed(2),
      'held ms then': Math.round(without.held),
      'three at once s': three.map(({ ms }) => (ms / 1_000).toFixed(2)).join(', '),
      'of them built': three.filter(({ built }) => built).length,
    }
  } finally {
    await bundle.remove()
  }
}

/** Starts processes, and has them ask when all are ready. */
function startAll(entry: string, count: number, told: FirstQuestion): Promise<FirstAnswer>[] {
  const children = Array.from({ length: count }, () =>
    fork(entry, { env: { ...process.env, FIRST_QUESTION: JSON.stringify(told) }, execArgv: [] }),
  )
  const ready = Promise.all(children.map((child) => once(child, 'message')))
  return children.map(async (child) => {
    await ready
    const answer = once(child, 'message')
    child.send('ask')
    const [given] = await answer
    await once(child, 'exit')
    return given as FirstAnswer
  })
}

/** What the build writes beside its programs. */
async function prepare(folder: string): Promise<void> {
  const program = await bundleForNode('server/prepare.ts')
  try {
    await promisify(execFile)(process.execPath, [program.entry])
    for (const name of ['lexicon.bin', 'usual.bin'])
      await rename(join(dirname(program.entry), name), join(folder, name))
  } finally {
    await program.remove()
  }
}

/** A folder of indexes for one run. */
export const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'parley-indexes-'))

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

const pageTexts = (random: () => number): string[] => Array.from({ length: PAGE }, () => madeText(random))

const megabytes = (bytes: number): number => Math.round(bytes / 1e6)

async function timed(work: () => Promise<unknown>): Promise<{ ms: number; cpu: number }> {
  const began = performance.now()
  const spent = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(spent)
  return { ms: performance.now() - began, cpu: (user + system) / 1_000 }
}
