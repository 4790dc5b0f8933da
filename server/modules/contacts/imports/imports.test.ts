import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestClock, type TestClock } from '../../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import {
  checkContactImport,
  type ImportMapping,
  importCaps,
  listContactImports,
  readContactImport,
  startContactImport,
  type uploadContactImport,
} from '../../../contracts/contactImports'
import { createContact, listContacts } from '../../../contracts/contacts'
import { createCustomField } from '../../../contracts/customFields'
import { forgetImports } from './importContacts'

let server: TestServer
let clock: TestClock
let ada: Registered
let params: { pgid: string }
beforeAll(async () => {
  clock = createTestClock('2026-11-23T09:00:00Z')
  server = await startTestServer({ clock })
  // jobs run when the tests say so
  await server.context.jobs.close()
})
afterAll(() => server.close())

async function makeProject() {
  ada = await server.register()
  params = { pgid: ada.pgid }
}

async function upload(bytes: string | Uint8Array, by = ada) {
  const answer = await by.send('POST', `/api/projects/${ada.pgid}/contact-imports?name=people.csv`, bytes, {
    'content-type': 'text/csv',
  })
  return answer as { status: number; text: string; body: { data: ReturnType<typeof uploadContactImport.answer.parse> } }
}
async function uploaded(text: string | Uint8Array) {
  const { status, body, text: said } = await upload(text)
  if (status !== 200) throw new Error(said)
  return body.data.import
}

const mapping = (columns: string[], more: Partial<ImportMapping> = {}): ImportMapping => ({
  ...{ columns, key: 'email', on_duplicate: 'update', tags: [], ...more },
})
async function check(gid: string, body: ImportMapping) {
  await ada.call(checkContactImport, { params: { ...params, gid }, body })
  await server.context.jobs.runDue()
  return read(gid)
}
async function start(gid: string) {
  await ada.call(startContactImport, { params: { ...params, gid } })
  await server.context.jobs.runDue()
  return read(gid)
}
const read = (gid: string) => ada.call(readContactImport, { params: { ...params, gid } })
const contacts = async () => (await ada.call(listContacts, { params })).contacts
const named = async () => (await contacts()).map(({ fields }) => fields.name).reverse()

it('says before it writes what it will create, update and refuse, and then does just that', async () => {
  await makeProject()
  await ada.call(createCustomField, { params, body: { name: 'Seats', type: 'number', choices: [], in_table: true } })
  const grace = { name: 'Grace', email: 'GRACE@example.org', city: 'New York' }
  await ada.call(createContact, { params, body: { fields: grace, custom: { Note: 'kept' }, tags: ['Old'] } })
  const file = await uploaded(
    [
      'Name;E-mail;Seats;Groups;Unused',
      'Grace Hopper;grace@example.org;12;"VIP, Navy";x',
      '"=HYPERLINK(""https://x.example"")";mary@example.org;;;',
      "'+Ada;ada@example.org;3;;",
      'Wrong;not an address;1;;',
      'Wrong;seats@example.org;many;;',
      'Twice;MARY@example.org;1;;',
      'Nobody;;1;;',
    ].join('\r\n'),
  )
  expect(file).toMatchObject({ rows: 7, separator: ';', encoding: 'UTF-8', status: 'parsed', refused: 0 })
  expect(file.columns[3]).toEqual({ name: 'Groups', sample: ['VIP, Navy'] })
  const columns = ['name', 'email', 'custom:Seats', 'tags', '']
  const checked = await check(file.gid, mapping(columns, { tags: ['Import'] }))
  const counts = { processed: 7, created: 2, updated: 1, skipped: 0, refused: 4 }
  expect(checked.import).toMatchObject({ status: 'checked', ...counts })
  expect(checked.problems).toEqual([
    { line: 5, column: 'E-mail', value: 'not an address', message: 'Enter a valid email address' },
    { line: 6, column: 'Seats', value: 'many', message: 'Enter a number such as 12 or 3.5' },
    {
      ...{ line: 7, column: null, value: 'mary@example.org' },
      message: 'The same person stands in line 3: keep one of the lines.',
    },
    {
      ...{ line: 8, column: null, value: null },
      message: 'The email is empty: fill it in, or tell people apart by another field.',
    },
  ])
  expect(await named()).toEqual(['Grace'])

  const done = await start(file.gid)
  expect(done.import).toMatchObject({ status: 'done', ...counts })
  expect(done.problems).toEqual(checked.problems)
  expect((await contacts()).reverse()).toMatchObject([
    {
      fields: { name: 'Grace Hopper', email: 'grace@example.org', city: 'New York' },
      custom: { Seats: '12', Note: 'kept' },
      tags: ['Old', 'Import', 'VIP', 'Navy'],
    },
    { fields: { name: '=HYPERLINK("https://x.example")' }, custom: {}, tags: ['Import'] },
    { fields: { name: '+Ada' }, custom: { Seats: '3' } },
  ])
  // what was in the file is kept no longer, and nothing is written twice
  const parts = await server.context.db.selectFrom('contact_import_parts').select('position').execute()
  expect(parts).toEqual([])
  await expect(start(file.gid)).rejects.toThrow('409')
  await expect(check(file.gid, mapping(columns))).rejects.toThrow('409')
})

