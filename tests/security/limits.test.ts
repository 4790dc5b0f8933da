import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyRoute } from '../../server/access/register'
import { createChatbot } from '../../server/contracts/chatbots'
import { pathOf, type TestClient } from '../support/client'
import { createTestClock } from '../support/clock'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** Every route that its contract bounds: a new one is tested here by being written down there. */
const contracts = import.meta.glob<Record<string, unknown>>('../../server/contracts/*.ts', { eager: true })
const routes = Object.values(contracts).flatMap((contract) => Object.values(contract).filter(isRoute))
const named = (some: AnyRoute[]) => some.map((route) => [`${route.method} ${route.path}`, route] as const)

const clock = createTestClock(new Date().toISOString())
let server: TestServer
let owner: Registered
let params: Record<string, string>
beforeAll(async () => {
  server = await startTestServer({ clock, config: { chatStartsPerMinute: 5 } })
  owner = await server.register()
  const { chatbot } = await owner.call(createChatbot, { params: { pgid: owner.pgid }, body: { name: 'Tested' } })
  params = {
    pgid: owner.pgid,
    cgid: chatbot.gid,
    fid: chatbot.fid,
    slug: chatbot.slug,
    gid: 'f'.repeat(16),
    conversation: 'c'.repeat(16),
  }
})
afterAll(() => server.close())

function isRoute(value: unknown): value is AnyRoute {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

/** A call whose body can't even be read. */
const send = (client: TestClient, route: AnyRoute, address: string) =>
  client.send(route.method, pathOf(route.path, params), route.method === 'GET' ? undefined : '{broken', {
    'x-forwarded-for': address,
  })

let addresses = 0
test.each(named(routes.filter(({ limit }) => limit)))('%s is taken as often as it says', async (_, route) => {
  const { by, most, seconds = 60 } = route.limit as NonNullable<AnyRoute['limit']>
  // several routes may share one count
  clock.pass(seconds)
  const own = `203.0.113.${++addresses}`
  const client = ['public', 'guest', 'visitor'].includes(String(route.access)) ? await server.guest() : owner
  const times = typeof most === 'number' ? most : server.context.config[most]
  for (let n = 0; n < times; n++) expect((await send(client, route, own)).status).not.toBe(429)
  const refused = await send(client, route, own)
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // from another address the same account is the same caller, and a stranger another
  expect((await send(client, route, `198.51.100.${addresses}`)).status === 429).toBe(by === 'user')
})

test.each(named(routes.filter(({ plan }) => plan)))(
  '%s is refused without its feature of the plan',
  async (_, route) => {
    const plan = (plan_id: string) =>
      server.context.db.updateTable('projects').set({ plan_id }).where('gid', '=', owner.pgid).execute()
    await plan('free')
    // before the body is read
    expect(await send(owner, route, '203.0.113.200')).toMatchObject({ body: { code: 'plan_limit' } })
    await plan('self-hosted')
    expect((await send(owner, route, '203.0.113.200')).body.code).not.toBe('plan_limit')
  },
)
