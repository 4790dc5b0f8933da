import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../../engine/values/json'
import { bundleForNode } from '../../../tests/support/bundle'
import { seededRandom } from '../../../tests/support/documents'
import { fastClock } from '../../../tests/support/vendors/fastClock'
import { startVendorWrites, type VendorWrite } from '../../../tests/support/vendors/vendorWrites'
import type { WritingAnswer, WritingCall, WritingSettings } from '../../../tests/support/vendors/writingApp'

/**
 * A process that writes at all vendors, many at once, killed at random points: whoever follows is asked for what was
 * not answered, by the same keys, as a turn that goes on after a crash asks. What the stand-ins hold is what counts.
 * KILLS=5 for a first look.
 */
const KILLS = Number(process.env.KILLS ?? 100)
const AT_ONCE = 16
/** The most requests at vendors, and ms after them, until a process is killed. */
const REQUESTS = 40
const AFTER_MS = 12
const SEED = 20_261_129

const from = Date.now()
const random = seededRandom(SEED)
const below = (limit: number): number => Math.floor(random() * limit)

let vendors: Awaited<ReturnType<typeof startVendorWrites>>
let bundle: Awaited<ReturnType<typeof bundleForNode>>
let current: Promise<ChildProcess>
/** started meanwhile, and given nothing yet: it takes long to start */
let spare: Promise<ChildProcess>
/** calls that the present process has not answered */
const asked = new Map<number, { answer: (answer: Json) => void; lost: () => void }>()
let calls = 0
/** fails once a process ends by itself */
let crash: (error: Error) => void = () => {}
const crashed = new Promise<never>((_, reject) => {
  crash = reject
})
const ending = new Set<ChildProcess>()

beforeAll(async () => {
  const { clock } = fastClock(from)
  vendors = await startVendorWrites({ clock, byHand: true })
  vendors.hubspot.state.searchDelay = 8
  bundle = await bundleForNode('tests/support/vendors/writingApp.ts')
  current = start()
  spare = start()
})
afterAll(async () => {
  for (const child of await Promise.all([current, spare])) {
    ending.add(child)
    const exit = once(child, 'exit')
    child.disconnect()
    await exit
  }
  await bundle.remove()
  await vendors.close()
})

async function start(): Promise<ChildProcess> {
  const { server, projectId } = vendors
  const { dataDir, vendors: settings } = server.context.config
  const writing: WritingSettings = { connection: server.connection, dataDir, vendors: settings, projectId, from }
  const child = spawn(process.execPath, [bundle.entry], {
    env: { PATH: process.env.PATH, WRITING: JSON.stringify(writing) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.once('exit', () => {
    if (!ending.has(child)) crash(new Error('a process ended by itself; its output says why'))
  })
  await Promise.race([once(child, 'message'), crashed])
  child.on('message', ({ id, answer }: WritingAnswer) => {
    asked.get(id)?.answer(answer)
    asked.delete(id)
  })
  return child
}

/** Those who wait for the killed process ask the next one. */
function killAndRestart(): Promise<ChildProcess> {
  const killed = current
  current = killed.then(async (child) => {
    ending.add(child)
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
    for (const { lost } of asked.values()) lost()
    asked.clear()
    const next = spare
    spare = start()
    return next
  })
  return current
}

/** Asks one process after another, until one answers. */
async function persist(call: Omit<WritingCall, 'id'>): Promise<Json> {
  for (;;) {
    const child = await current
    const id = ++calls
    const answer = await new Promise<Json | null>((resolve) => {
      asked.set(id, { answer: resolve, lost: () => resolve(null) })
      child.send({ id, ...call } satisfies WritingCall, () => {
        // a process that has ended takes no more; who killed it says so
      })
    })
    if (answer !== null) return answer
  }
}

interface Done {
  write: VendorWrite
  word: string
  answer: Json | null
}

const requests = () => Object.values(vendors.standIns).reduce((sum, standIn) => sum + standIn.calls.length, 0)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test(`what is done at vendors is done once, though the process is killed ${KILLS} times`, {
  timeout: 3_600_000,
}, async () => {
  const all: Done[] = []
  let isOver = false

  /** Makes call after call, of another kind each time. */
  async function write(writer: number): Promise<void> {
    for (let round = writer; !isOver; round++) {
      const kind = vendors.writes[round % vendors.writes.length] as VendorWrite
      const word = `word-${writer}-${round}`
      await kind.prepare?.(word)
      const done: Done = { write: kind, word, answer: null }
      all.push(done)
      done.answer = await persist({ effect: kind.effect, key: word, request: kind.request(word) })
    }
  }
  const writers = Promise.all(Array.from({ length: AT_ONCE }, (_, writer) => write(writer)))

  let cut = 0
  let doneAndCut = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await current
    const until = requests() + 1 + below(REQUESTS)
    while (requests() < until) await Promise.race([pause(1), crashed])
    await pause(below(AFTER_MS))
    await killAndRestart()
    const open = all.filter(({ answer }) => answer === null)
    cut += open.length
    doneAndCut += open.filter(({ write: kind, word }) => kind.effects(word) > 0).length
  }
  isOver = true
  await Promise.race([writers, crashed])

  const wrong = all.filter(({ write: kind, word }) => kind.effects(word) !== 1)
  expect(wrong.map(({ write: kind, word }) => `${kind.name}: ${kind.effects(word)} times (${word})`)).toEqual([])
  expect(all.filter(({ answer }) => !(answer as { ok: boolean }).ok)).toEqual([])
  for (const { broken } of Object.values(vendors.standIns)) expect(broken).toEqual([])
  const kinds = new Map<string, number>()
  for (const { write: kind } of all) kinds.set(kind.name, (kinds.get(kind.name) ?? 0) + 1)
  // biome-ignore lint/suspicious/noConsole: the figures are part of the result
  console.info(
    [
      `${all.length} writes of ${kinds.size} kinds over ${KILLS} kills: ${cut} were cut by a kill, ${doneAndCut} of them when they had been done at the vendor and not answered yet; ${wrong.length} were not done exactly once`,
      ...Array.from(kinds, ([name, count]) => `  ${name}: ${count}`),
    ].join('\n'),
  )
})
