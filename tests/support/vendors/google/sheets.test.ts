import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GoogleStandIn } from '../../../../server/sandbox/google/google'
import { createTestClock, type TestClock } from '../../clock'
import { hasContracts } from '../contract'
import { createVendorCaller, type Sent } from '../vendorCaller'
import { readGoogleContract, startGoogle } from './startGoogle'

let clock: TestClock
let google: GoogleStandIn
let token: string

beforeEach(async () => {
  clock = createTestClock()
  google = await startGoogle({ clock })
  token = google.issue().accessToken ?? ''
})
afterEach(async () => {
  const { broken } = google
  await google.close()
  expect(broken).toEqual([])
})

const call = createVendorCaller(
  () => google,
  () => token,
)

const orders = () =>
  google.addSpreadsheet({
    title: 'Orders',
    tabs: {
      Orders: [
        ['Name', 'Amount'],
        ['Ada', 3],
      ],
      "It's": [],
    },
  })
const path = (id: string, rest = '') => `/v4/spreadsheets/${id}${rest}`
const RAW = { valueInputOption: 'RAW' }

test('values are appended, read, updated and cleared as the sheet of the vendor says', async () => {
  const { id } = orders()
  const appended = await call('POST', path(id, '/values/Orders!A1:append'), {
    query: { ...RAW, insertDataOption: 'INSERT_ROWS' },
    body: { values: [['Ben', true, null, '=IMPORTXML("x")']] },
  })
  expect(appended.body).toMatchObject({ tableRange: 'Orders!A1:B2', updates: { updatedRange: 'Orders!A3:D3' } })
  const formatted = await call('GET', path(id, '/values/Orders'))
  expect(formatted.body.values).toEqual([
    ['Name', 'Amount'],
    ['Ada', '3'],
    ['Ben', 'TRUE', '', '=IMPORTXML("x")'],
  ])
  const raw = await call('GET', path(id, '/values/Orders!A2:B'), { query: { valueRenderOption: 'UNFORMATTED_VALUE' } })
  expect(raw.body.values).toEqual([
    ['Ada', 3],
    ['Ben', true],
  ])
  const columns = await call('GET', path(id, '/values/Orders!A1:B2'), { query: { majorDimension: 'COLUMNS' } })
  expect(columns.body.values).toEqual([
    ['Name', 'Ada'],
    ['Amount', '3'],
  ])

  const put = { query: RAW, body: { values: [[null, 4]] } }
  expect((await call('PUT', path(id, '/values/Orders!A2:B2'), put)).body).toMatchObject({ updatedCells: 1 })
  const both = {
    valueInputOption: 'RAW',
    data: [
      { range: "'It''s'!A1", values: [['x']] },
      { range: 'Orders!B1', values: [['Sum']] },
    ],
  }
  expect((await call('POST', path(id, '/values:batchUpdate'), { body: both })).body.totalUpdatedCells).toBe(2)
  const ranges = { query: { ranges: ["'It''s'", 'Orders!A1:B2'] } }
  const read = await call('GET', path(id, '/values:batchGet'), ranges)
  expect(read.body.valueRanges.map(({ values }: { values: unknown }) => values)).toEqual([
    [['x']],
    [
      ['Name', 'Sum'],
      ['Ada', '4'],
    ],
  ])
  await call('POST', path(id, '/values/Orders!A2:D2:clear'), { body: {} })
  await call('POST', path(id, '/values:batchClear'), { body: { ranges: ["'It''s'"] } })
  expect(google.rowsOf(id, 'Orders')).toEqual([['Name', 'Sum'], [], ['Ben', true, '', '=IMPORTXML("x")']])
  expect(google.rowsOf(id, "It's")).toEqual([])
})

test('what a range or a value can’t be is refused in the vendor’s words', async () => {
  const { id } = orders()
  const message = async (rest: string, sent: Sent = {}, method = 'GET') =>
    (await call(method, path(id, rest), sent)).body.error?.message
  expect(await message('/values/Nowhere!A1')).toBe('Unable to parse range: Nowhere!A1')
  expect(await message('/values/Orders!A2000')).toContain('exceeds grid limits. Max rows: 1000, max columns: 26')
  expect(await message('/values/Orders!A1', { body: { values: [['x']] } }, 'PUT')).toContain('valueInputOption')
  const long = { query: RAW, body: { values: [['x'.repeat(50_001)]] } }
  expect(await message('/values/Orders!A1', long, 'PUT')).toContain('50000 characters')
  expect(await message('', { query: { fields: 'sheets.(' } })).toContain('Invalid field selection')
  expect((await call('GET', path('nowhere'))).body.error).toMatchObject({ code: 404, status: 'NOT_FOUND' })
})

