import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server'
import { createContact } from '../../contracts/contacts'
import { readPersonData } from '../../contracts/privacy'
import { erasedByName } from './person'
import { personalData } from './personalData'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('each table of the database is named, with what becomes of it when a person is exported and erased', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and relkind in ('r', 'p') and not relispartition order by 1`.execute(server.context.db)
  expect(Object.keys(personalData).sort()).toEqual(rows.map(({ name }) => name).sort())
  const silent = Object.entries(personalData).filter(([, { exported, erased, why }]) => !(exported && erased) && !why)
  expect(silent).toEqual([])
})

test('what is said to be erased goes with the contact or its conversations, or is deleted by name', async () => {
  const { rows } = await sql<{ name: string }>`
    with recursive gone(oid) as (
      select 'conversations'::regclass::oid union select 'contacts'::regclass::oid
      -- deleted by name, with what belongs to them
      union select 'whatsapp_people'::regclass::oid
      union select conrelid from pg_constraint join gone on confrelid = gone.oid
        where contype = 'f' and confdeltype = 'c')
    select oid::regclass::text as name from gone`.execute(server.context.db)
  const gone = new Set([...rows.map(({ name }) => name), ...erasedByName])
  const erased = Object.entries(personalData).flatMap(([table, handling]) => (handling.erased ? table : []))
  expect([...gone].sort()).toEqual(erased.sort())
})

test('what is said to be exported is in the document', async () => {
  const ada = await server.register()
  const params = { pgid: ada.pgid }
  const { contact } = await ada.call(createContact, { params, body: { fields: { email: 'grace@example.org' } } })
  const { data } = await ada.call(readPersonData, { params: { ...params, gid: contact.gid } })
  const exported = Object.entries(personalData).flatMap(([table, handling]) => (handling.exported ? table : []))
  expect(Object.keys(data as object).sort()).toEqual(exported.sort())
})
