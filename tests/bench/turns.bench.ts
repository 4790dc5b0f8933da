import { afterAll, beforeAll, bench } from 'vitest'
import { driveTurn } from '../../engine/run/drive'
import { createProgram } from '../../engine/run/program'
import { newSession, turn } from '../../engine/run/turn'
import type { Conversation } from '../../server/contracts/chat'
import { type AppProcess, bundleApp, makeDataFolder, startApp } from '../support/appProcess'
import { callingFlow, callingRegistry } from '../support/callingFlow'
import { createCaller } from '../support/httpCaller'

/**
 * Turns a second, of a flow that asks, sets a variable, answers and asks again: over HTTP, with the app in a process of its own over
 * the embedded database (durable, as it ships), and in the engine alone. Each run prints its own figures: the callers run freely,
 * which a measured function can't.
 */
const SECONDS = 5

let data: Awaited<ReturnType<typeof makeDataFolder>>
let bundle: Awaited<ReturnType<typeof bundleApp>>
let app: AppProcess
beforeAll(async () => {
  data = await makeDataFolder()
  bundle = await bundleApp()
  app = await startApp(bundle.entry, { DATA_DIR: data.folder })
}, 60_000)
afterAll(async () => {
  await app.stop()
  await Promise.all([bundle.remove(), data.remove()])
})

/** Turns of `callers` visitors who answer as soon as they are asked: how long each took, in ms. */
async function talk(callers: number, seconds: number): Promise<number[]> {
  const { call, close } = createCaller(app.url, callers)
  const took: number[] = []
  const visitor = async (caller: number) => {
    const run = `${Date.now()}-${callers}-${caller}`
    type Started = { token: string; conversation: Conversation }
    const { token, conversation } = await call<Started>('/api/chat/crash/conversations', { client_id: `start-${run}` })
    const path = `/api/chat/crash/conversations/${conversation.id}/messages`
    const end = performance.now() + seconds * 1_000
    for (let count = 0; performance.now() < end; count++) {
      const from = performance.now()
      await call(
        path,
        { client_id: `message-${count}`, reply: { type: 'text', text: `This is message ${count}.` } },
        token,
      )
      took.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => visitor(caller)))
  close()
  return took
}

function print(name: string, took: number[], seconds: number): void {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(3)
  console.info(`${name}: ${Math.round(took.length / seconds)} turns a second, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`)
}

const once = { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 }

bench(
  'turns over HTTP',
  async () => {
    await talk(16, 2)
    for (const callers of [1, 16]) print(`HTTP, ${callers} callers`, await talk(callers, SECONDS), SECONDS)
  },
  once,
)

bench(
  'turns of the engine alone',
  async () => {
    const program = createProgram(callingFlow({ calls: false }), callingRegistry)
    const answer = () => 0.5
    let { session } = driveTurn(turn(program, newSession(program), { type: 'start', event: { type: 'start' } }), answer)
    const took: number[] = []
    const end = performance.now() + 1_000
    for (let count = 0; performance.now() < end; count++) {
      const from = performance.now()
      const reply = { type: 'text' as const, text: `This is message ${count}.` }
      ;({ session } = driveTurn(turn(program, session, { type: 'reply', reply }), answer))
      took.push(performance.now() - from)
    }
    print('Engine alone', took, 1)
  },
  once,
)
