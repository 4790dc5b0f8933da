import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatbot } from '../../server/contracts/chatbots'
import { listContacts } from '../../server/contracts/contacts'
import { makeFolder, type RunningApp, startProcess } from '../support/app'
import { createClient } from '../support/client'
import { openPeer, type Peer, synced } from '../support/collab'
import { type RedisServer, startRedisServer } from '../support/redisServer'
import { keepWriting, type Owned, since, startOwned } from './ownedProcess'

let folder: string
let redis: RedisServer
let first: Owned
let second: RunningApp
beforeAll(async () => {
  folder = await makeFolder()
  redis = await startRedisServer()
  first = await startOwned({ DATA_DIR: folder, REDIS_URL: redis.url })
  const DATABASE_URL = await first.app.prints(/DATABASE_URL='(.+)'/)
  second = await startProcess({ DATA_DIR: folder, REDIS_URL: redis.url, DATABASE_URL })
})
afterAll(async () => {
  await second?.end('SIGINT')
  await first?.app.end('SIGINT')
  await redis?.close()
  await rm(folder, { recursive: true, force: true })
})

const has = (id: string) => (document: Peer['document']) => document.projection().groups.has(id)
const group = (id: string) => ({ id, title: id, position: { x: 0, y: 0 }, blocks: [] })

test('lost Redis: two processes go on alone, nobody waits, and both agree again when it is back', async () => {
  const { owner, pgid } = first
  const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Bot' } })
  const there = await createClient(second.url)
  for (const [name, value] of owner.cookies) there.cookies.set(name, value)
  const peers = [openPeer(first.app, owner, chatbot.fid), openPeer(second, owner, chatbot.fid)] as const
  await Promise.all(peers.map(synced))
  const writers = [keepWriting(first, 'first'), keepWriting({ owner: there, pgid }, 'second')]
  await expect.poll(() => Math.min(...writers.map(({ acknowledged }) => acknowledged.length))).toBeGreaterThan(10)

  await redis.stop()
  const before = writers.map(({ acknowledged }) => acknowledged.length)
  let longest = 0
  for (let at = 0; at < 30; at++) {
    const asked = performance.now()
    expect((await owner.send('GET', '/api/user')).status).toBe(200)
    longest = Math.max(longest, performance.now() - asked)
  }
  peers[0].document.commands.addGroup(group('without-redis'))
  await expect
    .poll(() => writers.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0) + 10))
    .toBe(true)

  await redis.start()
  const back = performance.now()
  await peers[1].sees(has('without-redis'))
  const agreed = since(back)
  peers[1].document.commands.addGroup(group('with-redis'))
  await peers[0].sees(has('with-redis'))
  for (const writer of writers) await writer.stop()
  const written = writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  const { total } = await owner.call(listContacts, { params: { pgid } })
  expect(total).toBe(written)
  for (const peer of peers) peer.leave()
  console.info(
    `lost Redis: ${written} contacts acknowledged by two processes, all there; the longest of 30 calls without it ` +
      `${Math.round(longest)} ms; both flows agree ${agreed} after it is back`,
  )
}, 600_000)
