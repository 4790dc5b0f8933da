import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { keysOf, startWhatsapp } from '../../../tests/support/vendors/whatsapp/startWhatsapp'
import { hashToken } from '../../access/tokens'
import { importFlow, publishFlow } from '../../contracts/flows'
import { listFailedJobs, retryJob } from '../../contracts/jobs'
import { eraseContact } from '../../contracts/privacy'
import { connectWhatsapp } from '../../contracts/whatsapp'
import { parseConfig } from '../../platform/config/config'
import { sweepJob } from '../../platform/jobs/sweeps'

const clock = createTestClock('2026-11-24T10:00:00Z')
let whatsapp: Awaited<ReturnType<typeof startWhatsapp>>
let server: TestServer
let ada: Registered
let place: { pgid: string; cgid: string }
let people = 0

const block = (id: string, kind: string, data: object) => ({
  ...{ id, kind, version: registry.get(kind).migrations.length },
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})
const flow: Flow = {
  ...emptyFlow(),
  groups: [
    {
      ...{ id: 'g', title: 'All', position: { x: 0, y: 0 } },
      blocks: [block('start', 'start', {}), block('hello', 'text', { content: plainRichText('Welcome') })],
    },
  ],
}

beforeAll(async () => {
  whatsapp = await startWhatsapp({ clock })
  server = await startTestServer({
    config: { vendors: parseConfig({ WHATSAPP_API_URL: whatsapp.origin }).vendors },
    clock,
  })
  server.context.config.publicUrl = server.url
  // what is due is carried out when a test says so
  await server.context.jobs.close()
  ada = await server.register()
  const { pgid, cgid, fid } = await makeChatbot(ada)
  place = { pgid, cgid }
  await ada.call(importFlow, { params: { pgid, cgid, fid }, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await ada.call(publishFlow, { params: { pgid, cgid, fid } })
  await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
})
afterAll(async () => {
  await server.close()
  await whatsapp.close()
})
beforeEach(() => clock.pass(61))
afterEach(async () => {
  await server.context.db.deleteFrom('whatsapp_webhooks').execute()
  await server.context.db.deleteFrom('jobs').where('kind', '=', 'read-whatsapp-apart').execute()
})

const send = async (body: string | Buffer, secret = whatsapp.state.appSecret) => {
  const { url } = whatsapp.state.subscription ?? { url: '' }
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  return (await fetch(url, { method: 'POST', body: body as string, headers })).status
}
/** A webhook of a person's message, as WhatsApp sends it. */
function webhookOf(number: string, wamid: string, body: string, more: object = {}): string {
  const metadata = { display_phone_number: '442079460958', phone_number_id: whatsapp.state.number.id }
  const message = { from: number, id: wamid, timestamp: seconds(), type: 'text', text: { body }, ...more }
  const contacts = [{ profile: { name: `Person ${number}` }, wa_id: number }]
  const value = { messaging_product: 'whatsapp', metadata, contacts, messages: [message] }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: whatsapp.state.businessId, changes: [{ field: 'messages', value }] }],
  })
}
const seconds = () => String(Math.floor(clock().getTime() / 1_000))
const numberOf = () => `4477229${String(++people).padStart(5, '0')}`

const webhooks = () => server.context.db.selectFrom('whatsapp_webhooks').selectAll().orderBy('id').execute()
const messagesOf = (number: string) =>
  server.context.db
    .selectFrom('whatsapp_inbound')
    .innerJoin('whatsapp_people', 'whatsapp_people.id', 'whatsapp_inbound.person_id')
    .select(['wamid', 'message', 'whatsapp_inbound.created_at'])
    .select(['whatsapp_inbound.project_id'])
    .where('phone', '=', number)
    .orderBy('whatsapp_inbound.id')
    .execute()
const conversationsOf = (number: string) =>
  server.context.db
    .selectFrom('conversations')
    .innerJoin('messages', 'messages.conversation_id', 'conversations.id')
    .select('client_id')
    .where('address', '=', number)
    .where('author', '=', 2)
    .orderBy('messages.conversation_id')
    .orderBy('seq')
    .execute()
