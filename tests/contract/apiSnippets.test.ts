import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../server/contracts/api-keys'
import { startConversation } from '../../server/contracts/chat'
import { createChatbot } from '../../server/contracts/chatbots'
import { createContact, listContacts } from '../../server/contracts/contacts'
import { createExport, listExports } from '../../server/contracts/exports'
import { publishFlow } from '../../server/contracts/flows'
import { saveMessageApi } from '../../server/contracts/messageApi'
import { createWebhook } from '../../server/contracts/webhooks'
import type { ApiDescription } from '../../src/api/publicApi'
import { type Language, languages, snippetOf } from '../../src/screens/api-reference/snippets'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** The code that the API's reference shows runs as it is. */
let server: TestServer
let owner: Registered
let key: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
  ;({ secret: key } = await owner.call(createApiKey, { params: { pgid: owner.pgid }, body: { name: 'Program' } }))
})
afterAll(() => server.close())

const programs: Record<Language, { program: string; args: (code: string) => string[] }> = {
  curl: { program: 'sh', args: (code) => ['-ec', code.replaceAll(/^curl/gm, 'curl -sS --fail-with-body')] },
  typescript: { program: process.execPath, args: (code) => ['--input-type=module', '-e', code] },
  python: { program: 'python3', args: (code) => ['-c', code] },
}
const has = (program: string) => spawnSync(program, ['--version']).status === 0
const isThere: Record<Language, boolean> = { curl: has('curl'), typescript: true, python: has('python3') }

const run = (language: Language, code: string) => {
  const { program, args } = programs[language]
  return promisify(execFile)(program, args(code), { env: { ...process.env, PARLEY_API_KEY: key } })
}

for (const language of languages)
  test.skipIf(!isThere[language])(`${language}: writes what has quotes, and reads it`, async () => {
    const name = `It's “${language}” \\ "quoted" $HOME`
    const body = { fields: { name, email: `${language}@example.com` }, tags: ['a', 'b'], blocked: false }
    const url = `${server.url}/api/v1/contacts`
    await run(language, snippetOf(language, { method: 'POST', url, body, isFile: false }))
    const { contacts } = await owner.call(listContacts, {
      params: { pgid: owner.pgid },
      query: { search: `${language}@example.com` },
    })
    expect(contacts).toMatchObject([{ fields: { name }, tags: ['a', 'b'], blocked: false }])
    const read = snippetOf(language, {
      method: 'GET',
      url: `${url}?search=${language}`,
      body: undefined,
      isFile: false,
    })
    expect((await run(language, read)).stdout).toContain(contacts[0]?.gid)
  })

/** One of each that paths name. */
async function fill(): Promise<Record<string, string>> {
  const params = { pgid: owner.pgid }
  const bot = { name: 'Bot', template: 'lead-qualification' } as const
  const { chatbot } = await owner.call(createChatbot, { params, body: bot })
  await owner.call(publishFlow, { params: { ...params, cgid: chatbot.gid, fid: chatbot.fid } })
  const channel = { url: 'https://example.com/messages' }
  await owner.call(saveMessageApi, { params: { ...params, cgid: chatbot.gid }, body: channel })
  const guest = await server.guest()
  const started = { params: { slug: chatbot.slug }, body: { client_id: 'visitor-of-programs' } }
  const { conversation } = await guest.call(startConversation, started)
  const { contact } = await owner.call(createContact, { params, body: { fields: { name: 'Grace' } } })
  const hook = { url: 'https://example.com', description: '', events: ['lead.created' as const] }
  const { endpoint } = await owner.call(createWebhook, { params, body: { ...hook, personal: false, enabled: true } })
  const { export: made } = await owner.call(createExport, { params, body: { kind: 'contacts' } })
  await expect
    .poll(async () => {
      await server.context.jobs.runDue()
      return (await owner.call(listExports, { params })).exports.map(({ status }) => status)
    })
    .toEqual(['done'])
  const ids = { conversation: conversation.id, contact: contact.gid, webhook: endpoint.gid, export: made.gid }
  return { chatbot: chatbot.gid, ...ids }
}

test('each operation’s example is carried out as it stands, in every language, and a file comes as it is', async () => {
  const ids = await fill()
  const { paths } = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as ApiDescription
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, requestBody }]) => {
      const { schema, example } = requestBody?.content?.['application/json'] ?? {}
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
      return { operationId, method: method.toUpperCase(), path: filled, takesBody: schema !== undefined, example }
    }),
  )
  // a draft is written with the mark that was read of it: it has no example that holds anywhere
  const lacking = calls.filter(({ takesBody, example }) => takesBody && example === undefined)
  expect(lacking.map(({ operationId }) => operationId)).toEqual(['writeFlow'])
  // what closes the conversation comes last
  const order = calls.filter(({ example }) => example !== undefined)
  order.sort((a, b) => Number(a.method === 'PATCH') - Number(b.method === 'PATCH'))
  const api = `${server.url}/api/v1`
  for (const language of languages.filter((each) => isThere[each])) {
    const codes = order.map(({ operationId, method, path, example }) => {
      const body = operationId === 'replyToVisitor' ? { ...(example as object), reopen: true } : example
      return snippetOf(language, { method, url: api + path, body, isFile: false })
    })
    const file = { method: 'GET', url: `${api}/exports/${ids.export}/file?format=jsonl`, body: undefined, isFile: true }
    // in one program, which ends with the first that fails
    const program = [...codes, snippetOf(language, file)].map(language === 'typescript' ? inBlock : (code) => code)
    expect((await run(language, program.join('\n'))).stdout, language).toContain('"Grace"')
  }
})

/** Its names are its own. */
const inBlock = (code: string): string => `{\n${code}\n}`
