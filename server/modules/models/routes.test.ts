import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../../tests/support/modelServer'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { dashboard } from '../../contracts/account'
import { addConnection, changeConnection, deleteConnection, listConnections, readAiSettings } from '../../contracts/ai'
import { createChatbot } from '../../contracts/chatbots'
import { parseConfig } from '../../platform/config/config'
import { parseNetworks } from '../../platform/outbound/addresses'
import { keyOfFolder } from '../../platform/secrets/keys'
import { renewSeals } from '../secrets/renewSeals'
import { createConnections } from './connections'
import { openWithFallback } from './withFallback'

const KEY = 'sk-a-very-secret-key-4321'
const prompt = { system: '', temperature: 0, messages: [{ role: 'user' as const, content: 'Hi' }] }

let openai: ModelServer
let own: ModelServer
let server: TestServer
let ada: Registered
let chatbot: { pgid: string; cgid: string }
beforeAll(async () => {
  openai = await startModelServer('openai')
  own = await startModelServer()
  const { providers } = parseConfig({
    OPENAI_BASE_URL: openai.settings.baseUrl,
    MISTRAL_API_KEY: 'mistral-key',
    MISTRAL_BASE_URL: own.settings.baseUrl,
  })
  server = await startTestServer({ config: { providers, outboundAllow: parseNetworks('127.0.0.0/8') } })
})
afterAll(() => Promise.all([server.close(), openai.close(), own.close()]))
beforeEach(async () => {
  openai.answers('From OpenAI.')
  openai.wants(KEY)
  own.answers('From home.')
  own.wants(null)
  ada = await server.register()
  const { chatbot: made } = await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Bot' } })
  chatbot = { pgid: ada.pgid, cgid: made.gid }
})

const params = () => ({ pgid: ada.pgid })
const view = () => ada.call(readAiSettings, { params: chatbot })
const modelNamed = async (name: string) => (await view()).models.find((model) => model.name === name)
const add = (body: object) => ada.send('POST', `/api/projects/${ada.pgid}/ai-connections`, body)
const change = (gid: string, body: object) => ada.send('PATCH', `/api/projects/${ada.pgid}/ai-connections/${gid}`, body)
const save = (body: object) => ada.send('PATCH', `/api/projects/${chatbot.pgid}/chatbots/${chatbot.cgid}/ai`, body)
const projectId = async () => {
  const { db } = server.context
  return (await db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()).id
}
const setPlan = (plan_id: string) =>
  server.context.db.updateTable('projects').set({ plan_id }).where('gid', '=', ada.pgid).execute()

test('a chatbot begins with the built-in model; those of providers with a key can be chosen', async () => {
  const { settings, models, credits } = await view()
  expect(settings).toEqual({
    model_id: 1,
    fallback_model_id: null,
    language: 'Auto',
    temperature: 0,
    suggestions: true,
    hide_urls: [],
    monthly_budget: null,
    visitor_budget: null,
  })
  expect(models[0]).toMatchObject({ id: 1, provider: null, available: true, credits: 0 })
  expect([...new Set(models.filter(({ available }) => available).map(({ provider }) => provider))]).toEqual([
    null,
    'mistral',
  ])
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length)
  expect(credits).toEqual({ month: { used: 0, max: 1e9 }, lifetime: { used: 0, max: 0 }, chatbot_month: 0 })
  expect((await ada.call(listConnections, { params: params() })).environment).toEqual([
    { provider: 'mistral', model: null },
  ])
})

