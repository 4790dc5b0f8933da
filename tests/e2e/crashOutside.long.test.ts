import { afterAll, beforeAll, expect, it } from 'vitest'
import { richTextToString } from '../../engine/values/richText'
import type { Conversation } from '../../server/contracts/chat'
import { type AppProcess, bundleApp, makeDataFolder, startApp } from '../support/appProcess'
import { seededRandom } from '../support/documents'
import { outsideSteps } from '../support/outsideFlow'
import { type Moment, type Receipt, startReceivers } from '../support/receivers'

/**
 * The real kinds and services, killed at random points: HTTP requests (one of them in a sub-flow), mails, a wait and a question that
 * nobody answers. What a web server and a mail server outside received is what counts. `npm run test:full` kills 100 times.
 */
const FULL = process.env.FULL === '1'
const KILLS = FULL ? 100 : 2
const VISITORS = 24
const SEED = 20_261_122

const random = seededRandom(SEED)
const below = (limit: number): number => Math.floor(random() * limit)

let data: Awaited<ReturnType<typeof makeDataFolder>>
let bundle: Awaited<ReturnType<typeof bundleApp>>
let receivers: Awaited<ReturnType<typeof startReceivers>>
let current: Promise<AppProcess>

beforeAll(async () => {
  data = await makeDataFolder()
  bundle = await bundleApp()
  receivers = await startReceivers(happened)
  current = start()
})
afterAll(async () => {
  await (await current).stop()
  receivers.close()
  await Promise.all([bundle.remove(), data.remove()])
})

const start = (): Promise<AppProcess> =>
  startApp(bundle.entry, {
    DATA_DIR: data.folder,
    OUTSIDE_URL: receivers.webUrl,
    OUTBOUND_ALLOW: '127.0.0.1',
    SMTP_URL: receivers.smtpUrl,
    MAIL_FROM: 'Bot <bot@example.com>',
  })

/** Visitors that send find the next app from here on, and wait for it. */
function killAndRestart(): Promise<AppProcess> {
  const killed = current
  current = killed
    .then((app) => app.kill())
    .then(receivers.nextLife)
    .then(start)
  return current
}

/** Points of a kill. At `received` and `mail-received` the answer is withheld: the kill falls inside the call for certain. */
const points = ['sent', 'acknowledged', 'received', 'answered', 'mail-begun', 'mail-received', 'mail-answered'] as const
let awaited: { point: Moment | 'sent' | 'acknowledged'; left: number; reached: () => void } | null = null

/** @returns whether this is the point at which the app is killed */
function happened(point: Moment | 'sent' | 'acknowledged'): boolean {
  if (awaited?.point !== point || --awaited.left > 0) return false
  awaited.reached()
  awaited = null
  return true
}

const nth = (point: (typeof points)[number], left: number): Promise<void> =>
  new Promise((reached) => {
    awaited = { point, left, reached }
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
    happened('acknowledged')
    return (JSON.parse(answer.text) as { data: Data }).data
  }
}

/** Done once the conversation has come to that message, whatever happens to the app meanwhile: its event stream ends with it. */
async function comesTo(path: string, token: string, seq: number): Promise<void> {
  for (;;) {
    const { url } = await current
    const stream = `${url}/api/chat/crash/conversations${path}/events?token=${token}`
    const response = await fetch(stream).catch(() => null)
    if (response && (await reaches(response, seq).catch(() => false))) return
  }
}

async function reaches(response: Response, seq: number): Promise<boolean> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    // leaving the loop cancels the stream
    if ([...text.matchAll(/^id: (\d+)\n/gm)].some(([, id]) => Number(id) >= seq)) return true
  }
  return false
}

/** The word, what follows it, what follows the wait, the question that nobody answers, what follows that. */
const SAID_A_ROUND = 5

interface Visitor {
  words: string[]
  conversation: Conversation
}

/** Gives word after word until the last kill is over, and one more. */
async function talk(name: string, isOver: () => boolean): Promise<Visitor> {
  type Answer = { token: string; conversation: Conversation }
  const { token, conversation } = await persist<Answer>('POST', '', { client_id: `${name}-start` })
  const path = `/${conversation.id}`
  const words: string[] = []
  for (let last = false; !last; ) {
    last = isOver()
    const text = `${name}-word-${words.length}`
    words.push(text)
    await persist('POST', `${path}/messages`, { client_id: text, reply: { type: 'text', text } }, token)
    await comesTo(path, token, words.length * SAID_A_ROUND)
  }
  return { words, conversation: (await persist<Answer>('GET', path, undefined, token)).conversation }
}

const inOrder = ['first', 'mail', ...outsideSteps.slice(1)]

/** One call: one key, and received once in each life of the app that came to it. @returns in which places of all receipts */
function expectOneCall(word: string, step: string): { from: number; to: number; key: string } {
  const places = receivers.receipts.flatMap((receipt, place) =>
    receipt.word === word && receipt.step === step ? [{ ...receipt, place }] : [],
  )
  const [first] = places
  const last = places.at(-1)
  if (!first || !last) throw new Error(`${word}: ${step} was never called`)
  const lives = places.map(({ life }) => life)
  expect(new Set(places.map(({ key }) => key)).size, `${word}: ${step} was called under several keys`).toBe(1)
  expect(new Set(lives).size, `${word}: ${step} was called twice in one life (${lives})`).toBe(lives.length)
  return { from: first.place, to: last.place, key: first.key }
}

it(`calls outside once, killed ${KILLS} times among ${VISITORS} conversations`, {
  timeout: FULL ? 1_800_000 : 300_000,
}, async () => {
  let over = false
  const all = Promise.all(Array.from({ length: VISITORS }, (_, index) => talk(`visitor-${index}`, () => over)))
  for (let round = 0; round < KILLS; round++) {
    const point = points[below(points.length)] ?? 'received'
    await Promise.race([nth(point, 1 + below(30)), all])
    await Promise.race([killAndRestart(), all])
  }
  over = true
  const visitors = await all

  const keys = new Set<string>()
  for (const { words, conversation } of visitors) {
    const number = (word: string, step: string) => 1 + expectOneCall(word, step).to
    const expected = words.flatMap((word) => [
      word,
      `${word}: ${number(word, 'first')}, ${number(word, 'second')}`,
      `waited ${number(word, 'waited')}`,
      'Anybody there?',
      `silent ${number(word, 'silent')}`,
    ])
    const said = conversation.messages.map(({ content }) =>
      content.kind === 'text' ? richTextToString(content.text, () => '') : content.kind,
    )
    expect(said).toEqual(expected)
    for (const word of words) {
      const calls = inOrder.map((step) => expectOneCall(word, step))
      for (const { key } of calls) keys.add(key)
      for (const [index, { to }] of calls.entries()) {
        const next = calls[index + 1]
        expect(
          next === undefined || to < next.from,
          `${word}: ${inOrder[index]} was called after it had been answered`,
        ).toBe(true)
      }
    }
  }
  const words = visitors.reduce((sum, visitor) => sum + visitor.words.length, 0)
  expect(keys.size).toBe(words * inOrder.length)
  expect(new Set(receivers.receipts.map(({ key }: Receipt) => key)).size).toBe(keys.size)
  // biome-ignore lint/suspicious/noConsole: the figures are part of the result
  console.info(
    `${words} words over ${KILLS} kills; ${keys.size} calls outside, ${receivers.receipts.length - keys.size} of them cut by a kill and made again`,
  )
})
