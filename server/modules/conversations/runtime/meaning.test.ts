import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { messageToString } from '../../../../engine/flow/conversationWords'
import { createCountingIds } from '../../../../engine/flow/ids'
import type { Json } from '../../../../engine/values/json'
import { plainRichText } from '../../../../engine/values/richText'
import { flowAround } from '../../../../tests/support/conversations'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { createRuntime } from './createRuntime'

/**
 * An embedding model that knows two meanings by their words in any language, and that everything else is something
 * else.
 */
const MEANINGS = [/refund|money back|send it back|erstatt|rembours|cash returned/i, /open|hours|geöffnet|ouvert/i]
let down = false
const embedded: string[][] = []
const models = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const input: string[] = JSON.parse(text).input
  embedded.push(input)
  if (down)
    return void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"down"}}')
  const data = input.map((phrase, index) => {
    const known = MEANINGS.map((meaning) => (meaning.test(phrase) ? 1 : 0.05))
    return { object: 'embedding', index, embedding: [...known, known.includes(1) ? 0.05 : 1] }
  })
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } }))
})
let server: TestServer
let baseUrl: string
beforeAll(async () => {
  models.listen(0, '127.0.0.1')
  await once(models, 'listening')
  baseUrl = `http://127.0.0.1:${(models.address() as AddressInfo).port}/v1`
  server = await startTestServer()
})
afterAll(() => {
  models.closeAllConnections()
  return Promise.all([server.close(), new Promise((resolve) => models.close(resolve))])
})
beforeEach(() => {
  down = false
  embedded.splice(0)
})

const intent = (id: string, phrases: string[], answer: string) => ({
  id: `g-${id}`,
  title: id,
  position: { x: 0, y: 0 },
  blocks: [
    {
      id,
      kind: 'intent',
      version: 0,
      data: { ...defaults('intent'), name: id, phrases: phrases.map((text, n) => ({ id: `p${n}`, text })) } as Record<
        string,
        Json
      >,
    },
    { id: `${id}-says`, kind: 'text', version: 0, data: { content: plainRichText(answer) } as Record<string, Json> },
  ],
})
const defaults = (kind: string) => registry.get(kind).defaults(createCountingIds('i')) as Record<string, Json>

/** A conversation that asks for a name; the words that came back for each of the visitor's texts. */
async function talk(texts: string[], patient = true): Promise<string[]> {
  const flow = flowAround('text-input', { ...defaults('text-input'), prompt: plainRichText('Your name?') })
  flow.groups.push(
    intent('refund', ['I want a refund', 'give me my money back', 'can I send it back'], 'Refunds take a week.'),
    intent('hours', ['when are you open', 'what are your opening hours', 'open on sunday?'], 'We open at nine.'),
  )
  const ai = { baseUrl, apiKey: null, model: 'small', embeddingModel: 'm' }
  const context = { ...server.context, config: { ...server.context.config, ai } }
  const runtime = createRuntime({ ...context, drafts: server.parts.drafts })
  const published = await insertPublishedFlow(context.db, flow)
  const { ref } = await runtime.start({ ...published, environment: 'sharing', clientId: 'c0', startedBy: null })
  let sent = 0
  const say = async (text: string) => {
    const { messages } = await runtime.reply(ref, `c${++sent}`, { type: 'text', text })
    return messages.filter(({ author }) => author === 1).map(({ content }) => messageToString(content))[0] ?? ''
  }
  // until a text of its own was embedded, the phrases are being learnt
  while (patient && !embedded.some((asked) => asked.length === 1)) await say('when are you open')
  const heard: string[] = []
  for (const text of texts) heard.push(await say(text))
  await runtime.close()
  return heard
}

test('what shares no word with a phrase is recognised by its meaning, once the phrases are embedded', async () => {
  const [answer] = await talk(['habt ihr geöffnet'])
  expect(answer).toBe('We open at nine.')
  // the phrases, with those about other things, once; then a text each
  expect(embedded.filter((texts) => texts.length > 1)).toHaveLength(1)
})

test('while the model fails, words alone decide, and nobody waits for it', async () => {
  down = true
  expect(await talk(['I want a refund', 'habt ihr geöffnet'], false)).toEqual(['Refunds take a week.', ''])
})

test('a name is a name, whatever the model makes of it', async () => {
  expect(await talk(['Ada Lovelace'])).toEqual([''])
})
