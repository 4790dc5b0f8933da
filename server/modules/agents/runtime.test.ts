import { afterAll, beforeAll, expect, test } from 'vitest'
import { aiAnswerDefaults } from '../../../blocks/ai-answer/schema'
import { aiExtractDefaults, newExtractedField } from '../../../blocks/ai-extract/schema'
import { textInput } from '../../../blocks/text-input/block'
import { messageToString } from '../../../engine/flow/conversationWords'
import { createCountingIds } from '../../../engine/flow/ids'
import type { Json } from '../../../engine/values/json'
import { flowAround } from '../../../tests/support/conversations'
import { type ModelServer, startModelServer } from '../../../tests/support/modelServer'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { startTestServer, type TestServer } from '../../../tests/support/server'
import { createRuntime } from '../conversations/runtime/createRuntime'
import { createModels } from '../models/createModels'
import { createAiHandlers } from './aiHandlers'
import { createAnswering } from './answering/createAnswering'

let server: TestServer
let models: ModelServer
beforeAll(async () => {
  models = await startModelServer()
  server = await startTestServer()
})
afterAll(() => Promise.all([server.close(), models.close()]))

const block = (id: string, kind: string, data: unknown) => ({
  id,
  kind,
  version: 0,
  data: data as Record<string, Json>,
})

/**
 * Asks for a text, extracts an email from it, answers it; the visitor writes once. Returns what was said and the final
 * variables.
 */
async function talk(text: string, withModel: boolean) {
  const context = { ...server.context, config: { ...server.context.config, ai: withModel ? models.settings : null } }
  const field = { ...newExtractedField(() => 'f'), name: 'Email', type: 'email', saveTo: 'email' }
  const flow = flowAround('text-input', textInput.defaults(createCountingIds('i')), { email: null })
  flow.groups[0]?.blocks.push(
    block('extract', 'ai-extract', { ...aiExtractDefaults(createCountingIds('x')), fields: [field] }),
    block('answer', 'ai-answer', { ...aiAnswerDefaults(), source: 'model' }),
    block('end', 'text', { content: [{ type: 'paragraph', children: [{ text: 'Bye.' }] }] }),
  )
  const opened = createModels(context)
  const answering = createAnswering(context, { ...server.parts, models: opened })
  const handlers = createAiHandlers(context, answering, opened)
  const runtime = createRuntime({ ...context, drafts: server.parts.drafts }, handlers)
  const published = await insertPublishedFlow(context.db, flow)
  const { ref } = await runtime.start({ ...published, environment: 'sharing', clientId: 'c0', startedBy: null })
  const { messages } = await runtime.reply(ref, 'c1', { type: 'text', text })
  await runtime.close()
  const record = await context.db
    .selectFrom('turn_records')
    .select(['variables', 'trace'])
    .where('run_id', '=', ref.run_id)
    .where('turn', '=', 1)
    .executeTakeFirstOrThrow()
  const notes = record.trace.flatMap(({ note }) => note ?? [])
  return { said: messages.slice(1).map(({ content }) => messageToString(content)), variables: record.variables, notes }
}

test('a model reads what the visitor has just written, finds what it is asked for, and answers', async () => {
  models.answers('{"field_1": "ada@example.com"}', 'Hello Ada.')
  const { said, variables } = await talk('I am Ada, ada@example.com', true)
  expect(said).toEqual(['Hello Ada.', 'Bye.'])
  expect(variables).toMatchObject({ email: 'ada@example.com' })
  expect(models.calls[0]?.body.messages.at(-1)?.content).toContain('I am Ada')
  expect(models.calls[1]?.body.messages.at(-1)).toMatchObject({ role: 'user', content: 'I am Ada, ada@example.com' })
})

test('without a model rules find the email, the answer is not found, and the conversation goes on', async () => {
  const { said, variables, notes } = await talk('I am Ada, ada@example.com', false)
  expect(said).toEqual(['Bye.'])
  expect(variables).toMatchObject({ email: 'ada@example.com' })
  expect(notes).toEqual([expect.stringContaining('AI_BASE_URL and AI_MODEL')])
})