async function settle(): Promise<void> {
  do await whatsapp.webhooks.settle()
  while ((await server.context.jobs.runDue()) > 0)
}

test('a webhook is stored as it came, of the number to whose address it came, and gone once it is read', async () => {
  const number = numberOf()
  const body = webhookOf(number, 'wamid.stored', 'Hello')
  expect(await send(body)).toBe(200)
  const [row, ...others] = await webhooks()
  expect(others).toEqual([])
  const connection = await server.context.db.selectFrom('whatsapp_connections').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ connection_id: connection.id, project_id: connection.project_id, apart: false })
  expect(row?.body.toString()).toBe(body)
  expect(await messagesOf(number)).toEqual([])
  const at = clock()
  clock.pass(3)
  await settle()
  expect(await webhooks()).toEqual([])
  // as long as it waits counts for what is typed in a row
  expect(await messagesOf(number)).toMatchObject([{ wamid: 'wamid.stored', created_at: at }])
  expect(await conversationsOf(number)).toMatchObject([{ client_id: 'wamid.stored' }])
})

test('a wrong signature stores nothing', async () => {
  expect(await send(webhookOf(numberOf(), 'wamid.forged', 'Hello'), 'another secret')).toBe(401)
  expect(await webhooks()).toEqual([])
})

test('many that come at once are all stored, each once, and taken once in the order of each person', async () => {
  const numbers = Array.from({ length: 20 }, numberOf)
  const bodies = numbers.flatMap((number) =>
    [1, 2, 3].map((count) => webhookOf(number, `wamid.${number}.${count}`, `Message ${count}`)),
  )
  // in the same second, so in the order in which they came; each twice
  for (const count of [0, 1, 2])
    expect(
      await Promise.all(bodies.filter((_, at) => at % 3 === count).flatMap((body) => [send(body), send(body)])),
    ).toEqual(Array(40).fill(200))
  expect(await webhooks()).toHaveLength(60)
  await settle()
  // WhatsApp sends again what it was answered for
  for (const body of bodies.slice(0, 5)) expect(await send(body)).toBe(200)
  clock.pass(3)
  await settle()
  for (const number of numbers) {
    const ids = [1, 2, 3].map((count) => `wamid.${number}.${count}`)
    expect((await messagesOf(number)).map(({ wamid }) => wamid)).toEqual(ids)
    expect((await conversationsOf(number)).map(({ client_id }) => client_id)).toEqual(ids)
  }
})

test('one that was read, but not deleted, is read again after a crash, and nothing is taken twice', async () => {
  const number = numberOf()
  const body = webhookOf(number, 'wamid.crash', 'Hello')
  await send(body)
  // the process dies while it reads: what it wrote is not there, and its job comes due again
  await server.context.db
    .updateTable('jobs')
    .set({ lease: 'of a dead process', run_at: new Date(clock().getTime() + 15_000) })
    .where('kind', '=', 'read-whatsapp')
    .execute()
  await settle()
  expect(await webhooks()).toHaveLength(1)
  expect(await send(webhookOf(number, 'wamid.later', 'And'))).toBe(200)
  clock.pass(15)
  await settle()
  clock.pass(3)
  await settle()
  expect((await conversationsOf(number)).map(({ client_id }) => client_id)).toEqual(['wamid.crash', 'wamid.later'])
  // or it died before the deletion of one of another number's: what it stored is there
  const [row] = await server.context.db.selectFrom('whatsapp_connections').selectAll().execute()
  await server.context.db
    .insertInto('whatsapp_webhooks')
    .values({
      ...{ project_id: row?.project_id ?? '', connection_id: row?.id ?? '', body: Buffer.from(body) },
      ...{ body_hash: Buffer.alloc(32), created_at: clock() },
    })
    .execute()
  await send(webhookOf(number, 'wamid.last', 'Again'))
  await settle()
  clock.pass(3)
  await settle()
  expect(await webhooks()).toEqual([])
  expect((await conversationsOf(number)).map(({ client_id }) => client_id)).toEqual([
    ...['wamid.crash', 'wamid.later', 'wamid.last'],
  ])
})

