import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertSources } from '../../../../tests/support/knowledgeBase'
import { type FileServer, modelOf, serveFiles } from '../../../../tests/support/localModel'
import { onnxFiles } from '../../../../tests/support/onnxModel'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { createChatbot } from '../../../contracts/chatbots'
import { readEmbeddings } from '../../../contracts/embeddings'
import { findLocalServers, type LocalModel, listLocalModels } from '../../../contracts/localModels'
import { testRetrieval } from '../../../contracts/sources'
import { parseNetworks } from '../../../platform/outbound/addresses'
import { findServers } from './localServers'

let server: TestServer
let ada: Registered
let there: FileServer
const files = modelOf([
  ['car', 'automobile', 'vehicle'],
  ['doctor', 'physician'],
  ['bread', 'loaf'],
])
beforeAll(async () => {
  const quotas = { uploadsPerAddress: 1, uploadsPerChatbot: 1, uploadsPerProject: 1, filesPerProject: 10_000_000 }
  server = await startTestServer({
    config: { localModels: true, outboundAllow: parseNetworks('127.0.0.0/8'), quotas },
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  ada = await server.register()
  there = await serveFiles({ ...files })
})
afterEach(() => there.close())

const path = (rest = '') => `/api/projects/${ada.pgid}/local-models${rest}`
type Answer = { status: number; body: { data: { model: LocalModel }; fields?: Record<string, string> } }
const add = async (address: string | null, name = '') => {
  return (await ada.send('POST', path(), { address, name })) as unknown as Answer
}
const models = async () => (await ada.call(listLocalModels, { params: { pgid: ada.pgid } })).models
const only = async () => {
  const [model] = await models()
  if (!model) throw new Error('there is no model')
  return model
}
const settled = () => server.context.jobs.runDue()
const projectId = async () =>
  (await server.context.db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()).id
/** Puts sources into a new chatbot. */
async function passages(sources: { title: string; texts: string[] }[]) {
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Bot' } })
  const row = await server.context.db
    .selectFrom('chatbots')
    .select('id')
    .where('gid', '=', chatbot.gid)
    .executeTakeFirstOrThrow()
  await insertSources(server.context.db, { projectId: await projectId(), chatbotId: row.id }, sources)
  return { pgid: ada.pgid, cgid: chatbot.gid }
}
const folderOf = async (gid: string) => join(server.context.config.dataDir, 'models', await projectId(), gid)

test('a model is loaded from its address and checked; it says its size, licence and hash', async () => {
  await add(there.url)
  await settled()
  expect(await only()).toMatchObject({
    name: 'small',
    state: 'ready',
    problem: null,
    licence: 'mit',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    dimension: 3,
    tokens: 8,
    in_use: false,
    loaded_bytes: Object.values(files).reduce((sum, { length }) => sum + length, 0),
  })
  expect(there.calls).toEqual(['README.md', 'tokenizer.json', 'model.safetensors'])
})

test('the model in use finds what has the same meaning, once every passage is embedded by it', async () => {
  const place = await passages([
    { title: 'Cars', texts: ['An automobile stands before the house.'] },
    { title: 'Health', texts: ['The physician comes at noon.'] },
    { title: 'Food', texts: ['A loaf costs two coins.'] },
  ])
  await add(there.url)
  await settled()
  const state = () => ada.call(readEmbeddings, { params: { pgid: ada.pgid } })
  expect(await state()).toEqual({ model: null, embedded: 0, passages: 3 })
  const { gid } = await only()
  await ada.send('PATCH', path(`/${gid}`), { in_use: true })
  expect(await state()).toEqual({ model: 'small', embedded: 0, passages: 3 })
  await settled()
  expect(await state()).toEqual({ model: 'small', embedded: 3, passages: 3 })
  const found = await ada.call(testRetrieval, { params: place, body: { question: 'vehicle?' } })
  expect(found.passages[0]?.source.title).toBe('Cars')
  await ada.send('PATCH', path(`/${gid}`), { in_use: false })
  expect((await state()).model).toBe(null)
})

test('a download that broke off goes on with the rest', async () => {
  there.files = modelOf([['car', 'automobile']], 2_000_000)
  there.breakAfter('model.safetensors', 1_500_000)
  await add(there.url)
  await settled()
  expect((await only()).state).toBe('ready')
  expect(there.calls.slice(-2)).toEqual(['model.safetensors', expect.stringMatching(/^model.safetensors [1-9]\d*-$/)])
  const sizes = Object.values(there.files).map(({ length }) => length)
  expect((await only()).total_bytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
})

test('a file that was changed meanwhile is loaded from its beginning', async () => {
  there.files = modelOf([['car', 'automobile']], 2_000_000)
  const other = modelOf([['one'], ['two'], ['three'], ['four']])
  there.breakAfter('model.safetensors', 1_500_000)
  // after the first call of the table there is another one under the same name
  there.files = new Proxy(there.files, {
    get: (all, name: string) => (there.calls.includes(name) && name === 'model.safetensors' ? other[name] : all[name]),
  })
  await add(there.url)
  await settled()
  expect(there.calls.slice(-2)).toEqual(['model.safetensors', 'model.safetensors'])
  expect(await only()).toMatchObject({ state: 'ready', dimension: 4 })
})

test('what can’t be loaded says why, and can be tried again', async () => {
  there.files = { 'tokenizer.json': there.files['tokenizer.json'] as Buffer }
  await add(there.url)
  await settled()
  const broken = await only()
  expect(broken).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('There is no model.safetensors or model.onnx at'),
  })
  there.files = { ...files }
  await ada.send('POST', path(`/${broken.gid}/continue`), {})
  await settled()
  expect((await only()).state).toBe('ready')
})

test('a table that is none fails with the reason', async () => {
  there.files['model.safetensors'] = Buffer.from('not a model at all')
  await add(there.url)
  await settled()
  expect(await only()).toMatchObject({ state: 'failed', problem: expect.stringContaining('no file of that format') })
})

test('files are uploaded one after the other, then checked', async () => {
  const { body } = await add(null, 'From my disk')
  const { gid } = body.data.model
  expect(body.data.model).toMatchObject({ name: 'From my disk', state: 'waiting' })
  const early = await ada.send('POST', path(`/${gid}/continue`), {})
  expect(early.status).toBe(409)
  for (const name of ['tokenizer.json', 'model.safetensors'])
    await ada.send('POST', path(`/${gid}/files?name=${name}`), files[name], {
      'content-type': 'application/octet-stream',
    })
  await ada.send('POST', path(`/${gid}/continue`), {})
  await settled()
  expect(await only()).toMatchObject({ name: 'From my disk', state: 'ready', address: null })
})

const GROUPS = [
  ['car', 'automobile'],
  ['doctor', 'physician'],
]

test('a transformer is found in the folder of its page, and asked as models of its name are', async () => {
  const onnx = onnxFiles(GROUPS)
  there.files = onnx
  await add(there.url)
  await settled()
  expect(await only()).toMatchObject({
    state: 'ready',
    problem: null,
    kind: 'onnx',
    licence: 'mit',
    dimension: 2,
    question_prefix: '',
    loaded_bytes: Object.values(onnx).reduce((sum, { length }) => sum + length, 0),
  })
  expect(there.calls).toEqual(['config.json', 'README.md', 'tokenizer.json', 'onnx/model.onnx'])
})

test('the address of a file in ONNX takes that file; the others lie above it', async () => {
  const { 'onnx/model.onnx': model, ...rest } = onnxFiles(GROUPS)
  there.files = { ...rest, 'onnx/multilingual-e5-small_q8.onnx': model }
  await add(`${there.url}/onnx/multilingual-e5-small_q8.onnx`)
  await settled()
  expect(await only()).toMatchObject({
    name: 'small',
    state: 'ready',
    question_prefix: 'query: ',
    passage_prefix: 'passage: ',
    pooling: 'mean',
  })
})

test('a transformer without a file in ONNX says so before its other numbers are loaded', async () => {
  const { 'onnx/model.onnx': _, ...rest } = onnxFiles(GROUPS)
  there.files = { ...rest, 'model.safetensors': Buffer.alloc(50_000) }
  await add(there.url)
  await settled()
  expect(await only()).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('There is no model.onnx at'),
  })
  expect(there.calls).not.toContain('model.safetensors')
})

