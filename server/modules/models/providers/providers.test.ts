import { tool } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ModelProtocolName } from '../../../../tests/support/modelProtocols'
import { begin, busy, type ModelServer, refuse, stall, startModelServer } from '../../../../tests/support/modelServer'
import type { OpenModel, StreamPart } from '../models'
import type { ProviderAccess } from './access'
import { builtInModel } from './catalogue'
import { type AskOptions, createOpenModel } from './openModel'
import { tryConnection } from './tryConnection'

const prompt = { system: 'Be brief.', messages: [{ role: 'user' as const, content: 'Hi' }], temperature: 0.3 }
const KEY = 'sk-a-very-secret-key'

async function partsOf(stream: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const parts: StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}
const textOf = (parts: StreamPart[]) => parts.flatMap((part) => (part.type === 'text' ? part.delta : [])).join('')

describe.each<[ModelProtocolName, path: RegExp]>([
  ['openai-compatible', /\/chat\/completions$/],
  ['mistral', /\/chat\/completions$/],
  ['openai', /\/responses$/],
  ['anthropic', /\/messages$/],
  ['google', /\/models\/small:(generateContent|streamGenerateContent)/],
])('%s', (provider, path) => {
  let server: ModelServer
  let access: ProviderAccess
  beforeAll(async () => {
    server = await startModelServer(provider)
    const names = { key: 'THE_KEY', model: 'THE_MODEL', baseUrl: 'THE_ADDRESS' }
    access = { provider, apiKey: KEY, baseUrl: server.settings.baseUrl, fetch: null, names }
  })
  afterAll(() => server.close())
  const open = (options?: AskOptions): OpenModel => createOpenModel(access, 'small', builtInModel, options)

  test('answers whole, and piece by piece with what it took', async () => {
    server.answers('Hello there.')
    expect(await open().write(prompt)).toEqual({ ok: true, value: 'Hello there.' })
    const parts = await partsOf(open().stream(prompt))
    expect(parts.length).toBeGreaterThan(3)
    expect(textOf(parts)).toBe('Hello there.')
    expect(parts.at(-1)).toEqual({ type: 'end', text: 'Hello there.', tokens: { input: 7, output: 3 } })
    expect(server.calls.every((call) => path.test(call.path) && JSON.stringify(call.body).includes('Be brief.'))).toBe(
      true,
    )
  })

  test('fills fields by a schema', async () => {
    server.answers('{"age": 36}')
    const schema = {
      type: 'object',
      properties: { age: { type: 'number' } },
      required: ['age'],
      additionalProperties: false,
    }
    expect(await open().fill(prompt, schema)).toEqual({ ok: true, value: { age: 36 } })
  })

  const weather = () => ({
    weather: tool({
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        if (city === 'Nowhere') throw new Error('There is no such city.')
        return { city, degrees: 21 }
      },
    }),
  })

  test('has tools called, and goes on with what they gave', async () => {
    server.answers(
      { text: 'Let me look.', tool: { name: 'weather', input: { city: 'Rome' } } },
      { tool: { name: 'weather', input: { city: 'Nowhere' } } },
      'It is 21 degrees.',
    )
    const parts = await partsOf(open().stream(prompt, { tools: weather() }))
    expect(parts.filter(({ type }) => type === 'tool')).toEqual([
      {
        type: 'tool',
        name: 'weather',
        input: { city: 'Rome' },
        output: { city: 'Rome', degrees: 21 },
        ok: true,
        ms: expect.any(Number),
      },
      expect.objectContaining({ ok: false, input: { city: 'Nowhere' }, output: 'There is no such city.' }),
    ])
    expect(parts.at(-1)).toMatchObject({ type: 'end', text: 'Let me look.\n\nIt is 21 degrees.' })
    expect(JSON.stringify(server.calls[1]?.body)).toContain('21')
  })

  test('stops after so many steps', async () => {
    server.answers({ tool: { name: 'weather', input: { city: 'Rome' } } })
    const parts = await partsOf(open().stream(prompt, { tools: weather(), steps: 2 }))
    expect(parts.map(({ type }) => type)).toEqual(['tool', 'tool', 'end'])
    expect(server.calls).toHaveLength(2)
  })

  test.each<[string, number, number, string]>([
    ['a wrong key', 401, 1, 'refused the key: check THE_KEY.'],
    ['a refused question', 400, 1, 'refused the question (400): Incorrect key …'],
    ['a busy server', 429, 3, 'takes no more questions now (429)'],
    ['a failing server', 500, 3, 'failed (500)'],
  ])('%s is the last part, without the key', async (_case, status, tries, message) => {
    server.answers(refuse(status, `Incorrect key ${KEY}`))
    const parts = await partsOf(open().stream(prompt))
    expect(parts).toEqual([{ type: 'failed', error: expect.stringContaining(message) }])
    expect(JSON.stringify(parts)).not.toContain(KEY)
    expect(server.calls).toHaveLength(tries)
  })

  test('a busy server that wants a long pause is not asked again, and the editor is told how long', async () => {
    server.answers(busy('30'))
    const problem = expect.stringContaining('takes no more questions now (429). Try again in 30 seconds')
    expect(await partsOf(open().stream(prompt))).toEqual([{ type: 'failed', error: problem }])
    expect(server.calls).toHaveLength(1)
    expect(await open().write(prompt)).toEqual({ ok: false, error: problem })
    expect(server.calls).toHaveLength(2)
  })

  test.each(['breaks', 'ends'] as const)(
    'a stream that %s before its end is a failure after what was said',
    async (then) => {
      server.answers(begin('Half an ans', then))
      const parts = await partsOf(open({ retries: 0 }).stream(prompt))
      expect(textOf(parts)).toBe('Half an ans')
      expect(parts.at(-1)).toEqual({ type: 'failed', error: 'The answer broke off before its end. Try again.' })
    },
  )

  test('a stream that nobody wants any more is cancelled at the server, too', async () => {
    const wanted = new AbortController()
    let closed = false
    server.answers((response, call, speak) => {
      response.on('close', () => {
        closed = true
      })
      begin('Well', 'stays')(response, call, speak)
    })
    const parts: StreamPart[] = []
    for await (const part of open().stream(prompt, { signal: wanted.signal })) {
      parts.push(part)
      wanted.abort()
    }
    expect(parts.at(-1)).toEqual({ type: 'failed', error: 'The answer was cancelled.' })
    await expect.poll(() => closed).toBe(true)
  })

  test('its key is tried by listing its models', async () => {
    server.answers('never')
    server.wants(KEY)
    expect(await tryConnection(access, null)).toBeNull()
    const problem = await tryConnection({ ...access, apiKey: 'sk-another-secret' }, null)
    expect(problem).toEqual({ field: 'key', message: expect.stringContaining('refused the key') })
    expect(problem?.message).not.toContain('sk-another-secret')
    server.wants(null)
    expect(server.calls).toEqual([])
  })
})

