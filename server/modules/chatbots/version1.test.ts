import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { dashboard } from '../../contracts/account'
import { createAction } from '../../contracts/actions'
import type { Conversation } from '../../contracts/chat'
import { createChatbot, duplicateChatbot, readChatbot, updateChatbot, upgradeChatbot } from '../../contracts/chatbots'
import { exportFlow, importFlow } from '../../contracts/flows'
import { duplicateProject } from '../../contracts/projects'
import { addFaq } from '../../contracts/sources'
import { readLanguage, saveLanguage } from '../../contracts/web'

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
})
afterAll(() => server.close())

const create = async (body: object = {}) =>
  (await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Lamps', type: 1, ...body } })).chatbot
const at = ({ gid }: { gid: string }) => ({ pgid: ada.pgid, cgid: gid })

let visits = 0
/** What a visitor is told: the texts of the bot after a first message. */
async function hears(slug: string, question: string): Promise<string> {
  const visitor = await server.guest()
  const started = await visitor.send('POST', `/api/chat/${slug}/conversations`, { client_id: `start-${++visits}000` })
  const { token, conversation } = started.body.data as { token: string; conversation: Conversation }
  const path = `/api/chat/${slug}/conversations/${conversation.id}/messages`
  const headers = { authorization: `Bearer ${token}` }
  const reply = { type: 'text', text: question }
  const answer = await visitor.send('POST', path, { client_id: `message-${question.length}`, reply }, headers)
  return JSON.stringify((answer.body.data as { conversation: Conversation }).conversation.messages.slice(1))
}

test('a chatbot of version 1 is published as it is made, and answers visitors from its sources', async () => {
  const chatbot = await create()
  expect(chatbot).toMatchObject({ type: 1, version: 1, published: { version: 1 } })
  const params = at(chatbot)
  await ada.call(updateChatbot, { params, body: { business_name: 'Lamps', business_description: 'Sells lamps' } })
  const answer = 'We repair lamps in five days.'
  await ada.call(addFaq, {
    params,
    body: { question: 'How long does a repair of a lamp take?', answer, phrasings: [] },
  })
  await server.context.jobs.runDue()
  expect(await hears(chatbot.slug, 'How long does a repair of a lamp take?')).toContain('five days')
  expect(await hears(chatbot.slug, 'Qwertz uiop asdf?')).toContain('I have no answer to that')
})

test('it has neither builder nor actions, and its chat speaks a language of the list', async () => {
  const chatbot = await create()
  const params = at(chatbot)
  const flow = { ...params, fid: chatbot.fid }
  const source = JSON.stringify(await ada.call(exportFlow, { params: flow }))
  await expect(ada.call(importFlow, { params: flow, body: { source, mode: 'replace' } })).rejects.toThrow(
    'only answers from its sources',
  )
  const action = {
    ...{ kind: 'hand-off', name: 'Ask the team', description: 'When a person is wanted', frequency: 'always' as const },
    ...{ parameters: [], save_to: null, enabled: true, config: { team: '', note: '', message: '' } },
  } as const
  await expect(ada.call(createAction, { params, body: action as never })).rejects.toThrow(
    'only answers from its sources',
  )
  const { settings } = await ada.call(readLanguage, { params })
  expect(settings.interface_language).toBe('en')
  const auto = { settings: { ...settings, interface_language: 'auto' as const } }
  await expect(ada.call(saveLanguage, { params, body: auto })).rejects.toThrow('Choose a language')
  const account = await ada.call(dashboard, { body: { cgid: chatbot.gid } })
  const features = JSON.parse(Buffer.from(account.fr, 'base64').toString()) as Record<string, Record<string, number[]>>
  expect([features.builder?.view, features.actions?.create, features.playground?.view]).toEqual([[], [], [1, 2, 3, 6]])
  expect(account.v2_upgrade_enabled).toBe(true)
})

test('it becomes an agent, for good, that answers as before and has its flow in the builder', async () => {
  const chatbot = await create()
  const params = at(chatbot)
  const { chatbot: agent } = await ada.call(upgradeChatbot, { params })
  expect(agent).toMatchObject({ type: 2, version: 2, published: { version: 1 } })
  expect((await ada.call(upgradeChatbot, { params })).chatbot).toMatchObject({ version: 2 })
  const flow = await ada.call(exportFlow, { params: { ...params, fid: chatbot.fid } })
  const kinds = flow.groups.flatMap(({ blocks }) => blocks.map(({ kind }) => kind))
  expect(kinds.sort()).toEqual(['ai-answer', 'start', 'text-input', 'text-input', 'text-input'])
  await ada.call(importFlow, {
    params: { ...params, fid: chatbot.fid },
    body: { source: JSON.stringify(flow), mode: 'replace' },
  })
  const { db } = server.context
  const told = await db.selectFrom('events').select('payload').where('type', '=', 'chatbot.changed').execute()
  expect(told.filter(({ payload }) => JSON.stringify(payload).includes('"version"'))).toHaveLength(1)
})

test('its copies are of version 1, published, and have its language', async () => {
  const chatbot = await create()
  const { settings } = await ada.call(readLanguage, { params: at(chatbot) })
  await ada.call(saveLanguage, { params: at(chatbot), body: { settings: { ...settings, interface_language: 'de' } } })
  const { chatbot: copy } = await ada.call(duplicateChatbot, { params: at(chatbot) })
  expect(copy).toMatchObject({ type: 1, version: 1, published: { version: 1 } })
  expect((await ada.call(readLanguage, { params: at(copy) })).settings.interface_language).toBe('de')
  const { project } = await ada.call(duplicateProject, { params: { pgid: ada.pgid } })
  const there = (await ada.call(dashboard, { body: { pgid: project.gid } })).user.chatbots
  const first = there.filter(({ version }) => version === 1)
  expect(first.length).toBeGreaterThan(1)
  for (const { gid } of first)
    expect((await ada.call(readChatbot, { params: { pgid: project.gid, cgid: gid } })).chatbot).toMatchObject({
      published: { version: 1 },
    })
})

test('a flow of a file or a template is for agents', async () => {
  await expect(create({ template: 'faq' })).rejects.toThrow('Flows of files and templates are for agents')
  expect(await create({ type: 2 })).toMatchObject({ type: 2, version: 2, published: null })
})
