import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { httpEffect } from '../../../../engine/effects/http'
import { emptyFlow, type Flow } from '../../../../engine/flow/schema'
import type { Json } from '../../../../engine/values/json'
import { makeChatbot } from '../../../../tests/support/collab'
import { reading } from '../../../../tests/support/effects'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { importFlow } from '../../../contracts/flows'
import {
  continuePlayground,
  inspectPlaygroundStep,
  readPlayground,
  rewindPlayground,
  sendPlaygroundMessage,
  setPlaygroundVariables,
  startPlayground,
  stopPlayground,
} from '../../../contracts/playground'
import { keepTest, runTests } from '../../../contracts/recordings'
import type { CallContext } from '../../../platform/effects/callContext'

let server: TestServer
let owner: Registered
const calls: { request: Json; key: string }[] = []
beforeAll(async () => {
  const http = async (request: Json, { idempotencyKey: key }: Pick<CallContext, 'idempotencyKey'>) => {
    calls.push({ request, key })
    return { ok: true, status: 200, headers: {}, body: { fact: `Fact ${calls.length}` }, ms: 1 }
  }
  server = await startTestServer({ effects: [reading(httpEffect, http)] })
  owner = await server.register()
})
afterAll(() => server?.close())

type Blocks = Flow['groups'][0]['blocks']
const block = (id: string, kind: string, data: object = {}) => ({
  id,
  kind,
  version: registry.find(kind)?.migrations.length ?? 0,
  data: { ...(registry.find(kind)?.defaults(() => `${id}-item`) as object), ...data },
})
const chip = { text: '', variable: true, variable_id: 'name' }
/** Asks for a name, makes an HTTP call, greets by the name, asks again. */
const flow: Flow = {
  ...emptyFlow(),
  variables: [{ id: 'name', name: 'name', value: null }],
  groups: [
    {
      id: 'g1',
      title: 'Hello',
      position: { x: 0, y: 0 },
      blocks: [
        block('start', 'start'),
        block('ask', 'text-input', { saveTo: 'name' }),
        block('call', 'http-request', { url: { type: 'static', value: 'https://example.com/cats' } }),
        block('greet', 'text', { content: [{ type: 'paragraph', children: [{ text: 'Hello ' }, chip] }] }),
        block('again', 'text-input'),
        block('bye', 'text', { content: [{ type: 'paragraph', children: [{ text: 'Bye ' }, chip] }] }),
      ] as Blocks,
    },
    { id: 'empty', title: 'Empty', position: { x: 500, y: 0 }, blocks: [] },
  ],
}
const main = (blockId: string) => ({ flowId: null, groupId: 'g1', blockId })
const nowhere = { step: false, at: [] }

async function setUp() {
  const chatbot = await makeChatbot(owner)
  await owner.call(importFlow, { params: chatbot, body: { source: JSON.stringify(flow), mode: 'replace' } })
  const start = (body: object = {}) =>
    owner.call(startPlayground, { params: chatbot, body: { client_id: crypto.randomUUID(), ...body } })
  const on = (conversation: string) => {
    const params = { ...chatbot, conversation }
    return {
      say: (text: string, body: object = {}) =>
        owner.call(sendPlaygroundMessage, {
          params,
          body: { client_id: crypto.randomUUID(), reply: { type: 'text', text }, ...body },
        }),
      continues: (turn: number, pauses: { step: boolean; at: { flowId: null; blockId: string }[] } = nowhere) =>
        owner.call(continuePlayground, { params, body: { turn, pauses } }),
      set: (values: Record<string, Json>) => owner.call(setPlaygroundVariables, { params, body: { values } }),
      rewind: (turn: number) => owner.call(rewindPlayground, { params, body: { turn } }),
      read: (turn?: number) => owner.call(readPlayground, { params, query: turn === undefined ? {} : { turn } }),
      stop: () => owner.call(stopPlayground, { params }),
      step: (turn: number, step: number) => owner.call(inspectPlaygroundStep, { params: { ...params, turn, step } }),
      keep: () => owner.call(keepTest, { params: chatbot, body: { conversation, name: 'Kept' } }),
    }
  }
  return { chatbot, start, on }
}
const words = ({ conversation }: { conversation: { messages: { content: Json }[] } }): string[] =>
  conversation.messages.map(({ content }) => {
    const { text } = content as { text: { children: { text: string }[] }[] }
    return text.map(({ children }) => children.map((leaf) => leaf.text).join('')).join('\n')
  })

