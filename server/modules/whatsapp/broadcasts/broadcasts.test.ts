import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../../engine/flow/schema'
import { plainRichText } from '../../../../engine/values/richText'
import { createTestClock } from '../../../../tests/support/clock'
import { makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { keysOf, startWhatsapp } from '../../../../tests/support/vendors/whatsapp/startWhatsapp'
import { createSegment } from '../../../contracts/contactFilter'
import { importFlow, publishFlow } from '../../../contracts/flows'
import { connectWhatsapp } from '../../../contracts/whatsapp'
import {
  type BroadcastDraft,
  checkBroadcast,
  listBroadcastFailures,
  listBroadcasts,
  resumeBroadcast,
  startBroadcast,
  stopBroadcast,
} from '../../../contracts/whatsappBroadcasts'
import { fetchWhatsappTemplates } from '../../../contracts/whatsappTemplates'
import { parseConfig } from '../../../platform/config/config'

const clock = createTestClock('2026-11-24T10:00:00Z')
let whatsapp: Awaited<ReturnType<typeof startWhatsapp>>
let server: TestServer
let ada: Registered
let place: { pgid: string; cgid: string }

const block = (id: string, kind: string, data: object): Flow['groups'][0]['blocks'][0] => ({
  ...{ id, kind, version: registry.get(kind).migrations.length },
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})
const blocks = [block('start', 'start', {}), block('hello', 'text', { content: plainRichText('Welcome') })]
const flow: Flow = { ...emptyFlow(), groups: [{ id: 'g', title: 'All', position: { x: 0, y: 0 }, blocks }] }

beforeAll(async () => {
  whatsapp = await startWhatsapp({ clock })
  server = await startTestServer({
    config: { vendors: parseConfig({ WHATSAPP_API_URL: whatsapp.origin }).vendors },
    clock,
  })
  server.context.config.publicUrl = server.url
  ada = await server.register()
  const { pgid, cgid, fid } = await makeChatbot(ada)
  place = { pgid, cgid }
  const params = { pgid, cgid, fid }
  await ada.call(importFlow, { params, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await ada.call(publishFlow, { params })
  await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
  const template = (id: string, name: string, category: string, body: string) => ({
    ...{ id, name, language: 'en', category, status: 'APPROVED', quality: 'GREEN' },
    components: [{ type: 'BODY', text: body }],
  })
  whatsapp.state.templates.push(
    template('71', 'summer', 'MARKETING', 'Hello {{1}}, come to {{2}} this summer.') as never,
    template('72', 'moved', 'UTILITY', 'We have moved.') as never,
  )
  await ada.call(fetchWhatsappTemplates, { params: place })
})
afterAll(async () => {
  await server.close()
  await whatsapp.close()
})
afterEach(() => expect(whatsapp.broken).toEqual([]))

async function settle(): Promise<void> {
  do await whatsapp.webhooks.settle()
  while ((await server.context.jobs.runDue()) > 0)
  await whatsapp.webhooks.settle()
}
let count = 0
type Phone = ReturnType<typeof whatsapp.phones.add>
/** Somebody who has written to the number. */
async function person(name: string, change: object = { agreed_at: clock() }): Promise<Phone> {
  const phone = whatsapp.phones.add(name, `4477009${String(++count).padStart(5, '0')}`)
  whatsapp.phones.write(phone, { type: 'text', text: { body: 'Hi' } })
  await settle()
  clock.pass(2)
  await settle()
  await server.context.db.updateTable('whatsapp_people').set(change).where('name', '=', name).execute()
  return phone
}
const setContact = (name: string, change: object) =>
  server.context.db.updateTable('contacts').set(change).where('name', '=', name).execute()
const last = ({ messages }: Phone) => JSON.stringify(messages.filter(({ from }) => from === 'business').at(-1)?.content)
const got = ({ messages }: Phone) => messages.filter(({ content }) => content.type === 'template').length

const draft = (change: Partial<BroadcastDraft> = {}): BroadcastDraft => ({
  ...{ name: 'Summer', segment: null, template: { name: 'summer', language: 'en' } },
  fills: [
    { field: 'name', text: 'friend' },
    { field: 'city', text: '' },
  ],
  ...{ per_minute: 12, price: 0.07, currency: 'EUR', ...change },
})
const segmentOf = async (name: string, city: string) => {
  const filter = { match: 'all', conditions: [{ field: 'city', operator: 'equals', value: city }] } as const
  const { segment } = await ada.call(createSegment, { params: { pgid: place.pgid }, body: { name, filter } as never })
  return segment.gid
}
const check = ({ segment, template, fills }: BroadcastDraft) =>
  ada.call(checkBroadcast, { params: place, body: { segment, template, fills } })
const start = async (body: BroadcastDraft) => (await ada.call(startBroadcast, { params: place, body })).broadcast
const listed = async (gid: string) =>
  (await ada.call(listBroadcasts, { params: place })).broadcasts.find((each) => each.gid === gid)

test('a check tells who gets it, what it says to each, and who does not and why, and sends nothing', async () => {
  const cleo = await person('Cleo')
  for (const [name, change] of [
    ['Blocked', { agreed_at: clock() }],
    ['Stopped', { agreed_at: clock(), stopped_at: clock(), stopped_by: 'STOP' }],
    ['Silent', { agreed_at: null }],
    ['Nowhere', { agreed_at: clock() }],
  ] as const)
    await person(name, change)
  for (const name of ['Cleo', 'Blocked', 'Stopped', 'Silent']) await setContact(name, { city: 'York' })
  await setContact('Blocked', { blocked: true })
  const at = clock()
  const chatbot = await server.context.db.selectFrom('chatbots').select(['id', 'project_id']).executeTakeFirstOrThrow()
  const contact = { project_id: chatbot.project_id, custom: '{}', created_at: at, updated_at: at }
  await server.context.db
    .insertInto('contacts')
    .values([
      { ...contact, gid: 'a'.repeat(16), name: 'Imported', phone: '+447700955555' },
      { ...contact, gid: 'b'.repeat(16), name: 'Mailed', email: 'mailed@a.example' },
    ])
    .execute()
  const { count, skipped, gets, not } = await check(draft())
  expect({ count, skipped }).toEqual({
    count: 1,
    skipped: { blocked: 1, stopped: 1, 'no-opt-in': 1, 'no-value': 1, 'never-wrote': 1, 'no-number': 1 },
  })
  expect(gets).toMatchObject([{ name: 'Cleo', text: 'Hello Cleo, come to York this summer.' }])
  expect(Object.fromEntries(not.map(({ name, reason }) => [name, reason]))).toEqual({
    ...{ Blocked: 'blocked', Stopped: 'stopped', Silent: 'no-opt-in', Nowhere: 'no-value' },
    ...{ Imported: 'never-wrote', Mailed: 'no-number' },
  })
  // what is no marketing needs no agreement
  const moved = await check(draft({ template: { name: 'moved', language: 'en' }, fills: [] }))
  expect(moved.gets.map(({ name }) => name).toSorted()).toEqual(['Cleo', 'Nowhere', 'Silent'])
  expect(got(cleo)).toBe(0)
})

test('it goes to each once at its pace, tells how far it has come, and why it did not arrive', async () => {
  const phones: Phone[] = []
  for (const name of ['One', 'Two', 'Three']) {
    phones.push(await person(name))
    await setContact(name, { city: 'Leeds' })
  }
  const [one, two, three] = phones as [Phone, Phone, Phone]
  two.next = 'fails'
  const broadcast = await start(draft({ segment: await segmentOf('Leeds', 'Leeds') }))
  expect(broadcast).toMatchObject({ status: 'running', segment: 'Leeds', price: 0.07, created_by: ada.user.email })
  await settle()
  // twelve a minute are one in five seconds
  expect(phones.map(got)).toEqual([1, 0, 0])
  expect(last(one)).toContain('"One"')
  // nor does going on at once make it faster
  const params = { ...place, broadcast: broadcast.gid }
  await ada.call(stopBroadcast, { params })
  await ada.call(resumeBroadcast, { params })
  await settle()
  expect(phones.map(got)).toEqual([1, 0, 0])
  for (let round = 0; round < 4; round++) {
    clock.pass(5)
    await settle()
  }
  expect([one, three].map(got)).toEqual([1, 1])
  expect(await listed(broadcast.gid)).toMatchObject({ status: 'done', people: { waiting: 0, failed: 1 } })
  const { failures } = await ada.call(listBroadcastFailures, { params })
  expect(failures).toMatchObject([{ name: 'Two', reason: expect.stringContaining('131026') }])
})

test('stopping says no more, and going on leaves nobody out and gives nobody two', async () => {
  const phones: Phone[] = []
  for (const name of ['Four', 'Five']) {
    phones.push(await person(name))
    await setContact(name, { city: 'Hull' })
  }
  const { gid } = await start(draft({ segment: await segmentOf('Hull', 'Hull') }))
  await settle()
  const params = { ...place, broadcast: gid }
  await ada.call(stopBroadcast, { params })
  clock.pass(30)
  await settle()
  expect(phones.map(got)).toEqual([1, 0])
  expect(await listed(gid)).toMatchObject({ status: 'stopped', people: { waiting: 1 } })
  // who wants nothing any more meanwhile gets nothing
  await ada.call(resumeBroadcast, { params })
  await settle()
  clock.pass(5)
  await settle()
  expect(phones.map(got)).toEqual([1, 1])
  expect(await listed(gid)).toMatchObject({ status: 'done' })
})

test('a crash at any point while it is said gives nobody two', async () => {
  const six = await person('Six')
  await setContact('Six', { city: 'Bath' })
  const { db } = server.context
  // the note that it was said fails: so it was not said
  await sql`create function no_seq() returns trigger as $$ begin raise exception 'cut'; end $$ language plpgsql`.execute(
    db,
  )
  await sql`create trigger cut before update on whatsapp_broadcast_people for each row execute function no_seq()`.execute(
    db,
  )
  const { gid } = await start(draft({ segment: await segmentOf('Bath', 'Bath') }))
  await settle()
  expect(got(six)).toBe(0)
  await sql`drop trigger cut on whatsapp_broadcast_people`.execute(db)
  for (let round = 0; round < 3; round++) {
    clock.pass(60)
    await settle()
  }
  expect(got(six)).toBe(1)
  expect(await listed(gid)).toMatchObject({ status: 'done' })
})

test('who has asked to be left alone since it began gets nothing, and so says the result', async () => {
  const phones = [await person('Seven'), await person('Eight')]
  for (const name of ['Seven', 'Eight']) await setContact(name, { city: 'Ely' })
  const { gid } = await start(draft({ segment: await segmentOf('Ely', 'Ely') }))
  await settle()
  whatsapp.phones.write(phones[1] as Phone, { type: 'text', text: { body: 'STOP' } })
  await settle()
  for (let round = 0; round < 3; round++) {
    clock.pass(5)
    await settle()
  }
  expect(phones.map(got)).toEqual([1, 0])
  const { failures } = await ada.call(listBroadcastFailures, { params: { ...place, broadcast: gid } })
  expect(failures).toMatchObject([{ name: 'Eight', reason: expect.stringContaining('STOP') }])
})

test('what is wrong with it is told at its field', async () => {
  const wrong = async (change: object) => {
    const path = `/api/projects/${place.pgid}/chatbots/${place.cgid}/whatsapp/broadcasts`
    const answer = await ada.send('POST', path, draft(change))
    return Object.keys((answer.body.data as { fields?: object } | undefined)?.fields ?? {})
  }
  expect(await wrong({ template: { name: 'gone', language: 'en' } })).toEqual(['template'])
  expect(await wrong({ fills: [{ field: '', text: '' }] })).toEqual(['fills.0.text'])
  expect(await wrong({ fills: [{ field: 'custom', text: '' }] })).toEqual(['fills.0.field'])
  expect(await wrong({ segment: await segmentOf('Nobody', 'Atlantis') })).toEqual(['segment'])
  expect(await wrong({ per_minute: 4_801 })).toEqual(['per_minute'])
})
