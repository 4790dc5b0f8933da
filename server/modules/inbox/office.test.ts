import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { plainRichText } from '../../../engine/values/richText'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { flowAround } from '../../../tests/support/conversations'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { readConversation, sendMessage, startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { importFlow, publishFlow } from '../../contracts/flows'
import * as contract from '../../contracts/inbox'
import { type Office, officeSchema } from '../../contracts/office'

/** A Monday. */
const MORNING = new Date('2026-11-23T10:00:00Z')
let now = MORNING
let server: TestServer
let ada: Registered
let bob: Registered
let pgid: string
let slug: string
let count = 0
beforeAll(async () => {
  server = await startTestServer({ clock: () => now })
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  bob = await server.register({ first_name: 'Bob', last_name: 'Bell' })
  const flow = await makeChatbot(ada)
  pgid = flow.pgid
  await addMember(server, pgid, bob, [Role.ADMIN])
  slug = (await ada.call(readChatbot, { params: { pgid, cgid: flow.cgid } })).chatbot.slug
  const data = { team: { type: 'static', value: 'Sales' }, to: [], note: { type: 'static', value: '' }, emailId: null }
  const texts = { prompt: plainRichText('Your email?'), message: plainRichText('') }
  const source = JSON.stringify(flowAround('hand-off', { ...data, ...texts }, {}))
  await ada.call(importFlow, { params: flow, body: { source, mode: 'replace' } })
  await ada.call(publishFlow, { params: flow })
})
afterAll(() => server.close())
beforeEach(() => {
  now = MORNING
})

const week = Array.from({ length: 7 }, (_, day) => (day < 5 ? [{ from: 9 * 60, to: 17 * 60 }] : []))
const hours = { time_zone: 'UTC', week, exceptions: [] }
const setOffice = (team: string | null, office: Partial<Office>) =>
  ada.call(contract.setOffice, { params: { pgid }, body: { team, office: officeSchema.parse(office) } })
const setAway = (who: Registered, away: boolean) => who.call(contract.setAway, { params: { pgid }, body: { away } })
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}

/** A visitor who was asked for an address and gave it: the flow hands over, unless nobody is there. */
async function handsOver() {
  const guest = await server.guest()
  const { token, conversation } = await guest.call(startConversation, {
    params: { slug },
    body: { client_id: `start-${String(++count).padStart(4, '0')}`, visitor: `v${String(count).padStart(19, '0')}` },
  })
  const authorization = `Bearer ${token}`
  const pathOf = (path: string) => path.replace(':slug', slug).replace(':conversation', conversation.id)
  const say = (text: string) =>
    guest.send(
      'POST',
      pathOf(sendMessage.path),
      { client_id: `message-${++count}`, reply: { type: 'text', text } },
      { authorization },
    )
  if (conversation.request) expect((await say('grace@example.com')).status).toBe(200)
  await server.app.modules.consumers.runDue()
  return {
    gid: conversation.id,
    say,
    async sees() {
      const { body } = await guest.send('GET', pathOf(readConversation.path), undefined, { authorization })
      return (body as { data: { conversation: { state: string; away?: unknown; before?: number } } }).data.conversation
    },
    entry: async () =>
      (await ada.call(contract.readInboxConversation, { params: { pgid, conversation: gidOf() } })).conversation,
  }
  function gidOf() {
    return conversation.id
  }
}
const due = async () => (await ada.call(contract.listInbox, { params: { pgid }, query: { view: 'due' } })).conversations

