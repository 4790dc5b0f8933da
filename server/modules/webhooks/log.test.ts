import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addMember } from '../../../tests/support/collab'
import { inviteMember } from '../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { createChatbot } from '../../contracts/chatbots'
import { createContact } from '../../contracts/contacts'
import { EVENTS_SHOWN, type LoggedEvent, readEventLog } from '../../contracts/eventLog'
import { publishFlow } from '../../contracts/flows'
import { eraseContact } from '../../contracts/privacy'

let server: TestServer
let now = new Date('2030-01-01T00:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => now })
})
afterAll(() => server.close())

type Query = Parameters<typeof readEventLog.query.parse>[0]
const read = (who: Registered, pgid: string, query: Query = {}) =>
  who.call(readEventLog, { params: { pgid }, query: query as object })
/** An event is there once no earlier one can come, which others' transactions on the same database server delay. */
const shows = (who: Registered, pgid: string, query: Query, count: number) =>
  vi.waitFor(async () => {
    const { events } = await read(who, pgid, query)
    expect(events).toHaveLength(count)
    return events
  }, 20_000)
const contact = (who: Registered, email: string) =>
  who.call(createContact, { params: { pgid: who.pgid }, body: { fields: { email } } }).then(({ contact }) => contact)
const emailOf = ({ data }: LoggedEvent) => (data.contact as { email?: string }).email

test('what happened is read in order, and from a place on only what came after it', async () => {
  const ada = await server.register()
  const emails = Array.from({ length: EVENTS_SHOWN + 5 }, (_, at) => `p${at}@example.com`)
  for (const email of emails) await contact(ada, email)
  await vi.waitFor(async () => {
    const seen: LoggedEvent[] = []
    let cursor: string | undefined
    do {
      const page = await read(ada, ada.pgid, cursor ? { cursor } : {})
      expect(page.events.length).toBeLessThanOrEqual(EVENTS_SHOWN)
      seen.push(...page.events)
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen.map(emailOf)).toEqual(emails)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(emails.length)
    const { events } = await read(ada, ada.pgid, { cursor: seen.at(-3)?.cursor })
    expect(events.map(emailOf)).toEqual(emails.slice(-2))
  }, 20_000)
})

test('types and a time choose among them, and what is gone or was only a draft’s is left out', async () => {
  const ada = await server.register()
  const params = { pgid: ada.pgid }
  const gone = await contact(ada, 'gone@example.com')
  await ada.call(eraseContact, { params: { ...params, gid: gone.gid } })
  now = new Date(now.getTime() + 60_000)
  const later = now.toISOString()
  const bot = (await ada.call(createChatbot, { params, body: { name: 'Bot', template: 'faq' } })).chatbot
  await ada.call(publishFlow, { params: { ...params, cgid: bot.gid, fid: bot.fid }, body: { name: '', notes: '' } })
  const events = await shows(ada, ada.pgid, {}, 2)
  expect(events.map(({ type }) => type)).toEqual(['contact.deleted', 'flow.published'])
  expect(events[1]).toMatchObject({ version: 1, data: { chatbot: { id: bot.gid, name: 'Bot' }, version: 1 } })
  const typesOf = async (query: Query) => (await read(ada, ada.pgid, query)).events.map(({ type }) => type)
  expect(await typesOf({ types: 'flow.published,lead.created' })).toEqual(['flow.published'])
  expect(await typesOf({ types: 'contact.created' })).toEqual([])
  expect(await typesOf({ since: later })).toEqual(['flow.published'])
})

test('who may not see integrations reads no log', async () => {
  const ada = await server.register()
  const billing = await inviteMember(server, ada, Role.BILLING)
  expect((await billing.send('GET', `/api/projects/${ada.pgid}/event-log`)).status).toBe(403)
})

test('another project’s events are not read, nor by its cursor', async () => {
  const [ada, eve] = [await server.register(), await server.register()]
  await contact(ada, 'ada@example.com')
  const [event] = await shows(ada, ada.pgid, {}, 1)
  await contact(eve, 'eve@example.com')
  await shows(eve, eve.pgid, {}, 1)
  expect((await eve.send('GET', `/api/projects/${ada.pgid}/event-log`)).status).toBe(404)
  const { events } = await read(eve, eve.pgid, { cursor: event?.cursor })
  expect(events.map(emailOf)).toEqual(['eve@example.com'])
  await addMember(server, ada.pgid, eve, [Role.EDITOR])
  expect((await read(eve, ada.pgid)).events).toHaveLength(1)
})

test.each([
  'types=contact.born',
  'types=',
  'types=contact.created,,lead.created',
  'cursor=1.2',
  'cursor=1.2.x',
  'cursor=99999999999.1.1',
  'since=yesterday',
  'since=2030-01-01',
  'after=1.2.3',
])('%s is refused, by its field', async (query) => {
  const ada = await server.register()
  const answer = await ada.send('GET', `/api/projects/${ada.pgid}/event-log?${query}`)
  expect(answer.status).toBe(422)
})

test('bounds of a place and a time are no errors', async () => {
  const ada = await server.register()
  const far = { cursor: '999999999.9999999999999999999.999999999999999999', since: '0000-01-01T00:00:00Z' }
  expect(await read(ada, ada.pgid, far)).toEqual({ events: [], next: null })
})
