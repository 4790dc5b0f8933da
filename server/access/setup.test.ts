import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeChatbot } from '../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../tests/support/server'
import { dashboard } from '../contracts/account'
import { readChatbot, updateChatbot } from '../contracts/chatbots'
import { chatbotOf } from './chatbots'
import { refuseWithoutSetup } from './setup'

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
})
afterAll(() => server.close())

const projectId = async () =>
  (await server.context.db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()).id

async function addSource(cgid: string): Promise<void> {
  const { db, clock, ids } = server.context
  const { id } = await chatbotOf(db, await projectId(), cgid)
  const at = clock()
  await db
    .insertInto('knowledge_sources')
    .values({
      gid: ids(),
      project_id: await projectId(),
      chatbot_id: id,
      kind: 'text',
      title: 'A text',
      status: 'queued',
      created_at: at,
      updated_at: at,
    })
    .execute()
}

/** What prevents a chatbot from answering: SPEC.md 8's sentence and the missing parts; null if nothing does. */
async function refusal(cgid: string) {
  const row = await chatbotOf(server.context.db, await projectId(), cgid)
  try {
    refuseWithoutSetup(row)
    return null
  } catch (error) {
    const { status, message, details } = error as { status: number; message: string; details: { missing: string[] } }
    return { status, message, ...details }
  }
}

test('a chatbot answers by itself once it has a source and the details of the business, and says until then what is missing', async () => {
  const { pgid, cgid } = await makeChatbot(ada)
  const params = { pgid, cgid }
  const describe = (business_name: string, business_description: string) =>
    ada.call(updateChatbot, { params, body: { business_name, business_description } })
  expect(await refusal(cgid)).toEqual({
    status: 409,
    message: 'Please complete the following to setup the chatbot',
    missing: ['sources', 'details'],
  })

  await describe('Lamps & Co', '')
  expect((await refusal(cgid))?.missing).toEqual(['sources', 'details'])
  expect((await describe('Lamps & Co', 'Sells lamps.')).chatbot.setup).toEqual({ sources: false, details: true })
  expect(await refusal(cgid)).toEqual({
    status: 409,
    message: 'You need to add at least one data source before you can test the chatbot.',
    missing: ['sources'],
  })

  await addSource(cgid)
  expect(await refusal(cgid)).toBeNull()
  await describe('', ' ')
  expect(await refusal(cgid)).toEqual({
    status: 409,
    message:
      'You need to add the basic chatbot details before you can test it. Go to Chatbot Settings > General to complete it.',
    missing: ['details'],
  })
  expect((await ada.call(readChatbot, { params })).chatbot.setup).toEqual({ sources: true, details: false })
})

test("a borrowed knowledge base's sources count, one's own do not then", async () => {
  const [lender, borrower] = [await makeChatbot(ada), await makeChatbot(ada)]
  const { db } = server.context
  const { id } = await chatbotOf(db, await projectId(), lender.cgid)
  await db.updateTable('chatbots').set({ linked_kb_id: id }).where('gid', '=', borrower.cgid).execute()
  await addSource(borrower.cgid)
  expect((await refusal(borrower.cgid))?.missing).toContain('sources')
  await addSource(lender.cgid)
  expect((await refusal(borrower.cgid))?.missing).not.toContain('sources')
})

test('the details are kept trimmed, refused above their caps, and known to the interface', async () => {
  const { pgid, cgid } = await makeChatbot(ada)
  const path = `/api/projects/${pgid}/chatbots/${cgid}`
  const body = { business_name: ` ${'n'.repeat(100)} `, business_description: 'd'.repeat(200) }
  const { chatbot } = await ada.call(updateChatbot, { params: { pgid, cgid }, body })
  expect(chatbot).toMatchObject({ business_name: 'n'.repeat(100), business_description: 'd'.repeat(200) })
  const { user } = await ada.call(dashboard, { body: { pgid, cgid } })
  expect(user.chatbot).toMatchObject({ business_name: 'n'.repeat(100), business_description: 'd'.repeat(200) })
  const long = { business_name: 'n'.repeat(101), business_description: 'd'.repeat(201) }
  expect(await ada.send('PATCH', path, long)).toMatchObject({
    status: 422,
    body: {
      data: {
        fields: {
          business_name: 'Must not exceed 100 characters',
          business_description: 'Must not exceed 200 characters',
        },
      },
    },
  })
})
