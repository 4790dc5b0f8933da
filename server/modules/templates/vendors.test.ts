import { afterAll, beforeAll, expect, test } from 'vitest'
import { richTextToString } from '../../../engine/values/richText'
import { createClient, type TestClient } from '../../../tests/support/client'
import { openPeer, synced } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { startCalendly } from '../../../tests/support/vendors/calendly/startCalendly'
import { consent } from '../../../tests/support/vendors/consent'
import { startGoogle } from '../../../tests/support/vendors/google/startGoogle'
import { startHubspot } from '../../../tests/support/vendors/hubspot/startHubspot'
import { startZendesk } from '../../../tests/support/vendors/zendesk/startZendesk'
import { type Conversation, startConversation } from '../../contracts/chat'
import { createChatbot } from '../../contracts/chatbots'
import { addFeed } from '../../contracts/feeds'
import { exportFlow, publishFlow } from '../../contracts/flows'
import { beginConnection, finishConnection, type VendorSlug } from '../../contracts/integrations'
import { listTests } from '../../contracts/recordings'
import { listSources } from '../../contracts/sources'
import { listTemplates, takeTemplate } from '../../contracts/templates'
import { checkDraft } from '../../contracts/versions'
import { parseConfig } from '../../platform/config/config'

/** The templates that use vendors, from the template by the connection to what a visitor has brought about there. */
let google: Awaited<ReturnType<typeof startGoogle>>
let hubspot: Awaited<ReturnType<typeof startHubspot>>
let zendesk: Awaited<ReturnType<typeof startZendesk>>
let calendly: Awaited<ReturnType<typeof startCalendly>>
let server: TestServer
let ada: Registered
let visitor: TestClient
let sheet: { id: string; name: string }
/** how many conversations there were */
let talks = 0

beforeAll(async () => {
  const clock = () => new Date()
  ;[google, hubspot, zendesk, calendly] = await Promise.all([
    startGoogle({ clock }),
    startHubspot({ clock }),
    startZendesk({ clock }),
    startCalendly({ clock }),
  ])
  const tabs = {
    Orders: [
      ['Order', 'Name', 'Email', 'Status'],
      ['1001', 'Ben', 'ben@example.com', 'sent'],
      ['1002', 'Cleo', 'cleo@example.com', 'packed'],
    ],
    Feedback: [['Date', 'Rating', 'Comment']],
  }
  sheet = { id: google.addSpreadsheet({ title: 'Shop', tabs, picked: true }).id, name: 'Shop' }
  zendesk.addArticle({ title: 'How to return an order', body: '<p>Send an order back within 30 days.</p>' })
  zendesk.addArticle({ title: 'Prices that we pay', body: '<p>Only for the team.</p>', userSegmentId: 1 })
  const { vendors } = parseConfig({
    GOOGLE_CLIENT_ID: google.client.id,
    GOOGLE_CLIENT_SECRET: google.client.secret,
    GOOGLE_ACCOUNTS_URL: google.origin,
    GOOGLE_TOKEN_URL: google.origin,
    GOOGLE_SHEETS_URL: google.origin,
    GOOGLE_DRIVE_URL: google.origin,
    HUBSPOT_CLIENT_ID: hubspot.client.id,
    HUBSPOT_CLIENT_SECRET: hubspot.client.secret,
    HUBSPOT_APP_URL: hubspot.origin,
    HUBSPOT_API_URL: hubspot.origin,
    ZENDESK_CLIENT_ID: zendesk.client.id,
    ZENDESK_CLIENT_SECRET: zendesk.client.secret,
    ZENDESK_URL: zendesk.origin,
    CALENDLY_CLIENT_ID: calendly.client.id,
    CALENDLY_CLIENT_SECRET: calendly.client.secret,
    CALENDLY_AUTH_URL: calendly.origin,
    CALENDLY_API_URL: calendly.origin,
  })
  server = await startTestServer({ config: { vendors } })
  ada = await server.register()
  visitor = await createClient(server.url)
})
afterAll(async () => {
  await server?.close()
  const standIns = [google, hubspot, zendesk, calendly]
  expect(standIns.map((standIn) => standIn.broken)).toEqual([[], [], [], []])
  await Promise.all(standIns.map((standIn) => standIn.close()))
})

