import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainRichText } from '../../../engine/values/richText'
import { makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { suggestReply } from '../../contracts/inbox'
import { addFaq } from '../../contracts/sources'

let server: TestServer
let ada: Registered
let place: { pgid: string; cgid: string }
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
  const { cgid } = await makeChatbot(ada)
  place = { pgid: ada.pgid, cgid }
  const body = { question: 'Where is my order?', answer: 'Parcels are on their way for two days.', phrasings: [] }
  await ada.call(addFaq, { params: place, body })
  await server.context.jobs.runDue()
})
afterAll(() => server.close())

/** A conversation in which the visitor has said this. */
async function conversationOf(...said: string[]): Promise<string> {
  const { db, ids, clock } = server.context
  const chatbot = await db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', place.cgid)
    .executeTakeFirstOrThrow()
  const [gid, at] = [ids(), clock()]
  const { id } = await db
    .insertInto('conversations')
    .values({
      ...{ gid, project_id: chatbot.project_id, chatbot_id: chatbot.id, environment: 'sharing', status: 'waiting' },
      ...{ token_hash: Buffer.alloc(32), started_by: null, start_client_id: gid, last_client_id: null },
      ...{ created_at: at, updated_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [seq, text] of said.entries())
    await db
      .insertInto('messages')
      .values({
        ...{ conversation_id: id, project_id: chatbot.project_id, seq: seq + 1, author: 2, words: text },
        ...{ content: JSON.stringify({ kind: 'text', text: plainRichText(text) }), created_at: at },
        ...{ block_id: null, client_id: null },
      })
      .execute()
  return gid
}
const suggested = async (...said: string[]) => {
  const params = { pgid: place.pgid, conversation: await conversationOf(...said) }
  return ada.call(suggestReply, { params })
}

it('suggests what the sources say to the visitor’s last question', async () => {
  expect(await suggested('Hello', 'Where is my order?')).toMatchObject({
    text: expect.stringContaining('two days'),
    sources: [{ title: 'Where is my order?' }],
  })
  expect(await suggested('Do you sell elephants in Antarctica?')).toEqual({ text: null, sources: [] })
})

it.each(['ada@example.org', ' +49301234567 '])(
  'passes over the address that a hand-off has asked for: %j',
  async (left) => {
    expect(await suggested('Where is my order?', left)).toMatchObject({ text: expect.stringContaining('two days') })
    expect(await suggested(left)).toEqual({ text: null, sources: [] })
  },
)
