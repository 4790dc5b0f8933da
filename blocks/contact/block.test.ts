import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import { contactFields } from '../../engine/values/contactFields'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { contactDefaults, contactSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const ada = {
  id: 'abcdefgh12345678',
  fields: { ...Object.fromEntries(contactFields.map((field) => [field, null])), name: 'Ada', email: 'ada@b.co' },
  custom: { Plan: 'Pro' },
}

function run(data: object, answer: Json, variables: Record<string, Json> = {}) {
  const requests: Json[] = []
  const flow = flowAround('contact', { ...contactDefaults(), ...data }, { v: null, w: null, ...variables })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push(effect.request)
    return answer
  })
  const step = turns[0]?.trace.find(({ blockId }) => blockId === 'subject')
  return { requests, port: step?.port, writes: step?.writes ?? {} }
}

test('creates with its key and the fields that are mapped', () => {
  const fields = [
    { id: 'a', field: 'name', name: still(''), value: fromVariable },
    { id: 'b', field: 'custom', name: still(' Plan '), value: still('Pro') },
  ]
  const { requests, port, writes } = run(
    { keyValue: fromVariable, fields, saveIdTo: 'w' },
    { ok: true, contact: ada },
    { v: 'ada@b.co' },
  )
  expect(requests).toEqual([
    {
      action: 'create',
      key: { field: 'email', value: 'ada@b.co' },
      fields: { name: 'ada@b.co' },
      custom: { Plan: 'Pro' },
      onDuplicate: 'update',
    },
  ])
  expect(port).toBe('success')
  expect(writes).toMatchObject({ w: ada.id, sys_contact_id: ada.id, sys_contact_name: 'Ada', sys_contact_phone: null })
})

test('gets: saves what is mapped, own fields too, and null for what is not known', () => {
  const outputs = [
    { id: 'a', field: 'email', name: still(''), saveTo: 'v' },
    { id: 'b', field: 'custom', name: still('Plan'), saveTo: 'w' },
  ]
  expect(run({ action: 'get', outputs }, { ok: true, contact: ada })).toMatchObject({
    port: 'success',
    writes: { v: 'ada@b.co', w: 'Pro' },
  })
  const inherited = [{ id: 'a', field: 'custom', name: still('constructor'), saveTo: 'v' }]
  expect(run({ action: 'get', outputs: inherited }, { ok: true, contact: ada }).writes.v).toBe(null)
})

test.each<[string, object, Json, string]>([
  ['create', { onDuplicate: 'skip' }, { ok: false, error: 'duplicate', contact: ada }, 'duplicate'],
  ['create', { onDuplicate: 'update' }, { ok: false, error: 'It failed.' }, 'failure'],
  ['get', {}, { ok: false, error: 'not-found' }, 'not-found'],
  ['update', {}, { ok: false, error: 'not-found' }, 'not-found'],
  ['delete', {}, { ok: false, error: 'not-found' }, 'not-found'],
  ['delete', {}, { ok: true, contact: ada }, 'success'],
  ['update', {}, 'nothing like it', 'failure'],
])('%s with %j leaves at %j by %s', (action, data, answer, port) => {
  expect(run({ action, ...data }, answer).port).toBe(port)
})

test('a duplicate is known all the same', () => {
  const { writes } = run({ onDuplicate: 'skip', saveIdTo: 'w' }, { ok: false, error: 'duplicate', contact: ada })
  expect(writes).toMatchObject({ w: ada.id, sys_contact_email: 'ada@b.co' })
})

test.each([
  ['the contact that the visitor is', ada.id, null],
  ['another contact', 'another', ada.id],
])('deleting %s leaves it so that the visitor is %3$s', (_, deleted, left) => {
  const flow = flowAround('contact', { ...contactDefaults(), action: 'get' })
  flow.groups[0]?.blocks.push({
    id: 'then',
    kind: 'contact',
    version: 0,
    data: { ...contactDefaults(), action: 'delete' },
  })
  flow.edges.push({ from: { blockId: 'subject', portId: 'success' }, to: { groupId: 'g', blockId: 'then' } })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, (effect) =>
    effect.type === 'call' && (effect.request as { action: string }).action === 'get'
      ? { ok: true, contact: ada }
      : { ok: true, contact: { ...ada, id: deleted } },
  )
  expect(turns.at(-1)?.variables).toMatchObject({
    sys_contact_id: left,
    sys_contact_name: left === null ? null : 'Ada',
  })
})

test('refuses what SPEC.md refuses, in its words, unless variables make it', () => {
  const issues = (data: object) =>
    contactSchema.safeParse({ ...contactDefaults(), ...data }).error?.issues.map(({ message }) => message)
  const field = (name: string, value: DynamicValue) => ({
    fields: [{ id: 'a', field: name, name: still(''), value }],
  })
  expect(issues({ keyValue: still('nobody') })).toEqual(['Enter a valid email address'])
  expect(issues({ key: 'phone', keyValue: still('call me') })).toEqual(['Enter a valid phone number'])
  expect(issues({ key: 'user_id', keyValue: still('Ada') })).toEqual(['Enter a valid user ID'])
  expect(issues({ key: 'user_id', keyValue: still('a'.repeat(37)) })).toEqual(['Must not exceed 36 characters'])
  expect(issues(field('website', still('example.com')))).toEqual([
    'Enter a valid URL (must start with https:// or http://)',
  ])
  expect(issues(field('custom', still('x')))).toEqual(['Enter a value'])
  for (const [name, cap] of Object.entries({
    name: 255,
    address: 255,
    country: 56,
    state: 50,
    city: 85,
    job_title: 100,
    zip: 20,
    company: 100,
    industry: 100,
  })) {
    expect(issues(field(name, still('x'.repeat(cap))))).toBeUndefined()
    expect(issues(field(name, still('x'.repeat(cap + 1))))).toEqual([`Must not exceed ${cap} characters`])
  }
  expect(issues({ ...field('email', fromVariable), keyValue: fromVariable })).toBeUndefined()
})
