import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import { flowAround, runKind, stillRuntime, typed } from '../../tests/support/conversations'
import { registry } from '../registry'
import { intent } from './block'
import { intentDefaults, intentSchema, MAX_PHRASES } from './schema'

const phrase = (text: string, n = 0) => ({ id: `p${n}`, text })
const data = { ...intentDefaults(), name: 'Hours', phrases: [phrase('When are you open?')] }
const saving = { ...data, saveName: 'name', saveConfidence: 'sure' }

test('a text that fits it goes on here, with its name and how sure it is', () => {
  const flow = flowAround('intent', saving, { name: null, sure: null })
  for (const group of flow.groups) group.blocks = group.blocks.filter(({ id }) => id === 'subject')
  const classify = () => [{ blockId: 'subject', confidence: 0.876 }]
  const { turns } = replay(createProgram(flow, registry, { classify }), { replies: [typed('open?')] }, stillRuntime)
  expect(turns[1]?.variables).toMatchObject({ name: 'Hours', sure: 0.88 })
})

test('entered by an edge it goes on, and says nothing about an intent', () => {
  expect(runKind('intent', saving, { variables: { name: 'old' } })).toMatchObject({
    port: 'next',
    variables: { name: 'old' },
  })
})

test('tells the engine what it stands for, and is no start', () => {
  expect(intent.intent?.(data)).toEqual({
    name: 'Hours',
    phrases: ['When are you open?'],
    global: true,
    resumes: true,
  })
  expect(intent.startsOn).toBeNull()
})

test('takes 50 phrases, none of them empty, and wants a name', () => {
  const takes = (change: object) => intentSchema.safeParse({ ...data, ...change }).success
  const phrases = (count: number) => Array.from({ length: count }, (_, n) => phrase(`phrase ${n}`, n))
  expect(takes({ phrases: phrases(MAX_PHRASES) })).toBe(true)
  expect(takes({ phrases: phrases(MAX_PHRASES + 1) })).toBe(false)
  expect(takes({ phrases: [phrase(' ')] })).toBe(false)
  expect(takes({ name: ' ' })).toBe(false)
  expect(takes({ name: 'x'.repeat(65) })).toBe(false)
  expect(takes({ description: 'x'.repeat(501) })).toBe(false)
})
