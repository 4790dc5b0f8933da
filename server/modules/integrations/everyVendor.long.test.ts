import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../../engine/values/json'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import { writeContext } from '../../../tests/support/effects'
import { calendlyContract } from '../../../tests/support/vendors/calendly/startCalendly'
import { hasContracts } from '../../../tests/support/vendors/contract'
import { readGoogleContract } from '../../../tests/support/vendors/google/startGoogle'
import { hubspotContract } from '../../../tests/support/vendors/hubspot/startHubspot'
import { ourCalls } from '../../../tests/support/vendors/ourCalls'
import { salesforceContract } from '../../../tests/support/vendors/salesforce/startSalesforce'
import { sendgridContract, startSendgrid } from '../../../tests/support/vendors/sendgrid/startSendgrid'
import { startVendorWrites, type VendorWrite } from '../../../tests/support/vendors/vendorWrites'
import { zendeskContract } from '../../../tests/support/vendors/zendesk/startZendesk'
import { addFeed, listFeeds } from '../../contracts/feeds'
import { checkConnection, disconnect, listChoices } from '../../contracts/integrations'
import { listSources } from '../../contracts/sources'
import { createSendgrid } from '../../platform/mail/sendgrid'
import type { RecordedCall } from '../../sandbox/call'
import type { FaultKind } from '../../sandbox/faults'
import { calendly } from './calendly/vendor'
import { createIntegrations, type Integrations } from './createIntegrations'
import { listArticles } from './salesforce/articles'
import { salesforce } from './salesforce/vendor'

/** All vendors alike: what they answer that can't be used, and each call that is made of them. */
const clock = createTestClock('2026-11-23T10:00:00Z')
/** An answer that is late is waited for so long here, in ms: the stand-in's waits for the clock. */
const TIMEOUT = 400
let vendors: Awaited<ReturnType<typeof startVendorWrites>>
let parts: Integrations
let words = 0

beforeAll(async () => {
  vendors = await startVendorWrites({ clock })
  parts = createIntegrations(vendors.server.context, {
    wait: async (ms) => clock.pass(ms / 1_000),
    timeoutMs: TIMEOUT,
  })
})
afterAll(() => vendors.close())
beforeEach(() => {
  for (const { faults } of Object.values(vendors.standIns)) faults.clear()
  clock.pass(61)
})

async function prepare(write: VendorWrite): Promise<string> {
  const word = `word-${++words}`
  await write.prepare?.(word)
  return word
}
const answer = (effect: VendorWrite['effect'], request: Json, key = `call-${++words}`): Promise<Json> =>
  parts[effect].answer(request, writeContext(vendors.projectId, key))
const make = (write: VendorWrite, word: string, key?: string) =>
  answer(write.effect, write.request(word), key) as Promise<{ ok: boolean; error?: string }>

const bad: [FaultKind, RegExp][] = [
  ['html', /answered something that can’t be read\. Try again later\./],
  ['halfJson', /answered something that can’t be read\. Try again later\./],
  ['slow', /No full response within .* s\./],
]

test.each(bad)(
  'no answer that is one (%s): each write fails with what to do, and is done once at most',
  async (fault, said) => {
    for (const write of vendors.writes) {
      const word = await prepare(write)
      const standIn = vendors.standIns[write.vendor]
      standIn.fail({ on: '*', with: fault, times: 99, seconds: 30 })
      const failed = await make(write, word, write.name + word)
      // HubSpot's refusal of a second contact names the first one
      const isKnown = failed.ok && write.effects(word) === 1 && write.name.endsWith('a contact')
      if (!isKnown)
        expect.soft(failed, `${write.name}, ${fault}`).toMatchObject({ ok: false, error: expect.stringMatching(said) })
      standIn.faults.clear()
      // what is late arrives now
      const late = standIn.calls.length
      clock.pass(31)
      await expect.poll(() => standIn.calls.slice(0, late).every(({ status }) => status !== null)).toBe(true)
      expect.soft(write.effects(word), `${write.name}, ${fault}`).toBeLessThanOrEqual(1)
      expect.soft(await make(write, word, write.name + word), `${write.name}, ${fault}`).toMatchObject({ ok: true })
      expect.soft(write.effects(word), `${write.name}, ${fault}, made again`).toBe(1)
    }
  },
)

