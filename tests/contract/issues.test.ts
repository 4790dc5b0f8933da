import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { registry } from '../../blocks/registry'
import { createCountingIds } from '../../engine/flow/ids'
import { fieldLabel, firstProblem, messageOf, problemsOf } from '../../engine/values/issues'
import type { AnyRoute } from '../../server/access/register'
import { createChatbot } from '../../server/contracts/chatbots'
import { pathOf, type TestClient } from '../support/client'
import { type Offence, offencesOf } from '../support/offences'
import { sampleOf } from '../support/sample'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** What the library itself would say. */
const RAW = /invalid |too (big|small)|expected|received|unrecognized|nonoptional|must (start|end) with "|pattern/i

/** Every code of zod 4, provoked. */
const codes: Record<z.core.$ZodIssue['code'], [z.ZodType, unknown, string]> = {
  invalid_type: [z.object({ title: z.string() }), {}, 'Title: Required'],
  too_big: [
    z.object({ phrases: z.array(z.string()).max(1) }),
    { phrases: ['a', 'b'] },
    'Phrases: At most 1 are possible',
  ],
  too_small: [z.object({ name: z.string().min(3) }), { name: 'a' }, 'Name: Must have at least 3 characters'],
  invalid_format: [
    z.object({ owner_email: z.email() }),
    { owner_email: 'a' },
    'Owner email: Enter a valid email address',
  ],
  not_multiple_of: [z.object({ step: z.number().multipleOf(5) }), { step: 3 }, 'Step: Must be a multiple of 5'],
  unrecognized_keys: [z.strictObject({}), { colour: 1 }, 'There is no field “colour” here'],
  invalid_union: [
    z.object({ to: z.union([z.number(), z.object({ groupId: z.string() })]) }),
    { to: { groupId: 3 } },
    'To, group id: Enter a value',
  ],
  invalid_key: [
    z.object({ headers: z.record(z.string().max(2), z.string()) }),
    { headers: { abc: '1' } },
    'Headers, abc: Must not exceed 2 characters',
  ],
  invalid_element: [
    z.object({ tags: z.map(z.object({}), z.string().max(1)) }),
    { tags: new Map([[{}, 'bb']]) },
    'Tags: Must not exceed 1 characters',
  ],
  invalid_value: [z.object({ unit: z.enum(['days', 'hours']) }), { unit: 'x' }, 'Unit: Choose one of “days”, “hours”'],
  custom: [z.object({ saveTo: z.string().refine(() => false) }), { saveTo: 'x' }, 'Save to: This is not valid'],
}
test.each(Object.entries(codes))('%s is said in words, with the field', (code, [schema, value, words]) => {
  const issues = schema.safeParse(value).error?.issues ?? []
  expect(issues.map((issue) => issue.code)).toEqual([code])
  expect(firstProblem(issues)).toBe(words)
})

test.each([
  [z.string().max(5), 'abcdef', 'Must not exceed 5 characters'],
  [z.string().min(1), '', 'Required'],
  [z.string(), 7, 'Enter a value'],
  [z.url(), 'x', 'Enter a valid URL (must start with https:// or http://)'],
  [z.int(), 1.5, 'Enter a whole number'],
  [z.number().max(9), 10, 'Must be at most 9'],
  [z.number().gt(9), 9, 'Must be more than 9'],
  [z.array(z.int()).min(2), [1], 'Give at least 2'],
  [z.boolean(), 'x', 'Choose yes or no'],
  [z.union([z.literal(1), z.literal(2)]), 3, 'Choose one of “1”, “2”'],
  [z.union([z.string().max(3), z.array(z.string())]), 'abcd', 'Must not exceed 3 characters'],
  [z.string().startsWith('Bearer '), 'x', 'Must begin with “Bearer ”'],
  [z.literal('web'), 'x', 'Must be “web”'],
  [z.templateLiteral(['v', z.number()]), 'x', 'This is not valid'],
  [z.string('Give the name'), 7, 'Give the name'],
])('%# %j', (schema, value, message) => {
  expect(problemsOf(schema.safeParse(value).error?.issues ?? [])).toEqual([{ path: [], message }])
})

test('a place is told once, and the first problem says how many there are', () => {
  const schema = z.object({ name: z.string().min(3).regex(/^b/), url: z.url(), on: z.boolean() })
  const issues = schema.safeParse({ name: 'a', url: 'x' }).error?.issues ?? []
  expect(problemsOf(issues).map(({ path }) => path)).toEqual([['name'], ['url'], ['on']])
  expect(firstProblem(issues)).toBe('Name: Must have at least 3 characters (and 2 more)')
  expect(fieldLabel(['groups', 2, 'blocks', 0, 'data', 'saveTo'])).toBe(
    'Groups, entry 3, blocks, entry 1, data, save to',
  )
  expect(messageOf({ code: 'invalid_type', expected: 'nan', input: 1, path: [] })).toBe('This is not valid')
})

describe('blocks', () => {
  test.each(registry.kinds.map((definition) => [definition.kind, definition] as const))(
    'whatever is wrong in the data of %s is said in words, at its field',
    (_, { schema, defaults }) => {
      const offences = offencesOf(schema, JSON.parse(JSON.stringify(defaults(createCountingIds('i')))))
      expect(offences.length).toBeGreaterThan(0)
      for (const { at, value } of offences) {
        const issues = schema.safeParse(value).error?.issues ?? []
        for (const { message } of [...issues, ...problemsOf(issues)]) expect(message, at).not.toMatch(RAW)
        expect(firstProblem(issues), at).not.toMatch(RAW)
      }
    },
  )
})

