import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { readZip } from '../../../tests/support/zip'
import { Role } from '../../access/roles'
import { createSegment, deleteSegment } from '../../contracts/contactFilter'
import { createExport, deleteExport, type ExportFormat, type ExportKind, listExports } from '../../contracts/exports'
import { addFaq } from '../../contracts/sources'
import { forgetExports } from './forgetExports'
import { credits } from './sections/credits'

let server: TestServer
let clock: TestClock
beforeAll(async () => {
  clock = createTestClock('2026-11-23T09:00:00Z')
  server = await startTestServer({ clock })
  // jobs run when the tests say so
  await server.context.jobs.close()
})
afterAll(() => server.close())

async function makeProject() {
  const ada = await server.register()
  const { pgid, cgid } = await makeChatbot(ada)
  const { id: project_id } = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', pgid)
    .executeTakeFirstOrThrow()
  return { ada, pgid, cgid, project_id }
}

async function addContacts(project_id: string, contacts: { name: string; custom?: Record<string, string> }[]) {
  const times = { created_at: clock(), updated_at: clock() }
  const rows = contacts.map(({ name, custom = {} }) => ({
    ...{ gid: server.context.ids(), project_id, chatbot_id: null, name, custom: JSON.stringify(custom) },
    ...times,
  }))
  await server.context.db.insertInto('contacts').values(rows).execute()
}

const make = async (ada: Registered, pgid: string, kind: ExportKind) =>
  (await ada.call(createExport, { params: { pgid }, body: { kind } })).export.gid
const entry = async (ada: Registered, pgid: string) => (await ada.call(listExports, { params: { pgid } })).exports[0]

async function fetchFile(ada: Registered, pgid: string, gid: string, format: ExportFormat) {
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const path = `/api/projects/${pgid}/exports/${gid}/download?format=${format}`
  const answer = await fetch(server.url + path, { headers: { cookie } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString('utf8') }
}

it('makes an export once, and a file of each format from it, in which no text is a formula', async () => {
  const { ada, pgid, project_id } = await makeProject()
  const tricky = '=HYPERLINK("https://x.example")'
  await addContacts(project_id, [{ name: tricky, custom: { Size: '<b>&\u0001', name: 'theirs' } }, { name: 'Grace' }])
  const gid = await make(ada, pgid, 'contacts')
  expect(await entry(ada, pgid)).toMatchObject({ status: 'waiting', kind: 'contacts', rows: 0 })
  expect((await fetchFile(ada, pgid, gid, 'csv')).status).toBe(409)
  await server.context.jobs.runDue()
  expect(await entry(ada, pgid)).toMatchObject({ status: 'done', rows: 2, total: 2 })

  const csv = await fetchFile(ada, pgid, gid, 'csv')
  expect(csv.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''contacts-2026-11-23.csv")
  const rows = parse(csv.text, { bom: true, columns: true }) as Record<string, string>[]
  expect(rows).toMatchObject([{ name: `'${tricky}`, ': Size': '<b>&\u0001', ': name': 'theirs' }, { name: 'Grace' }])

  const lines = (await fetchFile(ada, pgid, gid, 'jsonl')).text.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ name: tricky }, { name: 'Grace' }])

  const sheets = readZip((await fetchFile(ada, pgid, gid, 'xlsx')).bytes)
  expect([...sheets.keys()]).toContain('xl/workbook.xml')
  const sheet = sheets.get('xl/worksheets/sheet1.xml') ?? ''
  expect(sheet).toContain('<t xml:space="preserve">=HYPERLINK("https://x.example")</t>')
  expect(sheet).toContain('<t xml:space="preserve">&lt;b&gt;&amp;</t>')
  expect(sheet).not.toContain('<f>')
})

it('goes on after a crash where it was: nothing twice, nothing missing', async () => {
  const { ada, pgid, project_id } = await makeProject()
  const names = Array.from({ length: 2_500 }, (_, at) => `Person ${at}`)
  await addContacts(
    project_id,
    names.map((name) => ({ name })),
  )
  const gid = await make(ada, pgid, 'contacts')
  const { db } = server.context
  await sql`create function refuse_part() returns trigger language plpgsql as
    $$ begin if new.position = 1 then raise 'crashed'; end if; return new; end $$`.execute(db)
  await sql`create trigger refuse_part before insert on export_parts for each row execute function refuse_part()`.execute(
    db,
  )
  await server.context.jobs.runDue()
  expect(await entry(ada, pgid)).toMatchObject({ status: 'running', rows: 1_000, total: 2_500 })
  await sql`drop trigger refuse_part on export_parts`.execute(db)
  clock.pass(3_600)
  await server.context.jobs.runDue()
  expect(await entry(ada, pgid)).toMatchObject({ status: 'done', rows: 2_500 })
  const { text } = await fetchFile(ada, pgid, gid, 'jsonl')
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { name: string }).name),
  ).toEqual(names)
})

