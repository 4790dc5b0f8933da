import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { chose, shown, stillRuntime, typed } from '../../tests/support/conversations'
import type { Block, Flow } from '../flow/schema'
import { emptyFlow } from '../flow/schema'
import type { RichText } from '../values/richText'
import { plainRichText } from '../values/richText'
import { createProgram } from './program'
import { replay } from './recording'

const block = (id: string, kind: string, data: object): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...registry.get(kind).defaults(() => id), ...data } as Block['data'],
})
const chip: RichText = [
  { type: 'paragraph', children: [{ text: 'So far: ' }, { text: '', variable: true, variable_id: 'sys_transcript' }] },
]
const flowOf = (...blocks: Block[]): Flow => ({
  ...emptyFlow(),
  groups: [
    {
      id: 'g',
      title: '',
      position: { x: 0, y: 0 },
      blocks: [{ id: 's', kind: 'start', version: 0, data: {} }, ...blocks],
    },
  ],
})
const say = (id: string, content: RichText) => block(id, 'text', { content })
const ask = (id: string, prompt: string) => block(id, 'text-input', { prompt: plainRichText(prompt) })
const options = ['red', 'blue'].map((label) => ({ id: label, label: { type: 'static', value: label } }))
const choose = block('c', 'buttons', { prompt: plainRichText('Which colour?'), options })

test('holds what both sides said, in order, where a block reads it', () => {
  const flow = flowOf(say('a', plainRichText('Hello')), ask('q', 'Who are you?'), choose, say('z', chip))
  const { turns } = replay(createProgram(flow, registry), { replies: [typed('Ada'), chose('red')] }, stillRuntime)
  expect(shown(turns.at(-1)?.messages.at(-1) as never)).toBe(
    'So far: Bot: Hello\nBot: Who are you?\nVisitor: Ada\nBot: Which colour?\nVisitor: red',
  )
})

test('a question that is asked again stands in it once', () => {
  const flow = flowOf(block('n', 'number-input', { prompt: plainRichText('How many?') }), say('z', chip))
  const { turns } = replay(createProgram(flow, registry), { replies: [typed('many'), typed('3')] }, stillRuntime)
  const lines = String(turns.at(-1)?.variables.sys_transcript).split('\n')
  expect(lines.slice(0, 4)).toEqual(['Bot: How many?', 'Visitor: many', 'Bot: Enter a valid number', 'Visitor: 3'])
})

test('a chatbot that does not read it keeps none', () => {
  const { turns } = replay(createProgram(flowOf(ask('q', 'Who?')), registry), { replies: [typed('Ada')] }, stillRuntime)
  expect(turns.at(-1)?.variables).toEqual({})
})

test('of a long conversation the end is kept, from a whole line on', () => {
  const long = say('a', plainRichText(`${'word '.repeat(3_000)}end`))
  const flow = flowOf(long, { ...long, id: 'b' }, { ...long, id: 'c' }, say('z', chip))
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, stillRuntime)
  const transcript = String(turns.at(-1)?.variables.sys_transcript)
  expect(transcript.length).toBeLessThanOrEqual(30_000)
  expect(transcript).toMatch(/^Bot: /)
})

test('as much of the end is kept as fits, in whole lines', () => {
  const lines = Array.from({ length: 5 }, (_, at) => `${at} ${'word '.repeat(1_800)}end`)
  const said = lines.map((line, at) => say(`a${at}`, plainRichText(line)))
  const flow = flowOf(...said, ask('q', 'Who?'), say('z', chip))
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, stillRuntime)
  const kept = [...lines.slice(2), 'Who?'].map((line) => `Bot: ${line}`)
  expect(turns.at(-1)?.variables.sys_transcript).toBe(kept.join('\n'))
})