it('leaves people who are there alone if it is to, and makes everybody anew if nothing tells them apart', async () => {
  await makeProject()
  await ada.call(createContact, { params, body: { fields: { name: 'Grace', email: 'grace@example.org' } } })
  const text = 'name,email\nOther,grace@example.org\nMary,mary@example.org\n'
  const first = await uploaded(text)
  const checked = await check(first.gid, mapping(['name', 'email'], { on_duplicate: 'skip' }))
  expect(checked.import).toMatchObject({ created: 1, updated: 0, skipped: 1 })
  // a dry run may be repeated with another mapping
  const again = await check(first.gid, mapping(['name', 'email'], { key: 'none' }))
  expect(again.import).toMatchObject({ created: 2, updated: 0, skipped: 0, refused: 0 })
  await start(first.gid)
  expect(await named()).toEqual(['Grace', 'Other', 'Mary'])
})

it('goes on after a crash where it was: each row once', async () => {
  await makeProject()
  const lines = Array.from({ length: 1_250 }, (_, at) => `Person ${at},p${at}@example.org`)
  const file = await uploaded(`name,email\n${lines.join('\n')}`)
  await check(file.gid, mapping(['name', 'email']))
  const { db } = server.context
  await sql`create function refuse_contact() returns trigger language plpgsql as
    $$ begin if new.name = 'Person 700' then raise 'crashed'; end if; return new; end $$`.execute(db)
  await sql`create trigger refuse_contact before insert on contacts for each row execute function refuse_contact()`.execute(
    db,
  )
  expect((await start(file.gid)).import).toMatchObject({ status: 'running', processed: 500, created: 500 })
  await sql`drop trigger refuse_contact on contacts`.execute(db)
  clock.pass(3_600)
  await server.context.jobs.runDue()
  expect((await read(file.gid)).import).toMatchObject({ status: 'done', created: 1_250, updated: 0, refused: 0 })
  const { rows } = await sql<{ all: string; people: string }>`
    select count(*) as all, count(distinct email) as people from contacts
    join projects on projects.id = contacts.project_id where projects.gid = ${ada.pgid}`.execute(db)
  expect(rows).toEqual([{ all: '1250', people: '1250' }])
})

it('tells at its line what is broken in a file, and reads the rest', async () => {
  await makeProject()
  const file = await uploaded('name,email\nGrace,"a"b\n\nMary,mary@example.org\nx,y,z\nLast,"never closed\n')
  expect(file).toMatchObject({ rows: 1, refused: 3 })
  const { problems } = await read(file.gid)
  expect(problems.map(({ line }) => line)).toEqual([2, 5, 6])
  expect(problems[1]?.message).toMatch(/^It has 3 cells, the first line names 2 columns\./)
  const done = await check(file.gid, mapping(['name', 'email'])).then(() => start(file.gid))
  expect(done.import).toMatchObject({ created: 1, refused: 3 })
  expect(done.problems).toEqual(problems)
})

it.each([
  ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('name\tcity\nJörg\tKöln', 'utf16le')])],
  ['UTF-16', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('name\tcity\nJörg\tKöln', 'utf16le').swap16()])],
  ['UTF-16', Buffer.from('name\tcity\nJörg\tKöln', 'utf16le')],
  ['UTF-8', Buffer.from('\uFEFFname|city\nJörg|Köln')],
  ['Windows-1252', Buffer.from('name,city\nJörg,Köln', 'latin1')],
])('reads %s', async (encoding, bytes) => {
  await makeProject()
  const file = await uploaded(bytes)
  expect(file).toMatchObject({
    encoding,
    columns: [
      { name: 'name', sample: ['Jörg'] },
      { name: 'city', sample: ['Köln'] },
    ],
  })
})

it.each([
  ['', 'The file is empty.'],
  [',,\n1,2,3', 'The first line must name the columns.'],
  ['PK\u0003\u0004', 'This is a workbook: save it as CSV'],
  [`\u0000abc\u0000\u0000def`, 'This is no text file'],
  [Array(importCaps.columns + 1).join('a,'), 'A file may have 100 columns; this one has 101'],
  [`name\n${'x\n'.repeat(importCaps.rows + 1)}`, 'A file may have 50,000 rows; this one has 50,001'],
  ['x'.repeat(importCaps.bytes + 1), 'malformed|10 MB|too_large'],
])('refuses %.20j as a whole, and says why', async (text, why) => {
  await makeProject()
  const { status, text: said } = await upload(text)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(said).toMatch(new RegExp(why))
  expect((await ada.call(listContactImports, { params })).imports).toEqual([])
})

it('keeps an import seven days, and says which was given up', async () => {
  await makeProject()
  const file = await uploaded('name\nGrace')
  await ada.call(checkContactImport, { params: { ...params, gid: file.gid }, body: mapping(['name'], { key: 'none' }) })
  const { db } = server.context
  await db.updateTable('jobs').set({ failed_at: clock(), error: 'x' }).where('kind', '=', 'import-contacts').execute()
  await forgetImports(server.context)
  expect((await read(file.gid)).import.status).toBe('failed')
  clock.pass(7.1 * 86_400)
  await forgetImports(server.context)
  expect((await ada.call(listContactImports, { params })).imports).toEqual([])
})

it('wants each field once, and the column of what tells people apart', async () => {
  await makeProject()
  const file = await uploaded('a,b\n1,2')
  const refused = (columns: string[], more?: Partial<ImportMapping>) =>
    expect(check(file.gid, mapping(columns, more))).rejects.toThrow('422')
  await refused(['name', 'name'], { key: 'none' })
  await refused(['', ''], { key: 'none' })
  await refused(['name', ''])
  await refused(['email'])
  await refused(['password', 'email'])
})
