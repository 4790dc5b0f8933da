import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import { type OutsideServer, startOutsideServer } from '../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { keysOf, startWhatsapp } from '../../../tests/support/vendors/whatsapp/startWhatsapp'
import { voiceMessage } from '../../../tests/support/voiceMessage'
import { addConnection, deleteConnection } from '../../contracts/ai'
import { importFlow, publishFlow } from '../../contracts/flows'
import { readUsageHistory } from '../../contracts/usage'
import { connectWhatsapp } from '../../contracts/whatsapp'
import { parseConfig } from '../../platform/config/config'
import { parseNetworks } from '../../platform/outbound/addresses'
import { usedCredits } from '../billing/monthlyCredits'

const clock = createTestClock('2026-11-24T10:00:00Z')
let whatsapp: Awaited<ReturnType<typeof startWhatsapp>>
let speech: OutsideServer
let answer: (response: ServerResponse) => unknown
let server: TestServer
let ada: Registered
let projectId: string
let people = 0
let sounds = 0

beforeAll(async () => {
  whatsapp = await startWhatsapp({ clock })
  speech = await startOutsideServer((_, response) => answer(response))
  const { vendors, ai } = parseConfig({
    ...{ WHATSAPP_API_URL: whatsapp.origin, AI_BASE_URL: `${speech.url}/v1`, AI_API_KEY: 'the-key' },
    ...{ AI_MODEL: 'small', AI_TRANSCRIPTION_MODEL: 'hear' },
  })
  server = await startTestServer({ config: { vendors, ai }, clock })
  server.context.config.publicUrl = server.url
  ada = await server.register()
  const { pgid, cgid, fid } = await makeChatbot(ada)
  const source = JSON.stringify(flow)
  await ada.call(importFlow, { params: { pgid, cgid, fid }, body: { source, mode: 'replace' } })
  await ada.call(publishFlow, { params: { pgid, cgid, fid } })
  await ada.call(connectWhatsapp, { params: { pgid, cgid }, body: keysOf(whatsapp) })
  const row = await server.context.db.selectFrom('projects').select('id').where('gid', '=', pgid).executeTakeFirst()
  projectId = row?.id ?? ''
})
afterAll(async () => {
  await server.close()
  await Promise.all([whatsapp.close(), speech.close()])
})
beforeEach(async () => {
  clock.pass(61)
  speech.received.length = 0
  answer = says({ text: ' My bicycle squeaks ', duration: 4 })
  await server.context.db.deleteFrom('credit_uses').execute()
  await setPlan('starter')
})

const block = (id: string, kind: string, data: object) => ({
  ...{ id, kind, version: registry.get(kind).migrations.length },
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})
const flow: Flow = {
  ...emptyFlow(),
  variables: [{ id: 'what', name: 'what', value: null }],
  groups: [
    {
      ...{ id: 'g', title: 'All', position: { x: 0, y: 0 } },
      blocks: [
        block('start', 'start', {}),
        block('ask', 'text-input', { prompt: plainRichText('What is it?'), saveTo: 'what' }),
        block('done', 'text', { content: plainRichText('Noted') }),
      ],
    },
  ],
}

const says =
  (body: unknown, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const setPlan = (plan: 'free' | 'starter') =>
  server.context.db.updateTable('projects').set({ plan_id: plan }).where('id', '=', projectId).execute()
const used = () => usedCredits(server.context.db, projectId, 'speech_to_text_seconds', clock())

async function settle(): Promise<void> {
  do await whatsapp.webhooks.settle()
  while ((await server.context.jobs.runDue()) > 0)
  await whatsapp.webhooks.settle()
}

/** Somebody who was asked a question answers with a voice message. @returns what they said, and what they heard */
async function speak(bytes: Buffer): Promise<{ said: string[]; heard: string[] }> {
  const person = whatsapp.phones.add(`Person ${++people}`, `4477009${String(people).padStart(5, '0')}`)
  whatsapp.phones.write(person, { type: 'text', text: { body: 'Hello' } })
  await settle()
  const id = String(9_000 + ++sounds)
  whatsapp.state.media.set(id, { id, type: 'audio/ogg', bytes })
  whatsapp.phones.write(person, {
    type: 'audio',
    audio: { id, mime_type: 'audio/ogg; codecs=opus', sha256: 'x', voice: true },
  })
  await settle()
  expect(whatsapp.broken).toEqual([])
  const stored = await server.context.db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['content', 'author'])
    .where('address', '=', person.number)
    .orderBy('seq')
    .execute()
  const by = (author: number) => stored.filter((one) => one.author === author).map((one) => JSON.stringify(one.content))
  return { said: by(2), heard: by(1) }
}