test.each(bad.filter(([fault]) => fault !== 'slow'))(
  'no answer that is one (%s): each list of a form says so',
  async (fault, said) => {
    for (const { vendor, list, within } of lists()) {
      vendors.standIns[vendor].fail({ on: '*', with: fault, times: 99 })
      const { problem } = await choices(vendor, list, within)
      expect.soft(problem, `${vendor}: ${list}`).toMatch(said)
      vendors.standIns[vendor].faults.clear()
    }
  },
)

type Name = VendorWrite['vendor']
interface List {
  vendor: Name
  list: string
  within: string[]
}
const lists = (): List[] => [
  { vendor: 'google', list: 'spreadsheets', within: [] },
  { vendor: 'hubspot', list: 'properties', within: ['ticket'] },
  { vendor: 'salesforce', list: 'properties', within: ['contact'] },
  ...['fields', 'groups', 'brands', 'ticket-forms'].map((list) => ({ vendor: 'zendesk' as const, list, within: [] })),
  { vendor: 'calendly', list: 'event-types', within: [] },
]
const choices = (vendor: Name, list: string, within: string[]) =>
  vendors.owner.call(listChoices, {
    params: { pgid: vendors.owner.pgid, gid: vendors.connections[vendor] },
    body: { list, within, search: '', reload: true } as never,
  })

test('what is not the vendor’s answer has broken no connection', async () => {
  const { db } = vendors.server.context
  const broken = await db.selectFrom('connections').select('vendor').where('problem', 'is not', null).execute()
  expect(broken).toEqual([])
})

