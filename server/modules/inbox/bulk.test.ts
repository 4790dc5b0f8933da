import { afterAll, beforeAll, expect, it } from 'vitest'
import { endBackgroundWork } from '../../../tests/support/backgroundWork'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { timedFlow, timedRegistry } from '../../../tests/support/timedFlow'
import { Role } from '../../access/roles'
import { startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { importFlow, publishFlow } from '../../contracts/flows'
import * as contract from '../../contracts/inbox'
import { mergeInbox } from '../../contracts/inboxMerges'

/** Changes of several conversations at once. */
let server: TestServer
let ada: Registered
let bob: Registered
let pgid: string
let slug: string
let count = 0
beforeAll(async () => {
  server = await startTestServer({ registry: timedRegistry })
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  bob = await server.register({ first_name: 'Bob', last_name: 'Bell' })
  ;({ pgid, slug } = await chatbotOf(ada))
  await addMember(server, pgid, bob, [Role.EDITOR])
})
afterAll(() => server.close())

async function chatbotOf(who: Registered) {
  const flow = await makeChatbot(who)
  const asking = timedFlow({ noReplyAfter: 172_800 })
  // asks once, and ends
  const source = JSON.stringify({ ...asking, edges: asking.edges.slice(0, 1) })
  await who.call(importFlow, { params: flow, body: { source, mode: 'replace' } })
  await who.call(publishFlow, { params: flow })
  return { pgid: flow.pgid, slug: (await who.call(readChatbot, { params: flow })).chatbot.slug }
}
const browser = () => `visitor${String(++count).padStart(9, '0')}`
async function begin(visitor = browser(), at = slug): Promise<string> {
  const body = { client_id: `start-${String(++count).padStart(4, '0')}`, visitor }
  return (await (await server.guest()).call(startConversation, { params: { slug: at }, body })).conversation.id
}
const change = (who: Registered, conversations: string[], wanted: contract.ConversationChange) =>
  who.call(contract.changeConversations, { params: { pgid }, body: { conversations, change: wanted } })
const of = async (conversation: string) =>
  (await ada.call(contract.readInboxConversation, { params: { pgid, conversation } })).conversation
const activity = async (conversation: string) =>
  (await ada.call(contract.readThread, { params: { pgid, conversation }, query: {} })).activity

it('takes as many as one call may change, and none more; nor none at all', async () => {
  const gone = (at: number) => String(at).padStart(16, '0')
  const many = Array.from({ length: contract.MOST_CHANGED }, (_, at) => gone(at))
  expect((await change(ada, many, { priority: 1 })).failed).toHaveLength(contract.MOST_CHANGED)
  await expect(change(ada, [...many, gone(1_000)], { priority: 1 })).rejects.toThrow(': 422')
  await expect(change(ada, [], { priority: 1 })).rejects.toThrow('Choose a conversation')
})

it('one that can’t be changed holds up none of the others, wherever it stands, and says why', async () => {
  const [one, two] = [await begin(), await begin()]
  const gone = '0'.repeat(16)
  const { failed } = await change(ada, [one, gone, two], { priority: 2 })
  expect(failed).toEqual([{ conversation: gone, reason: 'This page could not be found' }])
  expect([(await of(one)).priority, (await of(two)).priority]).toEqual([2, 2])
  // what is wrong with a field is what it says, of each
  const wrong = await change(ada, [one, two], { assignee: bob.user.ui })
  expect(wrong.failed).toEqual(
    [one, two].map((conversation) => ({ conversation, reason: 'This person can’t answer visitors here.' })),
  )
  expect([(await of(one)).assignee, (await of(two)).assignee]).toEqual([null, null])
})

it('one that is named twice is changed once', async () => {
  const [one, two] = [await begin(), await begin()]
  expect(await change(ada, [one, two, one], { status: 'person' })).toEqual({ failed: [] })
  await endBackgroundWork(server)
  const taken = (await activity(one)).filter(({ kind }) => kind === 'assigned')
  expect(taken).toHaveLength(1)
})

it('one that was merged into another is left as it is, and leads there by its reason', async () => {
  const visitor = browser()
  const [old, other] = [await begin(visitor), await begin()]
  const now = await begin(visitor)
  await ada.call(mergeInbox, { params: { pgid, conversation: now }, body: { conversations: [old] } })
  const { failed } = await change(ada, [old, other], { priority: 3 })
  expect(failed.map(({ conversation }) => conversation)).toEqual([old])
  expect(failed[0]?.reason).toContain('merged')
  expect((await of(other)).priority).toBe(3)
})

it('conversations of another project are not found, and stay as they are', async () => {
  const cleo = await server.register()
  const { pgid: theirs, slug: at } = await chatbotOf(cleo)
  const foreign = await begin(browser(), at)
  const own = await begin()
  const { failed } = await change(ada, [foreign, own], { priority: 3, status: 'closed' })
  expect(failed).toEqual([{ conversation: foreign, reason: 'This page could not be found' }])
  const params = { pgid: theirs, conversation: foreign }
  const { conversation } = await cleo.call(contract.readInboxConversation, { params })
  expect([conversation.priority, conversation.status]).toEqual([0, 'bot'])
})

it('who may not answer visitors changes none', async () => {
  const [one, two] = [await begin(), await begin()]
  await expect(change(bob, [one, two], { status: 'closed' })).rejects.toThrow(': 403')
  expect([(await of(one)).status, (await of(two)).status]).toEqual(['bot', 'bot'])
})
