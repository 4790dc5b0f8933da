import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFlow } from '../../../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { sourceKinds } from '../../../contracts/sources'
import { chatbotContents } from './chatbotContents'

const at = new Date('2026-01-15T00:00:00Z')
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

let made = 0
async function addSource(projectId: string, chatbotId: string, kind: (typeof sourceKinds)[number]): Promise<string> {
  const gid = `${++made}`.padStart(16, '0')
  const isWritten = kind === 'faq' || kind === 'text'
  const source = {
    ...{ gid, kind, title: kind, status: 'ready' as const },
    url: kind === 'link' ? `https://example.org/${gid}` : null,
    sha256: kind === 'document' ? gid.padStart(64, '0') : null,
    file_name: kind === 'document' ? 'file.pdf' : null,
    bytes: kind === 'document' ? 1 : null,
    data: isWritten ? JSON.stringify({}) : null,
  }
  await database.db
    .insertInto('knowledge_sources')
    .values({ ...source, project_id: projectId, chatbot_id: chatbotId, created_at: at, updated_at: at })
    .execute()
  return gid
}

test('a chatbot’s sources are named by their kind, the newest first, and none of another chatbot', async () => {
  const { projectId, chatbotId } = await insertPublishedFlow(database.db, emptyFlow())
  const other = await insertPublishedFlow(database.db, emptyFlow(), undefined, {}, projectId)
  const named: Record<string, string[]> = {}
  for (const kind of sourceKinds) {
    const [older, newer] = [await addSource(projectId, chatbotId, kind), await addSource(projectId, chatbotId, kind)]
    named[kind] = [newer, older]
    await addSource(projectId, other.chatbotId, kind)
  }
  const contents = await chatbotContents(database.db, projectId, chatbotId)
  expect(contents.sources).toEqual(named)
  expect(contents.trained_on).toBe(2 * sourceKinds.length)
})