test('one that can’t be read holds up no other, and is among the failed jobs in the end', async () => {
  const number = numberOf()
  await send('this is no JSON')
  await send(webhookOf(number, 'wamid.behind', 'Hello'))
  await settle()
  expect((await conversationsOf(number)).map(({ client_id }) => client_id)).toEqual(['wamid.behind'])
  expect(await webhooks()).toMatchObject([{ apart: true }])
  for (let attempt = 0; attempt < 10; attempt++) {
    clock.pass(3_600)
    await settle()
  }
  const { jobs } = await ada.call(listFailedJobs, { params: { pgid: place.pgid } })
  expect(jobs).toMatchObject([{ kind: 'read-whatsapp-apart', error: expect.stringContaining('no JSON') }])
  // and others are read meanwhile
  await send(webhookOf(number, 'wamid.after', 'Hello again'))
  clock.pass(3)
  await settle()
  expect(await conversationsOf(number)).toHaveLength(2)
  clock.pass(8 * 24 * 3_600)
  await server.context.jobs.schedule(server.context.db, sweepJob('forget-whatsapp-webhooks'), {
    ...{ key: 'forget-whatsapp-webhooks', payload: null, runAt: clock(), projectId: null },
  })
  await settle()
  expect(await webhooks()).toEqual([])
})

test('one of another number of the app is that number’s project’s, if the same secret signs it', async () => {
  const bob = await server.register()
  const other = await makeChatbot(bob)
  const [row] = await server.context.db.selectFrom('whatsapp_connections').selectAll().execute()
  const project = await server.context.db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', other.cgid)
    .executeTakeFirstOrThrow()
  const { id: _, ...values } = row ?? { id: '' }
  const seal = async (secret: string, gid: string) => {
    const { createConnections } = await import('./connections')
    const keys = { token: 't', secret, verify: 'v', pin: '123456' }
    return createConnections(server.context).seal({ gid, project_id: project.project_id }, keys)
  }
  const gid = 'b'.repeat(16)
  await server.context.db
    .insertInto('whatsapp_connections')
    .values({
      ...(values as never as Record<string, never>),
      ...{ gid, project_id: project.project_id, chatbot_id: project.id, number_id: '777' },
      sealed_keys: await seal('another secret', gid),
    } as never)
    .execute()
  const of777 = (number: string, wamid: string) =>
    webhookOf(number, wamid, 'Hello').replaceAll(`"${whatsapp.state.number.id}"`, '"777"')
  const [stranger, known] = [numberOf(), numberOf()]
  await send(of777(stranger, 'wamid.stranger'))
  await settle()
  expect(await messagesOf(stranger)).toEqual([])
  await server.context.db
    .updateTable('whatsapp_connections')
    .set({ sealed_keys: await seal(whatsapp.state.appSecret, gid) })
    .where('gid', '=', gid)
    .execute()
  await send(of777(known, 'wamid.known'))
  expect(await webhooks()).toMatchObject([{ project_id: row?.project_id }])
  await settle()
  expect(await messagesOf(known)).toMatchObject([{ project_id: project.project_id }])
  await server.context.db.deleteFrom('whatsapp_connections').where('gid', '=', gid).execute()
})

test('a text longer than any of WhatsApp’s is cut before it is stored with its person', async () => {
  const number = numberOf()
  await send(webhookOf(number, 'wamid.long', 'x'.repeat(900_000)))
  await settle()
  const [row] = await messagesOf(number)
  expect(JSON.stringify(row?.message).length).toBeLessThan(21_000)
})

