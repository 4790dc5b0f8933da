import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sheetsEffect } from '../../../engine/effects/sheets'
import type { Json } from '../../../engine/values/json'
import { createTestClock } from '../../../tests/support/clock'
import { callContext } from '../../../tests/support/effects'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { consent } from '../../../tests/support/vendors/consent'
import { startGoogle } from '../../../tests/support/vendors/google/startGoogle'
import { beginConnection, finishConnection, listVendorConnections } from '../../contracts/integrations'
import { parseConfig } from '../../platform/config/config'
import { createIntegrations, type Integrations } from './createIntegrations'

const clock = createTestClock('2026-11-24T10:00:00Z')
let google: Awaited<ReturnType<typeof startGoogle>>
let server: TestServer
let ada: Registered
let connection: string
let projectId: string
/** what the server has, with pauses that pass at once */
let parts: Integrations
let calls = 0

beforeAll(async () => {
  google = await startGoogle({ clock })
  const { vendors } = parseConfig({
    GOOGLE_CLIENT_ID: google.client.id,
    GOOGLE_CLIENT_SECRET: google.client.secret,
    GOOGLE_ACCOUNTS_URL: google.origin,
    GOOGLE_TOKEN_URL: google.origin,
    GOOGLE_SHEETS_URL: google.origin,
    GOOGLE_DRIVE_URL: google.origin,
  })
  server = await startTestServer({ config: { vendors }, clock })
  ada = await server.register()
  parts = createIntegrations(server.context, { wait: async (ms) => clock.pass(ms / 1_000) })
  connection = await connect()
  const row = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', ada.pgid)
    .executeTakeFirstOrThrow()
  projectId = row.id
})
afterAll(async () => {
  await server.close()
  await google.close()
})
beforeEach(() => {
  google.faults.clear()
  google.calls.length = 0
  // another minute: nothing waits for room
  clock.pass(61)
})

async function connect(): Promise<string> {
  const params = { pgid: ada.pgid }
  const { url } = await ada.call(beginConnection, {
    params,
    body: { vendor: 'google-sheets', return_to: `/projects/${ada.pgid}/integrations` },
  })
  const back = new URL(await consent(url))
  const { connection: made } = await ada.call(finishConnection, {
    body: {
      vendor: 'google-sheets',
      state: back.searchParams.get('state') ?? '',
      code: back.searchParams.get('code') ?? '',
    },
  })
  return made?.gid ?? ''
}

const orders = (
  rows: Json[][] = [
    ['Name', 'Amount'],
    ['Ada', 3],
  ],
) => {
  const sheet = google.addSpreadsheet({ title: 'Orders', tabs: { New: rows as never } })
  const tab = sheet.sheets[0]
  return { id: sheet.id, tab: { id: tab?.sheetId ?? 0, title: 'New' } }
}
type Sheet = ReturnType<typeof orders>

const request = (sheet: Sheet, more: object): Json => ({
  action: 'add',
  connection,
  spreadsheet: { id: sheet.id, name: 'Orders' },
  tab: sheet.tab,
  cells: [],
  match: null,
  which: 'first',
  limit: 100,
  ...more,
})
const call = (sheet: Sheet, more: object, key = `call-${++calls}`, writes: 'real' | 'simulated' = 'real') =>
  parts.sheets.answer(request(sheet, more), callContext({ project: { id: projectId }, idempotencyKey: key, writes }))
const rows = (sheet: Sheet) => google.rowsOf(sheet.id, 'New')
const cell = (column: string, value: Json) => ({ column, value })
const bob = { cells: [cell('Name', 'Bob'), cell('Amount', 5)] }
const health = async () => {
  const { connections } = await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })
  return connections.find(({ gid }) => gid === connection)?.problem?.code ?? null
}

