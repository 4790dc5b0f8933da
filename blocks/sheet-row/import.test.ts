import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'
import { sheetRowSchema } from './schema'

const place = { spreadsheetId: '1aB_c-D', sheetId: '42', credentialsId: 'their account' }
function imported(options: Record<string, unknown>) {
  const { kind, data, notes, flow } = importBlock(
    { type: 'Google Sheets', options: { ...place, ...options } },
    'Name',
    'Plan',
  )
  expect(kind).toBe('sheet-row')
  expect(sheetRowSchema.safeParse(data).error).toBe(undefined)
  const [name, plan] = flow.variables.map(({ id }) => id)
  return { data, notes: notes.join(' '), name, plan }
}
const text = (value: string) => ({ type: 'static', value })
const variable = (id: string | undefined) => ({ type: 'dynamic', parts: [{ type: 'variable', variable_id: id }] })

test('a row is added in the same place, with an account to choose', () => {
  const cellsToInsert = [
    { column: 'Name', value: '{{Name}}' },
    { column: 'Plan', value: 'Pro' },
  ]
  const { data, notes, name } = imported({ action: 'Insert a row', cellsToInsert })
  expect(data).toMatchObject({
    action: 'add',
    connection: null,
    spreadsheet: { id: '1aB_c-D' },
    tab: { id: 42 },
    cells: [
      { column: 'Name', value: variable(name) },
      { column: 'Plan', value: text('Pro') },
    ],
  })
  expect(notes).toBe('Choose the connection, the spreadsheet and the tab: the file has no account and no names.')
})

test.each([
  { filter: { comparisons: [{ column: 'Name', comparisonOperator: 'Equal to', value: '{{Name}}' }] } },
  { referenceCell: { column: 'Name', value: '{{Name}}' } },
])('rows that match are updated: %j', (which) => {
  const cellsToUpsert = [{ column: 'Plan', value: 'Pro' }]
  const { data, notes, name } = imported({ action: 'Update a row', cellsToUpsert, ...which })
  expect(data).toMatchObject({
    action: 'update',
    cells: [{ column: 'Plan', value: text('Pro') }],
    matchBy: 'column',
    matchColumn: 'Name',
    matchValue: variable(name),
    which: 'all',
  })
  expect(notes).toMatch(/^Choose the connection[^.]*\.$/)
})

test.each([
  ['All', 'all'],
  ['First', 'first'],
  ['Random', 'random'],
  ['Last', 'first'],
])('rows are got: %s', (totalRowsToExtract, which) => {
  const cellsToExtract = [{ column: 'Plan', variableId: 'v-Plan' }]
  const { data, notes, plan } = imported({ action: 'Get data from sheet', cellsToExtract, totalRowsToExtract })
  expect(data).toMatchObject({ action: 'get', matchBy: 'none', which, outputs: [{ column: 'Plan', saveTo: plan }] })
  expect(notes.includes('the last row')).toBe(totalRowsToExtract === 'Last')
})

test('what can’t be told as exactly here is said', () => {
  const comparisons = [
    { column: 'Age', comparisonOperator: 'Greater than', value: '3' },
    { column: 'Name', comparisonOperator: 'Equal to', value: 'Ada' },
  ]
  const { data, notes } = imported({
    action: 'Get data from sheet',
    filter: { comparisons },
    spreadsheetId: '{{Name}}',
  })
  expect(data).toMatchObject({ spreadsheet: null, tab: null, matchColumn: 'Age' })
  for (const said of ["'Greater than'", '2 comparisons', "'{{Name}}'"]) expect(notes).toContain(said)
  const columns = Array.from({ length: 60 }, (_, n) => ({ column: `C${n}`, value: '1' }))
  const many = imported({ action: 'Insert a row', cellsToInsert: columns })
  expect(many.notes).toContain('60 columns')
  expect((many.data as { cells: unknown[] }).cells).toHaveLength(50)
})
