import { expect, test } from 'vitest'
import { createCountingIds } from '../../engine/flow/ids'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { Json } from '../../engine/values/json'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { aiExtract } from './block'
import {
  type AiExtractData,
  aiExtractDefaults,
  aiExtractSchema,
  type ExtractedField,
  newExtractedField,
} from './schema'

const defaults = () => aiExtractDefaults(createCountingIds('i'))
const field = (id: string, more: Partial<ExtractedField> = {}): ExtractedField => ({
  ...newExtractedField(() => id),
  name: id,
  saveTo: id,
  ...more,
})

function run(data: Partial<AiExtractData>, answer: Json) {
  const requests: Json[] = []
  const flow = flowAround('ai-extract', { ...defaults(), ...data }, { v: 'Ada, 12', name: null, age: 7, plan: null })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push([effect.service, effect.request])
    return answer
  })
  const step = turns[0]?.trace.find(({ blockId }) => blockId === 'subject')
  return { requests, port: step?.port, note: step?.note, variables: turns[0]?.variables }
}

const fields = [
  field('name', { description: 'Who they are' }),
  field('age', { type: 'number' }),
  field('plan', { type: 'choice', choices: ['Pro', ''].map((label, index) => ({ id: `c${index}`, label })) }),
]

test('asks for the fields in the conversation, and keeps what was found', () => {
  const { requests, port, variables } = run({ fields }, { ok: true, found: true, values: { name: 'Ada', plan: 'Pro' } })
  expect(requests).toEqual([
    [
      'ai.extract',
      {
        text: null,
        messages: 10,
        fields: [
          { id: 'name', name: 'name', type: 'text', description: 'Who they are', choices: [] },
          { id: 'age', name: 'age', type: 'number', description: '', choices: [] },
          { id: 'plan', name: 'plan', type: 'choice', description: '', choices: ['Pro'] },
        ],
      },
    ],
  ])
  expect(port).toBe('next')
  expect(variables).toMatchObject({ name: 'Ada', age: 7, plan: 'Pro' })
})

test('a text of its own is rendered', () => {
  const text = { type: 'dynamic' as const, parts: [{ type: 'variable' as const, variable_id: 'v' }] }
  expect(run({ from: 'text', text, fields }, null).requests).toMatchObject([['ai.extract', { text: 'Ada, 12' }]])
})

test('what comes back and is no value of the field is not kept', () => {
  const values = { name: 5, age: 'many', plan: 'Gold' }
  expect(run({ fields }, { ok: true, found: true, values }).variables).toMatchObject({ name: null, age: 7, plan: null })
})

test.each<[Json, string | undefined]>([
  [{ ok: true, found: false, values: {} }, undefined],
  [{ ok: true, found: false, values: {}, note: 'No model.' }, 'No model.'],
  [{ ok: false, error: 'It failed.' }, 'It failed.'],
  ['nothing like it', 'The call failed.'],
])('the answer %j leads to not found', (answer, note) => {
  const result = run({ fields }, answer)
  expect(result.port).toBe('not-found')
  expect(result.note).toBe(note)
})

test('one value alone is sure to be there after next; of several none is', () => {
  expect(aiExtract.assures({ ...defaults(), fields: fields.slice(0, 1) }, 'next')).toEqual(['name'])
  expect(aiExtract.assures({ ...defaults(), fields: fields.slice(0, 1) }, 'not-found')).toEqual([])
  expect(aiExtract.assures({ ...defaults(), fields }, 'next')).toEqual([])
})

test('fields that are not finished are pointed out', () => {
  const places = (data: Partial<AiExtractData>) =>
    aiExtract.problems({ ...defaults(), ...data }).map(({ path }) => path)
  expect(places({ fields: [] })).toEqual(['fields'])
  expect(places({ fields: [newExtractedField(() => 'x')] })).toEqual(['fields.0.name', 'fields.0.saveTo'])
  expect(places({ fields: [field('x', { type: 'choice' })] })).toEqual(['fields.0.choices'])
  expect(places({ fields })).toEqual([])
})

test('caps hold', () => {
  const issues = (data: object) =>
    aiExtractSchema.safeParse({ ...defaults(), ...data }).error?.issues.map(({ message }) => message)
  expect(issues({ fields: [field('x', { name: 'x'.repeat(101) })] })).toEqual(['Must not exceed 100 characters'])
  expect(issues({ fields: [field('x', { description: 'x'.repeat(501) })] })).toEqual(['Must not exceed 500 characters'])
  for (const messages of [0, 51]) expect(issues({ messages })).toEqual(['Must be from 1 to 50'])
  expect(issues({ fields: Array.from({ length: 21 }, (_, n) => field(`f${n}`)) })).toHaveLength(1)
})
