import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember } from '../../../../tests/support/collab'
import { refusing } from '../../../../tests/support/refusing'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { createApiKey, deleteApiKey, listApiKeys } from '../../../contracts/api-keys'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a key that is deleted ends, and no other; it can’t be deleted twice, nor by a stranger', async () => {
  const [ada, eve] = [await server.register(), await server.register()]
  const params = { pgid: ada.pgid }
  const add = (name: string) => ada.call(createApiKey, { params, body: { name } })
  const first = await add('First')
  await add('Second')
  const names = async () => (await ada.call(listApiKeys, { params })).keys.map(({ name }) => name).toSorted()
  expect(await names()).toEqual(['First', 'Second'])
  const path = (pgid: string) => `/api/projects/${pgid}/api-keys/${first.key.id}`
  expect((await eve.send('DELETE', path(eve.pgid), {})).status).toBe(404)
  expect(await names()).toEqual(['First', 'Second'])
  await ada.call(deleteApiKey, { params: { ...params, gid: first.key.id } })
  expect(await names()).toEqual(['Second'])
  expect((await ada.send('DELETE', path(ada.pgid), {})).status).toBe(404)
})

test('nobody but its maker gets a new secret of a key: with it one acts as them', async () => {
  const [ada, bob] = [await server.register(), await server.register()]
  const params = { pgid: ada.pgid }
  await addMember(server, ada.pgid, bob, [Role.ADMIN])
  const { key } = await ada.call(createApiKey, { params, body: { name: 'Ada’s' } })
  const path = `/api/projects/${ada.pgid}/api-keys/${key.id}/secret`
  const refused = await bob.send('POST', path, {})
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Only the member who made this key')])
  const seen = async (who: typeof ada) => (await who.call(listApiKeys, { params })).keys.map(({ mine }) => mine)
  expect([await seen(ada), await seen(bob)]).toEqual([[true], [false]])
  expect((await ada.send('POST', path, {})).status).toBe(200)
})

test('a key is neither deleted nor given another secret without the event that tells of it', async () => {
  const ada = await server.register()
  const params = { pgid: ada.pgid }
  const { key } = await ada.call(createApiKey, { params, body: { name: 'Kept' } })
  const path = `/api/projects/${ada.pgid}/api-keys/${key.id}`
  const calls = () => Promise.all([ada.send('DELETE', path, {}), ada.send('POST', `${path}/secret`, {})])
  const answers = await refusing(server.context.db, 'events', calls)
  expect(answers.map(({ status }) => status)).toEqual([500, 500])
  expect((await ada.call(listApiKeys, { params })).keys).toEqual([key])
})
