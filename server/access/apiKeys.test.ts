import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../tests/support/server'
import { createApiKey, deleteApiKey, KEYS_PER_PROJECT, listApiKeys } from '../contracts/api-keys'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a key is listed and deleted in its own project alone, also by an owner who knows its id', async () => {
  const [ada, bob] = [await server.register(), await server.register()]
  const { key } = await ada.call(createApiKey, { params: { pgid: ada.pgid }, body: { name: 'Agent' } })
  const names = async () => (await ada.call(listApiKeys, { params: { pgid: ada.pgid } })).keys.map(({ name }) => name)
  expect((await bob.send('DELETE', `/api/projects/${bob.pgid}/api-keys/${key.id}`)).status).toBe(404)
  expect((await bob.call(listApiKeys, { params: { pgid: bob.pgid } })).keys).toEqual([])
  expect(await names()).toEqual(['Agent'])
  await ada.call(deleteApiKey, { params: { pgid: ada.pgid, gid: key.id } })
  expect(await names()).toEqual([])
})

test('of many keys that are created at once, none is more than a project may have', async () => {
  const ada = await server.register()
  const { db } = server.context
  const one = { params: { pgid: ada.pgid }, body: { name: 'Agent' } }
  const { key } = await ada.call(createApiKey, one)
  const { id: _, ...row } = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('gid', '=', key.id)
    .executeTakeFirstOrThrow()
  const others = Array.from({ length: KEYS_PER_PROJECT - 2 }, (_, at) => ({
    ...row,
    gid: `key${at}`.padEnd(16, 'x'),
    key_hash: Buffer.from(`${at} of ${key.id}`),
  }))
  await db.insertInto('api_keys').values(others).execute()
  const path = `/api/projects/${ada.pgid}/api-keys`
  const answers = await Promise.all(Array.from({ length: 8 }, () => ada.send('POST', path, one.body)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
  expect((await ada.call(listApiKeys, { params: { pgid: ada.pgid } })).keys).toHaveLength(KEYS_PER_PROJECT)
})
