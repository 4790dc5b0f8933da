import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { keysOf, startWhatsapp } from '../../../tests/support/vendors/whatsapp/startWhatsapp'
import { startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { importFlow, publishFlow } from '../../contracts/flows'
import { changeConversations, readInboxConversation, readThread } from '../../contracts/inbox'
import { saveVisibility } from '../../contracts/web'
import { visibilitySchema } from '../../contracts/web/settings'
import { connectWhatsapp } from '../../contracts/whatsapp'
import { offerWeb, offerWhatsapp, openLink } from '../../contracts/whatsappContinuation'
import { parseConfig } from '../../platform/config/config'
import { channelIdentity } from '../contacts/verifiedContact'
import { conversations } from '../conversations/module'
import { createContinuation, readToken } from './continuation'

const clock = createTestClock('2026-11-24T10:00:00Z')
type Whatsapp = Awaited<ReturnType<typeof startWhatsapp>>
let whatsapp: Whatsapp
let server: TestServer
let ada: Registered
let place: { pgid: string; cgid: string }
let slug: string
let count = 0

const block = (id: string, kind: string, data: object) => ({
  ...{ id, kind, version: registry.get(kind).migrations.length },
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})
const flow: Flow = {
  ...emptyFlow(),
  variables: [{ id: 'name', name: 'name', value: null }],
  groups: [
    {
      ...{ id: 'g', title: 'All', position: { x: 0, y: 0 } },
      blocks: [
        block('start', 'start', {}),
        block('hello', 'text', { content: plainRichText('Welcome') }),
        block('ask', 'text-input', { prompt: plainRichText('Your name?'), saveTo: 'name' }),
      ],
    },
  ],
}

beforeAll(async () => {
  whatsapp = await startWhatsapp({ clock })
  const { vendors } = parseConfig({ WHATSAPP_API_URL: whatsapp.origin })
  server = await startTestServer({ config: { vendors }, clock })
  server.context.config.publicUrl = server.url
  ada = await server.register()
  const made = await publishedChatbot()
  place = made.place
  slug = made.slug
  await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
})
afterAll(async () => {
  await server.close()
  await whatsapp.close()
})
beforeEach(() => clock.pass(61))
afterEach(() => expect(whatsapp.broken).toEqual([]))

async function publishedChatbot(owner = ada) {
  const { pgid, cgid, fid } = await makeChatbot(owner)
  const params = { pgid, cgid, fid }
  await owner.call(importFlow, { params, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await owner.call(publishFlow, { params })
  const { chatbot } = await owner.call(readChatbot, { params: { pgid, cgid } })
  return { place: { pgid, cgid }, slug: chatbot.slug }
}
const phone = () => whatsapp.phones.add(`Person ${++count}`, `4477119${String(count).padStart(5, '0')}`)
type Phone = ReturnType<typeof phone>

async function settle(): Promise<void> {
  do await whatsapp.webhooks.settle()
  while ((await server.context.jobs.runDue()) > 0)
  await whatsapp.webhooks.settle()
}
async function write(from: Phone, body: string): Promise<void> {
  whatsapp.phones.write(from, { type: 'text', text: { body } })
  await settle()
  // nothing more is typed
  clock.pass(2)
  await settle()
}

/** A conversation on the web; its contact is known by a mail address, unverified. */
async function web(contact: { verified?: string } | null = {}, ofSlug = slug): Promise<string> {
  const guest = await server.guest()
  const { conversation } = await guest.call(startConversation, {
    params: { slug: ofSlug },
    body: {
      client_id: `start-${String(++count).padStart(4, '0')}`,
      visitor: `visitor${String(count).padStart(9, '0')}`,
    },
  })
  const row = await rowOf(conversation.id)
  // as on a site; what the shared page began is listed apart
  await server.context.db
    .updateTable('conversations')
    .set({ environment: 'production' })
    .where('id', '=', row.id)
    .execute()
  if (contact) {
    const at = clock()
    const { id } = await server.context.db
      .insertInto('contacts')
      .values({
        ...{ gid: server.context.ids(), project_id: row.project_id, chatbot_id: row.chatbot_id, custom: '{}' },
        ...{
          email: `grace${count}@example.org`,
          verified_id: contact.verified ?? null,
          created_at: at,
          updated_at: at,
        },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await server.context.db.updateTable('conversations').set({ contact_id: id }).where('id', '=', row.id).execute()
  }
  return conversation.id
}
const rowOf = (gid: string) =>
  server.context.db.selectFrom('conversations').selectAll().where('gid', '=', gid).executeTakeFirstOrThrow()
const atWhatsapp = ({ number }: Phone) =>
  server.context.db
    .selectFrom('conversations')
    .selectAll()
    .where('channel', '=', 'whatsapp')
    .where('address', '=', number ?? '')
    .execute()
/** What the link writes for who opens it. */
async function offer(conversation: string): Promise<string> {
  const { link } = await ada.call(offerWhatsapp, { params: { pgid: place.pgid, conversation } })
  return new URL(link).searchParams.get('text') ?? ''
}
const words = async (gid: string) => {
  const { messages } = await ada.call(readThread, { params: { pgid: place.pgid, conversation: gid }, query: {} })
  return messages.map(({ content }) => JSON.stringify(content))
}
async function activityOf(gid: string) {
  const params = { pgid: place.pgid, conversation: gid }
  const { activity } = await ada.call(readThread, { params, query: {} })
  return activity.map(({ kind }) => kind)
}
/** What a conversation tells in the end: events are handled later. */
const told = (gid: string | undefined) => expect.poll(() => activityOf(gid ?? ''))

/** How many events say that a conversation goes on. */
const continuedOf = async (gid: string | undefined) =>
  (
    await server.context.db
      .selectFrom('events')
      .select('id')
      .where('type', '=', 'conversation.continued')
      .where(sql<boolean>`payload ->> 'conversation' = ${gid ?? ''}`)
      .execute()
  ).length

test('joins who sends the link’s message to the contact of the web, and both conversations say so', async () => {
  const gid = await web()
  const grace = phone()
  const text = await offer(gid)
  await write(grace, text)
  const from = await rowOf(gid)
  const [to, ...others] = await atWhatsapp(grace)
  expect(others).toEqual([])
  expect(to?.contact_id).toBe(from.contact_id)
  const contact = await server.context.db
    .selectFrom('contacts')
    .selectAll()
    .where('id', '=', from.contact_id ?? '')
    .executeTakeFirstOrThrow()
  expect(contact).toMatchObject({
    ...{ email: expect.stringContaining('grace'), phone: `+${grace.number}` },
    verified_id: channelIdentity('whatsapp', grace.number ?? ''),
  })
  await told(gid).toEqual(['continued_on_whatsapp'])
  await told(to?.gid).toEqual(['continued_from_web'])
  const { conversation } = await ada.call(readInboxConversation, { params: { pgid: place.pgid, conversation: gid } })
  expect(conversation.others.map((other) => other.gid)).toEqual([to?.gid])
  // the token stands nowhere but in the link
  const { token } = readToken(text) ?? { token: '?' }
  expect((await words(to?.gid ?? '')).join()).not.toContain(token)
  const { rows } = await server.context.db
    .selectFrom('whatsapp_continuations')
    .selectAll()
    .execute()
    .then((all) => ({ rows: JSON.stringify(all) }))
  expect(rows).not.toContain(token)
})

test('gives a conversation without a contact the one of WhatsApp', async () => {
  const gid = await web(null)
  const ben = phone()
  await write(ben, await offer(gid))
  const [to] = await atWhatsapp(ben)
  expect(to?.contact_id).toBeTruthy()
  expect((await rowOf(gid)).contact_id).toBe(to?.contact_id)
})

test('goes on in the open conversation at WhatsApp, with the member who has the other, and answers no question', async () => {
  const eve = phone()
  await write(eve, 'Hello')
  const gid = await web()
  const body = { conversations: [gid], change: { status: 'person' as const } }
  await ada.call(changeConversations, { params: { pgid: place.pgid }, body })
  await write(eve, await offer(gid))
  const [to, ...others] = await atWhatsapp(eve)
  const from = await rowOf(gid)
  expect(others).toEqual([])
  expect(to).toMatchObject({ contact_id: from.contact_id, status: 'person', assignee_id: from.assignee_id })
  const { session } = await server.context.db
    .selectFrom('runs')
    .select('session')
    .where('conversation_id', '=', to?.id ?? '')
    .executeTakeFirstOrThrow()
  expect(session.variables.name).toBe(null)
})

test('takes a token once: for others it is words', async () => {
  const gid = await web()
  const [first, second] = [phone(), phone()]
  const text = await offer(gid)
  await write(first, text)
  await write(second, text)
  const [other] = await atWhatsapp(second)
  expect(other?.contact_id).not.toBe((await rowOf(gid)).contact_id)
  expect((await words(other?.gid ?? '')).join()).toContain(text)
  expect(await continuedOf(other?.gid)).toBe(0)
})

test('takes no expired token', async () => {
  const gid = await web()
  const text = await offer(gid)
  clock.pass(15 * 60)
  const late = phone()
  await write(late, text)
  const [other] = await atWhatsapp(late)
  expect(other?.contact_id).not.toBe((await rowOf(gid)).contact_id)
  expect(await continuedOf(gid)).toBe(0)
})

test('takes no token of another number, be it of the project or of another one', async () => {
  const { db } = server.context
  const mine = await db.selectFrom('whatsapp_connections').selectAll().executeTakeFirstOrThrow()
  const chatbots = [await publishedChatbot(), await publishedChatbot(await server.register())]
  const rows = await db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where(
      'gid',
      'in',
      chatbots.map((each) => each.place.cgid),
    )
    .execute()
  expect(new Set(rows.map((row) => row.project_id)).size).toBe(2)
  for (const [at, chatbot] of rows.entries()) {
    const other = { ...withoutId(mine), gid: server.context.ids(), number_id: `9000${at}`, phone_number: `+4470${at}` }
    const connection = await db
      .insertInto('whatsapp_connections')
      .values({ ...other, project_id: chatbot.project_id, chatbot_id: chatbot.id })
      .returningAll()
      .executeTakeFirstOrThrow()
    const gid = await web()
    const { token } = readToken(await offer(gid)) ?? { token: '' }
    const continuation = createContinuation(server.context, server.app.modules.provided(conversations).runtime)
    const contact = (await rowOf(gid)).contact_id ?? ''
    const use = (of: typeof connection) =>
      continuation.use(db.forProject(of.project_id), of, { token, wamid: 'wamid.1', whatsappContact: contact })
    expect(await use(connection)).toBe(null)
    expect(await use(mine)).not.toBe(null)
  }
})

test('keeps contacts apart who are verified as different people, and says so', async () => {
  const gid = await web({ verified: 'customer-7' })
  const mia = phone()
  await write(mia, await offer(gid))
  const [to] = await atWhatsapp(mia)
  expect(to?.contact_id).not.toBe((await rowOf(gid)).contact_id)
  await told(gid).toEqual(['continued_apart'])
  await told(to?.gid).toEqual(['continued_apart'])
})

test('goes on after a crash at each step as if there had been none', async () => {
  const { db } = server.context
  for (const undo of ['taken', 'told'] as const) {
    const gid = await web()
    const kim = phone()
    await write(kim, await offer(gid))
    const [before] = await atWhatsapp(kim)
    const person = await db
      .selectFrom('whatsapp_people')
      .select('id')
      .where('phone', '=', kim.number)
      .executeTakeFirstOrThrow()
    // as a process leaves it that was killed after the contacts were joined, or before its message counted as taken
    if (undo === 'told')
      await db.updateTable('whatsapp_continuations').set({ told: false }).where('used_by', 'is not', null).execute()
    await db.updateTable('whatsapp_inbound').set({ taken_at: null }).where('person_id', '=', person.id).execute()
    await write(kim, 'Kim')
    const [after, ...others] = await atWhatsapp(kim)
    expect(others).toEqual([])
    expect(after?.contact_id).toBe(before?.contact_id)
    expect(await continuedOf(gid)).toBe(undo === 'told' ? 2 : 1)
    expect((await words(after?.gid ?? '')).filter((each) => each.includes('Welcome'))).toHaveLength(1)
  }
})

test('is offered in conversations of the web alone, where the chatbot has a number', async () => {
  const pat = phone()
  await write(pat, 'Hello')
  const [to] = await atWhatsapp(pat)
  await expect(offer(to?.gid ?? '')).rejects.toThrow('conflict')
  const elsewhere = await publishedChatbot()
  const gid = await web(null, elsewhere.slug)
  await expect(offer(gid)).rejects.toThrow('conflict')
  const foreign = await web(null, (await publishedChatbot(await server.register())).slug)
  await expect(offer(foreign)).rejects.toThrow('not_found')
})

const withoutId = <Row extends { id: unknown }>({ id: _, ...row }: Row) => row

test('a token is found among words of any length, at a cost that grows with them alone', () => {
  const token = '0123456789abcdef'.repeat(2)
  expect(readToken(`Workshop #${token}`)).toEqual({ token, rest: 'Workshop' })
  // what is read again at each character would take minutes here
  const blanks = ' '.repeat(500_000)
  expect(readToken(`${blanks}x`)).toBeNull()
  expect(readToken(`${blanks}#${token}`)).toEqual({ token, rest: '' })
})

test('what was answered on the web is known at WhatsApp, and what was answered there since stays', async () => {
  const gid = await web()
  const named = async (id: string) => {
    const { session } = await server.context.db
      .selectFrom('runs')
      .select('session')
      .where('conversation_id', '=', id)
      .executeTakeFirstOrThrow()
    return session.variables.name
  }
  const answered = async (conversation: string, name: string) => {
    const row = await rowOf(conversation)
    await server.app.modules.provided(conversations).runtime.setNamed(row, { name })
    return row
  }
  await answered(gid, 'Grace')
  const [first, second] = [phone(), phone()]
  await write(first, await offer(gid))
  expect(await named((await atWhatsapp(first))[0]?.id ?? '')).toBe('Grace')
  await write(second, 'Hello')
  await answered((await atWhatsapp(second))[0]?.gid ?? '', 'Heidi')
  await write(second, await offer(gid))
  expect(await named((await atWhatsapp(second))[0]?.id ?? '')).toBe('Heidi')
})

test('a link in the chat at WhatsApp opens the web’s as the same contact, once, with the member and the answers', async () => {
  const ivy = phone()
  await write(ivy, 'Hello')
  await write(ivy, 'Ivy')
  const [from] = await atWhatsapp(ivy)
  const at = { pgid: place.pgid, conversation: from?.gid ?? '' }
  const change = { conversations: [at.conversation], change: { status: 'person' as const } }
  await ada.call(changeConversations, { params: { pgid: place.pgid }, body: change })
  const { link } = await ada.call(offerWeb, { params: at })
  const { pathname, hash } = new URL(link)
  expect(pathname).toBe(`/c/${slug}`)
  const token = hash.replace('#whatsapp=', '')
  const guest = await server.guest()
  const open = (client_id: string, given = token, of = slug) =>
    guest.call(openLink, { params: { slug: of }, body: { client_id, token: given } })
  await expect(open('page-0001', 'f'.repeat(32))).rejects.toThrow('not_found')
  const opened = await open('page-0001')
  const to = await rowOf(opened.conversation)
  const before = (await atWhatsapp(ivy))[0]
  expect(to).toMatchObject({ channel: 'web', contact_id: before?.contact_id, assignee_id: before?.assignee_id })
  expect(to.assignee_id).not.toBe(null)
  const { session } = await server.context.db
    .selectFrom('runs')
    .select('session')
    .where('conversation_id', '=', to.id)
    .executeTakeFirstOrThrow()
  expect(session.variables.name).toBe('Ivy')
  await told(to.gid).toContain('continued_from_whatsapp')
  await told(at.conversation).toContain('continued_on_web')
  // the page may ask again; another one may not
  expect((await open('page-0001')).conversation).toBe(opened.conversation)
  await expect(open('page-0002')).rejects.toThrow('not_found')
  expect(await continuedOf(to.gid)).toBe(1)
})

test('somebody at WhatsApp who writes /web, or presses it, is sent a link of their own, and no question is answered by that', async () => {
  const kim = phone()
  await write(kim, 'Hello')
  const last = () => JSON.stringify(kim.messages.filter(({ from }) => from === 'business').at(-1)?.content)
  await write(kim, ' /Web ')
  const [from] = await atWhatsapp(kim)
  const token = /#whatsapp=([0-9a-f]{32})/.exec(last())?.[1] ?? ''
  expect(last()).toContain(`${server.url}/c/${slug}#whatsapp=${token}`)
  const guest = await server.guest()
  const open = (client_id: string) => guest.call(openLink, { params: { slug }, body: { client_id, token } })
  const opened = await open('page-0009')
  expect((await rowOf(opened.conversation)).contact_id).toBe(from?.contact_id)
  await expect(open('page-0010')).rejects.toThrow('not_found')
  await told(from?.gid).toContain('continued_on_web')
  // the question that waits is answered by what is written next
  await write(kim, 'Kim')
  const { session } = await server.context.db
    .selectFrom('runs')
    .select('session')
    .where('conversation_id', '=', from?.id ?? '')
    .executeTakeFirstOrThrow()
  expect(session.variables.name).toBe('Kim')
})

test('/web says so where the page is not open to everybody, and begins a conversation as any words where there is none', async () => {
  const settings = visibilitySchema.parse({})
  await ada.call(saveVisibility, { params: place, body: { settings: { ...settings, visibility: 'off' } } })
  const lou = phone()
  const answers = () =>
    JSON.stringify(lou.messages.filter(({ from }) => from === 'business').map((each) => each.content))
  await write(lou, '/web')
  expect(answers()).toContain('Welcome')
  await write(lou, '/web')
  expect(answers()).toContain('can’t go on on the web')
  expect(answers()).not.toContain('#whatsapp=')
  await ada.call(saveVisibility, { params: place, body: { settings } })
})

test('a link to the web is worth nothing later, at another chatbot, and where the page is not open to everybody', async () => {
  const jo = phone()
  await write(jo, 'Hello')
  const [from] = await atWhatsapp(jo)
  const params = { pgid: place.pgid, conversation: from?.gid ?? '' }
  const tokenOf = async () => new URL((await ada.call(offerWeb, { params })).link).hash.replace('#whatsapp=', '')
  const guest = await server.guest()
  const open = (token: string, of = slug) =>
    guest.call(openLink, { params: { slug: of }, body: { client_id: 'page-0003', token } })
  const other = await publishedChatbot()
  const token = await tokenOf()
  await expect(open(token, other.slug)).rejects.toThrow('not_found')
  // nor is it one for a phone
  await write(phone(), `Bot #${token}`)
  expect((await open(token)).conversation).toBeTruthy()
  const late = await tokenOf()
  clock.pass(15 * 60)
  await expect(open(late)).rejects.toThrow('not_found')
  await expect(ada.call(offerWeb, { params: { ...params, conversation: await web() } })).rejects.toThrow('conflict')
})

test('a continuation tells no conversation of another chatbot of the project, though the person writes to both', async () => {
  const other = await publishedChatbot()
  const kim = phone()
  const gid = await web()
  const {
    chatbot_id: _,
    id: __,
    ...own
  } = await server.context.db.selectFrom('conversations').selectAll().where('gid', '=', gid).executeTakeFirstOrThrow()
  await write(kim, await offer(gid))
  const [to] = await atWhatsapp(kim)
  // newer, of the same person, at the project's other chatbot
  const { id: chatbot_id } = await server.context.db
    .selectFrom('chatbots')
    .select('id')
    .where('gid', '=', other.place.cgid)
    .executeTakeFirstOrThrow()
  const foreign = server.context.ids()
  const copy = { ...own, gid: foreign, chatbot_id, channel: 'whatsapp', address: kim.number, start_client_id: foreign }
  await server.context.db
    .insertInto('conversations')
    .values({ ...copy, run_id: null, contact_id: null, token_hash: null } as never)
    .execute()
  const link = await server.context.db
    .updateTable('whatsapp_continuations')
    .set({ told: false })
    .where('conversation_id', '=', (await rowOf(gid)).id)
    .returning('id')
    .executeTakeFirstOrThrow()
  const web_ = await rowOf(gid)
  const continuation = createContinuation(server.context, server.app.modules.provided(conversations).runtime)
  await continuation.tell(server.context.db.forProject(web_.project_id), { id: link.id, web: web_ }, kim.number ?? '')
  expect(await continuedOf(foreign)).toBe(0)
  expect(await continuedOf(to?.gid)).toBe(2)
})