const inProject = () => ({ params: { pgid: ada.pgid } })

async function connect(vendor: VendorSlug, fields: Record<string, string> = {}): Promise<string> {
  const { url } = await ada.call(beginConnection, { ...inProject(), body: { vendor, return_to: '', fields } })
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const { connection, problem } = await ada.call(finishConnection, { body: { vendor, state, code } })
  expect(problem).toBe(null)
  return connection?.gid ?? ''
}

/** What the checker says of a new chatbot's blocks, by their ids. */
async function fromTemplate(template: string) {
  const { chatbot } = await ada.call(createChatbot, { ...inProject(), body: { name: template, template } })
  const params = { pgid: ada.pgid, cgid: chatbot.gid, fid: chatbot.fid }
  const { errors } = await ada.call(checkDraft, { params })
  return { chatbot, params, errors: errors.map(({ block_id, text }) => `${block_id} ${text}`).sort() }
}

/** Chooses in the builder what is left, and publishes. */
async function publish({ chatbot, params }: Awaited<ReturnType<typeof fromTemplate>>, data: Record<string, object>) {
  const peer = openPeer(server, ada, params.fid)
  await synced(peer)
  const before = new Map(
    peer.document.toFlow().groups.flatMap(({ blocks }) => blocks.map(({ id, data: own }) => [id, own])),
  )
  for (const [blockId, chosen] of Object.entries(data))
    peer.document.commands.setBlockData(blockId, { ...before.get(blockId), ...chosen })
  await expect
    .poll(async () => {
      const { groups } = await ada.call(exportFlow, { params })
      const blocks = groups.flatMap((group) => group.blocks)
      return Object.entries(data).map(([id]) => blocks.find((block) => block.id === id)?.data)
    })
    .toMatchObject(Object.values(data))
  peer.leave()
  await ada.call(publishFlow, { params, body: {} })
  return chatbot.slug
}

/** Talks to a chatbot: texts are typed, `:label` presses the button that begins with it. @returns all that it said */
async function talk(slug: string, ...replies: string[]): Promise<{ said: string[]; conversation: Conversation }> {
  const body = { client_id: `start-of-talk-${++talks}` }
  let { token, conversation } = await visitor.call(startConversation, { params: { slug }, body })
  const said = wordsOf(conversation)
  for (const [at, text] of replies.entries()) {
    const { request } = conversation
    const options = request && 'options' in request ? request.options : []
    const option = options.find(({ label }) => text.startsWith(':') && label.startsWith(text.slice(1)))
    if (text.startsWith(':')) expect(options, `${text} of ${options.map(({ label }) => label)}`).toContain(option)
    const reply = option ? { type: 'choice', optionIds: [option.id] } : { type: 'text', text }
    const path = `/api/chat/${slug}/conversations/${conversation.id}/messages`
    const sent = { client_id: `reply-${at}-of-talk-${talks}`, reply }
    const answer = await visitor.send('POST', path, sent, { authorization: `Bearer ${token}` })
    expect(answer.status, answer.text).toBe(200)
    conversation = (answer.body.data as { conversation: Conversation }).conversation
    said.push(...wordsOf(conversation))
  }
  return { said, conversation }
}

/** What the bot says among the messages of an answer, which has those that are new. */
const wordsOf = ({ messages }: Conversation): string[] =>
  messages.flatMap(({ author, content }) =>
    author === 1 && (content.kind === 'text' || content.kind === 'answer')
      ? [richTextToString(content.text, () => '')]
      : [],
  )

