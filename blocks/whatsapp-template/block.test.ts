import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { chose, flowAround, stillRuntime, typed } from '../../tests/support/conversations'
import { registry } from '../registry'
import { whatsappTemplateDefaults } from './schema'

const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const template = { name: 'repair_ready', language: 'en' }
const place = { part: 'body', index: 0, name: '1', kind: 'text' } as const
const values = [{ id: 'a', ...place, value: fromVariable }]
const replies = [
  { id: 'yes', label: 'On my way' },
  { id: 'no', label: 'Later' },
]

function run(data: object, answer: Json, said: Parameters<typeof replay>[1]['replies'] = []) {
  const requests: Json[] = []
  const given = { ...whatsappTemplateDefaults(), template, values, saveTo: 'w', ...data }
  const flow = flowAround('whatsapp-template', given, { v: 'Ben', w: null })
  const { turns, session } = replay(createProgram(flow, registry), { replies: said }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push(effect.request)
    return answer
  })
  const step = turns.flatMap(({ trace }) => trace).findLast(({ blockId }) => blockId === 'subject')
  return { requests, messages: turns.flatMap(({ messages }) => messages), port: step?.port, session, turns }
}
const ready = { ok: true, text: 'Hello Ben, it is ready.' }

test('asks whether it may go before it says what it says, with what fills its places', () => {
  const { requests, messages, port } = run({}, ready)
  const filled = [{ ...place, value: 'Ben' }]
  expect(requests).toEqual([{ ask: 'template', ...template, values: filled }])
  expect(messages).toMatchObject([{ kind: 'text', template: { ...template, values: filled } }])
  expect(JSON.stringify(messages)).toContain('Hello Ben, it is ready.')
  expect(port).toBe('success')
})

test('says nothing that WhatsApp would refuse', () => {
  for (const answer of [{ ok: false, error: 'There is no such template.' }, 'no answer']) {
    expect(run({}, answer)).toMatchObject({ messages: [], port: 'failure' })
  }
  expect(run({ template: null }, ready)).toMatchObject({ requests: [], messages: [], port: 'failure' })
})

test('waits for its buttons, each of which leads on by its own port', () => {
  const asked = run({ replies }, ready)
  expect(asked.session.request).toMatchObject({ input: 'choice', shown: 'template', options: replies, typing: true })
  const kept = ({ turns }: ReturnType<typeof run>) => turns.at(-1)?.variables.w
  const pressed = run({ replies }, ready, [chose('no')])
  expect([pressed.port, kept(pressed)]).toEqual(['no', 'Later'])
  expect(run({ replies }, ready, [typed('on my way')]).port).toBe('yes')
  const other = run({ replies }, ready, [typed('Who is this?')])
  expect([other.port, kept(other)]).toEqual(['success', 'Who is this?'])
})

test('says what is not chosen or filled yet', () => {
  const { problems } = registry.get('whatsapp-template')
  const empty = { ...values[0], value: { type: 'static', value: '' } }
  expect(problems(whatsappTemplateDefaults()).map(({ path }) => path)).toEqual(['template'])
  expect(problems({ ...whatsappTemplateDefaults(), template, values: [empty] }).map(({ path }) => path)).toEqual([
    'values.0.value',
  ])
})