test('a batch is carried out as a whole with its mark, or not at all', async () => {
  const { id } = orders()
  const mark = (value: string) => ({
    createDeveloperMetadata: {
      developerMetadata: {
        metadataKey: 'parley',
        metadataValue: value,
        visibility: 'PROJECT',
        location: { spreadsheet: true },
      },
    },
  })
  const row = (...values: string[]) => ({
    appendCells: {
      sheetId: 0,
      fields: 'userEnteredValue',
      rows: [{ values: values.map((stringValue) => ({ userEnteredValue: { stringValue } })) }],
    },
  })
  const batch = (...requests: object[]) => call('POST', path(id, ':batchUpdate'), { body: { requests } })
  const search = (metadataValue: string) =>
    call('POST', path(id, '/developerMetadata:search'), {
      body: { dataFilters: [{ developerMetadataLookup: { metadataKey: 'parley', metadataValue } }] },
    })
  expect((await batch(row('Ben', '=1'), mark('one'))).status).toBe(200)
  expect(google.rowsOf(id, 'Orders').at(-1)).toEqual(['Ben', '=1'])
  expect((await search('one')).body.matchedDeveloperMetadata).toHaveLength(1)
  expect((await search('two')).body).toEqual({})

  // the last request can't be carried out: the first two were not either
  const half = await batch(row('Cy'), mark('two'), {
    deleteDimension: { range: { sheetId: 7, dimension: 'ROWS', startIndex: 0, endIndex: 1 } },
  })
  expect(half).toMatchObject({ status: 400, body: { error: { message: 'Invalid requests[2]: No grid with id: 7' } } })
  expect((await search('two')).body).toEqual({})
  expect(google.rowsOf(id, 'Orders')).toHaveLength(3)

  // an answer that is lost after the write: the mark tells
  google.fail({ on: 'POST *:batchUpdate', with: 'cutAfterWrite' })
  await expect(batch(row('Dee'), mark('three'))).rejects.toThrow()
  expect((await search('three')).body.matchedDeveloperMetadata).toHaveLength(1)
  google.fail({ on: 'POST *:batchUpdate', with: 'cutBeforeWrite' })
  await expect(batch(row('Eve'), mark('four'))).rejects.toThrow()
  expect((await search('four')).body).toEqual({})

  const lookup = { developerMetadataLookup: { metadataKey: 'parley', metadataValue: 'one' } }
  await batch({ deleteDeveloperMetadata: { dataFilter: lookup } })
  expect((await search('one')).body).toEqual({})
  const full = await batch(mark('x'.repeat(30_001)))
  expect(full).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('30000') } } })
})

test('rows and columns are inserted and deleted, and notes on rows move with them', async () => {
  const { id } = orders()
  const batch = (...requests: object[]) => call('POST', path(id, ':batchUpdate'), { body: { requests } })
  const rows = (startIndex: number, endIndex: number) => ({
    range: { sheetId: 0, dimension: 'ROWS', startIndex, endIndex },
  })
  const location = { dimensionRange: rows(1, 2).range }
  await batch(
    { createDeveloperMetadata: { developerMetadata: { metadataKey: 'row', visibility: 'DOCUMENT', location } } },
    { insertDimension: rows(1, 3) },
    {
      updateCells: {
        start: { sheetId: 0, rowIndex: 1, columnIndex: 0 },
        fields: '*',
        rows: [{ values: [{ userEnteredValue: { stringValue: 'New' } }] }],
      },
    },
    { appendDimension: { sheetId: 0, dimension: 'COLUMNS', length: 2 } },
    { addSheet: { properties: { title: 'Second' } } },
  )
  expect(google.rowsOf(id, 'Orders')).toEqual([['Name', 'Amount'], ['New'], [], ['Ada', 3]])
  const dataFilters = [{ developerMetadataLookup: { metadataKey: 'row' } }]
  const found = await call('POST', path(id, '/developerMetadata:search'), { body: { dataFilters } })
  expect(found.body.matchedDeveloperMetadata[0].developerMetadata.location.dimensionRange).toMatchObject({
    startIndex: 3,
  })
  await batch(
    { deleteDimension: rows(1, 3) },
    { updateDeveloperMetadata: { dataFilters, developerMetadata: { metadataValue: 'x' }, fields: 'metadataValue' } },
  )
  expect(google.rowsOf(id, 'Orders')).toEqual([
    ['Name', 'Amount'],
    ['Ada', 3],
  ])
  await batch({ deleteDimension: rows(1, 2) })
  expect((await call('POST', path(id, '/developerMetadata:search'), { body: { dataFilters } })).body).toEqual({})
  const fields = 'properties.title,sheets(properties(title,gridProperties/columnCount))'
  const shown = await call('GET', path(id), { query: { fields } })
  expect(shown.body).toEqual({
    properties: { title: 'Orders' },
    sheets: [28, 26, 26].map((columnCount, at) => ({
      properties: { title: ['Orders', "It's", 'Second'][at], gridProperties: { columnCount } },
    })),
  })
  const cells = await call('GET', path(id), { query: { includeGridData: 'true', ranges: 'Orders' } })
  expect(cells.body.sheets[0].data[0].rowData[0].values[0].userEnteredValue).toEqual({ stringValue: 'Name' })
})