test('settings are saved, and what is wrong is said at its field', async () => {
  const large = await modelNamed('Mistral Large')
  const wanted = {
    model_id: large?.id,
    fallback_model_id: 1,
    language: 'German',
    temperature: 0.7,
    suggestions: false,
    hide_urls: ['/internal', '/internal'],
    monthly_budget: 12.5,
    visitor_budget: 3,
  }
  expect((await save(wanted)).status).toBe(200)
  const { settings } = await view()
  expect(settings).toEqual({ ...wanted, hide_urls: ['/internal'] })
  expect((await save({ temperature: 0.34 })).body.data).toEqual({ settings: { ...settings, temperature: 0.3 } })
  const gpt = (await view()).models.find(({ provider }) => provider === 'openai')
  for (const [body, field] of [
    [{ model_id: gpt?.id }, 'model_id'],
    [{ model_id: 99_999 }, 'model_id'],
    [{ fallback_model_id: large?.id }, 'fallback_model_id'],
    [{ temperature: 1.1 }, 'temperature'],
    [{ language: 'Klingon' }, 'language'],
    [{ monthly_budget: -1 }, 'monthly_budget'],
    [{ hide_urls: [' '] }, 'hide_urls.0'],
  ] as const) {
    const { status, body: answer } = await save(body)
    expect([status, answer.data]).toEqual([
      422,
      { message: expect.any(String), fields: { [field]: expect.any(String) } },
    ])
  }
  expect((await view()).settings.model_id).toBe(large?.id)
  const account = await ada.call(dashboard, { body: { cgid: chatbot.cgid } })
  expect(account.user.chatbot).toMatchObject({
    ai_model_id: large?.id,
    ai_language: 'German',
    ai: { model_id: large?.id, language_id: 'de', temperature: 0.3 },
    hide_urls: ['/internal'],
  })
  expect(account.user.ai.models.map(({ name }) => name)).toContain('Mistral Large')
  expect(account.user.ai.languages[0]).toEqual({ name: 'Auto', code: 'auto' })
  expect(account.user.onboarding_checklist.agent.ai_settings.completed).toBe(true)
})

test("a project's own key opens its provider's models, and is never seen again", async () => {
  const { status, body, text } = await add({ provider: 'openai', key: ` ${KEY}\n` })
  expect([status, body.data]).toMatchObject([200, { connection: { provider: 'openai', key_preview: '4321' } }])
  const { text: listed } = await ada.send('GET', `/api/projects/${ada.pgid}/ai-connections`)
  const rows = await server.context.db.selectFrom('ai_connections').selectAll().execute()
  expect(text + listed + JSON.stringify(rows)).not.toContain('very-secret')
  const gpt = await modelNamed('GPT-6 Luna')
  expect(gpt?.available).toBe(true)
  const model = await server.parts.models.open(await projectId(), gpt?.id ?? 0)
  expect(await model?.write(prompt)).toEqual({ ok: true, value: 'From OpenAI.' })
  expect(openai.calls[0]).toMatchObject({ authorization: `Bearer ${KEY}`, body: { model: 'gpt-6-luna' } })
  expect(await add({ provider: 'openai', key: KEY })).toMatchObject({
    status: 422,
    body: { data: { fields: { provider: expect.stringContaining('connected already') } } },
  })
})

test.each<[string, object, string, string]>([
  ['a wrong key', { provider: 'openai', key: 'sk-wrong-wrong' }, 'key', 'refused the key'],
  ['no key', { provider: 'anthropic' }, 'key', 'Enter the key'],
  ['a key of two lines', { provider: 'openai', key: 'sk\nwrong' }, 'key', 'no spaces or line breaks'],
  [
    'no address',
    { provider: 'openai-compatible', models: [{ name: 'a', supports_actions: false }] },
    'base_url',
    'Enter',
  ],
  [
    'an address that is none',
    { provider: 'mistral', key: 'k', base_url: 'ftp://x' },
    'base_url',
    '"ftp://x" is no address',
  ],
  [
    'a server that is not there',
    {
      provider: 'openai-compatible',
      base_url: 'http://127.0.0.1:9/v1',
      models: [{ name: 'a', supports_actions: true }],
    },
    'base_url',
    'refused the connection',
  ],
  [
    'a private network',
    { provider: 'openai-compatible', base_url: 'http://10.1.2.3/v1', models: [{ name: 'a', supports_actions: true }] },
    'base_url',
    'private network',
  ],
  ['no model', { provider: 'openai-compatible', base_url: 'http://127.0.0.1:9/v1' }, 'models', 'at least one model'],
  [
    'embeddings that there are not',
    { provider: 'anthropic', key: 'k', embedding_model: 'x' },
    'embedding_model',
    'no embedding',
  ],
])('%s is refused at its field', async (_case, body, field, message) => {
  const answer = await add(body)
  expect([answer.status, answer.body.data]).toMatchObject([
    422,
    { fields: { [field]: expect.stringContaining(message) } },
  ])
  expect(answer.text).not.toContain('sk-wrong')
  expect((await ada.call(listConnections, { params: params() })).connections).toEqual([])
})