it('hands over within the hours, and leaves by “nobody available” outside of them or with everybody away', async () => {
  await setOffice(null, { hours, away_message: 'Back in the morning' })
  const waiting = await handsOver()
  expect((await waiting.entry()).status).toBe('waiting')
  expect(await waiting.sees()).not.toHaveProperty('away')

  later(8 * 60)
  expect(await waiting.sees()).toMatchObject({
    away: { message: 'Back in the morning', opens_at: '2026-11-24T09:00:00.000Z' },
  })
  const tooLate = await handsOver()
  expect((await tooLate.entry()).status).toBe('closed')

  // a team has hours of its own
  const { members } = await ada.call(contract.readInboxSetup, { params: { pgid } })
  const body = { name: 'Sales', assignment: 'round_robin' as const, members: members.map(({ gid }) => gid) }
  const { team } = await ada.call(contract.addTeam, { params: { pgid }, body })
  const always = { ...hours, week: week.map(() => [{ from: 0, to: 1_440 }]) }
  await setOffice(team.gid, { hours: always })
  expect((await (await handsOver()).entry()).status).not.toBe('closed')

  // who is away is passed over, and if all are there is nobody
  await setAway(ada, true)
  for (const _ of [1, 2]) {
    const one = await handsOver()
    await server.context.jobs.runDue()
    expect((await one.entry()).assignee?.name).toBe('Bob Bell')
  }
  await setAway(bob, true)
  expect((await (await handsOver()).entry()).status).toBe('closed')
  await setAway(ada, false)
  expect((await (await handsOver()).entry()).status).not.toBe('closed')
  await setAway(bob, false)
  await ada.call(contract.deleteTeam, { params: { pgid, gid: team.gid } })
})

it('says by when a conversation is to be answered and resolved, in open minutes, the most urgent first', async () => {
  // those of the test before are given to a team by a job whenever it runs, and would be due from now on
  const { conversations } = await ada.call(contract.listInbox, { params: { pgid }, query: { view: 'all' } })
  const open = conversations.filter(({ status }) => status !== 'closed').map(({ gid }) => gid)
  const closed = { conversations: open, change: { status: 'closed' as const } }
  await ada.call(contract.changeConversations, { params: { pgid }, body: closed })
  await setOffice(null, { hours, first_answer_minutes: 30, resolution_minutes: 480 })
  later(6 * 60 + 45)
  const first = await handsOver()
  // 15 minutes are left of Monday
  expect((await first.entry()).due).toEqual({ what: 'answer', at: '2026-11-24T09:15:00.000Z' })
  later(5)
  const second = await handsOver()
  expect((await due()).map(({ gid }) => gid)).toEqual([first.gid, second.gid])
  const { counts } = await ada.call(contract.countInbox, { params: { pgid }, query: {} })
  expect(counts.due).toBe(2)

  const params = { pgid, conversation: first.gid }
  const answer = { client_id: 'answer-0001', text: 'Hello', file_ids: [], seen: 99, anyway: false, reopen: false }
  await ada.call(contract.replyToVisitor, { params, body: { ...answer, close: false } })
  await server.app.modules.consumers.runDue()
  expect((await first.entry()).due).toEqual({ what: 'resolution', at: '2026-11-24T16:45:00.000Z' })
  expect((await due()).map(({ gid }) => gid)).toEqual([second.gid, first.gid])

  const close = { conversations: [first.gid], change: { status: 'closed' as const } }
  await ada.call(contract.changeConversations, { params: { pgid }, body: close })
  await server.app.modules.consumers.runDue()
  expect((await first.entry()).due).toBeNull()

  // its visitor opens it again: it counts anew
  await first.say('One more thing')
  await server.app.modules.consumers.runDue()
  expect((await first.entry()).due).toMatchObject({ what: 'answer' })
})

it('tells who waits for an answer later than was set', async () => {
  await setOffice(null, { first_answer_minutes: 60 })
  const guest = await handsOver()
  await ada.call(contract.changeConversations, {
    params: { pgid },
    body: { conversations: [guest.gid], change: { status: 'person' } },
  })
  await server.app.modules.consumers.runDue()
  const told = async () => {
    await server.context.jobs.runDue()
    const rows = await server.context.db
      .selectFrom('notifications')
      .innerJoin('conversations', 'conversations.id', 'notifications.conversation_id')
      .select('kind')
      .where('conversations.gid', '=', guest.gid)
      .where('kind', '=', 'waiting')
      .execute()
    return rows.length
  }
  // the project's own five minutes are over
  later(30)
  expect(await told()).toBe(0)
  later(31)
  expect(await told()).toBeGreaterThan(0)
})

it('refuses hours and targets that can’t be', async () => {
  const wrong = { time_zone: 'UTC', week: week.with(0, [{ from: 600, to: 500 }]), exceptions: [] }
  await expect(
    ada.call(contract.setOffice, {
      params: { pgid },
      body: { team: null, office: { ...officeSchema.parse({}), hours: wrong } },
    }),
  ).rejects.toThrow('Must end after it begins')
  await expect(setOffice('aaaaaaaaaaaaaaaa', {})).rejects.toThrow('This team is no longer there.')
})
