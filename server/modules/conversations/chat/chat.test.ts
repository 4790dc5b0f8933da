import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { richTextToString } from '../../../../engine/values/richText'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { typebotSource } from '../../../../tests/support/typebot'
import {
  type Conversation,
  chatPage,
  conversationEvents,
  readConversation,
  sendMessage,
  startConversation,
} from '../../../contracts/chat'
import { createChatbot } from '../../../contracts/chatbots'
import { importFlow, publishFlow, unpublishFlow } from '../../../contracts/flows'
import { playgroundEvents, sendPlaygroundMessage, startPlayground } from '../../../contracts/playground'

let server: TestServer
let editor: Registered
beforeAll(async () => {
  server = await startTestServer()
  editor = await server.register()
})
afterAll(() => server.close())

const source = typebotSource('lead-generation.json')
let count = 0
const clientId = () => `message-${++count}`

/** A chatbot with the lead generation flow in its draft. */
async function makeChatbot() {
  const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Leads' } })
  const params = { pgid: editor.pgid, cgid: chatbot.gid, fid: chatbot.fid }
  await editor.call(importFlow, { params, body: { source, mode: 'replace' } })
  return { slug: chatbot.slug, params }
}

/** What a visitor answers to each kind of question. */
function answer({ request }: Conversation) {
  if (request?.input === 'choice') return { type: 'choice' as const, optionIds: [request.options[0]?.id ?? ''] }
  if (request?.input === 'email') return { type: 'text' as const, text: 'ada@example.com' }
  return { type: 'text' as const, text: 'Ada' }
}

/** Reads an event stream until an update satisfies `until`; gives all updates. */
async function readEvents<Data>(
  url: string,
  headers: Record<string, string>,
  until: (data: Data) => boolean,
): Promise<Data[]> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const updates: Data[] = []
  let text = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk)
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      // the publication of before may still be told
      if (event.includes('event: published')) continue
      const data = event.split('\n').find((line) => line.startsWith('data: '))
      if (data) updates.push(JSON.parse(data.slice('data: '.length)) as Data)
    }
    const last = updates.at(-1)
    if (last && until(last)) break
  }
  abort.abort()
  return updates
}

