import { afterAll, beforeAll, expect, it } from 'vitest'
import { pathOf } from '../../../tests/support/client'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { typebotSource } from '../../../tests/support/typebot'
import { type Conversation, sayConsent, startConversation } from '../../contracts/chat'
import { createChatbot } from '../../contracts/chatbots'
import { createContact, readContact } from '../../contracts/contacts'
import { importFlow, publishFlow } from '../../contracts/flows'
import { eraseContact, readPersonData } from '../../contracts/privacy'

const QUESTION = 'May this browser keep your conversation?'
let server: TestServer
let ada: Registered
let slug: string
let now = Date.parse('2026-11-21T10:00:00Z')
const tick = () => {
  now += 1_000
  return new Date(now)
}
beforeAll(async () => {
  server = await startTestServer({ clock: tick })
  ada = await server.register()
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Bot' } })
  const params = { pgid: ada.pgid, cgid: chatbot.gid, fid: chatbot.fid }
  await ada.call(importFlow, { params, body: { source: typebotSource('questions.json'), mode: 'replace' } })
  await ada.call(publishFlow, { params })
  slug = chatbot.slug
})
afterAll(() => server.close())

/** A contact with a conversation of theirs. */
async function talkOf(email: string) {
  const { db } = server.context
  const guest = await server.guest()
  const started = await guest.send('POST', pathOf(startConversation.path, { slug }), {
    client_id: `start-${email}`.replace(/\W/g, '-'),
  })
  const { token, conversation } = started.body.data as { token: string; conversation: Conversation }
  const { contact } = await ada.call(createContact, { params: { pgid: ada.pgid }, body: { fields: { email } } })
  const { id } = await db.selectFrom('contacts').select('id').where('gid', '=', contact.gid).executeTakeFirstOrThrow()
  const row = await db
    .updateTable('conversations')
    .set({ contact_id: id })
    .where('gid', '=', conversation.id)
    .returning(['id', 'project_id', 'run_id'])
    .executeTakeFirstOrThrow()
  const params = { pgid: ada.pgid, gid: contact.gid }
  const says = (given: boolean, question = QUESTION, bearer = token) =>
    guest.send(
      'POST',
      pathOf(sayConsent.path, { slug, conversation: conversation.id }),
      { given, question },
      {
        authorization: `Bearer ${bearer}`,
      },
    )
  const timeline = async () => {
    const entries = (await ada.call(readContact, { params })).timeline
    return entries
      .filter(({ kind }) => /ticket|consent|page/.test(kind))
      .map(({ kind, detail, link }) => [kind, detail, link])
  }
  return { conversation: conversation.id, token, params, row, says, timeline }
}

it('shows when a visitor declined, consented and took that back, in their words, each once; export and erasing know it', async () => {
  const { conversation, params, row, says, timeline } = await talkOf('grace@example.org')
  // a site that allows nothing says so on each of its pages: what was never given is not taken back
  expect((await says(false, '')).status).toBe(200)
  expect(await timeline()).toEqual([])
  await says(false)
  await says(false)
  await says(true)
  await says(true)
  await says(false, '')
  expect(await timeline()).toEqual([
    ['consent-withdrawn', null, null],
    ['consent', QUESTION, null],
    ['consent-declined', QUESTION, null],
  ])
  const { data } = await ada.call(readPersonData, { params })
  expect((data as { consents: object[] }).consents).toMatchObject([
    { conversation, given: false, question: QUESTION },
    { conversation, given: true, question: QUESTION },
    { conversation, given: false, question: '' },
  ])
  await ada.call(eraseContact, { params })
  const left = await server.context.db
    .selectFrom('consents')
    .select('id')
    .where('conversation_id', '=', row.id)
    .execute()
  expect(left).toEqual([])
})

it('shows the pages on which they came back, which export and erasing know', async () => {
  const { conversation, params, row, timeline, token } = await talkOf('ida@example.org')
  const guest = await server.guest()
  for (const page of ['lamps', 'cart?mail=ida@example.org'])
    await guest.send('POST', pathOf(startConversation.path, { slug }), {
      ...{ client_id: `back-on-${page.slice(0, 4)}-page`, resume: { conversation, token } },
      url: `https://shop.example/${page}`,
    })
  expect(await timeline()).toEqual([
    ['page', 'https://shop.example/cart', null],
    ['page', 'https://shop.example/lamps', null],
  ])
  const { data } = await ada.call(readPersonData, { params })
  expect((data as { page_visits: object[] }).page_visits).toMatchObject([
    { conversation, page: 'https://shop.example/lamps' },
    { conversation, page: 'https://shop.example/cart' },
  ])
  await ada.call(eraseContact, { params })
  const left = await server.context.db
    .selectFrom('page_visits')
    .where('conversation_id', '=', row.id)
    .select('id')
    .execute()
  expect(left).toEqual([])
})

it('takes no consent for a conversation of somebody else, and no question of any length', async () => {
  const { says, timeline } = await talkOf('hedy@example.org')
  expect((await says(true, QUESTION, 'x'.repeat(43))).status).toBe(404)
  const refused = await says(true, 'x'.repeat(501))
  expect(refused.body.data).toMatchObject({ fields: { question: 'Must not exceed 500 characters' } })
  expect(await timeline()).toEqual([])
})

it('shows tickets that flows created and changed, with the way to them', async () => {
  const { row, timeline } = await talkOf('katherine@example.org')
  const call = (position: number, action: string, result: object, service = 'ticket') => ({
    run_id: row.run_id ?? '',
    project_id: row.project_id,
    turn: 99,
    position,
    type: 'call' as const,
    key: `call-${position}`,
    request: JSON.stringify({ service, request: { action } }),
    status: 'done' as const,
    result: JSON.stringify(result),
    created_at: new Date(now + position),
  })
  const ticket = { ok: true, id: '41', url: 'https://acme.zendesk.com/agent/tickets/41', status: 'new' }
  const effects = [
    call(0, 'create', ticket),
    call(1, 'get', ticket),
    call(2, 'update', { ...ticket, status: 'open' }),
    call(3, 'update', { ok: false, error: 'not-found' }),
    call(4, 'create', ticket, 'crm'),
  ]
  await server.context.db.insertInto('effects').values(effects).execute()
  expect(await timeline()).toEqual([
    ['ticket-changed', '41', ticket.url],
    ['ticket', '41', ticket.url],
  ])
})
