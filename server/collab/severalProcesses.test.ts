import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeChatbot, openPeer, type Peer, storedFlow, synced } from '../../tests/support/collab'
import { type RedisServer, startRedisServer } from '../../tests/support/redisServer'
import { type Registered, startTestServer, type TestServer } from '../../tests/support/server'

/** Two servers with contexts of their own over one database: nothing but that and Redis is between them. */
let redis: RedisServer
let one: TestServer
let two: TestServer
let owner: Registered
beforeAll(async () => {
  redis = await startRedisServer()
  one = await startTestServer({ config: { redisUrl: redis.url } })
  two = await startTestServer({ config: { redisUrl: redis.url }, beside: one })
  owner = await one.register()
})
afterAll(async () => {
  await two?.close()
  await one?.close()
  await redis?.close()
})

const title = (groupId: string, text: string) => (document: Peer['document']) =>
  document.projection().groups.get(groupId)?.title === text
const group = (id: string) => ({ id, title: id, position: { x: 0, y: 0 }, blocks: [] })

describe('with Redis', () => {
  test('what is edited in one process is seen in the other, both ways', async () => {
    const { fid } = await makeChatbot(owner)
    const [here, there] = [openPeer(one, owner, fid), openPeer(two, owner, fid)]
    await Promise.all([synced(here), synced(there)])
    here.document.commands.addGroup(group('mine'))
    await there.sees(title('mine', 'mine'))
    there.document.commands.setGroupTitle('mine', 'Renamed')
    await here.sees(title('mine', 'Renamed'))
    expect(await storedFlow(one, fid)).toEqual(here.document.toFlow())
    here.leave()
    there.leave()
  })
})
