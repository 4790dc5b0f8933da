import { setTimeout as wait } from 'node:timers/promises'
import { bench } from 'vitest'
import { createChatbot } from '../../server/contracts/chatbots'
import { listContacts } from '../../server/contracts/contacts'
import { createCaller } from '../support/httpCaller'
import { insertPublishedFlow } from '../support/publishedFlow'
import { askingFlow } from './scale/askingFlow'
import { begin, edit, messageOf, quantile } from './scale/load'
import { type Processes, startProcesses } from './scale/processes'
import { sizeOf } from './scale/processUse'

/**
 * An hour of even load on one process of the built program: visitors talk and leave, people open flows, edit and close them, lists are
 * read. Prints memory, open files and sockets and times of turns of each twelfth. `PARLEY_BENCH_MINUTES=60`.
 */
const MINUTES = Number(process.env.PARLEY_BENCH_MINUTES ?? 60)
const PARTS = 12
const TURNS_A_SECOND = 10
/** Messages of a conversation before its visitor leaves. */
const MESSAGES = 20
const SLUG = 'soak'

interface Part {
  took: number[]
  megabytes: number[]
  handles: number[]
}

async function soak(): Promise<void> {
  const processes = await startProcesses(1)
  try {
    await insertPublishedFlow(processes.db, askingFlow(), SLUG)
    const began = performance.now()
    const length = (MINUTES * 60_000) / PARTS
    const over = () => performance.now() - began >= MINUTES * 60_000
    const parts = Array.from({ length: PARTS }, (): Part => ({ took: [], megabytes: [], handles: [] }))
    const now = () => parts[Math.min(PARTS - 1, Math.floor((performance.now() - began) / length))] as Part
    await Promise.all([
      ...Array.from({ length: TURNS_A_SECOND }, (_, who) => visit(processes, who, over, (ms) => now().took.push(ms))),
      work(processes, over),
      watch(processes, over, now),
    ])
    console.table(parts.map(rowOf))
    const [early, late] = [parts[2], parts.at(-1)].map((part) => mean(part?.megabytes ?? [])) as [number, number]
    console.info(`memory of the last twelfth against the third: ${((late / early - 1) * 100).toFixed(1)} %`)
  } finally {
    await processes.close()
  }
}

/** One message a second, and another conversation after some. */
async function visit({ apps }: Processes, who: number, over: () => boolean, told: (ms: number) => void): Promise<void> {
  const { call, close } = createCaller(apps[0]?.url ?? '', 1)
  await wait(who * (1_000 / TURNS_A_SECOND))
  for (let visitor = 0; !over(); visitor++) {
    const { path, token } = await begin(call, SLUG, `${who}-${visitor}`.padEnd(8, '0'))
    for (let count = 0; count < MESSAGES && !over(); count++) {
      const from = performance.now()
      await call(path, messageOf(count), token)
      told(performance.now() - from)
      await wait(Math.max(0, 1_000 - (performance.now() - from)))
    }
  }
  close()
}

/** A person makes chatbots, edits each with another one for some seconds, and looks at the contacts. */
async function work({ apps, owner, pgid }: Processes, over: () => boolean): Promise<void> {
  const [app] = apps
  if (!app) return
  const chatbots = []
  for (let at = 0; at < 5; at++) {
    const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Bot' } })
    chatbots.push(chatbot)
  }
  for (let at = 0; !over(); at++) {
    const fid = chatbots[at % chatbots.length]?.fid ?? ''
    await edit([{ fid, writer: app, reader: app }], owner, 1)
    await owner.call(listContacts, { params: { pgid } })
    await wait(5_000)
  }
}

async function watch({ apps }: Processes, over: () => boolean, now: () => Part): Promise<void> {
  while (!over()) {
    const { megabytes, handles } = sizeOf(apps[0]?.pid ?? 0)
    const part = now()
    part.megabytes.push(megabytes)
    part.handles.push(handles)
    await wait(5_000)
  }
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

const rowOf = (part: Part) => ({
  turns: part.took.length,
  'p50 ms': quantile(part, 0.5).toFixed(1),
  'p99 ms': quantile(part, 0.99).toFixed(1),
  'memory MB, mean': mean(part.megabytes).toFixed(0),
  'memory MB, most': Math.max(...part.megabytes).toFixed(0),
  'open files and sockets, most': Math.max(...part.handles),
})

bench('an even load', soak, { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 })
