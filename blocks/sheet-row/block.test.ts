import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { sheetRowDefaults, sheetRowSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const place = {
  connection: 'c123456789012345',
  spreadsheet: { id: 'sheet-1', name: 'Orders' },
  tab: { id: 7, title: 'New' },
}

function run(data: object, answer: Json, variables: Record<string, Json> = {}) {
  const requests: Json[] = []
  const flow = flowAround('sheet-row', { ...sheetRowDefaults(), ...place, ...data }, { v: null, w: null, ...variables })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push(effect.request)
    return answer
  })
  const step = turns[0]?.trace.find(({ blockId }) => blockId === 'subject')
  return { requests, port: step?.port, writes: step?.writes ?? {} }
}

test('adds a row whose numbers stay numbers, whose lists become text, and leaves out columns without a name', () => {
  const cells = [
    { id: 'a', column: 'Name', value: still('Ada') },
    { id: 'b', column: 'Amount', value: fromVariable },
    { id: 'c', column: '', value: still('nowhere') },
  ]
  const { requests, port } = run({ cells }, { ok: true, numbers: [] }, { v: 42 })
  expect(requests).toEqual([
    {
      action: 'add',
      ...place,
      cells: [
        { column: 'Name', value: 'Ada' },
        { column: 'Amount', value: 42 },
      ],
      match: null,
      which: 'first',
      limit: 100,
    },
  ])
  expect(port).toBe('success')
  expect(run({ cells }, { ok: true }, { v: ['red', 'blue'] }).requests[0]).toMatchObject({
    cells: [{ value: 'Ada' }, { value: 'red, blue' }],
  })
})

test('gets rows: the first as a value, all as lists, and how many there are', () => {
  const outputs = [{ id: 'a', column: 'Name', saveTo: 'v' }]
  const rows = [{ Name: 'Ada' }, { Name: 'Bob' }]
  const get = { action: 'get', matchBy: 'none', outputs, saveCountTo: 'w' }
  const first = { ok: true, rows: rows.slice(0, 1), numbers: [2] }
  expect(run(get, first)).toMatchObject({ port: 'success', writes: { v: 'Ada', w: 1 } })
  expect(run({ ...get, which: 'all' }, { ok: true, rows, numbers: [2, 3] }).writes).toEqual({ v: ['Ada', 'Bob'], w: 2 })
  expect(run({ ...get, saveRowsTo: 'w', saveCountTo: null }, first).writes.w).toEqual({ Name: 'Ada' })
  const inherited = [{ id: 'a', column: 'constructor', saveTo: 'v' }]
  expect(run({ ...get, outputs: inherited }, first).writes.v).toBe(null)
})

test('what only reading can do is not asked of another action', () => {
  const asked = (data: object) => run(data, { ok: true }).requests[0]
  expect(asked({ action: 'delete', matchBy: 'none', which: 'random', matchColumn: 'Name' })).toMatchObject({
    match: { by: 'column', column: 'Name' },
    which: 'first',
  })
  expect(asked({ action: 'get', matchBy: 'none', which: 'random' })).toMatchObject({ match: null, which: 'random' })
  expect(asked({ action: 'clear', matchBy: 'row', row: still(' 3 ') })).toMatchObject({
    match: { by: 'row', row: '3' },
  })
})

test.each<[string, object, Json, string]>([
  ['update', {}, { ok: false, error: 'not-found' }, 'not-found'],
  ['get', {}, { ok: false, error: 'not-found' }, 'not-found'],
  ['add', {}, { ok: false, error: 'not-found' }, 'failure'],
  ['delete', {}, { ok: false, error: 'There is no column.' }, 'failure'],
  ['clear', {}, 'nothing like it', 'failure'],
  ['add', { tab: null }, { ok: true }, 'failure'],
])('%s with %j leaves at %j by %s', (action, data, answer, port) => {
  expect(run({ action, ...data }, answer).port).toBe(port)
})

test('says what is not chosen yet, and names its connection', () => {
  const definition = registry.get('sheet-row')
  const problems = (data: object) => definition.problems({ ...sheetRowDefaults(), ...data }).map(({ path }) => path)
  expect(problems({})).toEqual(['connection', 'cells'])
  expect(problems({ ...place, spreadsheet: null, action: 'get' })).toEqual(['spreadsheet', 'matchColumn'])
  expect(problems({ ...place, action: 'delete', matchBy: 'row' })).toEqual(['row'])
  expect(problems({ ...place, action: 'get', matchBy: 'none' })).toEqual([])
  expect(definition.connections({ ...sheetRowDefaults(), ...place })).toEqual([place.connection])
})

test('refuses more rows than are read, and columns whose names are too long', () => {
  const refused = (data: object) =>
    sheetRowSchema.safeParse({ ...sheetRowDefaults(), ...data }).error?.issues.map(({ message }) => message)
  expect(refused({ limit: 1_000 })).toBeUndefined()
  expect(refused({ limit: 1_001 })).toEqual(['Must be from 1 to 1,000'])
  expect(refused({ matchColumn: 'x'.repeat(256) })).toEqual(['Must not exceed 255 characters'])
})
