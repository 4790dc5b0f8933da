import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFlow } from '../../../../engine/flow/schema'
import { endBackgroundWork } from '../../../../tests/support/backgroundWork'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { readAnalytics } from '../../../contracts/analytics'
import type { Conversation } from '../../../contracts/chat'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a visit counts unless its visitor says no, and no longer from then on', async () => {
  const owner = await server.register()
  const { db } = server.context
  const { id } = await db.selectFrom('projects').select('id').where('gid', '=', owner.pgid).executeTakeFirstOrThrow()
  const slug = 'counted-bot'
  await insertPublishedFlow(db, emptyFlow(), slug, {}, id)
  const start = async (n: number) => {
    const visitor = await server.guest()
    const body = { client_id: `start-000${n}` }
    const { token, conversation } = (await visitor.send('POST', `/api/chat/${slug}/conversations`, body)).body.data as {
      token: string
      conversation: Conversation
    }
    const path = `/api/chat/${slug}/conversations/${conversation.id}/consent`
    const say = (said: object) => visitor.send('POST', path, said, { authorization: `Bearer ${token}` })
    return { conversation, say }
  }
  const counted = async () => {
    await endBackgroundWork(server)
    const today = server.context.clock().toISOString().slice(0, 10)
    const query = { from: today, to: today, zone: 'UTC' }
    return (await owner.call(readAnalytics, { params: { pgid: owner.pgid }, query })).now.conversations
  }
  await start(1)
  const second = await start(2)
  const third = await start(3)
  expect(await counted()).toBe(3)
  // a site that stores nothing may say that nothing is counted
  expect((await second.say({ given: false, question: '', analytics: false })).status).toBe(200)
  expect((await third.say({ given: true, question: 'May we?', analytics: true })).status).toBe(200)
  // figures follow at the next thing that happens in it
  const of = (name: string) => db.selectFrom('conversations').select(['id', 'project_id']).where('gid', '=', name)
  const row = await of(second.conversation.id).executeTakeFirstOrThrow()
  await db.insertInto('insight_pending').values({ conversation_id: row.id, project_id: row.project_id }).execute()
  expect(await counted()).toBe(2)
  expect(await db.selectFrom('consents').select('given').execute()).toEqual([{ given: true }])
})
