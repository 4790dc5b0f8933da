import { afterAll, beforeAll, expect, it } from 'vitest'
import { richTextToString } from '../../engine/values/richText'
import type { Conversation } from '../../server/contracts/chat'
import { type AppProcess, bundleApp, makeDataFolder, startApp } from '../support/appProcess'
import { type Counted, startCountingServer } from '../support/countingServer'
import { seededRandom } from '../support/documents'

const VISITORS = 200
const FULL = process.env.FULL === '1'
const KILLS = FULL ? 50 : 3
const SEED = 20_261_121

const random = seededRandom(SEED)
const below = (limit: number): number => Math.floor(random() * limit)

let data: Awaited<ReturnType<typeof makeDataFolder>>
let bundle: Awaited<ReturnType<typeof bundleApp>>
let counting: Awaited<ReturnType<typeof startCountingServer>>
let current: Promise<AppProcess>

beforeAll(async () => {
  data = await makeDataFolder()
  bundle = await bundleApp()
  counting = await startCountingServer(() => happened('called'))
  current = start()
})
afterAll(async () => {
  await (await current).stop()
  counting.close()
  await Promise.all([bundle.remove(), data.remove()])
})

const start = (): Promise<AppProcess> => startApp(bundle.entry, { DATA_DIR: data.folder, COUNT_URL: counting.url })

/** Visitors that send find the next app from here on, and wait for it. */
function killAndRestart(): Promise<AppProcess> {
  const killed = current
  current = killed.then((app) => app.kill()).then(start)
  return current
}

const moments = ['sent', 'called', 'acknowledged'] as const
type Moment = (typeof moments)[number]
let awaited: { moment: Moment; left: number; reached: () => void } | null = null

function happened(moment: Moment): void {
  if (awaited?.moment === moment && --awaited.left === 0) awaited.reached()
}

/** Done when the moment has come so many times from now on. */
const nth = (moment: Moment, left: number): Promise<void> =>
  new Promise((reached) => {
    awaited = { moment, left, reached }
  })

/** Sends until it is answered: again, with the same client id, whenever the app was lost or busy on the way. */
async function persist<Data>(method: string, path: string, body?: unknown, token = ''): Promise<Data> {
  for (;;) {
    const { url } = await current
    happened('sent')
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/chat/crash/conversations${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => null)
    if (!answer || answer.status === 503) continue
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return (JSON.parse(answer.text) as { data: Data }).data
  }
}

interface Visitor {
  sent: string[]
  conversation: Conversation
}

/** Client ids that were acknowledged, each with how many calls the service had seen by then. */
const acknowledged = new Map<string, number>()

/** Talks until the last kill is over and once more; now and then something is sent again that was acknowledged long ago. */
async function talk(name: string, isOver: () => boolean): Promise<Visitor> {
  type Answer = { token: string; conversation: Conversation }
  const { token, conversation } = await persist<Answer>('POST', '', { client_id: `${name}-start` })
  const path = `/${conversation.id}`
  const send = (text: string) =>
    persist('POST', `${path}/messages`, { client_id: text, reply: { type: 'text', text } }, token)
  const sent: string[] = []
  for (let last = false; !last; ) {
    last = isOver()
    const text = `${name}-message-${sent.length}`
    sent.push(text)
    await send(text)
    acknowledged.set(text, counting.calls.length)
    happened('acknowledged')
    if (random() < 0.1) await send(sent[below(sent.length)] ?? text)
  }
  return { sent, conversation: (await persist<Answer>('GET', path, undefined, token)).conversation }
}

/** What the service was asked for one message: its first calls, its second ones, in order. */
function callsFor(all: Counted[]): Map<string, { first: Counted[]; second: Counted[] }> {
  const byText = new Map<string, { first: Counted[]; second: Counted[] }>()
  for (const call of all) {
    const calls = byText.get(call.text) ?? { first: [], second: [] }
    byText.set(call.text, calls)
    calls[call.again ? 'second' : 'first'].push(call)
  }
  return byText
}

/** One call of one message: seen once, and again only under the same key, with the same chance, after a kill cut it. */
function expectOneCall(calls: Counted[]): void {
  expect(new Set(calls.map(({ key, request }) => `${key} ${request}`)).size).toBe(1)
  expect(new Set(calls.map((call) => call.process)).size, `${calls[0]?.key}: called twice by one process`).toBe(
    calls.length,
  )
}

it(`loses nothing and repeats nothing when it is killed ${KILLS} times among ${VISITORS} conversations`, async () => {
  let over = false
  const talks = Array.from({ length: VISITORS }, (_, index) => talk(`visitor-${index}`, () => over))
  const all = Promise.all(talks)
  for (let round = 0; round < KILLS; round++) {
    const moment = moments[below(moments.length)] ?? 'called'
    await Promise.race([nth(moment, 20 + below(180)), all])
    await Promise.race([killAndRestart(), all])
  }
  over = true
  const visitors = await all

  const calls = callsFor(counting.calls)
  for (const { sent, conversation } of visitors) {
    const expected = sent.flatMap((text) => {
      const asked = calls.get(text) ?? { first: [], second: [] }
      return [text, `${text}:${asked.first.at(-1)?.answer}`, `${text}:${asked.second.at(-1)?.answer}`]
    })
    const { messages } = conversation
    const said = messages.map(({ content }) =>
      content.kind === 'text' ? richTextToString(content.text, () => '') : content.kind,
    )
    expect(said).toEqual(expected)
    expect(messages.flatMap((message) => message.client_id ?? [])).toEqual(sent)
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1))
  }
  for (const [text, { first, second }] of calls) {
    expectOneCall(first)
    expectOneCall(second)
    // The second call shows that the first had come back and was recorded.
    expect(first.at(-1)?.answer, `${text}: a finished call was made again`).toBeLessThan(second[0]?.answer ?? -1)
    expect(second.at(-1)?.answer, `${text}: called after its acknowledgement`).toBeLessThan(
      acknowledged.get(text) ?? -1,
    )
  }
  const keys = new Set(counting.calls.map(({ key }) => key)).size
  expect(keys).toBe(2 * acknowledged.size)
  // biome-ignore lint/suspicious/noConsole: the figures are part of the result
  console.info(
    `${acknowledged.size} messages acknowledged over ${KILLS} kills; ${keys} calls, of which ${counting.calls.length - keys} were cut by a kill and made again`,
  )
})
