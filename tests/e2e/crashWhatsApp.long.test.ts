import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Call } from '../../server/sandbox/call'
import { startWhatsappStandIn, type WhatsappStandIn } from '../../server/sandbox/whatsapp/whatsapp'
import { type AppProcess, bundleApp, makeDataFolder, startApp } from '../support/appProcess'
import { type DatabaseUrl, startDatabaseServer } from '../support/databaseUrl'
import { seededRandom } from '../support/documents'
import { fastClock } from '../support/vendors/fastClock'
import { WHATSAPP_GID } from '../support/vendors/whatsapp/insertWhatsapp'
import { keysOf, whatsappContract } from '../support/vendors/whatsapp/startWhatsapp'

/**
 * People who write on their phones while the app is killed at random points. What their phones show is what counts: one
 * answer to each message, in the order of the messages. Webhooks that were not answered come again, as WhatsApp sends
 * them. `npm run test:full` kills 100 times, `KILLS=10` for a first look. Time goes faster, so that what a killed process
 * had in hand comes back within seconds, and a phone is sent more in a minute.
 */
const FULL = process.env.FULL === '1'
const KILLS = Number(process.env.KILLS ?? (FULL ? 100 : 3))
const PHONES = 50
const SEED = 20_261_130
const PAUSE = 50
const SPEED = 2
const since = Date.now()
const { clock } = fastClock(since, SPEED)

const random = seededRandom(SEED)
const below = (limit: number): number => Math.floor(random() * limit)
const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE))

let data: Awaited<ReturnType<typeof makeDataFolder>>
let database: DatabaseUrl
let bundle: Awaited<ReturnType<typeof bundleApp>>
let whatsapp: WhatsappStandIn
let current: Promise<AppProcess>
let isOver = false
let resent = 0

beforeAll(async () => {
  data = await makeDataFolder()
  // the app is killed, not its database: it is back sooner, and that of its own is killed in crash.test.ts
  database = await startDatabaseServer()
  bundle = await bundleApp()
  const contract = whatsappContract()
  const asked = (call: Call) => {
    if (call.path.endsWith('/messages')) happened('called')
    return contract?.request(call) ?? []
  }
  const watch = { request: asked, answer: contract?.answer ?? (() => []), value: contract?.value ?? (() => []) }
  whatsapp = await startWhatsappStandIn({ clock, contract: watch })
  whatsapp.state.number.pin = '123456'
  current = start()
  await current
})
afterAll(async () => {
  isOver = true
  await (await current)?.stop()
  await whatsapp?.close()
  await Promise.all([bundle?.remove(), data?.remove(), database?.stop()])
})

async function start(): Promise<AppProcess> {
  const app = await startApp(bundle.entry, {
    DATA_DIR: data.folder,
    DATABASE_URL: database.url,
    SECRET_KEYS: `crash:${Buffer.alloc(32, 7).toString('base64')}`,
    WHATSAPP_API_URL: whatsapp.origin,
    WHATSAPP_KEYS: JSON.stringify(keysOf(whatsapp)),
    OUTBOUND_ALLOW: '127.0.0.1',
    FAST_CLOCK: `${since} ${SPEED}`,
  })
  whatsapp.state.subscription = { url: `${app.url}/api/whatsapp/${WHATSAPP_GID}/webhook`, verifyToken: 'x' }
  return app
}

function killAndRestart(): Promise<AppProcess> {
  const killed = current
  current = killed.then((app) => app.kill()).then(start)
  return current
}

/** Points of a kill: a person has written, a call has come to WhatsApp and is not answered yet, a phone shows it. */
const moments = ['written', 'called', 'shown'] as const
type Moment = (typeof moments)[number]
let awaited: { moment: Moment; left: number; reached: () => void } | null = null

function happened(moment: Moment): void {
  if (awaited?.moment === moment && --awaited.left === 0) awaited.reached()
}

const nth = (moment: Moment, left: number): Promise<void> =>
  new Promise((reached) => {
    awaited = { moment, left, reached }
  })

/** Sends webhooks again that nobody has taken, as WhatsApp does. */
async function repeatWebhooks(): Promise<void> {
  let known = 0
  let lost: { raw: string; headers: Record<string, string> }[] = []
  while (!isOver) {
    const isIdle = await Promise.race([whatsapp.webhooks.settle().then(() => true), pause().then(() => false)])
    const { deliveries } = whatsapp.webhooks
    // they are sent one after the other: of the last it is not known yet
    for (; known < deliveries.length - (isIdle ? 0 : 1); known++) {
      const delivery = deliveries[known]
      if (delivery && delivery.status !== 200) lost.push(delivery)
    }
    const still: typeof lost = []
    for (const { raw, headers } of lost) {
      const { url } = whatsapp.state.subscription ?? { url: '' }
      const sent = { 'content-type': 'application/json', ...headers }
      const answer = await fetch(url, { method: 'POST', headers: sent, body: raw }).catch(() => null)
      if (answer?.status === 200) resent++
      else still.push({ raw, headers })
    }
    lost = still
    await pause()
  }
}

const shownOn = (phone: WhatsappStandIn['state']['phones'][number]): string[] =>
  phone.messages.flatMap(({ from, content }) =>
    from === 'business' ? [String((content as { text?: { body?: string } }).text?.body)] : [],
  )

/** Writes, waits for the answer, and goes on until the last kill is over, and once more. */
async function talk(index: number, killed: () => boolean): Promise<{ written: string[]; shown: string[] }> {
  const phone = whatsapp.phones.add(`Person ${index}`, `4477330${String(index).padStart(5, '0')}`)
  const written: string[] = []
  for (let last = false; !last; ) {
    last = killed()
    const body = `phone ${index} message ${written.length}`
    written.push(body)
    whatsapp.phones.write(phone, { type: 'text', text: { body } })
    happened('written')
    while (shownOn(phone).length < written.length) await pause()
    happened('shown')
  }
  return { written, shown: shownOn(phone) }
}

it(`answers each of ${PHONES} phones once and in order while it is killed ${KILLS} times`, async () => {
  let over = false
  const began = Date.now()
  const repeating = repeatWebhooks()
  const all = Promise.all(Array.from({ length: PHONES }, (_, index) => talk(index, () => over)))
  for (let round = 0; round < KILLS; round++) {
    if (round % 10 === 9)
      process.stdout.write(`kill ${round + 1} after ${Math.round((Date.now() - began) / 1_000)} s\n`)
    const moment = moments[below(moments.length)] ?? 'called'
    await Promise.race([nth(moment, 1 + below(12)), all])
    await Promise.race([killAndRestart(), all])
  }
  over = true
  const talks = await all
  // what comes twice may come late
  await whatsapp.webhooks.settle()
  isOver = true
  await repeating
  for (const { written, shown } of talks) expect(shown).toEqual(written.map((body) => `${body}:null`))
  expect(whatsapp.broken).toEqual([])
  process.stdout.write(
    `${KILLS} kills in ${Math.round((Date.now() - began) / 1_000)} s, ${talks.flatMap(({ written }) => written).length} messages of ${PHONES} phones, ${resent} webhooks sent again\n`,
  )
}, 3_600_000)
