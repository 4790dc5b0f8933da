import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../tests/support/server'
import { createApiKey, deleteApiKey, listApiKeys } from '../contracts/api-keys'

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