it('exports a segment alone, by its filter as it was asked for', async () => {
  const { ada, pgid, project_id } = await makeProject()
  await addContacts(project_id, [{ name: 'Grace', custom: { Plan: 'Pro' } }, { name: 'Mary' }])
  const filter = {
    match: 'all' as const,
    conditions: [{ field: 'custom:Plan', operator: 'is-set' as const, value: '' }],
  }
  const { segment } = await ada.call(createSegment, { params: { pgid }, body: { name: 'Plans', filter } })
  const body = { kind: 'contacts' as const, segment: segment.gid }
  const { gid } = (await ada.call(createExport, { params: { pgid }, body })).export
  await ada.call(deleteSegment, { params: { pgid, gid: segment.gid } })
  await server.context.jobs.runDue()
  expect(await entry(ada, pgid)).toMatchObject({ status: 'done', rows: 1, total: 1 })
  const { text } = await fetchFile(ada, pgid, gid, 'jsonl')
  expect(JSON.parse(text)).toMatchObject({ name: 'Grace', tags: '', blocked: false, ': Plan': 'Pro' })
  await expect(ada.call(createExport, { params: { pgid }, body: { ...body, kind: 'leads' } })).rejects.toThrow('422')
})

it('exports what chatbots know: sources, and their passages in order', async () => {
  const { ada, pgid, cgid } = await makeProject()
  const body = { question: 'Do you repair lamps?', answer: 'Yes, on Mondays.', phrasings: [] }
  await ada.call(addFaq, { params: { pgid, cgid }, body })
  await server.context.jobs.runDue()
  const gid = await make(ada, pgid, 'knowledge')
  await server.context.jobs.runDue()
  expect(await entry(ada, pgid)).toMatchObject({ status: 'done', rows: 2 })
  const files = readZip((await fetchFile(ada, pgid, gid, 'csv')).bytes)
  expect(files.get('sources.csv')).toContain('Do you repair lamps?')
  expect(files.get('passages.csv')).toContain('"Yes, on Mondays."')
})

it('an export of nothing is a file with its columns', async () => {
  const { ada, pgid } = await makeProject()
  const gid = await make(ada, pgid, 'project')
  await server.context.jobs.runDue()
  expect(await entry(ada, pgid)).toMatchObject({ status: 'done', rows: 0 })
  const { headers, bytes } = await fetchFile(ada, pgid, gid, 'csv')
  expect(headers.get('content-type')).toBe('application/zip')
  const files = readZip(bytes)
  expect([...files.keys()]).toEqual([
    ...[
      'conversations.csv',
      'messages.csv',
      'contacts.csv',
      'leads.csv',
      'results.csv',
      'analytics.csv',
      'credits.csv',
    ],
    ...['sources.csv', 'passages.csv'],
  ])
  expect(files.get('leads.csv')).toBe('\uFEFFlead,chatbot,source,status,owner,name,email,phone,created_at\r\n')
  expect((await fetchFile(ada, pgid, gid, 'jsonl')).text).toBe('')
})

it('goes by roles: an analyst gets no export of everything, and others of the project none at all', async () => {
  const { ada, pgid } = await makeProject()
  const [analyst, editor] = [await server.register(), await server.register()]
  await addMember(server, pgid, analyst, [Role.ANALYST])
  await addMember(server, pgid, editor, [Role.EDITOR])
  const gid = await make(ada, pgid, 'project')
  await server.context.jobs.runDue()
  expect((await analyst.call(listExports, { params: { pgid } })).exports).toEqual([])
  expect((await fetchFile(analyst, pgid, gid, 'csv')).status).toBe(404)
  await expect(analyst.call(deleteExport, { params: { pgid, gid } })).rejects.toThrow('404')
  await expect(make(analyst, pgid, 'project')).rejects.toThrow('403')
  await make(analyst, pgid, 'leads')
  await expect(editor.call(listExports, { params: { pgid } })).rejects.toThrow('403')
})

it('keeps an export seven days, makes few at once, and says which was given up', async () => {
  const { ada, pgid } = await makeProject()
  for (let at = 0; at < 3; at++) await make(ada, pgid, 'analytics')
  await expect(make(ada, pgid, 'analytics')).rejects.toThrow('409')
  const { db } = server.context
  await db.updateTable('jobs').set({ failed_at: clock(), error: 'x' }).where('kind', '=', 'write-export').execute()
  await forgetExports(server.context)
  expect(await entry(ada, pgid)).toMatchObject({ status: 'failed' })
  clock.pass(6.9 * 86_400)
  await forgetExports(server.context)
  expect((await ada.call(listExports, { params: { pgid } })).exports).toHaveLength(3)
  clock.pass(0.2 * 86_400)
  await forgetExports(server.context)
  expect((await ada.call(listExports, { params: { pgid } })).exports).toEqual([])
})

it('has the credits of each day, and what they cost at the project’s price', async () => {
  const { project_id } = await makeProject()
  const { db } = server.context
  await db
    .updateTable('projects')
    .set({ credit_price: 0.02, credit_currency: 'USD' })
    .where('id', '=', project_id)
    .execute()
  const used = { project_id, credit: 'ai_message_credits', used_at: new Date('2026-11-04T23:30:00Z') } as const
  await db
    .insertInto('credit_uses')
    .values([
      { ...used, key: 'one', amount: 0.5 },
      { ...used, key: 'two', amount: 2 },
    ])
    .execute()
  const selection = {
    projectId: project_id,
    chatbotId: null,
    from: '2026-11-04',
    to: '2026-11-04',
    filter: null,
    at: clock(),
  }
  const own = db.forProject(project_id)
  expect(await credits.count(own, selection)).toBe(1)
  expect((await credits.page(own, selection, null, 10)).rows).toEqual([
    { day: '2026-11-04', chatbot: '', credits: 2.5, price: 0.02, cost: 0.05, currency: 'USD' },
  ])
})