const home = () => ({ provider: 'openai-compatible', base_url: `${own.settings.baseUrl}/` })
const model = (name: string, supports_actions = true) => ({ name, supports_actions })

test('a server of its own has models, whose ids stay while they do, and meanings', async () => {
  const { body } = await add({ ...home(), models: [model('llama'), model('qwen', false)], embedding_model: 'minilm' })
  const { connection } = body.data as Awaited<
    ReturnType<typeof ada.call<object, object, object, { connection: { gid: string; models: { id: number }[] } }>>
  >
  const ids = connection.models.map(({ id }) => id)
  expect(ids.every((id) => id >= 1000)).toBe(true)
  const models = server.parts.models
  const llama = await models.open(await projectId(), ids[0] ?? 0)
  expect(await llama?.write(prompt)).toEqual({ ok: true, value: 'From home.' })
  expect(own.calls[0]).toMatchObject({ authorization: undefined, body: { model: 'llama' } })
  const embedder = await models.embedder(await projectId())
  const embedded = await embedder?.embed(['one', 'two'])
  const lengths = embedded?.ok ? embedded.value.map((vector) => Math.hypot(...vector)) : []
  expect(lengths).toEqual([expect.closeTo(1), expect.closeTo(1)])

  const changed = await change(connection.gid, { models: [model('phi'), model('llama', false)], embedding_model: '' })
  expect(changed.body.data).toMatchObject({
    connection: { models: [{ name: 'phi' }, { id: ids[0], name: 'llama', supports_actions: false }] },
  })
  expect(await models.open(await projectId(), ids[1] ?? 0)).toBeNull()
  expect(await models.embedder(await projectId())).toBeNull()
  await ada.call(deleteConnection, { params: { ...params(), gid: connection.gid } })
  expect(await models.open(await projectId(), ids[0] ?? 0)).toBeNull()
})

test('a key that was saved goes to no other address, and one that no longer opens has to be entered again', async () => {
  const { connection } = await ada.call(addConnection, {
    params: params(),
    body: { provider: 'openai-compatible', base_url: own.settings.baseUrl, key: KEY, models: [model('llama')] },
  })
  const thief = await startModelServer()
  const moved = await change(connection.gid, { base_url: thief.settings.baseUrl })
  expect(moved.body.data).toMatchObject({ fields: { key: expect.stringContaining('again') } })
  expect(thief.others).toEqual([])
  await thief.close()
  expect((await change(connection.gid, { models: [model('llama'), model('phi')] })).status).toBe(200)
  await server.context.db
    .updateTable('ai_connections')
    .set({ sealed_key: 'v1.gone.a.b.c' })
    .where('gid', '=', connection.gid)
    .execute()
  expect((await modelNamed('phi'))?.available).toBe(false)
  expect((await change(connection.gid, { models: [model('llama')] })).body.data).toMatchObject({
    fields: { key: expect.stringContaining('no longer be read') },
  })
  const changed = await ada.call(changeConnection, {
    params: { ...params(), gid: connection.gid },
    body: { key: 'another-long-key-9876' },
  })
  expect(changed.connection.key_preview).toBe('9876')
})

