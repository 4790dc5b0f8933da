import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../../../engine/flow/schema'
import { plainRichText, richTextToString } from '../../../../engine/values/richText'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { type Conversation, startConversation } from '../../../contracts/chat'
import { createChatbot } from '../../../contracts/chatbots'
import { importFlow, publishFlow } from '../../../contracts/flows'

/**
 * From the editor's phrases to the visitor's words: imported, published, learned, heard in a conversation over HTTP.
 */
let server: TestServer
let editor: Registered
beforeAll(async () => {
  server = await startTestServer()
  editor = await server.register()
})
afterAll(() => server.close())

const block = (id: string, kind: string, data: object = {}): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})
const says = (id: string, text: string) => block(id, 'text', { content: plainRichText(text) })
const intent = (id: string, name: string, ...phrases: string[]) =>
  block(id, 'intent', {
    name,
    phrases: phrases.map((text, index) => ({ id: `${id}-${index}`, text })),
    saveName: 'heard',
  })
const heard = (id: string) => ({
  ...says(id, ''),
  data: {
    content: [
      { type: 'paragraph', children: [{ text: 'You mean: ' }, { text: '', variable: true, variable_id: 'heard' }] },
    ],
  } as Block['data'],
})

const groups = [
  [
    block('start', 'start'),
    says('hello', 'Welcome'),
    block('name', 'text-input', { prompt: plainRichText('Who are you?'), saveTo: 'name' }),
    says('thanks', 'Thank you'),
  ],
  [
    intent(
      'hours',
      'Opening hours',
      'When are you open?',
      'What are your opening hours?',
      'Are you open on Sundays?',
      'When do you close?',
    ),
    heard('hours-heard'),
    says('hours-said', 'We are open from 9 to 5.'),
  ],
  [
    intent(
      'refund',
      'Refund',
      'I want my money back',
      'How do I get a refund?',
      'Please refund my order',
      'Can I return this and be paid back?',
    ),
    heard('refund-heard'),
    says('refund-said', 'We pay back within 30 days.'),
  ],
]
const flow: Flow = {
  ...emptyFlow(),
  variables: ['name', 'heard'].map((id) => ({ id, name: id, value: null })),
  groups: groups.map((blocks, index) => ({
    id: `g${index}`,
    title: `Group ${index}`,
    position: { x: index * 300, y: 0 },
    blocks,
  })),
}

const saidIn = ({ messages }: Conversation): string[] =>
  messages.map(({ content }) => (content.kind === 'text' ? richTextToString(content.text, () => '') : content.kind))

it('hears an intent in other words than the editor’s, goes there, and asks its question again', async () => {
  const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Shop' } })
  const params = { pgid: editor.pgid, cgid: chatbot.gid, fid: chatbot.fid }
  await editor.call(importFlow, { params, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await editor.call(publishFlow, { params })

  const visitor = await server.guest()
  const started = await visitor.call(startConversation, {
    params: { slug: chatbot.slug },
    body: { client_id: 'start-0001' },
  })
  expect(saidIn(started.conversation)).toEqual(['Welcome', 'Who are you?'])
  let count = 0
  const say = async (text: string): Promise<Conversation> => {
    const path = `/api/chat/${chatbot.slug}/conversations/${started.conversation.id}/messages`
    const body = { client_id: `message-${++count}`, reply: { type: 'text', text } }
    const answer = await visitor.send('POST', path, body, { authorization: `Bearer ${started.token}` })
    expect(answer.status, answer.text).toBe(200)
    return (answer.body.data as { conversation: Conversation }).conversation
  }

  const hours = 'hi, when are you open on sundays?'
  const first = await say(hours)
  expect(saidIn(first)).toEqual([hours, 'You mean: Opening hours', 'We are open from 9 to 5.', 'Who are you?'])
  expect(first.request).toEqual(started.conversation.request)

  const refund = 'can i get a refund for my order'
  const second = await say(refund)
  expect(saidIn(second)).toEqual([refund, 'You mean: Refund', 'We pay back within 30 days.', 'Who are you?'])

  const last = await say('Ada Lovelace')
  expect(saidIn(last)).toEqual(['Ada Lovelace', 'Thank you'])
  // nothing more to ask: it goes on listening
  expect(last.state).toBe('waiting')
  expect(saidIn(await say('please refund my money')).slice(1)).toEqual([
    'You mean: Refund',
    'We pay back within 30 days.',
  ])
})