test('spreadsheets and files are made, and found by Drive as far as the scope reaches', async () => {
  orders()
  clock.pass(1)
  const made = await call('POST', '/v4/spreadsheets', {
    body: { properties: { title: 'Leads' }, sheets: [{ properties: { title: 'All' } }] },
  })
  const file = await call('POST', '/drive/v3/files', {
    body: { name: 'Third', mimeType: 'application/vnd.google-apps.spreadsheet' },
  })
  expect((await call('GET', `/drive/v3/files/${file.body.id}`)).body.name).toBe('Third')
  const list = async (q: string, bearer = token) => {
    const query = { q, pageSize: '2', fields: 'nextPageToken,files(id,name)' }
    const { body } = await call('GET', '/drive/v3/files', { query, token: bearer })
    return { names: body.files.map(({ name }: { name: string }) => name), more: body.nextPageToken }
  }
  const all = "mimeType='application/vnd.google-apps.spreadsheet' and trashed=false"
  expect(await list(all)).toEqual({ names: expect.arrayContaining(['Leads']), more: '2' })
  expect(await list(`${all} and name contains 'ord'`)).toEqual({ names: ['Orders'], more: undefined })
  const narrow = google.issue(['https://www.googleapis.com/auth/drive.file']).accessToken ?? ''
  expect((await list(all, narrow)).names).not.toContain('Orders')
  const [, ben] = google.people
  const others = google.issue(undefined, ben).accessToken ?? ''
  expect((await call('GET', path(made.body.spreadsheetId), { token: others })).status).toBe(404)
  const about = await call('GET', '/drive/v3/about', { query: { fields: 'user(emailAddress,displayName)' } })
  expect(about.body.user.emailAddress).toBe('ada@example.com')
})

test('calls are limited a minute as the vendor limits them', async () => {
  await google.close()
  google = await startGoogle({ clock, limited: true })
  token = google.issue().accessToken ?? ''
  const { id } = orders()
  for (let at = 0; at < 60; at += 1) expect((await call('GET', path(id))).status).toBe(200)
  expect(await call('GET', path(id))).toMatchObject({ status: 429, body: { error: { status: 'RESOURCE_EXHAUSTED' } } })
  clock.pass(60)
  expect((await call('GET', path(id))).status).toBe(200)
})

test.skipIf(!hasContracts)('every call of the contract is one of the stand-in’s', async () => {
  const unknown = (readGoogleContract()?.endpoints ?? []).filter((endpoint) => !google.endpoints.includes(endpoint))
  expect(unknown).toEqual([])
})

test.skipIf(!hasContracts)('a field too many in a request and an answer of a wrong type are found', async () => {
  const { id } = orders()
  const sent = { query: { ...RAW, unknown: 'x' }, body: { values: [['x']], majorDimention: 'ROWS' } }
  const refused = await call('PUT', path(id, '/values/Orders!A1'), sent)
  expect(refused.status).toBe(500)
  expect(refused.body.contractBroken).toContain('query unknown is not known here')
  expect(refused.body.contractBroken).toContain('(majorDimention)')
  const sheet = google.spreadsheets.get(id)?.sheets[0]
  Object.assign(sheet ?? {}, { rowCount: 'many' })
  const wrong = await call('GET', path(id))
  expect(wrong.body.contractBroken).toContain('by the answer of GET')
  expect(google.broken.splice(0)).toHaveLength(2)
})