test('a breakpoint holds the turn before its block, and nothing is done twice when it goes on', async () => {
  const { start, on } = await setUp()
  const { conversation } = await start()
  const { say, continues, keep } = on(conversation.id)
  const made = calls.length
  const held = await say('Ada', { pauses: { step: false, at: [{ flowId: null, blockId: 'greet' }] } })
  expect(held.debug).toMatchObject({ active: null, paused: main('greet'), turn: 1 })
  expect(held.conversation).toMatchObject({ state: 'waiting', request: null })
  expect(calls).toHaveLength(made + 1)
  await expect(say('hello?')).rejects.toThrow('The test is paused.')
  await expect(keep()).rejects.toThrow('paused in the middle of a turn')

  const on1 = await continues(1)
  expect(on1.debug).toMatchObject({ active: main('again'), paused: null })
  expect(on1.debug.turns.map(({ by }) => by)).toEqual(['start', 'reply', 'continue'])
  expect(words(on1)).toContain('Hello Ada')
  // continuing twice from the same pause has the effect of one
  expect(words(await continues(1))).toEqual(words(on1))
  expect(calls).toHaveLength(made + 1)
})

test('step by step each block is a turn, from the very first one', async () => {
  const { start, on } = await setUp()
  const step = { step: true, at: [] }
  const began = await start({ pauses: step })
  expect(began.debug).toMatchObject({ paused: main('start'), path: [] })
  const { continues, say } = on(began.conversation.id)
  expect((await continues(0, step)).debug.paused).toEqual(main('ask'))
  expect((await continues(1, step)).debug).toMatchObject({ paused: null, active: main('ask') })
  expect((await say('Ada', { pauses: step })).debug.paused).toEqual(main('call'))
  expect((await continues(3, step)).debug.paused).toEqual(main('greet'))
})

test('a conversation begins at any group or block, with values that were set first', async () => {
  const { start, on } = await setUp()
  const begun = await start({ from: { flow_id: null, group_id: 'g1', block_id: 'greet' }, values: { name: 'Grace' } })
  expect(words(begun)[0]).toBe('Hello Grace')
  await expect(on(begun.conversation.id).keep()).rejects.toThrow('began at a block of your choice')
  expect((await start({ from: { flow_id: null, group_id: 'g1' } })).debug.path[0]).toMatchObject({ blockId: 'start' })
  await expect(start({ from: { flow_id: null, group_id: 'empty' } })).rejects.toThrow('no block here')
  await expect(start({ values: { nobody: 1 } })).rejects.toThrow('no such variable')
})

test('a variable that is set by hand counts for what follows', async () => {
  const { start, on } = await setUp()
  const { conversation } = await start()
  const { say, set, keep } = on(conversation.id)
  await say('Ada')
  const edited = await set({ name: 'Grace' })
  expect(edited.debug.variables).toContainEqual({ id: 'name', name: 'name', value: 'Grace' })
  expect(edited.debug.turns.at(-1)).toMatchObject({ by: 'edit', set: { name: 'Grace' } })
  expect(edited.conversation.request).toMatchObject({ input: 'text' })
  await expect(set({ name: 'x'.repeat(70_000) })).rejects.toThrow('too large')
  await expect(set({ nobody: 1 })).rejects.toThrow('no such variable')
  expect(words(await say('bye'))).toContain('Bye Grace')
  await expect(keep()).rejects.toThrow('set by hand in turn 3')
  await expect(set({ name: 'x' })).rejects.toThrow('has ended')
})