test('a voice message answers in its words, and its sound stays; its seconds are taken from the plan', async () => {
  const { said, heard } = await speak(voiceMessage(3.2))
  expect(said).toEqual([
    expect.stringContaining('Hello'),
    expect.stringContaining('audio.ogg'),
    expect.stringContaining('"My bicycle squeaks"'),
  ])
  expect(heard.at(-1)).toContain('Noted')
  expect(await used()).toBe(4)
  const [asked] = speech.received
  expect(asked).toMatchObject({ method: 'POST', path: '/v1/audio/transcriptions' })
  expect(asked?.headers.authorization).toBe('Bearer the-key')
  expect(asked?.body).toContain('hear')
  expect(asked?.body).toContain('OpusHead')
})

test('where a sound is longer than it says, the rest is taken as well, as far as the plan has it', async () => {
  answer = says({ text: 'Long', duration: 90.4 })
  await speak(voiceMessage(1))
  expect(await used()).toBe(91)
})

test('the usage tells a month’s seconds of speech, by chatbot; what was given back is not among them', async () => {
  answer = says({ text: 'Long', duration: 90 })
  await speak(voiceMessage(1))
  answer = says({ error: 'busy' }, 500)
  await speak(voiceMessage(3))
  const { meters } = await ada.call(readUsageHistory, { params: { pgid: ada.pgid } })
  const told = meters.find(({ meter }) => meter === 'speech_to_text_seconds')
  expect(told).toMatchObject({ max: 1_800, used: 90, others: 0, who: null, parts: [{ name: 'Bot', used: 90 }] })
  expect(told?.months.at(-1)).toEqual({ month: '2026-11', used: 90 })
})

test.each<[why: string, answer: (response: ServerResponse) => unknown]>([
  ['the server fails', says({ error: 'busy' }, 500)],
  ['the answer is no text', says({ words: 1 })],
  ['the answer is no JSON', (response) => response.end('<html>')],
  ['the answer has no end', (response) => response.end('x'.repeat(1_100_000))],
  ['it is sent elsewhere', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
])('the sound stays and nothing is charged where %s', async (_, given) => {
  answer = given
  const { said, heard } = await speak(voiceMessage(3))
  expect(said).toHaveLength(2)
  expect(said[1]).toContain('audio.ogg')
  expect(heard.at(-1)).toContain('What is it?')
  expect(await used()).toBe(0)
})

test.each<[why: string, seconds: number, plan: 'free' | 'starter']>([
  ['it is longer than ten minutes', 601, 'starter'],
  ['the plan has no seconds', 3, 'free'],
])('nobody is asked where %s', async (_, seconds, plan) => {
  await setPlan(plan)
  const { said } = await speak(voiceMessage(seconds))
  expect(said).toHaveLength(2)
  expect(speech.received).toEqual([])
})

test('an address that a project gave is not called in a private network', async () => {
  const { config } = server.context
  const before = { ...config }
  // it was allowed once, when its key was tried
  Object.assign(config, { ai: null, outboundAllow: parseNetworks('127.0.0.0/8') })
  answer = says({ data: [] })
  const body = { provider: 'openai' as const, key: 'sk-of-the-project', base_url: `${speech.url}/v1`, models: [] }
  const { connection } = await ada.call(addConnection, { params: { pgid: ada.pgid }, body })
  config.outboundAllow = before.outboundAllow
  speech.received.length = 0
  answer = says({ text: 'From within' })
  const { said } = await speak(voiceMessage(3))
  expect(speech.received).toEqual([])
  expect(said).toHaveLength(2)
  expect(await used()).toBe(0)
  await ada.call(deleteConnection, { params: { pgid: ada.pgid, gid: connection.gid } })
  config.ai = before.ai
})

test('a project’s own server hears before that of the installation, and only where the project may call it', async () => {
  const { config } = server.context
  const before = config.outboundAllow
  config.outboundAllow = parseNetworks('127.0.0.0/8')
  answer = says({ data: [] })
  const own = { provider: 'openai-compatible' as const, base_url: `${speech.url}/own`, speech_model: 'whisper-own' }
  const { connection } = await ada.call(addConnection, { params: { pgid: ada.pgid }, body: own })
  expect(connection).toMatchObject({ speech_model: 'whisper-own', models: [] })
  speech.received.length = 0
  answer = says({ text: 'By the own one' })
  const { said } = await speak(voiceMessage(3))
  expect(said.at(-1)).toContain('By the own one')
  expect(speech.received).toMatchObject([{ path: '/own/audio/transcriptions' }])
  expect(speech.received[0]?.body).toContain('whisper-own')
  config.outboundAllow = before
  speech.received.length = 0
  expect((await speak(voiceMessage(3))).said).toHaveLength(2)
  expect(speech.received).toEqual([])
  await ada.call(deleteConnection, { params: { pgid: ada.pgid, gid: connection.gid } })
})
