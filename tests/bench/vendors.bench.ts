import { afterAll, beforeAll, bench } from 'vitest'
import { hubspotRecordDefaults } from '../../blocks/hubspot-record/schema'
import type { Flow } from '../../engine/flow/schema'
import { beginConnection, finishConnection } from '../../server/contracts/integrations'
import { createVendorCaller } from '../../server/modules/integrations/calls/callVendor'
import { waitByTimer } from '../../server/modules/integrations/calls/pace'
import { createVendorFetch } from '../../server/modules/integrations/calls/vendorFetch'
import type { VendorCall } from '../../server/modules/integrations/defineVendor'
import { hubspotCrm } from '../../server/modules/integrations/hubspot/records'
import { hubspot as vendor } from '../../server/modules/integrations/hubspot/vendor'
import { parseConfig } from '../../server/platform/config/config'
import { type HubspotStandIn, startHubspotStandIn } from '../../server/sandbox/hubspot/hubspot'
import { flowAround } from '../support/conversations'
import { createCaller } from '../support/httpCaller'
import { insertPublishedFlow } from '../support/publishedFlow'
import { type RedisServer, startRedisServer } from '../support/redisServer'
import { startTestServer, type TestServer } from '../support/server'
import { consent } from '../support/vendors/consent'

/**
 * A thousand visitors at once, each of whom becomes a contact in HubSpot, whose stand-in limits calls as HubSpot does, in real time: how
 * long it takes against the least time that the limit allows, how many calls were refused, and what the event loop was held meanwhile.
 * Beside it the same client without its queue, as a program would be that only obeys refusals. VISITORS=100 for a first look;
 * REDIS=1 has places counted by a Redis, as several processes have them.
 */
const VISITORS = Number(process.env.VISITORS ?? 1_000)
/** HubSpot's own for an app, which the stand-in has, and says with each answer. */
const LIMIT = { most: 110, seconds: 10 }
/** The least time is given up on after so many times of it. */
const PATIENCE = 4
const once = { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 }

const settingsOf = ({ client, origin }: HubspotStandIn) =>
  parseConfig({
    HUBSPOT_CLIENT_ID: client.id,
    HUBSPOT_CLIENT_SECRET: client.secret,
    HUBSPOT_APP_URL: origin,
    HUBSPOT_API_URL: origin,
  })
const clock = () => new Date()
const emailOf = (visitor: number) => `visitor-${visitor}@example.com`

let hubspot: HubspotStandIn
let redis: RedisServer | null = null
let server: TestServer
let slug: string

beforeAll(async () => {
  hubspot = await startHubspotStandIn({ clock, limited: true })
  const { vendors } = settingsOf(hubspot)
  redis = process.env.REDIS ? await startRedisServer() : null
  const config = { vendors, chatStartsPerMinute: 0, chatMessagesPerMinute: 0, redisUrl: redis?.url ?? null }
  server = await startTestServer({ config })
  const owner = await server.register()
  const body = { vendor: 'hubspot', return_to: '' } as const
  const { url } = await owner.call(beginConnection, { params: { pgid: owner.pgid }, body })
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const { connection } = await owner.call(finishConnection, { body: { vendor: 'hubspot', state, code } })
  if (!connection) throw new Error('HubSpot could not be connected')
  const { db } = server.context
  const { id } = await db.selectFrom('projects').select('id').where('gid', '=', owner.pgid).executeTakeFirstOrThrow()
  slug = 'leads'
  await insertPublishedFlow(db, flowToContact(connection.gid), slug, {}, id)
}, 60_000)
afterAll(async () => {
  await server.close()
  await hubspot.close()
  await redis?.close()
})

/** Asks nothing: what the page knows of the visitor becomes a contact. */
function flowToContact(connection: string): Flow {
  const data = {
    ...hubspotRecordDefaults(),
    connection,
    findValue: { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'email' }] },
  }
  return flowAround('hubspot-record', data, { email: null })
}