test('without an account a template asks for it at each block, in words, and brings no test along', async () => {
  const { errors, params } = await fromTemplate('lead-to-crm')
  expect(errors).toEqual(['contact-1 HubSpot: Choose a connection.', 'ticket-1 HubSpot: Choose a connection.'])
  expect((await ada.call(listTests, { params })).tests).toEqual([])
  const { templates } = await ada.call(listTemplates)
  expect(templates.find(({ slug }) => slug === 'lead-to-crm')?.tests).toBe(0)
  expect(await fromTemplate('calendly-meeting')).toMatchObject({
    errors: ['times-1 Calendly: Choose a connection.', 'times-1 Calendly: Choose what can be booked.'],
  })
  // what is put into an open flow names none either
  const { flow } = await ada.call(takeTemplate, { params, body: { template: 'satisfaction-to-sheet' } })
  const row = flow.groups.flatMap(({ blocks }) => blocks).find(({ kind }) => kind === 'sheet-row')
  expect(row?.data).toMatchObject({ connection: null, spreadsheet: null, tab: null })
})

test('a visitor becomes one contact at HubSpot, with a ticket for each question', async () => {
  await connect('hubspot')
  const made = await fromTemplate('lead-to-crm')
  expect(made.errors).toEqual([])
  const slug = await publish(made, {})
  for (const question of ['Can we see it?', 'What does it cost?']) {
    const { said, conversation } = await talk(slug, 'Eve', ':I’d like a demo', question, 'eve@example.com')
    expect(said.at(-1)).toContain('We look into it')
    expect(conversation.state).toBe('ended')
  }
  const eves = hubspot.all('contacts').filter(({ properties }) => properties.email === 'eve@example.com')
  expect(eves.map(({ properties }) => properties.firstname)).toEqual(['Eve'])
  expect(hubspot.all('tickets').map(({ properties }) => properties.content)).toEqual([
    'Can we see it?',
    'What does it cost?',
  ])
})

test('an order is found in the sheet by whom it belongs to, and its row says what the customer said', async () => {
  await connect('google-sheets')
  const made = await fromTemplate('order-from-sheet')
  expect(made.errors).toEqual([
    'arrived-1 Google Sheets: Choose a spreadsheet.',
    'find-1 Google Sheets: Choose a spreadsheet.',
    'report-1 Google Sheets: Choose a spreadsheet.',
  ])
  const place = { spreadsheet: sheet, tab: tabOf('Orders') }
  const slug = await publish(made, { 'arrived-1': place, 'find-1': place, 'report-1': place })
  const cleo = ['1002', 'cleo@example.com']
  expect((await talk(slug, '1001', 'cleo@example.com')).said.at(-1)).toContain('I can’t find an order')
  expect((await talk(slug, ...cleo, ':It has arrived')).said).toEqual(
    expect.arrayContaining([
      'Hello Cleo. Your order 1002 stands as: packed.',
      'Good to hear! I have noted that order 1002 has arrived.',
    ]),
  )
  expect(
    rows('Orders')
      .slice(1)
      .map((row) => row.at(-1)),
  ).toEqual(['sent', 'arrived'])
  const { conversation } = await talk(slug, ...cleo, ':Something is wrong', 'It is broken.')
  expect(rows('Orders').at(-1)?.at(-1)).toBe('problem reported')
  expect(conversation.request).toMatchObject({ input: 'text', toTeam: { email: 'cleo@example.com' } })
})

test('a rating is one row of the sheet', async () => {
  const made = await fromTemplate('satisfaction-to-sheet')
  expect(made.errors).toEqual(['row-2 Google Sheets: Choose a spreadsheet.'])
  const slug = await publish(made, { 'row-2': { spreadsheet: sheet, tab: tabOf('Feedback') } })
  const { conversation } = await talk(slug, ':Bad', '=IMPORTXML("https://elsewhere.example")')
  expect(conversation.state).toBe('ended')
  expect(rows('Feedback').slice(1)).toEqual([[expect.any(String), 2, '=IMPORTXML("https://elsewhere.example")']])
})

