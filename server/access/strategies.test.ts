import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type Registered, startTestServer, type TestServer } from '../../tests/support/server'
import { createApiKey } from '../contracts/api-keys'
import { defineRoute, gid, ok } from '../contracts/route'
import type { ServerContext } from '../platform/context'
import { registerRoute } from './register'

const inProject = z.strictObject({ pgid: gid })
const asked = { path: '/api/projects/:pgid/planted', access: { feature: 'chatbots.view' }, params: inProject } as const
const reads = defineRoute({ method: 'GET', ...asked, apiKey: 'read', answer: z.strictObject({ by: z.string() }) })
const writes = defineRoute({ method: 'POST', ...asked, apiKey: 'write', answer: z.strictObject({ by: z.string() }) })
const forBrowsers = defineRoute({ method: 'DELETE', ...asked, answer: ok })
const hook = defineRoute({
  method: 'POST',
  path: '/api/planted-hooks/:name',
  access: { signature: { header: 'x-signature', prefix: 'sha256=' } },
  params: z.strictObject({ name: z.string() }),
  body: z.strictObject({ text: z.string() }),
  answer: z.strictObject({ heard: z.string() }),
})
const talk = defineRoute({
  method: 'POST',
  path: '/api/talks/:name',
  access: 'visitor',
  params: z.strictObject({ name: z.string() }),
  answer: z.strictObject({ conversation: z.string() }),
})
const secrets: Record<string, string> = { known: 'whsec', empty: '' }

function plant(app: FastifyInstance, context: ServerContext): void {
  registerRoute(app, context, reads, ({ caller }) => ({ by: caller.user.email }))
  registerRoute(app, context, writes, ({ caller }) => ({ by: caller.user.email }))
  registerRoute(app, context, forBrowsers, () => ({}))
  registerRoute(
    app,
    context,
    hook,
    ({ body }) => ({ heard: body.text }),
    ({ name }) => secrets[name] ?? null,
  )
  registerRoute(
    app,
    context,
    talk,
    ({ caller }) => ({ conversation: caller.conversation.id }),
    async ({ name }, token) => ({ id: `${name} of ${token}`, project_id: '1', chatbot_id: '1' }),
  )
}

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer({ plant })
})
afterAll(() => server.close())
beforeEach(async () => {
  ada = await server.register()
})

async function keyOf(person: Registered, scope?: 'read' | 'write'): Promise<Record<string, string>> {
  const { secret } = await person.call(createApiKey, { params: { pgid: person.pgid }, body: { name: 'Key', scope } })
  return { authorization: `Bearer ${secret}` }
}
const planted = (pgid: string) => `/api/projects/${pgid}/planted`

test('a key that may read reads, one that may write does both, and neither calls what takes no keys', async () => {
  const program = await server.guest()
  const [reading, writing, old] = [await keyOf(ada, 'read'), await keyOf(ada, 'write'), await keyOf(ada)]
  const call = async (method: string, key: Record<string, string>) =>
    (await program.send(method, planted(ada.pgid), {}, key)).status
  const get = async (key: Record<string, string>) =>
    (await program.send('GET', planted(ada.pgid), undefined, key)).status
  expect([await get(reading), await call('POST', reading), await call('DELETE', reading)]).toEqual([200, 403, 401])
  expect([await get(writing), await call('POST', writing), await call('DELETE', writing)]).toEqual([200, 200, 401])
  expect([await get(old), await call('POST', old)]).toEqual([200, 200])
  const refused = await program.send('POST', planted(ada.pgid), {}, reading)
  expect(refused.body).toMatchObject({ data: 'This API key may only read. Create one that may write.' })
  expect(await get({ authorization: 'Bearer parley_of_nobody_at_all' })).toBe(401)
  // anything around it
  const [, secret = ''] = String(reading.authorization).split(' ')
  for (const form of [
    'Basic KEY',
    'basic x Bearer KEY',
    'Bearer  KEY',
    'Bearer KEY, Bearer KEY',
    'Bearer KEY x',
    'KEY',
  ])
    expect(await get({ authorization: form.replaceAll('KEY', secret) }), form).toBe(401)
})