test('adds, updates, clears, deletes and gets rows; types stay, and a formula of a visitor stays text', async () => {
  const sheet = orders()
  expect(await call(sheet, { cells: [cell('Amount', 4.5), cell('Name', '=IMPORTXML("x")')] })).toMatchObject({
    ok: true,
  })
  expect(rows(sheet)).toEqual([
    ['Name', 'Amount'],
    ['Ada', 3],
    ['=IMPORTXML("x")', 4.5],
  ])
  // the value of the cell, which a formula's would not be
  expect(await call(sheet, { action: 'get', match: { by: 'row', row: '3' } })).toMatchObject({
    rows: [{ Name: '=IMPORTXML("x")', Amount: 4.5 }],
  })
  const ofAda = { match: { by: 'column', column: 'Name', value: 'Ada' } }
  expect(await call(sheet, { action: 'update', ...ofAda, cells: [cell('Amount', true)] })).toEqual({
    ok: true,
    numbers: [2],
  })
  expect(await call(sheet, { action: 'get', ...ofAda })).toEqual({
    ok: true,
    rows: [{ Name: 'Ada', Amount: true }],
    numbers: [2],
  })
  expect(await call(sheet, { action: 'clear', ...ofAda })).toEqual({ ok: true, numbers: [2] })
  expect(await call(sheet, { action: 'get', ...ofAda })).toMatchObject({ error: 'not-found' })
  expect(await call(sheet, { action: 'delete', match: { by: 'row', row: '3' } })).toEqual({ ok: true, numbers: [3] })
  expect(await call(sheet, { action: 'get', which: 'all' })).toEqual({ ok: true, rows: [], numbers: [] })
  expect(google.broken).toEqual([])
})

test('changes all rows that match in one change, and deletes them without moving one to another’s place', async () => {
  const sheet = orders([
    ['Name', 'Amount'],
    ['Ada', 1],
    ['Bob', 2],
    ['Ada', 3],
    ['Ada', 4],
  ])
  const ofAda = { which: 'all', match: { by: 'column', column: 'Name', value: ' Ada ' } }
  await call(sheet, { action: 'update', ...ofAda, cells: [cell('Amount', '')] })
  expect(rows(sheet).slice(1)).toEqual([['Ada'], ['Bob', 2], ['Ada'], ['Ada']])
  expect(await call(sheet, { action: 'delete', ...ofAda })).toEqual({ ok: true, numbers: [2, 4, 5] })
  expect(rows(sheet)).toEqual([
    ['Name', 'Amount'],
    ['Bob', 2],
  ])
})

test('reads 1,000 rows at most, and one at random the same for the same call', async () => {
  const sheet = orders([['Name', 'Amount'], ...Array.from({ length: 1_200 }, (_, at) => [`P${at}`, at])])
  const all = (await call(sheet, { action: 'get', which: 'all', limit: 1_000 })) as { rows: Json[] }
  expect(all.rows).toHaveLength(1_000)
  expect(all.rows.at(-1)).toEqual({ Name: 'P999', Amount: 999 })
  const one = await call(sheet, { action: 'get', which: 'random' }, 'random-1')
  expect(await call(sheet, { action: 'get', which: 'random' }, 'random-1')).toEqual(one)
})

test.each([
  ['the connection breaks after the write', 'cutAfterWrite'],
  ['it fails after the write', 'serverErrorAfterWrite'],
  ['half an answer comes', 'halfJson'],
  ['the connection breaks before the write', 'cutBeforeWrite'],
  ['it fails before the write', 'serverError'],
  ['a proxy answers with a page', 'html'],
] as const)('writes once when %s', async (_, fault) => {
  const sheet = orders()
  google.fail({ on: 'POST *:batchUpdate', with: fault })
  expect(await call(sheet, bob)).toMatchObject({ ok: true })
  expect(rows(sheet)).toEqual([
    ['Name', 'Amount'],
    ['Ada', 3],
    ['Bob', 5],
  ])
})