test('a new key of the installation seals what an older one has sealed', async () => {
  await ada.call(addConnection, { params: params(), body: { provider: 'openai', key: KEY } })
  const { db, config } = server.context
  const sealed = () =>
    db
      .selectFrom('ai_connections')
      .innerJoin('projects', 'projects.id', 'ai_connections.project_id')
      .select(['ai_connections.gid', 'project_id', 'sealed_key'])
      .where('projects.gid', '=', ada.pgid)
      .executeTakeFirstOrThrow()
  const secretKeys = [{ id: 'new', bytes: randomBytes(32) }, keyOfFolder(config.dataDir)]
  const renewed = { db, config: { ...config, secretKeys } }
  await renewSeals(renewed)
  const row = await sealed()
  expect(row.sealed_key).toMatch(/^v1\.new\./)
  const alone = createConnections({ db, config: { ...config, secretKeys: secretKeys.slice(0, 1) } })
  expect(alone.keyOf(row)).toBe(KEY)
  await renewSeals(renewed)
  expect(await sealed()).toEqual(row)
})

test("a project sees and asks no other's providers", async () => {
  const { connection } = await ada.call(addConnection, {
    params: params(),
    body: { provider: 'openai-compatible', base_url: own.settings.baseUrl, models: [model('llama')] },
  })
  const eve = await server.register()
  const [own1] = connection.models
  expect((await eve.call(listConnections, { params: { pgid: eve.pgid } })).connections).toEqual([])
  const path = `/api/projects/${eve.pgid}/ai-connections/${connection.gid}`
  expect([(await eve.send('PATCH', path, { key: 'x' })).status, (await eve.send('DELETE', path)).status]).toEqual([
    404, 404,
  ])
  const { db } = server.context
  const { id } = await db.selectFrom('projects').select('id').where('gid', '=', eve.pgid).executeTakeFirstOrThrow()
  expect(await server.parts.models.open(id, own1?.id ?? 0)).toBeNull()
})

test('premium models are for plans that have them, also after a plan has changed', async () => {
  await ada.call(addConnection, { params: params(), body: { provider: 'openai', key: KEY } })
  const premium = (await view()).models.find((each) => each.premium && each.provider === 'openai')
  expect((await save({ model_id: premium?.id })).status).toBe(200)
  expect(await server.parts.models.open(await projectId(), premium?.id ?? 0)).not.toBeNull()
  await setPlan('growth')
  expect(await server.parts.models.open(await projectId(), premium?.id ?? 0)).toBeNull()
  await save({ model_id: 1 })
  expect((await save({ model_id: premium?.id })).body.data).toMatchObject({
    fields: { model_id: expect.stringContaining('not part of your plan') },
  })
})

test('where a model fails before it has said anything, its fallback answers, and it is said which and why', async () => {
  await ada.call(addConnection, { params: params(), body: { provider: 'openai', key: KEY } })
  const [gpt, mistral] = await Promise.all([modelNamed('GPT-6 Luna'), modelNamed('Mistral Small')])
  const models = server.parts.models
  const choice = { modelId: gpt?.id ?? 0, fallbackId: mistral?.id ?? 0 }
  const fine = await openWithFallback(models, await projectId(), choice)
  expect([await fine.model?.write(prompt), fine.stoodIn()]).toEqual([{ ok: true, value: 'From OpenAI.' }, null])

  openai.wants('another key')
  const failing = await openWithFallback(models, await projectId(), choice)
  let said = ''
  for await (const part of failing.model?.stream(prompt) ?? []) if (part.type === 'text') said += part.delta
  expect(said).toBe('From home.')
  expect(failing.stoodIn()).toMatchObject({
    model: { name: 'Mistral Small' },
    reason: expect.stringContaining('refused the key'),
  })

  const gone = await openWithFallback(models, await projectId(), { ...choice, modelId: 99_999 })
  expect(gone.stoodIn()).toMatchObject({ model: { name: 'Mistral Small' }, reason: expect.stringContaining('is gone') })
  const builtIn = await openWithFallback(models, await projectId(), { modelId: gpt?.id ?? 0, fallbackId: 1 })
  expect([builtIn.fallsToBuiltIn, builtIn.model === null]).toEqual([true, false])
})
