import { cpus } from 'node:os'
import { bench } from 'vitest'
import { createChatbot } from '../../server/contracts/chatbots'
import { insertPublishedFlow } from '../support/publishedFlow'
import { askingFlow } from './scale/askingFlow'
import { aSecond, edit, type Measured, quantile, type Room, talk } from './scale/load'
import { type Processes, startProcesses } from './scale/processes'
import { cpuSeconds } from './scale/processUse'

/**
 * What another process adds: turns a second and edits a second of one, two and three processes over one durable PostgreSQL and one
 * Redis, all on this machine. Each process has a part of a core alone, so that those who call and the database, which would be on
 * other machines, take nothing from it. `PARLEY_BENCH_SHARE=0.2` is that part, `PARLEY_BENCH_SECONDS=15` how long each is measured.
 */
const SHARE = Number(process.env.PARLEY_BENCH_SHARE ?? 0.2)
const SECONDS = Number(process.env.PARLEY_BENCH_SECONDS ?? 15)
const WARM_UP = 10
const VISITORS = 8
const ROOMS = 6
const COUNTS = [1, 2, 3]

interface Row {
  what: string
  processes: number
  'a second': string
  'by one': string
  'p50 / p95 ms': string
  'CPU ms of each: process / PostgreSQL / Redis': string
}

async function measure(count: number, first: Map<string, number>): Promise<Row[]> {
  const processes = await startProcesses(count)
  try {
    const slug = `scale-${count}`
    await insertPublishedFlow(processes.db, askingFlow(), slug)
    const together = await openRooms(processes, 0)
    const apart = await openRooms(processes, 1)
    await talk(processes.apps, slug, VISITORS, WARM_UP)
    await edit(together, processes.owner, WARM_UP)
    processes.limit(SHARE)
    const turns = await used(processes, () => talk(processes.apps, slug, VISITORS, SECONDS))
    const edits = await used(processes, () => edit(together, processes.owner, SECONDS))
    const rows = [rowOf('turns', count, turns, first), rowOf('edits', count, edits, first)]
    if (count === 1) return rows
    const seenApart = await used(processes, () => edit(apart, processes.owner, SECONDS))
    return [...rows, { ...rowOf('edits', count, seenApart, first), what: 'edits seen at another process' }]
  } finally {
    await processes.close()
  }
}

/** Flows of the same number for each process. @param away by how many processes the reader is apart from who writes */
async function openRooms({ apps, owner, pgid }: Processes, away: number): Promise<Room[]> {
  const rooms: Room[] = []
  for (const [at, writer] of apps.entries()) {
    for (let room = 0; room < ROOMS; room++) {
      const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Bot' } })
      rooms.push({ fid: chatbot.fid, writer, reader: apps[(at + away) % apps.length] ?? writer })
    }
  }
  return rooms
}

type Used = Measured & { app: number; database: number; redis: number }

/** Measures a load together with the processor time that each part takes for it. */
async function used({ apps, pids }: Processes, work: () => Promise<Measured>): Promise<Used> {
  const now = () => ({
    app: apps.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
    database: cpuSeconds(pids.database),
    redis: cpuSeconds(pids.redis),
  })
  const before = now()
  const measured = await work()
  const after = now()
  return {
    ...measured,
    app: after.app - before.app,
    database: after.database - before.database,
    redis: after.redis - before.redis,
  }
}

function rowOf(what: string, processes: number, measured: Used, first: Map<string, number>): Row {
  const rate = aSecond(measured)
  if (!first.has(what)) first.set(what, rate)
  const each = (seconds: number) => ((seconds * 1_000) / measured.took.length).toFixed(2)
  return {
    what,
    processes,
    'a second': rate.toFixed(0),
    'by one': (rate / (first.get(what) ?? rate)).toFixed(2),
    'p50 / p95 ms': `${quantile(measured, 0.5).toFixed(0)} / ${quantile(measured, 0.95).toFixed(0)}`,
    'CPU ms of each: process / PostgreSQL / Redis': [measured.app, measured.database, measured.redis]
      .map(each)
      .join(' / '),
  }
}

bench(
  'one, two and three processes',
  async () => {
    const first = new Map<string, number>()
    const rows: Row[] = []
    for (const count of COUNTS) {
      rows.push(...(await measure(count, first)))
      console.table(rows.slice(-COUNTS.length))
    }
    console.info(
      `${cpus().length} cores; ${SHARE} of one for each process, ${VISITORS} visitors and ${ROOMS} flows each`,
    )
    console.table(rows)
  },
  { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 },
)