test('writes once after a crash between the write and its record', async () => {
  const sheet = orders()
  const { db } = server.context
  expect(await call(sheet, bob, 'crashed')).toMatchObject({ ok: true })
  // what a killed process leaves behind: the row is written, its record says nothing of it
  await db.updateTable('vendor_writes').set({ done: false }).where('key', '=', 'crashed').execute()
  expect(await call(sheet, bob, 'crashed')).toMatchObject({ ok: true })
  expect(await call(sheet, bob, 'crashed')).toMatchObject({ ok: true })
  expect(rows(sheet)).toHaveLength(3)
  // and even if nobody looked for the mark
  await db.updateTable('vendor_writes').set({ done: false, answer: null }).where('key', '=', 'crashed').execute()
  expect(await call(sheet, bob, 'crashed')).toMatchObject({ ok: true })
  expect(rows(sheet)).toHaveLength(3)
})

test('leaves one mark behind, not one for each write', async () => {
  const sheet = orders()
  for (let n = 0; n < 5; n++) await call(sheet, bob)
  expect(google.spreadsheets.get(sheet.id)?.metadata).toHaveLength(1)
  expect(rows(sheet)).toHaveLength(7)
})

test('a mark that somebody has taken away keeps no write from being made', async () => {
  const sheet = orders()
  await call(sheet, bob)
  const present = google.spreadsheets.get(sheet.id)
  if (present) present.metadata = []
  expect(await call(sheet, bob)).toMatchObject({ ok: true })
  expect(rows(sheet)).toHaveLength(4)
})

test('writes and reads fifty columns; one more is refused before anything is sent', async () => {
  const names = Array.from({ length: 51 }, (_, at) => `Answer ${at}`)
  const sheet = orders([names])
  const cells = names.map((name) => cell(name, `said ${name}`))
  expect(await call(sheet, { cells: cells.slice(0, 50) })).toMatchObject({ ok: true })
  expect(rows(sheet)[1]?.filter((value) => value !== '' && value !== null)).toHaveLength(50)
  const sent = google.calls.length
  expect(await call(sheet, { cells })).toMatchObject({ ok: false, error: expect.stringContaining('At most 50') })
  expect(google.calls).toHaveLength(sent)
})

test('waits as long as a 429 says, and tries again', async () => {
  const sheet = orders()
  google.fail({ on: 'POST *:batchUpdate', with: 'tooMany', retryAfter: 20 })
  google.fail({ on: 'POST *:batchUpdate', with: 'tooMany' })
  const before = clock().getTime()
  expect(await call(sheet, bob)).toMatchObject({ ok: true })
  expect(clock().getTime() - before).toBeGreaterThanOrEqual(20_000)
  expect(rows(sheet)).toHaveLength(3)
  google.fail({ on: 'POST *:batchUpdate', with: 'tooMany', times: 100 })
  expect(await call(sheet, bob)).toMatchObject({ ok: false, error: expect.stringContaining('limits how much') })
})

test('makes no more calls a minute than allowed, each of them in its turn', async () => {
  const sheet = orders()
  const before = clock().getTime()
  const answers = await Promise.all(Array.from({ length: 70 }, () => call(sheet, bob)))
  expect(answers.every((answer) => (answer as { ok: boolean }).ok)).toBe(true)
  expect(clock().getTime() - before).toBeGreaterThanOrEqual(60_000)
  expect(rows(sheet)).toHaveLength(72)
})

test('a token that has run out is renewed once, however many need it', async () => {
  const sheet = orders()
  clock.pass(4_000)
  google.calls.length = 0
  await Promise.all(Array.from({ length: 5 }, () => call(sheet, { action: 'get', which: 'all' })))
  expect(google.callsOf('POST /token')).toHaveLength(1)
  // and by two processes
  const other = createIntegrations(server.context, { wait: async (ms) => clock.pass(ms / 1_000) })
  clock.pass(4_000)
  google.calls.length = 0
  const context = callContext({ project: { id: projectId }, idempotencyKey: 'both' })
  const get = request(sheet, { action: 'get', which: 'all' })
  const both = await Promise.all([parts.sheets.answer(get, context), other.sheets.answer(get, context)])
  expect(both).toMatchObject([{ ok: true }, { ok: true }])
  expect(google.callsOf('POST /token')).toHaveLength(1)
})

