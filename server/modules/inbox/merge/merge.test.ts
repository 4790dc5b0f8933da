import { afterAll, beforeAll, expect, it } from 'vitest'
import { type plainRichText, richTextToString } from '../../../../engine/values/richText'
import { addMember, makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { timedFlow, timedRegistry } from '../../../../tests/support/timedFlow'
import { Role } from '../../../access/roles'
import { readAnalytics } from '../../../contracts/analytics'
import * as chat from '../../../contracts/chat'
import { readChatbot } from '../../../contracts/chatbots'
import { importFlow, publishFlow } from '../../../contracts/flows'
import * as contract from '../../../contracts/inbox'
import * as merges from '../../../contracts/inboxMerges'

let server: TestServer
let ada: Registered
let bob: Registered
let pgid: string
let cgid: string
let slug: string
let count = 0
/** ms that the server's clock is ahead */
let ahead = 0
beforeAll(async () => {
  server = await startTestServer({ registry: timedRegistry, clock: () => new Date(Date.now() + ahead) })
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  bob = await server.register({ first_name: 'Bob', last_name: 'Bell' })
  const flow = await makeChatbot(ada)
  pgid = flow.pgid
  cgid = flow.cgid
  await addMember(server, pgid, bob, [Role.ADMIN])
  slug = (await ada.call(readChatbot, { params: { pgid, cgid } })).chatbot.slug
  const asking = timedFlow({ noReplyAfter: 172_800 })
  // asks once, and ends
  const source = JSON.stringify({ ...asking, edges: asking.edges.slice(0, 1) })
  await ada.call(importFlow, { params: flow, body: { source, mode: 'replace' } })
  await ada.call(publishFlow, { params: flow })
})
afterAll(() => server.close())

/** Another conversation of a browser. */
async function begin(browser: string) {
  ahead += 1_000
  const guest = await server.guest()
  const { token, conversation } = await guest.call(chat.startConversation, {
    params: { slug },
    body: { client_id: `start-${String(++count).padStart(4, '0')}`, visitor: browser },
  })
  const pathOf = (path: string) => path.replace(':slug', slug).replace(':conversation', conversation.id)
  return {
    gid: conversation.id,
    say: (text: string) => {
      ahead += 1_000
      const body = { client_id: `message-${++count}`, reply: { type: 'text', text } }
      return guest.send('POST', pathOf(chat.sendMessage.path), body, { authorization: `Bearer ${token}` })
    },
  }
}
const browser = () => `visitor${String(++count).padStart(9, '0')}`
const at = (conversation: string) => ({ params: { pgid, conversation } })
const details = async (gid: string) => (await ada.call(contract.readInboxConversation, at(gid))).conversation
const merge = (gid: string, ...others: string[]) =>
  ada.call(merges.mergeInbox, { ...at(gid), body: { conversations: others } })
const change = (gid: string, wanted: contract.ConversationChange) =>
  ada.call(contract.changeConversations, { params: { pgid }, body: { conversations: [gid], change: wanted } })
const reply = (gid: string, text: string) => {
  ahead += 1_000
  const body = { client_id: `reply-${++count}-${count}`, text, seen: 2_000_000 }
  return ada.call(contract.replyToVisitor, { ...at(gid), body })
}
const listed = async (view: contract.InboxView, search?: string) =>
  (
    await ada.call(contract.listInbox, { params: { pgid }, query: { view, ...(search && { search }) } })
  ).conversations.map(({ gid }) => gid)
const words = (content: unknown) => {
  const { kind, text } = content as { kind: string; text: ReturnType<typeof plainRichText> }
  return kind === 'text' ? richTextToString(text, () => '') : kind
}
/** What visitors and people said, with the merged conversation that each stands in. */
async function said(gid: string) {
  const { messages } = await ada.call(contract.readThread, { ...at(gid), query: {} })
  return messages
    .filter(({ author, sender }) => author === 2 || sender)
    .map(({ of, content }) => [of ?? gid, words(content)])
}

it('makes two conversations of a visitor one: the open one has the messages of both, in their order', async () => {
  const who = browser()
  const first = await begin(who)
  await first.say('my order is late')
  await change(first.gid, { status: 'person' })
  await reply(first.gid, 'which order')
  const second = await begin(who)
  await first.say('number seven')
  await change(second.gid, { status: 'person' })
  await reply(second.gid, 'we are looking')
  await change(first.gid, { status: 'closed' })

  const { conversations } = await ada.call(merges.previewInboxMerge, at(first.gid))
  expect(conversations.map(({ gid, status }) => [gid, status])).toEqual([
    [second.gid, 'person'],
    [first.gid, 'closed'],
  ])
  expect(await merge(first.gid, second.gid)).toEqual({ conversation: second.gid })
  expect(await said(second.gid)).toEqual([
    [first.gid, 'my order is late'],
    [first.gid, 'which order'],
    [first.gid, 'number seven'],
    [second.gid, 'we are looking'],
  ])
  expect(await details(second.gid)).toMatchObject({ merged: [{ gid: first.gid }], merged_into: null, others: [] })
  expect(await details(first.gid)).toMatchObject({ merged_into: second.gid })
})

it('takes merged ones out of lists and counts, and leads searches to the survivor', async () => {
  const who = browser()
  const first = await begin(who)
  await first.say('quixotic umbrella')
  const second = await begin(who)
  await change(first.gid, { status: 'closed' })
  const counted = async () => (await ada.call(contract.countInbox, { params: { pgid }, query: {} })).counts.closed
  const before = await counted()
  expect(await listed('closed')).toContain(first.gid)
  await merge(second.gid, first.gid)
  expect(await listed('closed')).not.toContain(first.gid)
  expect(await counted()).toBe(before - 1)
  expect(await listed('all', 'quixotic')).toEqual([second.gid])
})

it('refuses what is done with a merged one, and conversations of others', async () => {
  const who = browser()
  const [first, second, other] = [await begin(who), await begin(who), await begin(browser())]
  await merge(first.gid, second.gid)
  await expect(reply(first.gid, 'hello')).rejects.toThrow('conversation_merged')
  await expect(change(first.gid, { status: 'person' })).rejects.toThrow('conversation_merged')
  await expect(merge(first.gid, second.gid)).rejects.toThrow('conversation_merged')
  await expect(merge(second.gid, other.gid)).rejects.toThrow('invalid')
  await expect(merge(second.gid, first.gid)).rejects.toThrow('invalid')
})

it('keeps who has it, what waits and what is unread', async () => {
  const who = browser()
  const first = await begin(who)
  await first.say('hello')
  await change(first.gid, { status: 'person' })
  await first.say('is somebody there')
  const second = await begin(who)
  expect(await details(second.gid)).toMatchObject({ status: 'bot', assignee: null, waiting_since: null })
  const { unread } = await details(first.gid)
  await merge(second.gid, first.gid)
  expect(await details(second.gid)).toMatchObject({
    status: 'person',
    assignee: { name: 'Ada Lovelace' },
    waiting_since: expect.any(String),
    unread,
  })
})

it('is undone within 30 days: both are what they were, the formerly open one with who had it', async () => {
  const who = browser()
  const [first, second] = [await begin(who), await begin(who)]
  await first.say('hello')
  await change(first.gid, { status: 'person' })
  await merge(second.gid, first.gid)
  await ada.call(merges.separateInbox, at(first.gid))
  expect(await details(first.gid)).toMatchObject({
    status: 'person',
    merged_into: null,
    assignee: { name: 'Ada Lovelace' },
  })
  expect(await said(second.gid)).toEqual([])
  await merge(second.gid, first.gid)
  const { db } = server.context
  const { id } = await db
    .selectFrom('conversations')
    .select('id')
    .where('gid', '=', first.gid)
    .executeTakeFirstOrThrow()
  const merged_at = new Date(Date.now() + ahead - 31 * 24 * 3_600_000)
  await db.updateTable('conversation_merges').set({ merged_at }).where('conversation_id', '=', id).execute()
  await expect(ada.call(merges.separateInbox, at(first.gid))).rejects.toThrow('conflict')
})

it('is one of its own again when its visitor writes there, where the answer is seen', async () => {
  const who = browser()
  const [first, second] = [await begin(who), await begin(who)]
  await first.say('hello')
  await change(first.gid, { status: 'person' })
  await merge(second.gid, first.gid)
  expect((await first.say('I am still here')).status).toBe(200)
  expect(await details(first.gid)).toMatchObject({ status: 'person', merged_into: null, unread: 1 })
  expect(await listed('all')).toEqual(expect.arrayContaining([first.gid, second.gid]))
})

it('pages through the messages of all of them, each once', async () => {
  const who = browser()
  const [first, second] = [await begin(who), await begin(who)]
  await change(first.gid, { status: 'person' })
  await change(second.gid, { status: 'person' })
  const wanted: string[] = []
  for (let at = 0; at < 70; at++) {
    wanted.push(`message ${at}`)
    await reply((at % 3 === 0 ? first : second).gid, `message ${at}`)
  }
  await merge(second.gid, first.gid)
  const pages: contract.ThreadPage[] = []
  for (;;) {
    const [oldest] = pages[0]?.messages ?? []
    const query = oldest ? { before: oldest.seq, ...(oldest.of && { of: oldest.of }) } : {}
    const page = await ada.call(contract.readThread, { ...at(second.gid), query })
    pages.unshift(page)
    if (!page.earlier) break
  }
  const all = pages.flatMap(({ messages }) =>
    messages.filter(({ sender }) => sender).map(({ content }) => words(content)),
  )
  expect(all).toEqual(wanted)
  const ids = pages.flatMap(({ activity }) => activity.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

it('shows one that had others merged into it with all of them, and gives them back as they were', async () => {
  const who = browser()
  const [first, second, third] = [await begin(who), await begin(who), await begin(who)]
  await first.say('one')
  await second.say('two')
  await third.say('three')
  await merge(second.gid, first.gid)
  await merge(third.gid, second.gid)
  expect((await said(third.gid)).map(([, text]) => text)).toEqual(['one', 'two', 'three'])
  expect((await details(first.gid)).merged_into).toBe(third.gid)
  await ada.call(merges.separateInbox, at(second.gid))
  expect((await said(second.gid)).map(([, text]) => text)).toEqual(['one', 'two'])
})

it('leaves figures what a count of the rows says', async () => {
  const { db } = server.context
  const figures = async () => {
    const day = (days: number) => new Date(Date.now() + ahead + days * 24 * 3_600_000).toISOString().slice(0, 10)
    const query = { from: day(-60), to: day(1), zone: 'UTC', chatbot: cgid }
    const { now } = await ada.call(readAnalytics, { params: { pgid }, query })
    return now
  }
  const who = browser()
  const [first, second] = [await begin(who), await begin(who)]
  await first.say('hello')
  await merge(second.gid, first.gid)
  const counted = await db
    .selectFrom('conversations')
    .where('environment', 'in', ['production', 'sharing'])
    .select(({ fn }) => [fn.countAll<string>().as('conversations'), fn.sum<string>('last_seq').as('messages')])
    .executeTakeFirstOrThrow()
  await expect.poll(figures, { timeout: 20_000 }).toMatchObject({
    conversations: Number(counted.conversations),
    messages: Number(counted.messages),
  })
})
