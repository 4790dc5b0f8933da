import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AnyRoute, registerRoute } from '../../server/access/register'
import { rolesOf } from '../../server/access/roles'
import { createChatbot } from '../../server/contracts/chatbots'
import { API_PATH } from '../../server/contracts/publicApi'
import { defineRoute, ok } from '../../server/contracts/route'
import { pathOf, type TestClient } from '../support/client'
import { createTestClock } from '../support/clock'
import { type JsonSchema, jsonSchemaOf, sample } from '../support/sample'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { streams } from './tenancy/known'

/** Every route there is, from its contract: a new one is tested here by being written down there. */
const modules = import.meta.glob<Record<string, unknown>>('../../server/contracts/*.ts', { eager: true })
const routes = Object.values(modules).flatMap((module) => Object.values(module).filter(isRoute))
const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const)

/** Lists that a call always gives, and that say something when they are empty: other ways to ask there are none of, for instance. */
const mayBeEmpty = new Set([
  'chosen',
  'allowed',
  'examples',
  'fills',
  'buttons',
  'phrasings',
  'before',
  'role_map',
  'words',
  'query',
  'headers',
  'redact',
  'within',
  'cells',
  'fields',
  'links',
  'show',
  'tags',
])

const registered: RouteOptions[] = []
const clock = createTestClock()
let server: TestServer
let owner: Registered
let stranger: Registered
/** by role number, a member of the owner's project with that role alone */
const members = new Map<number, Registered>()
let ids: Record<string, string>
let strangers: Record<string, string>

beforeAll(async () => {
  server = await startTestServer({ clock, onRoute: (route) => registered.push(route) })
  owner = await server.register()
  stranger = await server.register()
  ids = await idsOf(owner)
  strangers = await idsOf(stranger)
  const { id } = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', owner.pgid)
    .executeTakeFirstOrThrow()
  for (const role of [1, 2, 3, 4, 5, 6]) {
    const member = await server.register()
    const user = server.context.db.selectFrom('users').select('id').where('gid', '=', member.user.ui)
    await server.context.db
      .insertInto('project_members')
      .values({
        project_id: id,
        user_id: (await user.executeTakeFirstOrThrow()).id,
        roles: [role],
        created_at: new Date(),
      })
      .execute()
    members.set(role, member)
  }
})
afterAll(() => server.close())

async function idsOf(person: Registered): Promise<Record<string, string>> {
  const { chatbot } = await person.call(createChatbot, { params: { pgid: person.pgid }, body: { name: 'Tested' } })
  const conversation = 'c'.repeat(16)
  const gid = 'f'.repeat(16)
  const { pgid } = person
  // a version, a turn, a step and a message that are not there
  const places = { version: '99', turn: '99', step: '99', seq: '99', job: '99' }
  const known = { pgid, cgid: chatbot.gid, fid: chatbot.fid, slug: chatbot.slug, token: 't'.repeat(16) }
  return { ...known, project: gid, conversation, gid, mgid: gid, connection: gid, broadcast: gid, ...places }
}