test('a model that answers nothing, thinks aloud or never ends is not quoted, and one that is gone is said to be', async () => {
  const server = await startModelServer()
  const access: ProviderAccess = {
    provider: 'openai-compatible',
    apiKey: null,
    baseUrl: server.settings.baseUrl,
    fetch: null,
    names: { key: 'k', model: 'm', baseUrl: 'b' },
  }
  const model = createOpenModel(access, 'small', builtInModel, { timeout: 60, retries: 0 })
  server.answers('')
  expect(await partsOf(model.stream(prompt))).toEqual([
    { type: 'failed', error: expect.stringContaining('it answered nothing') },
  ])
  server.answers('<think>They greet me.</think>Hello.')
  expect((await partsOf(model.stream(prompt))).at(-1)).toMatchObject({ text: 'Hello.' })
  expect(server.calls[0]?.authorization).toBeUndefined()
  server.answers(begin('Well', 'stays'))
  const hasty = createOpenModel(access, 'small', builtInModel, { patience: { idle: 1_500, whole: 60_000 } })
  const parts = await partsOf(hasty.stream(prompt))
  expect([textOf(parts), parts.at(-1)]).toEqual([
    'Well',
    { type: 'failed', error: 'The model did not answer within 1.5 seconds.' },
  ])
  server.answers(stall)
  expect(await model.write(prompt)).toMatchObject({ error: 'The model did not answer within 0.06 seconds.' })
  await server.close()
  expect(await partsOf(model.stream(prompt))).toEqual([
    { type: 'failed', error: expect.stringContaining("can't be reached: check b") },
  ])
})