test.skipIf(!hasContracts)(
  'each call that the product makes is made here, and kept to the vendor’s contract',
  async () => {
    const { standIns, owner, connections, server } = vendors
    const sendgrid = await startSendgrid({ clock })
    const seen: Record<keyof typeof ourCalls, RecordedCall[]> = {
      ...{ google: standIns.google.calls, hubspot: standIns.hubspot.calls, salesforce: standIns.salesforce.calls },
      ...{ zendesk: standIns.zendesk.calls, calendly: standIns.calendly.calls, sendgrid: sendgrid.calls },
    }
    for (const write of vendors.writes)
      expect(await make(write, await prepare(write)), write.name).toMatchObject({ ok: true })
    for (const { vendor, list, within } of lists())
      expect(await choices(vendor, list, within), list).toMatchObject({ problem: null })
    for (const [vendor, gid] of Object.entries(connections))
      expect(await owner.call(checkConnection, { params: { pgid: owner.pgid, gid } }), vendor).toMatchObject({
        connection: { problem: null },
      })

    await getRow()
    await findRecords()
    await readTicket()
    await bookAndAsk()
    await followArticles()
    const deliver = createSendgrid(
      {
        ...{ apiKey: sendgrid.key, apiUrl: sendgrid.origin, webhookKey: null },
        mailFrom: { name: 'Parley', address: 'bot@example.com' },
      },
      clock,
    )
    const mail = {
      to: ['eve@example.com'],
      cc: [],
      bcc: [],
      replyTo: [],
      fromName: 'Acme',
      subject: 'Hi',
      html: 'Hi',
      text: 'Hi',
    }
    await deliver({ ...mail, messageId: '<1@example.com>', id: '1' } as never, new AbortController().signal)
    // tokens that have run out, and those that nobody needs any more
    clock.pass(100_000)
    for (const gid of Object.values(connections))
      await owner.call(checkConnection, { params: { pgid: owner.pgid, gid } })
    for (const gid of Object.values(connections))
      await owner.call(disconnect, { params: { pgid: owner.pgid, gid }, body: { confirmed: true } })
    await sendgrid.close()

    const contracts = {
      ...{ google: readGoogleContract(), hubspot: hubspotContract(), salesforce: salesforceContract() },
      ...{ zendesk: zendeskContract(), calendly: calendlyContract(), sendgrid: sendgridContract() },
    }
    for (const vendor of Object.keys(ourCalls) as (keyof typeof ourCalls)[]) {
      const contract = contracts[vendor]
      const made = seen[vendor].flatMap((call) => contract?.endpointOf(call) ?? [])
      expect.soft([...new Set(made)].sort(), vendor).toEqual([...ourCalls[vendor]].sort())
      for (const call of ourCalls[vendor]) expect(contract?.endpoints).toContain(call)
    }
    for (const [vendor, { broken }] of Object.entries({ ...standIns, sendgrid }))
      expect.soft(broken, vendor).toEqual([])

    async function getRow() {
      const [write] = vendors.writes
      if (!write) return
      const word = await prepare(write)
      const request = { ...(write.request(word) as object), action: 'get', match: null }
      expect(await answer('sheets', request)).toMatchObject({ ok: true })
      const { spreadsheet } = request as unknown as { spreadsheet: { id: string } }
      expect(await choices('google', 'tabs', [spreadsheet.id])).toMatchObject({ problem: null })
    }

    async function findRecords() {
      const search = (vendor: 'hubspot' | 'salesforce', object: string, find: object, show: string[] = []) =>
        answer('crm', {
          vendor,
          connection: connections[vendor],
          action: 'search',
          object,
          find,
          fields: [],
          links: [],
          show,
        } as Json)
      for (const object of ['company', 'contact', 'ticket']) {
        const by = object === 'company' ? 'name' : object === 'contact' ? 'city' : 'subject'
        await search('hubspot', object, { by, value: 'nobody' })
        await search('hubspot', object, { by: 'id', value: '1' })
      }
      await search('salesforce', 'contact', { by: 'id', value: '003000000000001AAA' }, ['Email'])
      const { call } = await parts.accounts.open(salesforce, vendors.projectId, connections.salesforce)
      for (let n = 0; n < 2_001; n++) vendors.addArticle(`Article ${n}`)
      const found = await listArticles(call, { language: 'en_US', most: 5_000, known: [], onFound: async () => {} })
      expect(found.articles).toHaveLength(2_001)
    }

    async function readTicket() {
      const write = vendors.writes.find(({ name }) => name === 'Zendesk: comment on a ticket')
      if (!write) return
      const word = await prepare(write)
      standIns.zendesk.fail({ on: write.on, with: 'cutAfterWrite' })
      expect(await make(write, word)).toMatchObject({ ok: true })
      expect(await answer('ticket', { ...(write.request(word) as object), action: 'get' })).toMatchObject({ ok: true })
    }

    async function bookAndAsk() {
      const write = vendors.writes.find(({ vendor }) => vendor === 'calendly')
      if (!write) return
      const { start, ...request } = write.request('eve') as { start: string }
      const shared = { connection: connections.calendly, timeZone: 'UTC', language: 'en' }
      const { eventType } = request as unknown as { eventType: string }
      await answer('bookings', { ...shared, eventType, action: 'times', from: null, most: 3 })
      const link = await answer('bookings', { ...shared, eventType, action: 'link', name: '', email: '', day: null })
      const { event } = (link as { link: { event: string } }).link
      await answer('bookings', { ...shared, eventType, action: 'find', event })
      // a booking whose answer was stored and not told
      const word = await prepare(write)
      await make(write, word, 'booked')
      await make(write, word, 'booked')
      const { row } = await parts.accounts.open(calendly, vendors.projectId, connections.calendly)
      await parts.hooks.keep(row)
      await parts.hooks.keep(row)
      // its answer got lost: the same address again is refused
      await server.context.db.updateTable('calendly_hooks').set({ uri: null }).execute()
      await parts.hooks.keep(row)
    }

    async function followArticles() {
      const { cgid } = await makeChatbot(owner)
      const at = { pgid: owner.pgid, cgid }
      vendors.zendeskArticle('Parcels')
      const url = `${standIns.zendesk.origin}/hc`
      await owner.call(addFeed, { params: at, body: { kind: 'help_center', url, most: 10, resync: 'never' } })
      await expect
        .poll(async () => {
          await server.context.jobs.runDue()
          const [feed] = (await owner.call(listFeeds, { params: at })).feeds
          const { sources } = await owner.call(listSources, { params: at, query: { offset: 0, limit: 10 } })
          return feed?.state === 'ready' && sources.map(({ status }) => status)
        })
        .toEqual(['ready'])
    }
  },
)
