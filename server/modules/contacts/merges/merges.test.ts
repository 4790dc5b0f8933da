import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestClock, type TestClock } from '../../../../tests/support/clock'
import { makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { listDoubles, listMerges, mergeContacts, previewMerge, undoMerge } from '../../../contracts/contactMerges'
import {
  type ContactChange,
  createContact,
  listContacts,
  readContact,
  updateContact,
} from '../../../contracts/contacts'
import { findContact } from '../tableStore'
import { movedTables } from './merge'
import { forgetMerges } from './routes'

let server: TestServer
let clock: TestClock
let ada: Registered
let params: { pgid: string }
let place: { project_id: string; chatbot_id: string }
beforeAll(async () => {
  clock = createTestClock('2026-11-23T09:00:00Z')
  server = await startTestServer({ clock })
})
afterAll(() => server.close())
beforeEach(async () => {
  ada = await server.register()
  params = { pgid: ada.pgid }
  const { cgid } = await makeChatbot(ada)
  const row = await server.context.db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
  place = { project_id: row.project_id, chatbot_id: row.id }
})

const make = async (body: ContactChange) => (await ada.call(createContact, { params, body })).contact.gid
const rowOf = async (gid: string) => {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(contacts) - 'updated_at' as row from contacts where gid = ${gid}`.execute(server.context.db)
  return rows[0]?.row
}
async function talk(contact: string, left?: { email: string }) {
  const { db } = server.context
  const { id } = await db.selectFrom('contacts').select('id').where('gid', '=', contact).executeTakeFirstOrThrow()
  const gid = server.context.ids()
  const at = { created_at: clock(), updated_at: clock() }
  const made = await db
    .insertInto('conversations')
    .values({
      ...{ ...place, gid, environment: 'production', token_hash: Buffer.alloc(32), started_by: null, ...at },
      ...{ start_client_id: gid, last_client_id: null, contact_id: left ? null : id },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const who = { name: '', phone: '', source: 'email' as const, environment: 'production' as const, answers: '[]' }
  if (left)
    await db
      .insertInto('leads')
      .values({ ...place, ...who, ...left, gid: server.context.ids(), conversation_id: made.id, ...at })
      .execute()
  return gid
}
const talks = async (gid: string) =>
  (await ada.call(readContact, { params: { ...params, gid } })).timeline
    .flatMap(({ kind, conversation }) => (kind === 'conversation' ? (conversation ?? '') : []))
    .sort()

async function twoOfOne() {
  const grace = await make({
    fields: { name: 'Grace', email: 'grace@example.org', city: 'New York' },
    custom: { Plan: 'Free', Seats: '1' },
    tags: ['A'],
  })
  const hopper = await make({
    fields: { name: 'Grace Hopper', email: 'hopper@navy.example', phone: '+49 30 1' },
    custom: { Plan: 'Pro', Note: 'x' },
    tags: ['A', 'B'],
    blocked: true,
  })
  return { grace, hopper }
}

it('merges field by field, with all that belongs to the other, who is found by the old address', async () => {
  const { grace, hopper } = await twoOfOne()
  const [mine, theirs, left] = [
    await talk(grace),
    await talk(hopper),
    await talk(hopper, { email: 'HOPPER@navy.example' }),
  ]
  expect(await ada.call(previewMerge, { params, query: { into: grace, from: hopper } })).toMatchObject({
    ...{ into: { gid: grace }, from: { gid: hopper }, conversations: 2, leads: 1 },
  })
  const { contact } = await ada.call(mergeContacts, {
    params,
    body: { into: grace, from: hopper, take: ['name', 'custom:Plan'] },
  })
  expect(contact).toMatchObject({
    gid: grace,
    fields: { name: 'Grace Hopper', email: 'grace@example.org', city: 'New York', phone: '+49 30 1' },
    custom: { Plan: 'Pro', Seats: '1', Note: 'x' },
    ...{ tags: ['A', 'B'], blocked: true, aliases: ['email:hopper@navy.example'] },
  })
  expect(await talks(grace)).toEqual([mine, theirs, left].sort())
  await expect(ada.call(readContact, { params: { ...params, gid: hopper } })).rejects.toThrow('404')
  const found = await findContact(
    server.context.db,
    place.project_id,
    { field: 'email', value: 'Hopper@navy.example' },
    { except: [], own: null },
  )
  expect(found?.id).toBe(grace)
})

it('undoes a merge exactly, and leaves what was changed since', async () => {
  const { grace, hopper } = await twoOfOne()
  const theirs = await talk(hopper)
  const [before, other] = [await rowOf(grace), await rowOf(hopper)]
  const merged = await ada.call(mergeContacts, { params, body: { into: grace, from: hopper, take: ['name'] } })
  expect((await ada.call(listMerges, { params })).merges).toMatchObject([
    { gid: merged.merge, contact: { gid: grace, name: 'Grace Hopper' }, merged: 'Grace Hopper' },
  ])
  const undo = () => ada.call(undoMerge, { params: { ...params, gid: merged.merge } })
  await undo()
  expect([await rowOf(grace), await rowOf(hopper)]).toEqual([before, other])
  expect([await talks(grace), await talks(hopper)]).toEqual([[], [theirs]])
  await expect(undo()).rejects.toThrow('409')

  const again = await ada.call(mergeContacts, { params, body: { into: grace, from: hopper, take: ['name'] } })
  const later = await talk(grace)
  await ada.call(updateContact, {
    params: { ...params, gid: grace },
    body: { fields: { city: 'Arlington' }, custom: { Seats: '9' }, tags: ['A', 'B', 'C'] },
  })
  await ada.call(undoMerge, { params: { ...params, gid: again.merge } })
  const { contact } = await ada.call(readContact, { params: { ...params, gid: grace } })
  expect(contact).toMatchObject({
    fields: { name: 'Grace', city: 'Arlington', phone: null },
    custom: { Plan: 'Free', Seats: '9' },
    ...{ tags: ['A', 'C'], blocked: false, aliases: [] },
  })
  expect([await talks(grace), await talks(hopper)]).toEqual([[later], [theirs]])
})

it('undoes merges of merged contacts in their order, the latest first', async () => {
  const { grace, hopper } = await twoOfOne()
  const third = await make({ fields: { name: 'Admiral' } })
  const [before, other] = [await rowOf(grace), await rowOf(hopper)]
  const first = await ada.call(mergeContacts, { params, body: { into: grace, from: hopper, take: [] } })
  const second = await ada.call(mergeContacts, { params, body: { into: third, from: grace, take: [] } })
  const undo = (gid: string) => ada.call(undoMerge, { params: { ...params, gid } })
  await expect(undo(first.merge)).rejects.toThrow('409')
  await undo(second.merge)
  await undo(first.merge)
  expect([await rowOf(grace), await rowOf(hopper)]).toEqual([before, other])
})

it('names those who share an email, a phone or a user id', async () => {
  const one = await make({ fields: { email: 'Grace@example.org', phone: '1' } })
  const two = await make({ fields: { email: 'grace@EXAMPLE.org' } })
  const three = await make({ fields: { phone: '1', user_id: 'u1' } })
  await make({ fields: { user_id: 'u2', email: '' } })
  const { doubles } = await ada.call(listDoubles, { params })
  expect(doubles.map(({ by, value, contacts }) => [by, value, contacts.map(({ gid }) => gid)])).toEqual([
    ['email', 'grace@example.org', [one, two]],
    ['phone', '1', [one, three]],
  ])
})

it('refuses to merge one with itself, one of another project, or two who are verified as others', async () => {
  const { grace, hopper } = await twoOfOne()
  const bob = await server.register()
  const merge = (into: string, from: string, by = ada) =>
    by.call(mergeContacts, { params: { pgid: by.pgid }, body: { into, from, take: [] } })
  await expect(merge(grace, grace)).rejects.toThrow('404')
  await expect(merge(grace, hopper, bob)).rejects.toThrow('404')
  const verify = (gid: string, id: string) =>
    server.context.db.updateTable('contacts').set({ verified_id: id }).where('gid', '=', gid).execute()
  await verify(grace, 'g')
  await verify(hopper, 'h')
  await expect(merge(grace, hopper)).rejects.toThrow('409')
  expect((await ada.call(listContacts, { params })).total).toBe(2)
})

it('can be undone until it expires, and is kept no longer', async () => {
  const { grace, hopper } = await twoOfOne()
  const merged = await ada.call(mergeContacts, { params, body: { into: grace, from: hopper, take: [] } })
  const { db } = server.context
  await db.updateTable('contact_merges').set({ expires_at: clock() }).where('gid', '=', merged.merge).execute()
  await expect(ada.call(undoMerge, { params: { ...params, gid: merged.merge } })).rejects.toThrow('404')
  await forgetMerges(server.context)
  expect(await db.selectFrom('contact_merges').select('id').where('gid', '=', merged.merge).execute()).toEqual([])
})

it('moves every table that refers to contacts', async () => {
  const { rows } = await sql<{ name: string }>`
    select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'contacts'::regclass order by 1`.execute(server.context.db)
  expect(rows.map(({ name }) => name)).toEqual([...movedTables].sort())
})
