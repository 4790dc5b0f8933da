import { expect, test } from 'vitest'
import { migrateBlock } from '../../engine/flow/migrate'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { zendeskTicketDefaults, zendeskTicketSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const connection = 'c123456789012345'

function run(data: object, answer: Json, variables: Record<string, Json> = {}) {
  const requests: Json[] = []
  const given = { ...zendeskTicketDefaults(), connection, ...data }
  const flow = flowAround('zendesk-ticket', given, { v: null, w: null, x: null, ...variables })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push(effect.request)
    return answer
  })
  const step = turns[0]?.trace.find(({ blockId }) => blockId === 'subject')
  return { requests, port: step?.port, writes: step?.writes ?? {} }
}

test('creates a ticket, and saves its id, link and status', () => {
  const { requests, port, writes } = run(
    {
      subject: still('Order 7'),
      body: fromVariable,
      visibility: 'internal',
      requesterEmail: still('eve@example.com'),
      priority: 'high',
      tags: still('chat bot, , vip, vip'),
      fields: [
        { id: 'a', field: { id: '12:checkbox', label: 'Urgent?' }, value: still('true') },
        { id: 'b', field: null, value: still('nowhere') },
      ],
      saveIdTo: 'v',
      saveUrlTo: 'w',
      saveStatusTo: 'x',
    },
    { ok: true, id: '5', url: 'https://acme.zendesk.com/agent/tickets/5', status: 'new' },
    { v: 'It rattles' },
  )
  expect(requests).toEqual([
    {
      connection,
      action: 'create',
      ticket: '',
      subject: 'Order 7',
      comment: { body: 'It rattles', public: false },
      requester: { name: '', email: 'eve@example.com' },
      priority: 'high',
      type: null,
      status: null,
      tags: ['chat_bot', 'vip'],
      fields: [{ field: '12', type: 'checkbox', value: 'true' }],
    },
  ])
  expect(port).toBe('success')
  expect(writes).toEqual({ v: '5', w: 'https://acme.zendesk.com/agent/tickets/5', x: 'new' })
})

test('where a ticket belongs is sent if it was chosen, and not when it is looked up', () => {
  const chosen = { group: { id: '51', label: 'Support' }, form: { id: '71', label: 'Repair' } }
  const sent = run({ ...chosen, body: still('Hi') }, { ok: true }).requests[0]
  expect(sent).toMatchObject({ group: '51', form: '71' })
  expect(Object.keys(sent as object)).not.toContain('brand')
  expect(
    Object.keys(run({ ...chosen, action: 'get', ticketId: still('5') }, { ok: true }).requests[0] as object),
  ).not.toContain('group')
  const update = { ...zendeskTicketDefaults(), connection, action: 'update', ticketId: still('1') }
  expect(registry.get('zendesk-ticket').problems({ ...update, group: chosen.group })).toEqual([])
})

test.each<[Json, string[]]>([
  ['https://a.example/1', ['https://a.example/1']],
  [
    ['https://a.example/1', 7, 'https://a.example/2', 'https://a.example/1'],
    ['https://a.example/1', 'https://a.example/2'],
  ],
  ['["https://a.example/1", "https://a.example/2"]', ['https://a.example/1', 'https://a.example/2']],
  [' https://a.example/1\nhttps://a.example/2 ', ['https://a.example/1', 'https://a.example/2']],
  [null, []],
  [{ url: 'https://a.example/1' }, []],
  [Array.from({ length: 30 }, (_, n) => `f${n}`), Array.from({ length: 20 }, (_, n) => `f${n}`)],
])('attaches the files of a variable that is %j', (value, files) => {
  expect(run({ body: still('See'), filesId: 'v' }, { ok: true }, { v: value }).requests[0]).toMatchObject({ files })
})

test('files are read from their variable, and belong to a text', () => {
  const definition = registry.get('zendesk-ticket')
  const update = { ...zendeskTicketDefaults(), connection, action: 'update', ticketId: still('1'), filesId: 'v' }
  expect(definition.reads(update)).toEqual(['v'])
  expect(definition.reads({ ...update, action: 'get' })).toEqual([])
  expect(definition.problems({ ...update, status: 'solved' })).toEqual([
    { path: 'body', message: 'Enter a text: files are attached to one' },
  ])
  expect(definition.problems({ ...update, body: still('See') })).toEqual([])
  const looked = run({ action: 'get', ticketId: still('5'), filesId: 'v' }, { ok: true }, { v: 'x' }).requests[0]
  expect(Object.keys(looked as object)).not.toContain('files')
})

test('a block from before groups, brands, forms and files keeps what it does', () => {
  const { group, brand, form, filesId, ...data } = zendeskTicketDefaults()
  const old = { id: 'b', kind: 'zendesk-ticket', version: 0, data } as never
  expect(migrateBlock(old, registry.get('zendesk-ticket')).data).toEqual({ ...data, group, brand, form, filesId })
})

test('looking up a ticket sends nothing but its id', () => {
  const data = { action: 'get', ticketId: fromVariable, subject: still('x'), body: still('y'), status: 'solved' }
  expect(run(data, { ok: true, id: '7', status: 'open' }, { v: 7 }).requests[0]).toMatchObject({
    ticket: '7',
    subject: '',
    comment: { body: '' },
    status: null,
  })
})

test.each<[string, Json, string]>([
  ['get', { ok: false, error: 'not-found' }, 'not-found'],
  ['update', { ok: false, error: 'not-found' }, 'not-found'],
  ['create', { ok: false, error: 'not-found' }, 'failure'],
  ['create', { ok: false, error: 'Refused.' }, 'failure'],
  ['get', 'nothing like it', 'failure'],
])('%s leaves at %j by %s', (action, answer, port) => {
  expect(run({ action }, answer).port).toBe(port)
})

test('refuses ids, addresses and lengths in the words of SPEC.md, unless variables make them', () => {
  const refused = (data: object) =>
    zendeskTicketSchema.safeParse({ ...zendeskTicketDefaults(), ...data }).error?.issues.map(({ message }) => message)
  expect(refused({ ticketId: still('a1') })).toEqual(['Enter a valid ticket ID'])
  expect(refused({ ticketId: fromVariable })).toBeUndefined()
  expect(refused({ requesterEmail: still('nobody') })).toEqual(['Enter a valid email address'])
  for (const field of ['subject', 'requesterName'])
    expect(refused({ [field]: still('x'.repeat(256)) })).toEqual(['Must not exceed 255 characters'])
})

test('says what is not chosen yet, and names its connection', () => {
  const definition = registry.get('zendesk-ticket')
  const problems = (data: object) =>
    definition.problems({ ...zendeskTicketDefaults(), ...data }).map(({ path }) => path)
  expect(problems({})).toEqual(['connection', 'body'])
  expect(problems({ connection, action: 'update' })).toEqual(['ticketId', 'body'])
  expect(problems({ connection, action: 'update', ticketId: still('1'), status: 'solved' })).toEqual([])
  expect(problems({ connection, action: 'get' })).toEqual(['ticketId'])
  expect(definition.connections({ ...zendeskTicketDefaults(), connection })).toEqual([connection])
})