test('a problem is one ticket at Zendesk, whose status is told by its number', async () => {
  await connect('zendesk', { subdomain: 'acme' })
  const made = await fromTemplate('ticket-with-status')
  expect(made.errors).toEqual([])
  const slug = await publish(made, {})
  const { said } = await talk(slug, ':I have a problem', 'Rattling', 'It rattles.', 'Eve', 'eve@example.com')
  const [ticket, ...more] = zendesk.tickets()
  expect([ticket?.subject, ticket?.tags, more]).toEqual(['Rattling', ['chatbot'], []])
  expect(said.join()).toContain(`the number ${ticket?.id}`)
  const ask = async () => (await talk(slug, ':How far', `${ticket?.id}`)).said.at(-2)
  expect(await ask()).toContain('has arrived')
  if (ticket) ticket.status = 'solved'
  expect(await ask()).toContain('is solved')
  expect((await talk(slug, ':How far', '99999999')).said.at(-1)).toContain('I can’t find a ticket')
})

test('a free time is one booking at Calendly', async () => {
  await connect('calendly')
  const made = await fromTemplate('calendly-meeting')
  expect(made.errors).toEqual(['times-1 Calendly: Choose what can be booked.'])
  const [type] = calendly.state.eventTypes
  const eventType = { id: `${calendly.origin}/event_types/${type?.uuid}`, name: type?.name ?? '' }
  const slug = await publish(made, { 'times-1': { eventType } })
  const { said, conversation } = await talk(slug, 'Eve', 'eve@example.com', ':London', ':')
  expect(said.at(-1)).toContain('We meet on')
  expect(conversation.state).toBe('ended')
  expect(calendly.state.bookings.map(({ invitee: { email } }) => email)).toEqual(['eve@example.com'])
})

test('what the Help Center says is answered with its article, and what it does not say becomes a ticket', async () => {
  const made = await fromTemplate('help-center-answers')
  expect(made.errors).toEqual([])
  const feed = { kind: 'help_center' as const, url: zendesk.origin, most: 100, resync: 'never' as const }
  await ada.call(addFeed, { params: made.params, body: feed })
  const titles = async () =>
    (await ada.call(listSources, { params: made.params, query: { offset: 0, limit: 50 } })).sources.map(
      ({ title, status }) => `${title}: ${status}`,
    )
  await expect.poll(titles).toEqual(['How to return an order: ready'])
  const slug = await publish(made, {})
  expect((await talk(slug, 'How do I return an order?')).said.join()).toContain('Send an order back within 30 days')
  const before = zendesk.tickets().length
  const { said } = await talk(slug, 'Do you paint bicycles?', ':Ask the team', 'eve@example.com')
  const [ticket, ...more] = zendesk.tickets().slice(before)
  expect([ticket?.comments[0]?.body, more]).toEqual(['Do you paint bicycles?', []])
  expect(said.at(-1)).toContain(`as ticket ${ticket?.id}`)
})

test('a vendor that refuses is told to people, in whose hands the conversation ends, and never to visitors', async () => {
  hubspot.fail({ on: 'POST *', with: 'forbidden', times: 20 })
  const slug = await publish(await fromTemplate('lead-to-crm'), {})
  const { said, conversation } = await talk(slug, 'Eve', ':Something else', 'Hello?', 'eve@example.com')
  expect(said.slice(-2)).toEqual([
    'Let me pass this on to a colleague.',
    expect.stringContaining('A colleague has got'),
  ])
  expect(conversation.request).toMatchObject({ input: 'text', toTeam: { email: 'eve@example.com' } })
})

const tabOf = (title: string) => {
  const tab = google.spreadsheets.get(sheet.id)?.sheets.find((each) => each.title === title)
  return { id: tab?.sheetId ?? -1, title }
}
const rows = (title: string) => google.rowsOf(sheet.id, title)
