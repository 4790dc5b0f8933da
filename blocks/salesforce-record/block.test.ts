import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { salesforceRecordDefaults, salesforceRecordSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const connection = 'c123456789012345'
const field = (name: string) => ({ name, label: name })
const ACCOUNT = '0015e00000000A1AAA'
const CONTACT = '0035e00000000A1'

function run(data: object, answer: Json, variables: Record<string, Json> = {}) {
  const requests: Json[] = []
  const given = { ...salesforceRecordDefaults(), connection, ...data }
  const flow = flowAround('salesforce-record', given, { v: null, w: null, ...variables })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push(effect.request)
    return answer
  })
  const step = turns[0]?.trace.find(({ blockId }) => blockId === 'subject')
  return { requests, port: step?.port, writes: step?.writes ?? {} }
}

test('creates or updates a contact of an account by its email, and saves its id and fields', () => {
  const { requests, port, writes } = run(
    {
      findValue: fromVariable,
      fields: [{ id: 'a', property: field('LastName'), value: still('Lovelace') }],
      companyId: still(ACCOUNT),
      contactId: still(CONTACT),
      outputs: [{ id: 'o', property: field('Phone'), saveTo: 'w' }],
      saveIdTo: 'v',
    },
    { ok: true, id: CONTACT, url: 'https://acme.example/003', fields: { Phone: '123' } },
    { v: 'ada@example.com' },
  )
  expect(requests).toEqual([
    {
      vendor: 'salesforce',
      connection,
      action: 'upsert',
      object: 'contact',
      find: { by: 'Email', value: 'ada@example.com' },
      fields: [{ name: 'LastName', value: 'Lovelace' }],
      links: [{ object: 'company', id: ACCOUNT }],
      show: ['Phone'],
    },
  ])
  expect(port).toBe('success')
  expect(writes).toEqual({ v: CONTACT, w: '123' })
})

test('a case that is there is linked too; an account names no other records', () => {
  const update = { action: 'update', findValue: still('x'), contactId: still(CONTACT), companyId: still(ACCOUNT) }
  expect(run({ ...update, object: 'ticket' }, { ok: true, id: '1' }).requests[0]).toMatchObject({
    links: [
      { object: 'contact', id: CONTACT },
      { object: 'company', id: ACCOUNT },
    ],
  })
  expect(run({ ...update, object: 'company' }, { ok: true, id: '1' }).requests[0]).toMatchObject({ links: [] })
})

test.each<[string, Json, string]>([
  ['search', { ok: false, error: 'not-found' }, 'not-found'],
  ['update', { ok: false, error: 'not-found' }, 'not-found'],
  ['upsert', { ok: false, error: 'Refused.' }, 'failure'],
])('%s leaves at %j by %s', (action, answer, port) => {
  expect(run({ action }, answer).port).toBe(port)
})

test('refuses ids that are none of Salesforce’s, in the words of SPEC.md, unless variables make them', () => {
  const refused = (data: object) =>
    salesforceRecordSchema
      .safeParse({ ...salesforceRecordDefaults(), ...data })
      .error?.issues.map(({ message }) => message)
  for (const id of ['12345', `${ACCOUNT}1`, '0015e00000000-1', '0015e00000000A1AA'])
    expect(refused({ findBy: 'id', findValue: still(id) }), id).toEqual(['Enter a valid ID'])
  for (const id of [ACCOUNT, CONTACT]) expect(refused({ findBy: 'id', findValue: still(id) }), id).toBeUndefined()
  expect(refused({ findBy: 'id', findValue: fromVariable })).toBeUndefined()
  expect(refused({ companyId: still('77') })).toEqual(['Enter a valid ID'])
})

test('says what is not chosen yet; a link alone is enough to change', () => {
  const definition = registry.get('salesforce-record')
  const problems = (data: object) =>
    definition.problems({ ...salesforceRecordDefaults(), ...data }).map(({ path }) => path)
  expect(problems({})).toEqual(['connection', 'findValue'])
  const update = { connection, action: 'update', findValue: still('x') }
  expect(problems(update)).toEqual(['fields'])
  expect(problems({ ...update, companyId: still(ACCOUNT) })).toEqual([])
  expect(definition.connections({ ...salesforceRecordDefaults(), connection })).toEqual([connection])
})