test('an earlier turn can be looked at, and gone on from: what came later is gone, and no call is made again by itself', async () => {
  const { chatbot, start, on } = await setUp()
  const began = await start()
  const { say, read, rewind, keep } = on(began.conversation.id)
  await say('Ada')
  const ended = await say('bye')
  expect(ended.conversation.state).toBe('ended')
  const made = calls.length

  const earlier = await read(0)
  expect(earlier.debug).toMatchObject({ turn: 0, active: main('ask'), variables: [{ name: 'name', value: null }] })
  expect(earlier.debug.turns).toHaveLength(3)
  expect(earlier.conversation).toMatchObject({ state: 'waiting', request: { input: 'text' } })
  expect(words(earlier)).toEqual(words(began))
  expect(words(await read())).toContain('Bye Ada')
  await expect(read(7)).rejects.toThrow(': 404 ')
  await expect(rewind(7)).rejects.toThrow(': 404 ')

  expect((await rewind(0)).debug.turns).toHaveLength(1)
  expect(calls).toHaveLength(made)
  const other = await say('Grace')
  expect(words(other)).toContain('Hello Grace')
  expect(words(await read())).not.toContain('Hello Ada')
  // a new call with a new key: a server that uses keys must not take it for the earlier one
  expect(calls).toHaveLength(made + 1)
  expect(new Set(calls.map(({ key }) => key)).size).toBe(calls.length)

  await keep()
  const inChatbot = { pgid: chatbot.pgid, cgid: chatbot.cgid }
  expect((await owner.call(runTests, { params: inChatbot })).results).toMatchObject([{ difference: null }])
})

test('a conversation that paused on its way is kept as the visitor would have it', async () => {
  const { chatbot, start, on } = await setUp()
  const step = { step: true, at: [] }
  const began = await start({ pauses: step })
  const { continues, say, keep } = on(began.conversation.id)
  await continues(0)
  await say('Ada', { pauses: step })
  await continues(2, step)
  await continues(3)
  const { test: kept } = await keep()
  expect(kept.turns).toBe(2)
  const inChatbot = { pgid: chatbot.pgid, cgid: chatbot.cgid }
  const { results } = await owner.call(runTests, { params: inChatbot })
  expect(results).toMatchObject([{ difference: null }])
})

test('a step shows what the block was given, and what it asked of the world', async () => {
  const { start, on } = await setUp()
  const began = await start()
  const { say, step } = on(began.conversation.id)
  const { debug } = await say('Ada')
  const steps = debug.path.filter(({ turn }) => turn === 1).map(({ blockId }) => blockId)
  expect(steps).toEqual(['ask', 'call', 'greet', 'again'])
  const call = await step(1, 1)
  expect(call.data).toMatchObject({ url: 'https://example.com/cats' })
  expect(call.effects).toMatchObject([{ type: 'call', service: 'http', result: { status: 200 } }])
  expect(call.effects[0]?.took).toBeGreaterThanOrEqual(0)
  const greet = await step(1, 2)
  expect(greet.data).toMatchObject({ content: 'Hello Ada' })
  expect(greet).toMatchObject({
    effects: [],
    messages: [{ kind: 'text' }],
  })
  await expect(step(1, 9)).rejects.toThrow(': 404 ')
})

test('a conversation is stopped where it is; others can do nothing to it', async () => {
  const { chatbot, start, on } = await setUp()
  const { conversation } = await start()
  const { stop, say, rewind } = on(conversation.id)
  expect((await stop()).conversation).toMatchObject({ state: 'ended', request: null })
  await expect(say('hello?')).rejects.toThrow('has ended')
  expect((await rewind(0)).conversation.state).toBe('waiting')
  const stranger = await server.register()
  const params = { ...chatbot, conversation: conversation.id }
  await expect(stranger.call(stopPlayground, { params })).rejects.toThrow(': 404 ')
  await expect(stranger.call(rewindPlayground, { params, body: { turn: 0 } })).rejects.toThrow(': 404 ')
})
