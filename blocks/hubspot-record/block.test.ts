import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { hubspotRecordDefaults, hubspotRecordSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const connection = 'c123456789012345'
const property = (name: string) => ({ name, label: name })

function run(data: object, answer: Json, variables: Record<string, Json> = {}) {
  const requests: Json[] = []
  const given = { ...hubspotRecordDefaults(), connection, ...data }
  const flow = flowAround('hubspot-record', given, { v: null, w: null, ...variables })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push(effect.request)
    return answer
  })
  const step = turns[0]?.trace.find(({ blockId }) => blockId === 'subject')
  return { requests, port: step?.port, writes: step?.writes ?? {} }
}

test('creates or updates a contact by its email, and saves its id, link and properties', () => {
  const { requests, port, writes } = run(
    {
      findValue: fromVariable,
      fields: [
        { id: 'a', property: property('firstname'), value: still('Ada') },
        { id: 'b', property: null, value: still('nowhere') },
      ],
      companyId: still('77'),
      outputs: [{ id: 'o', property: property('phone'), saveTo: 'w' }],
      saveIdTo: 'v',
    },
    { ok: true, id: '5', url: 'https://app.example/5', fields: { phone: '123' } },
    { v: 'ada@example.com' },
  )
  expect(requests).toEqual([
    {
      connection,
      action: 'upsert',
      object: 'contact',
      find: { by: 'email', value: 'ada@example.com' },
      fields: [{ name: 'firstname', value: 'Ada' }],
      links: [{ object: 'company', id: '77' }],
      show: ['phone'],
    },
  ])
  expect(port).toBe('success')
  expect(writes).toEqual({ v: '5', w: '123' })
})

test('a ticket is linked to a contact and a company, a search to nothing', () => {
  const ticket = { object: 'ticket', action: 'create', contactId: fromVariable, companyId: still('9') }
  expect(run(ticket, { ok: true, id: '1' }, { v: 7 }).requests[0]).toMatchObject({
    find: null,
    links: [
      { object: 'contact', id: '7' },
      { object: 'company', id: '9' },
    ],
  })
  expect(run({ ...ticket, action: 'search', findValue: still('x') }, { ok: true, id: '1' }).requests[0]).toMatchObject({
    fields: [],
    links: [],
  })
})

test.each<[string, Json, string]>([
  ['search', { ok: false, error: 'not-found' }, 'not-found'],
  ['update', { ok: false, error: 'not-found' }, 'not-found'],
  ['upsert', { ok: false, error: 'not-found' }, 'failure'],
  ['create', { ok: false, error: 'Refused.' }, 'failure'],
  ['search', 'nothing like it', 'failure'],
])('%s leaves at %j by %s', (action, answer, port) => {
  expect(run({ action }, answer).port).toBe(port)
})

test('refuses ids that are none of HubSpot’s, in the words of SPEC.md, unless variables make them', () => {
  const refused = (data: object) =>
    hubspotRecordSchema.safeParse({ ...hubspotRecordDefaults(), ...data }).error?.issues.map(({ message }) => message)
  const byId = { findBy: 'id', findValue: still('a1') }
  expect(refused({ ...byId, object: 'ticket' })).toEqual(['Enter a valid ticket ID'])
  expect(refused(byId)).toEqual(['Enter a valid ID'])
  expect(refused({ ...byId, findValue: fromVariable })).toBeUndefined()
  expect(refused({ ...byId, action: 'create' })).toBeUndefined()
  expect(refused({ contactId: still('x') })).toEqual(['Enter a valid ID'])
})

test('says what is not chosen yet, and names its connection', () => {
  const definition = registry.get('hubspot-record')
  const problems = (data: object) =>
    definition.problems({ ...hubspotRecordDefaults(), ...data }).map(({ path }) => path)
  expect(problems({})).toEqual(['connection', 'findValue'])
  expect(problems({ connection, action: 'create' })).toEqual(['fields'])
  expect(problems({ connection, action: 'search', findProperty: null })).toEqual(['findProperty', 'findValue'])
  expect(definition.connections({ ...hubspotRecordDefaults(), connection })).toEqual([connection])
})