test('what names a person and could not be read is erased with them', async () => {
  const number = numberOf()
  await send(webhookOf(number, 'wamid.erase', 'Hello'))
  await settle()
  await send(`no JSON, but of ${number}`)
  await send('no JSON, and of nobody')
  await settle()
  expect(await webhooks()).toHaveLength(2)
  const { gid } = await server.context.db
    .selectFrom('conversations')
    .innerJoin('contacts', 'contacts.id', 'conversations.contact_id')
    .select('contacts.gid')
    .where('conversations.address', '=', number)
    .executeTakeFirstOrThrow()
  await ada.call(eraseContact, { params: { pgid: place.pgid, gid } })
  expect((await webhooks()).map(({ body }) => body.toString())).toEqual(['no JSON, and of nobody'])
  expect(await messagesOf(number)).toEqual([])
})

test('of statuses that come together each counts, in whatever order', async () => {
  const number = numberOf()
  const person = whatsapp.phones.add('Statuses', number)
  whatsapp.phones.write(person, { type: 'text', text: { body: 'Hello' } })
  await settle()
  const [delivery] = await server.context.db
    .selectFrom('deliveries')
    .innerJoin('conversations', 'conversations.id', 'deliveries.conversation_id')
    .select(['deliveries.status', 'reached', 'deliveries.key', 'gid'])
    .where('address', '=', number)
    .execute()
  expect(delivery).toMatchObject({ status: 'sent', reached: 'read' })
  const { rows } = await sql<{ status: string }>`
    select payload ->> 'status' as status from events where type = 'message.delivered' and correlation = ${delivery?.key}
    order by id`.execute(server.context.db)
  expect(rows.map(({ status }) => status)).toEqual(['sent', 'delivered', 'read'])
})

test('a message that can’t be taken holds up no other of its person for long, is shown, and is taken when it is tried again', async () => {
  const { db } = server.context
  const before = numberOf()
  await send(webhookOf(before, 'wamid.before', 'Hello'))
  await settle()
  // one whose link from the web can't be noted as used
  await sql`
    create function refuse_poison() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$`.execute(
    db,
  )
  await sql`
    create trigger refuse_poison before update on whatsapp_continuations for each row execute function refuse_poison()`.execute(
    db,
  )
  const token = 'ab'.repeat(16)
  const { id: connection_id, project_id } = await db
    .selectFrom('whatsapp_connections')
    .select(['id', 'project_id'])
    .executeTakeFirstOrThrow()
  const { id: conversation_id } = await db
    .selectFrom('conversations')
    .select('id')
    .where('address', '=', before)
    .executeTakeFirstOrThrow()
  const times = { created_at: clock(), expires_at: new Date(clock().getTime() + 7 * 24 * 3_600_000) }
  const link = { project_id, connection_id, conversation_id, token_hash: hashToken(token), ...times }
  await db.insertInto('whatsapp_continuations').values(link).execute()
  const number = numberOf()
  await send(webhookOf(number, 'wamid.poison', `Hello #${token}`))
  await settle()
  await send(webhookOf(number, 'wamid.waits', 'Are you there?'))
  const tries = async (count: number) => {
    for (let attempt = 0; attempt < count; attempt++) {
      await settle()
      clock.pass(3_600)
    }
  }
  await settle()
  const said = async () => (await conversationsOf(number)).map(({ client_id }) => client_id)
  // it may be a passing fault, and the order is kept meanwhile
  expect(await said()).toEqual([])
  await tries(4)
  expect(await said()).toEqual(['wamid.waits'])
  await tries(11)
  const at = { params: { pgid: place.pgid } }
  const { jobs } = await ada.call(listFailedJobs, at)
  expect(jobs).toMatchObject([{ kind: 'take-whatsapp-apart', error: expect.stringContaining('poison') }])
  await send(webhookOf(number, 'wamid.now', 'And now?'))
  await tries(2)
  expect(await said()).toEqual(['wamid.waits', 'wamid.now'])
  await sql`drop function refuse_poison cascade`.execute(db)
  await ada.call(retryJob, { params: { pgid: place.pgid, job: jobs[0]?.id ?? '' } })
  await tries(2)
  expect((await said()).toSorted()).toEqual(['wamid.now', 'wamid.poison', 'wamid.waits'])
  expect(await ada.call(listFailedJobs, at)).toEqual({ jobs: [] })
})