test('a token that is refused is renewed, and the call made again', async () => {
  const sheet = orders()
  google.fail({ on: 'POST *:batchUpdate', with: 'unauthorized' })
  expect(await call(sheet, bob)).toMatchObject({ ok: true })
  expect(google.callsOf('POST /token')).toHaveLength(1)
  expect(rows(sheet)).toHaveLength(3)
})

test('a column that was renamed, a tab and a spreadsheet that are gone: it says which, and what to do', async () => {
  const sheet = orders()
  expect(await call(sheet, { cells: [cell('Surname', 'x')] })).toMatchObject({
    error: expect.stringContaining('“Surname”'),
  })
  const twice = orders([
    ['Name', 'Name'],
    ['a', 'b'],
  ])
  expect(await call(twice, bob)).toMatchObject({ error: expect.stringContaining('Several columns are called “Name”') })
  expect(await call(orders([[]]), bob)).toMatchObject({ error: expect.stringContaining('first row') })
  expect(await call({ ...sheet, id: 'gone-12345678901234567890' }, bob)).toMatchObject({
    error: expect.stringContaining('The spreadsheet “Orders” was not found'),
  })
  expect(await call({ ...sheet, tab: { id: 99, title: 'Old' } }, bob)).toMatchObject({
    error: expect.stringContaining('The tab “Old” was not found'),
  })
  // a tab with another name is the same tab
  expect(await call({ ...sheet, tab: { ...sheet.tab, title: 'Before' } }, bob)).toMatchObject({ ok: true })
  expect(await call(sheet, { action: 'delete', match: { by: 'row', row: 'one' } })).toMatchObject({
    error: expect.stringContaining('“one”'),
  })
  expect(await call(sheet, { cells: [cell('Name', 'x'.repeat(50_001))] })).toMatchObject({
    error: expect.stringContaining('50,000'),
  })
})

test('a test changes nothing, and says what it would have done', async () => {
  const sheet = orders()
  expect(await call(sheet, bob, undefined, 'simulated')).toEqual({
    ok: true,
    numbers: [],
    testEffects: [
      {
        type: 'record',
        carriedOut: false,
        vendor: 'Google Sheets',
        action: 'add',
        of: 'row',
        count: 1,
        place: 'Orders › New',
        fields: { Name: 'Bob', Amount: '5' },
      },
    ],
  })
  const nobody = { action: 'delete', match: { by: 'column', column: 'Name', value: 'Eve' } }
  expect(await call(sheet, nobody, undefined, 'simulated')).toEqual({ ok: false, error: 'not-found' })
  expect(rows(sheet)).toHaveLength(2)
  expect(google.callsOf('POST *:batchUpdate')).toEqual([])
})

test('another project’s connection is none', async () => {
  const sheet = orders()
  const context = callContext({ project: { id: '999999' }, idempotencyKey: 'foreign' })
  expect(sheetsEffect.result.parse(await parts.sheets.answer(request(sheet, bob), context))).toMatchObject({
    ok: false,
    error: expect.stringContaining('no longer exists'),
  })
  expect(google.calls).toEqual([])
})

// last: it takes the connection
test('a consent that is withdrawn is noted once, told by one mail, and asked for no more', async () => {
  const sheet = orders()
  google.fail({ on: 'GET *', with: 'tokenRevoked' })
  expect(await call(sheet, bob)).toMatchObject({ ok: false, error: expect.stringContaining('Connect it again') })
  expect(await health()).toBe('reconnect')
  google.calls.length = 0
  await Promise.all([call(sheet, bob), call(sheet, bob)])
  expect(google.calls).toEqual([])
  const mails = () =>
    server.context.db.selectFrom('mails').select('subject').where('purpose', '=', 'connection').execute()
  await expect.poll(mails).toEqual([{ subject: expect.stringContaining('Google Sheets has to be connected again') }])
  expect(rows(sheet)).toHaveLength(2)

  // connected anew, it is the same connection
  expect(await connect()).toBe(connection)
  expect(await health()).toBe(null)
  expect(await call(sheet, bob)).toMatchObject({ ok: true })
  expect(google.broken).toEqual([])
})
