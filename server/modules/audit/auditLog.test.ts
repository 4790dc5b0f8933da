import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import german from '../../../src/i18n/de/auditLog.json'
import english from '../../../src/i18n/en/auditLog.json'
import { auditSubjects } from '../../../src/screens/audit-log/entryName'
import { makeChatbot } from '../../../tests/support/collab'
import { inviteMember } from '../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { updateAiSettings } from '../../contracts/ai'
import { type AuditEntry, checkAuditLog, exportAuditLog, listAuditLog } from '../../contracts/auditLog'
import { updateChatbot } from '../../contracts/chatbots'
import { changeRoles } from '../../contracts/members'
import { createProject, deleteProject } from '../../contracts/projects'
import type { WebhookEvent } from '../../contracts/webhookEvents'
import { createWebhook } from '../../contracts/webhooks'
import { audited, subjectOf } from './audited'

let server: TestServer
let ada: Registered
let place: { pgid: string; cgid: string }
beforeAll(async () => {
  server = await startTestServer({})
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  place = await makeChatbot(ada)
})
afterAll(() => server.close())

const settle = () => server.app.modules.consumers.runDue()
async function list(query: Record<string, unknown> = {}): Promise<AuditEntry[]> {
  await settle()
  return (await ada.call(listAuditLog, { params: { pgid: place.pgid }, query: query as never })).entries
}
const check = () => ada.call(checkAuditLog, { params: { pgid: place.pgid } })

test('an entry tells who changed what, from where, with the values before and after', async () => {
  await ada.call(updateChatbot, { params: place, body: { name: 'Lamps', business_name: 'Lamp shop' } })
  const [entry] = await list()
  expect(entry).toMatchObject({
    type: 'chatbot.changed',
    person: { gid: ada.user.ui, name: 'Ada Lovelace' },
    chatbot: 'Lamps',
    address: '127.0.0.1',
    changes: [
      { subject: 'chatbots', before: { business_name: '' }, after: { name: 'Lamps', business_name: 'Lamp shop' } },
    ],
  })
  // what stays the same is no change
  await ada.call(updateAiSettings, { params: place, body: { temperature: 0.7 } })
  await ada.call(updateAiSettings, { params: place, body: { temperature: 0.7 } })
  const temperatures = (await list({ subject: 'ai' })).map(({ changes }) => changes.map(({ after }) => after))
  expect(temperatures).toEqual([[], [{ ai_temperature: 0.7 }]])
})

test('a change of roles tells whose they were, and no entry holds a secret', async () => {
  const bob = await inviteMember(server, ada, Role.VIEWER)
  await ada.call(changeRoles, { params: { pgid: place.pgid, gid: bob.user.ui }, body: { roles: [Role.EDITOR] } })
  const [changed] = await list({ subject: 'member' })
  expect(changed).toMatchObject({
    type: 'member.changed',
    about: expect.stringMatching(/\S/),
    changes: [{ subject: 'project_members', before: { roles: [Role.VIEWER] }, after: { roles: [Role.EDITOR] } }],
  })
  const events: WebhookEvent[] = ['contact.created']
  const body = { url: 'https://example.com/hook', description: '', events, personal: false, enabled: true }
  const { secret } = await ada.call(createWebhook, { params: { pgid: place.pgid }, body })
  const logged = await list()
  expect(logged[0]?.type).toBe('webhook.created')
  expect(JSON.stringify(logged)).not.toContain(secret)
  expect((await list({ person: bob.user.ui })).map(({ type }) => type)).toEqual(['member.joined'])
})

test('pages follow each other, days limit them, and who may not audit sees nothing', async () => {
  for (let at = 0; at < 55; at++)
    await ada.call(updateChatbot, { params: place, body: { business_description: `Lamps, ${at}` } })
  const first = await list()
  expect(first).toHaveLength(50)
  const rest = await list({ before: first.at(-1)?.seq })
  expect(rest[0]?.seq).toBe((first.at(-1)?.seq ?? 0) - 1)
  expect(await list({ to: '2001-01-01' })).toEqual([])
  const vera = await inviteMember(server, ada, Role.VIEWER)
  for (const { path } of [listAuditLog, checkAuditLog, exportAuditLog])
    expect((await vera.send('GET', path.replace(':pgid', place.pgid))).status, path).toBe(403)
})

test('each exported line has what its hash is made of, and the hash of the one before', async () => {
  await settle()
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(server.url + exportAuditLog.path.replace(':pgid', place.pgid), { headers: { cookie } })
  const text = (await answer.text()).trim()
  const lines = text
    .split('\n')
    .map((line) => JSON.parse(line) as { hashed: string; hash: string; previous: string | null })
  expect(lines.length).toBeGreaterThan(55)
  let previous: string | null = null
  for (const line of lines) {
    expect(createHash('sha256').update(line.hashed).digest('hex')).toBe(line.hash)
    expect([line.previous, JSON.parse(line.hashed)[0]]).toEqual([previous, previous ?? ''])
    previous = line.hash
  }
  expect(await check()).toEqual({ entries: lines.length, broken: null, hash: previous })
})

test('entries can be neither changed nor deleted, and who does it all the same is found out', async () => {
  const { db } = server.context
  const forge = sql`update audit_entries set person = null where seq = 7`
  await expect(forge.execute(db)).rejects.toThrow('not changed')
  await expect(sql`delete from audit_entries where seq = 7`.execute(db)).rejects.toThrow('not changed')
  await sql`alter table audit_entries disable trigger keep_audit_entry`.execute(db)
  try {
    const undone = new Error('undone')
    const forged = db.transaction().execute(async (trx) => {
      await forge.execute(trx)
      throw undone
    })
    await expect(forged).rejects.toBe(undone)
    await sql`update audit_entries set address = '10.0.0.1' where seq = 7`.execute(db)
    expect((await check()).broken).toBe(7)
    await sql`update audit_entries set address = '127.0.0.1' where seq = 7`.execute(db)
    expect((await check()).broken).toBeNull()
    await sql`delete from audit_entries where seq = 9`.execute(db)
    expect((await check()).broken).toBe(10)
  } finally {
    await sql`alter table audit_entries enable trigger keep_audit_entry`.execute(db)
  }
})

test('every event that is logged has words in both languages, and its subject is offered as a filter', () => {
  expect(auditSubjects.toSorted()).toEqual([...new Set(audited.map(({ type }) => subjectOf(type)))].sort())
  for (const { type } of audited)
    for (const texts of [english, german]) {
      expect(Object.keys(texts.subjects), type).toContain(subjectOf(type))
      expect(Object.keys(texts.verbs), type).toContain(type.slice(type.indexOf('.') + 1))
    }
})

test('a project takes its log along', async () => {
  // the last one can't be deleted
  await ada.call(createProject, { body: { name: 'Another' } })
  await ada.call(deleteProject, { params: { pgid: place.pgid }, body: { name: 'My project' } })
  await server.context.jobs.runDue()
  const { rows } =
    await sql`select 1 from audit_entries join projects on projects.id = project_id where gid = ${place.pgid}`.execute(
      server.context.db,
    )
  expect(rows).toEqual([])
})