/** Its body is read once the signature is known to be right: what is wrong with it is told to nobody else. */
const isSigned = ({ access }: Pick<AnyRoute, 'access'>) => typeof access === 'object' && 'signature' in access

describe('routes', () => {
  const modules = import.meta.glob<Record<string, unknown>>('../../server/contracts/*.ts', { eager: true })
  const routes = Object.values(modules).flatMap((module) => Object.values(module).filter(isRoute))
  const provoked = new Set<string>()
  let server: TestServer
  let owner: Registered
  let ids: Record<string, string>
  // some seconds lie between two calls: how many somebody may make in a minute is no matter here
  let now = Date.now()
  const send = (client: TestClient, ...call: Parameters<TestClient['send']>) => {
    now += 3_000
    return client.send(...call)
  }
  beforeAll(async () => {
    server = await startTestServer({ clock: () => new Date(now) })
    owner = await server.register()
    const { pgid } = owner
    const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Tested' } })
    const places = {
      version: '9',
      turn: '9',
      step: '9',
      seq: '9',
      job: '9',
      conversation: 'c'.repeat(16),
      gid: 'f'.repeat(16),
      broadcast: 'f'.repeat(16),
    }
    ids = { pgid, cgid: chatbot.gid, fid: chatbot.fid, slug: chatbot.slug, mgid: places.gid, ...places }
  })
  afterAll(() => server.close())

  test.each(routes.filter(({ method }) => method !== 'GET').map((route) => [`${route.method} ${route.path}`, route]))(
    '%s says what is wrong with its body in words, at the field',
    async (_, route) => {
      const offences = offencesOf(route.body, sampleOf(route.body)).flatMap((offence) => sendable(offence, route.body))
      const told = new Set<string>()
      const client = route.access === 'guest' ? await server.guest() : owner
      for (const { at, value } of offences) {
        const issues = route.body.safeParse(value).error?.issues ?? []
        // one of each sort is sent: the same rule at the same field says the same
        const sort = JSON.stringify(issues.map(({ code, path, message }) => [code, path, message]))
        if (told.has(sort)) continue
        told.add(sort)
        for (const { code } of issues) provoked.add(code)
        const path = `${pathOf(route.path, ids)}${queryOf(route)}`
        const { status, body } = await send(client, route.method, path, value)
        if (!route.path.includes(':pgid') && (status === 404 || (isSigned(route) && status === 401))) continue
        expect([status, body.code], at).toEqual([422, 'invalid'])
        const { message, fields } = body.data as { message: string; fields: Record<string, string> }
        const [field = '', first] = Object.entries(fields)[0] ?? []
        for (const said of [message, ...Object.values(fields)]) expect(said, at).not.toMatch(RAW)
        expect(message, at).toContain(first)
        expect(message, at).toContain(
          fieldLabel(field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))),
        )
      }
    },
  )

  test.each(routes.map((route) => [`${route.method} ${route.path}`, route]))(
    '%s says what is wrong with its query in words',
    async (_, route) => {
      const offences = offencesOf(route.query, sampleOf(route.query)).filter(({ value }) => isQuery(value))
      const client = route.access === 'guest' ? await server.guest() : owner
      const wanted = sampleOf(route.body)
      for (const { at, value } of offences) {
        const query = new URLSearchParams(Object.entries(value as object).map(([name, text]) => [name, String(text)]))
        if (route.query.safeParse(Object.fromEntries(query)).success) continue
        const sent = route.method === 'GET' ? undefined : wanted
        const { status, text } = await send(client, route.method, `${pathOf(route.path, ids)}?${query}`, sent)
        if (status === 404 || status === 415 || (isSigned(route) && status === 401)) continue
        expect(status, at).toBe(422)
        expect(text, at).not.toMatch(/too (big|small)|expected|received|unrecognized/i)
      }
    },
  )

  test('every code that their schemas can bring up was brought up', () => {
    expect([...provoked].sort()).toEqual(
      expect.arrayContaining([
        'custom',
        'invalid_format',
        'invalid_type',
        'invalid_union',
        'invalid_value',
        'too_big',
        'too_small',
        'unrecognized_keys',
      ]),
    )
  })
})

function isRoute(value: unknown): value is AnyRoute {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

/** As it arrives: what JSON can't say is not there, and what is above the server's limit never reaches the schema. */
function sendable({ at, value }: Offence, schema: z.ZodType): Offence[] {
  if (typeof value !== 'object' || value === null) return []
  const text = JSON.stringify(value)
  const arrived = JSON.parse(text)
  return text.length < 900_000 && !schema.safeParse(arrived).success ? [{ at, value: arrived }] : []
}

const isQuery = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => typeof each !== 'object' && each !== undefined)

function queryOf(route: AnyRoute): string {
  const query = new URLSearchParams(
    Object.entries(sampleOf(route.query) as Record<string, unknown>).map(([name, value]) => [name, String(value)]),
  ).toString()
  return query && `?${query}`
}