test('passages are embedded again by a transformer that is asked otherwise; static models have no such settings', async () => {
  await passages([{ title: 'Cars', texts: ['An automobile stands before the house.'] }])
  there.files = onnxFiles(GROUPS)
  await add(there.url)
  await settled()
  const { gid } = await only()
  await ada.send('PATCH', path(`/${gid}`), { in_use: true })
  await settled()
  const embedder = async () =>
    (
      await server.context.db
        .selectFrom('knowledge_chunks')
        .select('embedding_model')
        .where('project_id', '=', await projectId())
        .executeTakeFirstOrThrow()
    ).embedding_model
  const before = await embedder()
  const changed = await ada.send('PATCH', path(`/${gid}/settings`), { passage_prefix: 'passage: ', pooling: 'first' })
  expect(changed).toMatchObject({ status: 200, body: { data: { model: { passage_prefix: 'passage: ' } } } })
  await settled()
  expect(await embedder()).toMatch(/^local [0-9a-f]{64} [0-9a-f]{16}$/)
  expect(await embedder()).not.toBe(before)
  await ada.send('DELETE', path(`/${gid}`))
  there.files = files
  await add(there.url)
  await settled()
  const still = await only()
  expect((await ada.send('PATCH', path(`/${still.gid}/settings`), { pooling: 'first' })).status).toBe(409)
})

