import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { dashboard, readUsage } from '../../../contracts/account'
import { createChatbot, deleteChatbot, duplicateChatbot, listChatbots } from '../../../contracts/chatbots'
import { listContacts } from '../../../contracts/contacts'
import { publishFlow } from '../../../contracts/flows'
import { listInbox, readThread } from '../../../contracts/inbox'
import { addSamples, removeSamples } from '../../../contracts/samples'
import { SAMPLE_TEMPLATE, samples, silentContacts } from './sampleConversations'

const clock = createTestClock('2026-11-24T10:00:00Z')
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server.close())

/** Someone whose project has the free plan: one chatbot. */
async function freeOwner() {
  const owner = await server.register()
  await server.context.db.updateTable('projects').set({ plan_id: 'free' }).where('gid', '=', owner.pgid).execute()
  const params = { pgid: owner.pgid }
  const account = async () => (await owner.call(dashboard, { body: { pgid: owner.pgid } })).user
  const inbox = async () => {
    const of = async (view: 'all' | 'closed') =>
      (await owner.call(listInbox, { params, query: { view } })).conversations
    return [...(await of('all')), ...(await of('closed'))]
  }
  const contacts = async () => (await owner.call(listContacts, { params, query: {} })).contacts
  const chatbots = async () => (await owner.call(listChatbots, { params })).chatbots
  return { owner, params, account, inbox, contacts, chatbots }
}

test('samples are conversations and contacts to look at, marked as such', async () => {
  const { owner, params, inbox, contacts, chatbots } = await freeOwner()
  const { chatbot } = await owner.call(addSamples, { params })
  expect(await chatbots()).toMatchObject([{ gid: chatbot, sample: true, published: null, over_limit: false }])
  const people = await contacts()
  expect(people).toHaveLength(samples.length + silentContacts.length)
  expect(people.every(({ sample, test: isTest }) => sample && isTest)).toBe(true)
  const shown = await inbox()
  expect(shown.map(({ visitor, status, unread, chatbot: of }) => [visitor, status, unread, of.sample])).toEqual([
    ['Grace Hopper', 'waiting', 1, true],
    ...samples.slice(1).map(({ person }) => [person.name, 'closed', 0, true]),
  ])
  const [first] = shown
  const read = await owner.call(readThread, { params: { ...params, conversation: first?.gid ?? '' } })
  expect(JSON.stringify(read)).toContain('The export button does nothing since this morning.')
  await expect(owner.call(addSamples, { params })).rejects.toThrow('Someone else changed this')
})

test('they count in no meter and no figure, and are in nobody’s way', async () => {
  const { owner, params, account, chatbots } = await freeOwner()
  await owner.call(addSamples, { params })
  const { usage, total_conversations: total, over_limit: over } = await account()
  expect([usage.chatbots, usage.ai_message_credits.used, total, over]).toEqual([{ max: 1, used: 0 }, 0, 0, []])
  // as programs read it
  expect((await owner.call(readUsage, { params })).usage.chatbots).toEqual({ max: 1, used: 0 })
  // the one place of the plan is free
  await owner.call(createChatbot, { params, body: { name: 'Mine' } })
  expect((await account()).usage.chatbots).toEqual({ max: 1, used: 1 })
  expect((await chatbots()).map(({ over_limit }) => over_limit)).toEqual([false, false])
  const told = await server.context.db
    .selectFrom('events')
    .innerJoin('projects', 'projects.id', 'events.project_id')
    .select('type')
    .where('projects.gid', '=', owner.pgid)
    .execute()
  expect(told.filter(({ type }) => /^(?:conversation|message|contact)/.test(type))).toEqual([])
})

test('a sample takes no place, so that visitors can’t have it; its copy takes one', async () => {
  const { owner, params, chatbots } = await freeOwner()
  const { chatbot: cgid } = await owner.call(addSamples, { params })
  const [sample] = await chatbots()
  const fid = sample?.fid ?? ''
  await expect(owner.call(publishFlow, { params: { ...params, cgid, fid }, body: {} })).rejects.toThrow('is a sample')
  const { chatbot: copy } = await owner.call(duplicateChatbot, { params: { ...params, cgid } })
  expect(copy.sample).toBe(false)
  await expect(owner.call(duplicateChatbot, { params: { ...params, cgid } })).rejects.toThrow('current plan')
  await owner.call(publishFlow, { params: { ...params, cgid: copy.gid, fid: copy.fid }, body: {} })
})

test('one press removes all of them and nothing else, and they may come again', async () => {
  const { owner, params, inbox, contacts, chatbots } = await freeOwner()
  await owner.call(createChatbot, { params, body: { name: 'Mine' } })
  await owner.call(addSamples, { params })
  await owner.call(removeSamples, { params })
  await server.context.jobs.runDue()
  expect([await inbox(), await contacts()]).toEqual([[], []])
  expect(await chatbots()).toMatchObject([{ name: 'Mine', sample: false }])
  // there is nothing left to remove
  await owner.call(removeSamples, { params })
  const { chatbot } = await owner.call(addSamples, { params })
  expect(await inbox()).toHaveLength(samples.length)
  // or goes as any chatbot does
  const [, sample] = await chatbots()
  await owner.call(deleteChatbot, { params: { ...params, cgid: chatbot }, body: { name: sample?.name ?? '' } })
  await server.context.jobs.runDue()
  expect(await inbox()).toEqual([])
})

test('the template’s kept conversations are those that the sample names', async () => {
  const { readTemplate } = await import('../../templates/readTemplates')
  const template = await readTemplate(SAMPLE_TEMPLATE, server.context.registry)
  expect(samples.map(({ recording }) => template?.tests[recording]?.name)).toEqual([
    'A person takes over',
    'Sign-in works after the tips',
    'Nobody is there, a ticket is written',
    'Still locked out, and no address is given',
  ])
})