test('a key that ends works until then, and no longer', async () => {
  const program = await server.guest()
  const body = { name: 'For a week', expires_in_days: 7 as const }
  const { key, secret } = await ada.call(createApiKey, { params: { pgid: ada.pgid }, body })
  const get = async () =>
    (await program.send('GET', planted(ada.pgid), undefined, { authorization: `Bearer ${secret}` })).status
  expect(await get()).toBe(200)
  const ended = { expires_at: server.context.clock() }
  await server.context.db.updateTable('api_keys').set(ended).where('gid', '=', key.id).execute()
  expect(await get()).toBe(401)
})

test('a key acts in its own project alone, though its holder is in others', async () => {
  const bob = await server.register()
  const key = await keyOf(bob)
  const { id } = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', ada.pgid)
    .executeTakeFirstOrThrow()
  const user = await server.context.db
    .selectFrom('users')
    .select('id')
    .where('gid', '=', bob.user.ui)
    .executeTakeFirstOrThrow()
  await server.context.db
    .insertInto('project_members')
    .values({ project_id: id, user_id: user.id, roles: [1], created_at: new Date() })
    .execute()
  expect((await bob.send('GET', planted(ada.pgid))).status).toBe(200)
  expect((await (await server.guest()).send('GET', planted(ada.pgid), undefined, key)).status).toBe(404)
  expect((await (await server.guest()).send('GET', planted(bob.pgid), undefined, key)).status).toBe(200)
})

test('a webhook is taken when its bytes are signed with its secret, and never read otherwise', async () => {
  const sender = await server.guest()
  const send = (name: string, text: string, signature: string) =>
    sender.send('POST', `/api/planted-hooks/${name}`, text, { 'x-signature': signature })
  const sign = (text: string, secret: string, encoding: 'hex' | 'base64' = 'hex') =>
    `sha256=${createHmac('sha256', secret).update(text).digest(encoding)}`
  // whitespace counts: bytes are signed, not parsed values
  const text = '{ "text":"Grüße"  }'
  const taken = await send('known', text, sign(text, 'whsec'))
  expect(taken).toMatchObject({ status: 200, body: { data: { heard: 'Grüße' } } })
  for (const [name, body, signature] of [
    ['known', text, sign(text, 'another')],
    ['known', '{"text":"Grüße"}', sign(text, 'whsec')],
    ['known', text, sign(text, 'whsec').slice('sha256='.length)],
    ['known', text, sign(text, 'whsec', 'base64')],
    ['known', text, sign(text, 'whsec').slice(0, -2)],
    ['known', text, ''],
    ['unknown', text, sign(text, '')],
    ['empty', text, sign(text, '')],
    ['known', 'no json', sign(text, 'whsec')],
  ] as const)
    expect((await send(name, body, signature)).status, `${name} ${body} ${signature}`).toBe(401)
  expect((await send('known', 'no json', sign('no json', 'whsec'))).status).toBe(400)
  expect((await send('known', '{}', sign('{}', 'whsec'))).status).toBe(422)
})

test('a visitor is who holds the token, and a session is nobody there', async () => {
  const visitor = await server.guest()
  const call = (headers: Record<string, string>, query = '', by: Pick<Registered, 'send'> = visitor) =>
    by.send('POST', `/api/talks/one${query}`, {}, headers)
  expect((await call({ authorization: 'Bearer sesame' })).body.data).toEqual({ conversation: 'one of sesame' })
  expect((await call({})).status).toBe(404)
  expect((await call({}, '', ada)).status).toBe(404)
  expect((await call({ authorization: 'Basic sesame' })).status).toBe(404)
})
