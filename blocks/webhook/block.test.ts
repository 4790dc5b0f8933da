import { expect, test } from 'vitest'
import { driveTurn } from '../../engine/run/drive'
import { createProgram } from '../../engine/run/program'
import { newSession, turn } from '../../engine/run/turn'
import { flowAround, runKind, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { webhook } from './block'
import { type WebhookData, webhookDefaults, webhookSchema } from './schema'

const data = (change: Partial<WebhookData> = {}): WebhookData => ({ ...webhookDefaults(), ...change })
const order = { id: 'm1', path: '$.order.id', variableId: 'order', required: true }
const note = { id: 'm2', path: '$.note', variableId: 'note', required: false }

test('reads what is to be saved of a call, and says what is missing', () => {
  const signals = webhook.signals?.(data({ mapping: [order, note] }))
  expect(signals?.read({ order: { id: 7 }, note: 'x' })).toEqual({ values: { order: 7, note: 'x' }, missing: [] })
  expect(signals?.read({ order: {} })).toEqual({ values: { order: null, note: null }, missing: ['$.order.id'] })
  expect(signals?.read('text')).toEqual({ values: { order: null, note: null }, missing: ['$.order.id'] })
})

test('starts by a call that names it, and by no other event', () => {
  const flow = flowAround('webhook', data({ mapping: [order] }), { order: null })
  const program = createProgram(flow, registry)
  const signal = { trigger: 'subject', values: { order: 'A7' } }
  const first = driveTurn(
    turn(program, newSession(program), { type: 'start', event: { type: 'start', signal } }),
    stillRuntime,
  )
  expect(first).toMatchObject({ session: { status: 'ended' }, variables: { order: 'A7' } })
  expect(program.entry({ type: 'start', signal: { ...signal, trigger: 'start' } })).toBeNull()
  expect(program.entry({ type: 'start', signal: { ...signal, trigger: 'gone' } })).toBeNull()
  expect(program.entry({ type: 'start' })?.kind).not.toBe('webhook')
})

test('keeps variables as they are where it is entered by an edge', () => {
  const run = runKind('webhook', data({ mapping: [order] }), { variables: { order: 'before' } })
  expect(run).toMatchObject({ port: 'next' })
  expect(run.variables.order ?? 'before').toBe('before')
})

test('refuses paths that are none', () => {
  const wrong = webhookSchema.safeParse(data({ keyPath: '$.[' }))
  expect(wrong.success).toBe(false)
  expect(webhookSchema.safeParse(data({ keyPath: '$.order.id' })).success).toBe(true)
})