test('files of models count for the storage of their project', async () => {
  const { body } = await add(null, 'Mine')
  const upload = (name: string, bytes: number) =>
    ada.send('POST', path(`/${body.data.model.gid}/files?name=${name}`), Buffer.alloc(bytes), {
      'content-type': 'application/octet-stream',
    })
  expect((await upload('model.onnx', 6_000_000)).status).toBe(200)
  expect((await only()).loaded_bytes).toBe(6_000_000)
  expect((await upload('tokenizer.json', 6_000_000)).status).toBe(507)
  there.files = { ...files, 'model.safetensors': Buffer.alloc(6_000_000) }
  await add(there.url)
  await settled()
  expect((await models())[1]).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('no file storage left'),
  })
})

test('addresses that are none, a fourth model, and models where they are switched off are refused at the field', async () => {
  for (const address of ['potion', 'ftp://example.com/x', 'https://huggingface.co/minishlab'])
    expect((await add(address)).status).toBe(422)
  for (let at = 0; at < 3; at++) expect((await add(there.url)).status).toBe(200)
  expect((await add(there.url)).status).toBe(422)
  await settled()
})

test('a removed model leaves neither files nor use', async () => {
  await add(there.url)
  await settled()
  const { gid } = await only()
  const folder = await folderOf(gid)
  expect(existsSync(join(folder, 'vectors.bin'))).toBe(true)
  await ada.send('PATCH', path(`/${gid}`), { in_use: true })
  await ada.send('DELETE', path(`/${gid}`))
  expect(existsSync(folder)).toBe(false)
  expect((await ada.call(listLocalModels, { params: { pgid: ada.pgid } })).embedder).toBe(null)
})

test('servers on this machine are found where the project may call it, and not offered once connected', async () => {
  const list = Buffer.from(JSON.stringify({ data: [{ id: 'llama3.3' }, { id: 'nomic-embed-text' }, { id: 7 }] }))
  const ollama = await serveFiles({ models: list })
  try {
    const port = Number(new URL(ollama.url).port)
    const open = parseNetworks('127.0.0.0/8')
    expect(await findServers(open, [{ name: 'Ollama', port }])).toEqual([
      {
        name: 'Ollama',
        base_url: `http://127.0.0.1:${port}/v1`,
        models: ['llama3.3'],
        embedding_models: ['nomic-embed-text'],
      },
    ])
    expect(await findServers([], [{ name: 'Ollama', port }])).toEqual([])
    expect(await ada.call(findLocalServers, { params: { pgid: ada.pgid } })).toMatchObject({ may_call: true })
  } finally {
    await ollama.close()
  }
})
