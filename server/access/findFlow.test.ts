import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFlow } from '../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../tests/support/database'
import { insertPublishedFlow } from '../../tests/support/publishedFlow'
import { findFlow, findMainFlow } from './findFlow'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

/** A chatbot with a main flow and another one. */
async function chatbot(projectId?: string) {
  const { db } = database
  const { projectId: project_id, chatbotId } = await insertPublishedFlow(db, emptyFlow(), undefined, {}, projectId)
  const other = { gid: chatbotId.padStart(16, '0'), title: 'Other', is_main: false, published_version_id: null }
  await db
    .insertInto('flows')
    .values({ ...other, project_id, chatbot_id: chatbotId })
    .execute()
  const rows = await db
    .selectFrom('flows')
    .innerJoin('chatbots', 'chatbots.id', 'flows.chatbot_id')
    .select(['flows.gid', 'flows.is_main', 'chatbots.gid as cgid'])
    .where('flows.chatbot_id', '=', chatbotId)
    .execute()
  const gid = (isMain: boolean) => rows.find(({ is_main }) => is_main === isMain)?.gid ?? ''
  return { projectId: project_id, cgid: rows[0]?.cgid ?? '', main: gid(true), other: gid(false) }
}

test('a flow is found in its own project and chatbot alone', async () => {
  const one = await chatbot()
  const beside = await chatbot(one.projectId)
  const elsewhere = await chatbot()
  const find = (projectId: string, cgid: string, fid: string) => findFlow(database, projectId, { cgid, fid })
  expect(await find(one.projectId, one.cgid, one.main)).toMatchObject({ gid: one.main, is_main: true })
  const notFound = { code: 'not_found' }
  await expect(find(one.projectId, one.cgid, beside.main)).rejects.toMatchObject(notFound)
  await expect(find(one.projectId, beside.cgid, one.main)).rejects.toMatchObject(notFound)
  await expect(find(one.projectId, elsewhere.cgid, elsewhere.main)).rejects.toMatchObject(notFound)
  await expect(find(elsewhere.projectId, one.cgid, one.main)).rejects.toMatchObject(notFound)
})

test('the main flow of any flow is its own chatbot’s', async () => {
  const one = await chatbot()
  await chatbot(one.projectId)
  for (const fid of [one.main, one.other])
    expect(await findMainFlow(database, one.projectId, { cgid: one.cgid, fid })).toMatchObject({ gid: one.main })
})