describe('the shared page', () => {
  it('runs the published version to its end, and a reload shows the same conversation', async () => {
    const { slug, params } = await makeChatbot()
    await editor.call(publishFlow, { params })
    const visitor = await server.guest()
    expect(await visitor.call(chatPage, { params: { slug } })).toMatchObject({ name: 'Leads', language: 'auto' })
    const { token, conversation } = await visitor.call(startConversation, {
      params: { slug },
      body: { client_id: clientId() },
    })
    const place = { slug, conversation: conversation.id }
    const headers = { authorization: `Bearer ${token}` }

    let now = conversation
    for (let turn = 0; turn < 20 && now.state !== 'ended'; turn++) {
      const path = sendMessage.path.replace(':slug', slug).replace(':conversation', conversation.id)
      const sent = await visitor.send('POST', path, { client_id: clientId(), reply: answer(now) }, headers)
      now = (sent.body.data as { conversation: Conversation }).conversation
    }
    expect(now.state).toBe('ended')
    const path = readConversation.path.replace(':slug', slug).replace(':conversation', place.conversation)
    const again = (await visitor.send('GET', path, undefined, headers)).body.data as { conversation: Conversation }
    expect(again.conversation.messages.map((message) => message.seq)).toEqual(
      again.conversation.messages.map((_, index) => index + 1),
    )
    const said = again.conversation.messages.map(({ content }) =>
      content.kind === 'text' ? richTextToString(content.text, () => '') : '',
    )
    expect(said).toContain('Good to meet you, Ada')
  })

  it('does not exist before publishing and after unpublishing', async () => {
    const { slug, params } = await makeChatbot()
    const visitor = await server.guest()
    const page = async () => (await visitor.send('GET', `/api/chat/${slug}`)).status
    expect(await page()).toBe(404)
    await editor.call(publishFlow, { params })
    expect(await page()).toBe(200)
    await editor.call(unpublishFlow, { params })
    expect(await page()).toBe(404)
  })

  it('streams from no number that is larger than the database counts', async () => {
    const path = `/api/chat/none/conversations/${'c'.repeat(16)}/events?token=x`
    const visitor = await server.guest()
    expect((await visitor.send('GET', `${path}&after=2000000000`)).status).toBe(404)
    for (const after of ['2147483648', '9007199254740991', '1e300', '-1', 'x']) {
      expect((await visitor.send('GET', `${path}&after=${after}`)).status, after).toBe(422)
    }
  })

  it('hides a conversation from who has no token, a wrong one, or that of another', async () => {
    const { slug, params } = await makeChatbot()
    await editor.call(publishFlow, { params })
    const visitor = await server.guest()
    const start = () => visitor.call(startConversation, { params: { slug }, body: { client_id: clientId() } })
    const [mine, other] = [await start(), await start()]
    const path = `/api/chat/${slug}/conversations/${mine.conversation.id}`
    for (const token of ['', 'wrong', other.token]) {
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
      expect((await visitor.send('GET', path, undefined, headers)).status).toBe(404)
      expect((await visitor.send('GET', `${path}/events?token=${token || 'x'}`)).status).toBe(404)
    }
  })

  it('keeps running conversations on the version they began with', async () => {
    const { slug, params } = await makeChatbot()
    await editor.call(publishFlow, { params })
    const visitor = await server.guest()
    const { token, conversation } = await visitor.call(startConversation, {
      params: { slug },
      body: { client_id: clientId() },
    })
    const { groups } = await editor.call(importFlow, {
      params,
      body: { source: typebotSource('questions.json'), mode: 'replace' },
    })
    expect(groups).toBeGreaterThan(0)
    await editor.call(publishFlow, { params })
    const path = `/api/chat/${slug}/conversations/${conversation.id}/messages`
    const body = { client_id: clientId(), reply: answer(conversation) }
    const sent = await visitor.send('POST', path, body, { authorization: `Bearer ${token}` })
    expect(JSON.stringify(sent.body.data)).toContain('May we have your name?')
  })

  it('streams what happens elsewhere, and fills the gap of a stream that was lost', async () => {
    const { slug, params } = await makeChatbot()
    await editor.call(publishFlow, { params })
    const visitor = await server.guest()
    const { token, conversation } = await visitor.call(startConversation, {
      params: { slug },
      body: { client_id: clientId() },
    })
    const base = `/api/chat/${slug}/conversations/${conversation.id}`
    const stream = `${server.url}${conversationEvents.path.replace(':slug', slug).replace(':conversation', conversation.id)}?token=${token}`
    const seen = conversation.messages.at(-1)?.seq ?? 0
    const isAnswered = ({ conversation: now }: { conversation: Conversation }) =>
      (now.messages.at(-1)?.seq ?? 0) > seen + 1
    const streamed = readEvents(`${stream}&after=${seen}`, {}, isAnswered)
    const headers = { authorization: `Bearer ${token}` }
    await visitor.send('POST', `${base}/messages`, { client_id: clientId(), reply: answer(conversation) }, headers)
    const live = (await streamed).flatMap((update) => update.conversation.messages.map((message) => message.seq))
    expect(live[0]).toBe(seen + 1)
    // As a browser does that lost the stream before the answer: it names the last event it has.
    const resumed = await readEvents(stream, { 'last-event-id': String(seen) }, isAnswered)
    expect(resumed.flatMap((update) => update.conversation.messages.map((message) => message.seq))).toEqual(live)
  })
})

describe('the playground', () => {
  it('runs the draft with a record of every step and the variables by name', async () => {
    const { params } = await makeChatbot()
    let { conversation, debug } = await editor.call(startPlayground, { params, body: { client_id: clientId() } })
    expect(debug.active).not.toBeNull()
    const place = { ...params, conversation: conversation.id }
    for (let turn = 0; turn < 20 && conversation.state !== 'ended'; turn++) {
      const body = { client_id: clientId(), reply: answer(conversation) }
      ;({ conversation, debug } = await editor.call(sendPlaygroundMessage, { params: place, body }))
    }
    expect(conversation.state).toBe('ended')
    expect(debug.active).toBeNull()
    expect(new Set(debug.path.map((step) => step.groupId)).size).toBeGreaterThan(4)
    expect(debug.variables.find((variable) => variable.name === 'Name')?.value).toBe('Ada')
    const path = playgroundEvents.path.replace(/:(\w+)/g, (_, name: keyof typeof place) => place[name])
    const cookie = [...editor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const [update] = await readEvents<{ debug: typeof debug }>(`${server.url}${path}`, { cookie }, () => true)
    expect(update?.debug).toEqual(debug)
  })

  it('belongs to who started it', async () => {
    const { params } = await makeChatbot()
    const { conversation } = await editor.call(startPlayground, { params, body: { client_id: clientId() } })
    const stranger = await server.register()
    const path = `/api/projects/${params.pgid}/chatbots/${params.cgid}/flows/${params.fid}/playground/${conversation.id}/messages`
    const sent = await stranger.send('POST', path, { client_id: clientId(), reply: answer(conversation) })
    expect(sent.status).toBe(404)
  })
})