function isRoute(value: unknown): value is AnyRoute {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

const isOfApi = (url: string) => url.startsWith(`${API_PATH}/`)

test('what is registered below /api and /files, for proxies and authorities, and the probes, is what the contracts say', () => {
  const isOurs = ({ url, method }: RouteOptions) =>
    /^\/(?:(?:api|files|healthz|readyz|metrics|internal)\b|\.well-known\/)/.test(url) &&
    method !== 'HEAD' &&
    !isOfApi(url)
  const contracts = registered.filter(isOurs).map(({ config }) => config?.contract)
  expect(new Set(contracts)).toEqual(new Set(routes))
})

test('the public API has operations, which keys are admitted to, their description, and the answer for what is none', () => {
  const others = registered.filter(({ url, config }) => isOfApi(url) && !config?.operation)
  expect(new Set(others.map(({ url }) => url))).toEqual(new Set([`${API_PATH}/openapi.json`, `${API_PATH}/*`]))
})

test('a route without a rule of access, or with one that roles map or plans lack, is refused at the start', () => {
  const register =
    (access: unknown, more: Partial<AnyRoute> = {}) =>
    () => {
      const route = defineRoute({ method: 'GET', path: '/api/x', access: 'user', answer: ok })
      registerRoute(server.app, server.context, { ...route, ...(more as object), access: access as 'user' }, () => ({}))
    }
  expect(register(undefined)).toThrow('GET /api/x has no access rule')
  expect(register({ feature: 'builder.fly' })).toThrow("builder.fly, which the roles map doesn't have")
  expect(register({ feature: 'builder.view' }, { plan: 'flying' })).toThrow('flying of a plan')
  expect(register('user', { plan: 'api' })).toThrow('api of a plan: it names no project')
  expect(register('public', { limit: { by: 'user', most: 1 } })).toThrow('counts the calls of accounts, and has none')
})

/** Calls that are signed have neither a session nor a body before the signature: server/access/strategies.test.ts. */
const isSigned = ({ access }: AnyRoute) => typeof access === 'object' && 'signature' in access
/** What identity providers add to is not to be refused (RFC 6749, 4.1.2). */
const takesAnyQuery = ({ path }: AnyRoute) => path === '/api/sign-on/:project/callback'
/** What a mail program sends as well (RFC 8058). */
const takesForms = ({ path }: AnyRoute) =>
  path.endsWith('/mails/:token/unsubscribe') || path.startsWith('/api/weekly-mails/')

describe.each(named.filter(([, route]) => !isSigned(route)))('%s', (_, route) => {
  const send = (
    client: TestClient,
    params: Record<string, string>,
    body: unknown = {},
    headers?: Record<string, string>,
  ) => {
    // slower than any limit of a minute: limits.test.ts counts
    clock.pass(3)
    // a stream that is let in has no end: this one is refused for its query
    const isEndless = streams.has(`${route.method} ${route.path}`) && !route.path.includes(':conversation')
    const query = isEndless ? '?unknown=1' : requiredQuery(route)
    return client.send(
      route.method,
      pathOf(route.path, params) + query,
      route.method === 'GET' ? undefined : body,
      headers,
    )
  }
  const inPath = (name: string) => route.path.includes(`:${name}`)
  const own = () =>
    ['guest', 'public', 'visitor'].includes(String(route.access)) ? server.guest() : Promise.resolve(owner)

  test.runIf(typeof route.access === 'object' || route.access === 'user' || route.access === 'operator')(
    'is closed to who is not logged in',
    async () => {
      expect(await send(await server.guest(), ids)).toMatchObject({
        status: 401,
        body: { success: false, code: 'unauthenticated' },
      })
      // nor is what he sends read
      if (route.method !== 'GET') expect((await send(await server.guest(), ids, '{broken')).status).toBe(401)
    },
  )

  test.runIf(route.method !== 'GET' && !['public', 'visitor'].includes(String(route.access)))(
    'wants the XSRF token',
    async () => {
      expect(await send(await own(), ids, {}, { 'x-xsrf-token': 'forged' })).toMatchObject({
        status: 419,
        body: { success: false },
      })
    },
  )

  // the first account runs the installation; it owns the project of the others' roles, too
  test.runIf(route.access === 'operator')('is not there for who does not run the installation', async () => {
    const absent = { status: 404, body: { success: false, code: 'not_found' } }
    for (const person of [stranger, ...members.values()]) {
      expect(await send(person, ids)).toMatchObject(absent)
      if (route.method !== 'GET') expect(await send(person, ids, '{broken')).toMatchObject(absent)
    }
  })

  test.runIf(inPath('pgid'))("knows nothing of another project's ids", async () => {
    const absent = await send(stranger, { ...ids, pgid: 'a'.repeat(16) })
    expect(absent).toMatchObject({ status: 404, body: { success: false, code: 'not_found' } })
    expect((await send(stranger, ids)).text).toBe(absent.text)
    if (route.method !== 'GET') expect((await send(stranger, ids, '{broken')).text).toBe(absent.text)
    const schema = jsonSchemaOf(route.body)
    // a body without a schema is a file
    const isJson = schema.type ?? schema.oneOf ?? schema.anyOf
    const headers = isJson ? undefined : { 'content-type': 'application/octet-stream' }
    for (const name of ['cgid', 'fid'].filter(inPath)) {
      const mixed = await send(stranger, { ...strangers, [name]: ids[name] ?? '' }, sample(schema), headers)
      expect(mixed, `a foreign ${name}`).toMatchObject({ status: 404, text: absent.text })
    }
  })

  test.runIf(inPath('pgid'))('finds nothing under an id that is none', async () => {
    for (const name of ['pgid', 'cgid', 'fid'].filter(inPath)) {
      for (const id of ['1', "'; drop table users; --", '%00', 'A'.repeat(90)]) {
        expect((await send(owner, { ...ids, [name]: id })).status, `${name} ${id}`).toBe(404)
      }
    }
  })

  const { feature } = typeof route.access === 'object' && 'feature' in route.access ? route.access : {}
  test.runIf(feature)('asks the role', async () => {
    // an unknown field stops an allowed call before it does anything; where the body names the project it has to be a valid one
    const body = inPath('pgid') ? { unknown: 1 } : { ...(sample(jsonSchemaOf(route.body)) as object), pgid: ids.pgid }
    for (const [role, member] of members) {
      const { status } = await send(member, ids, body)
      const allowed = (rolesOf(feature ?? 'never.ever') as readonly number[]).includes(role)
      if (allowed) expect([200, 404, 422], `role ${role}`).toContain(status)
      else expect(status, `role ${role}`).toBe(403)
    }
  })

  test.runIf(route.method !== 'GET')(
    'refuses fields that are missing, unknown, too long or of a wrong type',
    async () => {
      const client = await own()
      const schema = jsonSchemaOf(route.body)
      const valid = sample(schema) as Record<string, unknown>
      const refuse = async (body: unknown, field: string) => {
        const { status, body: answer } = await send(client, ids, body)
        const said = JSON.stringify(body).slice(0, 200)
        expect(status, said).toBe(422)
        const { fields } = z.object({ fields: z.record(z.string(), z.string()) }).parse(answer.data)
        expect(
          Object.keys(fields).some((path) => path === field || path.startsWith(`${field}.`)),
          `${said} ${JSON.stringify(fields)}`,
        ).toBe(true)
      }
      await refuse({ ...valid, surplus: true }, '')
      for (const wrong of [[], 'text', 7]) expect((await send(client, ids, JSON.stringify(wrong))).status).toBe(422)
      for (const [field, property] of Object.entries(schema.properties ?? {})) {
        if (schema.required?.includes(field)) {
          const { [field]: _gone, ...rest } = valid
          await refuse(rest, field)
        }
        for (const wrong of [7, [[]], { a: 1 }].filter((value) => !accepts(property, value))) {
          await refuse({ ...valid, [field]: wrong }, field)
        }
        // bodies above the server's limit are tested below
        const most = property.maxLength
        if (most !== undefined && most < 1_000_000) await refuse({ ...valid, [field]: 'x'.repeat(most + 1) }, field)
      }
    },
  )

  test.runIf(route.method !== 'GET')('refuses an empty list where none is meant by it', async () => {
    const schema = jsonSchemaOf(route.body)
    const lists = Object.entries(schema.properties ?? {}).filter(
      ([field, { type }]) => type === 'array' && schema.required?.includes(field) && !mayBeEmpty.has(field),
    )
    const client = await own()
    for (const [field] of lists) {
      const { status, body } = await send(client, ids, { ...(sample(schema) as object), [field]: [] })
      expect(status, field).toBe(422)
      const { fields } = z.object({ fields: z.record(z.string(), z.string()) }).parse(body.data)
      // in words, not in the schema's
      expect(fields[field], field).toMatch(/^(?:Choose|Enter|Give|Name) /)
    }
  })

  // a route with a limit of its own may say in words what is too long
  test.runIf(!route.bodyLimit)('takes no text without an end', () => {
    expect(endless(jsonSchemaOf(route.body), 'body')).toEqual([])
  })

  test.skipIf(takesAnyQuery(route))('takes no unknown query', async () => {
    const given = requiredQuery(route)
    const path = `${pathOf(route.path, ids)}${given === '' ? '?' : `${given}&`}surplus=1`
    const client = await own()
    const body = typeof route.access === 'object' && !inPath('pgid') ? { pgid: ids.pgid } : {}
    const { status } = await client.send(route.method, path, route.method === 'GET' ? undefined : body)
    expect(status).toBe(422)
  })

  test.runIf(route.method !== 'GET' && !route.bodyLimit)(
    'reads no body above 1 MiB, and no other than JSON',
    async () => {
      const client = await own()
      expect(await send(client, ids, { name: 'x'.repeat(1024 * 1024) })).toMatchObject({
        status: 413,
        body: { code: 'too_large' },
      })
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        if (type.includes('urlencoded') && takesForms(route)) continue
        expect((await send(client, ids, 'name=x', { 'content-type': type })).status, type).toBe(415)
      }
      for (const broken of ['{', '{"name":', 'null x', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}']) {
        const { status, body } = await send(client, ids, broken)
        expect({ status, body }, broken).toMatchObject({ status: 400, body: { success: false } })
      }
    },
  )
})

/** What a call can't leave out of its query, with the question mark. */
function requiredQuery(route: AnyRoute): string {
  const values = Object.entries(sample(jsonSchemaOf(route.query)) as Record<string, unknown>)
  return values.length === 0 ? '' : `?${new URLSearchParams(values.map(([name, value]) => [name, String(value)]))}`
}

function accepts(schema: JsonSchema, value: unknown): boolean {
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return choices.some((choice) => accepts(choice, value))
  if (Array.isArray(value)) return schema.type === 'array'
  if (typeof value === 'number')
    return schema.type === 'integer' || (schema.type === 'number' && value <= (schema.maximum ?? value))
  return schema.type === typeof value && schema.properties === undefined
}

/** Paths of texts that have neither a longest length nor a pattern. */
function endless(schema: JsonSchema, path: string): string[] {
  if (schema.type === 'string') {
    return schema.maxLength === undefined && !schema.pattern && !schema.enum && schema.const === undefined ? [path] : []
  }
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => endless(property, `${path}.${name}`)),
    ...(schema.items ? endless(schema.items, `${path}[]`) : []),
    ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((choice) => endless(choice, path)),
  ]
}
