import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { insertChatbot } from '../../../tests/support/knowledgeBase'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

/** Foreign keys between rows of projects that don't include the project, and why the project is the same anyway. */
const named: Readonly<Record<string, string>> = {
  'deliveries.deliveries_conversation_id_seq_fkey':
    'both are of one conversation, whose project is part of their references',
}

test('a row of a project refers to rows of the same project alone', async () => {
  const { rows } = await sql<{ name: string; whole: boolean; valid: boolean }>`
    select conrelid::regclass::text || '.' || conname as name, convalidated as valid, exists (
      select from unnest(conkey, confkey) as pair (mine, other) where mine = own.attnum and other = theirs.attnum) as whole
    from pg_constraint
      join pg_attribute own on own.attrelid = conrelid and own.attname = 'project_id'
      join pg_attribute theirs on theirs.attrelid = confrelid and theirs.attname = 'project_id'
    where contype = 'f' and conparentid = 0`.execute(database.db)
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter(({ whole }) => !whole).map(({ name }) => name)).toEqual(Object.keys(named))
  expect(rows.filter(({ valid }) => !valid)).toEqual([])
})

test('one of another project is refused', async () => {
  const { db } = database
  const [own, foreign] = [await insertChatbot(db), await insertChatbot(db)]
  const flow = { gid: 'f'.repeat(16), title: 'Flow', is_main: false, project_id: own.projectId }
  const insert = (chatbot_id: string) =>
    db
      .insertInto('flows')
      .values({ ...flow, chatbot_id })
      .execute()
  await expect(insert(foreign.chatbotId)).rejects.toMatchObject({ code: '23503', constraint: 'flows_chatbot' })
  await insert(own.chatbotId)
})