bench(
  'visitors who become contacts',
  async () => {
    const { call, close } = createCaller(server.url, VISITORS)
    const measured = measure(hubspot)
    let again = 0
    // a project has 200 conversations that wait for others outside; who is refused asks again, as the chat page does
    async function start(visitor: number): Promise<void> {
      const body = { client_id: `visitor-${visitor}`, variables: { email: emailOf(visitor) } }
      for (;;) {
        try {
          await call(`/api/chat/${slug}/conversations`, body)
          return
        } catch (error) {
          if (!/: 503 |ECONNRESET|socket hang up/.test(String(error))) throw error
          again += 1
          await waitByTimer(1_000 + 1_000 * (again % 3))
        }
      }
    }
    await Promise.all(Array.from({ length: VISITORS }, (_, visitor) => start(visitor)))
    const answered = measured.seconds()
    while (hubspot.all('contacts').length < VISITORS && measured.seconds() < PATIENCE * measured.least())
      await waitByTimer(50)
    measured.print(
      'Parley, by its chat',
      `all starts answered within ${answered.toFixed(1)} s, ${again} asked again (503)`,
    )
    close()
  },
  once,
)

bench(
  'the same client without its queue',
  async () => {
    const bare = await startHubspotStandIn({ clock, limited: true })
    const config = settingsOf(bare)
    const paces = { take: async () => ({ leave() {}, allow() {}, hold() {} }) }
    const callVendor = createVendorCaller({ clock }, { fetch: createVendorFetch({ config }), paces, wait: waitByTimer })
    const access = { access: bare.issue().accessToken ?? '', host: null }
    const entrance = { key: 'bare', tokens: async () => access, renew: async () => access }
    const call: VendorCall = (request) => callVendor(vendor, entrance, request)
    const account = { connection: 'bare', id: '1', host: null }
    const contacts = hubspotCrm.open({ call, settings: config.vendors, object: 'contact', account })
    const measured = measure(bare)
    const given = await Promise.allSettled(
      Array.from({ length: VISITORS }, async (_, at) => {
        if (await contacts.find({ by: 'email', value: emailOf(at) })) return
        await contacts.create([{ name: 'email', value: emailOf(at) }], [])
      }),
    )
    const lost = given.filter(({ status }) => status === 'rejected').length
    measured.print('without the queue', `${lost} gave up`)
    await bare.close()
  },
  once,
)

/** Begins to measure what is done at a stand-in. */
function measure(standIn: HubspotStandIn) {
  const first = standIn.calls.length
  const from = performance.now()
  const cpu = process.cpuUsage()
  let worst = 0
  let last = from
  const pulse = setInterval(() => {
    worst = Math.max(worst, performance.now() - last - 20)
    last = performance.now()
  }, 20)
  const seconds = () => (performance.now() - from) / 1_000
  /** each looks for its contact, and creates it */
  const least = () => (Math.ceil((VISITORS * 2) / LIMIT.most) - 1) * LIMIT.seconds

  return {
    seconds,
    least,
    print(name: string, more: string): void {
      const took = seconds()
      clearInterval(pulse)
      const { user, system } = process.cpuUsage(cpu)
      const calls = standIn.calls.slice(first)
      const refused = calls.filter(({ status }) => status === 429).length
      console.info(
        [
          `${name}: ${standIn.all('contacts').length} of ${VISITORS} visitors became contacts in ${took.toFixed(1)} s; ${more}`,
          `  least time that ${LIMIT.most} calls in ${LIMIT.seconds} s allow: ${least()} s, ratio ${(took / least()).toFixed(2)}`,
          `  ${calls.length} calls, ${refused} of them refused as too many (429)`,
          `  event loop held at most ${Math.round(worst)} ms, CPU of both sides ${((user + system) / 1e6).toFixed(1)} s`,
        ].join('\n'),
      )
    },
  }
}
