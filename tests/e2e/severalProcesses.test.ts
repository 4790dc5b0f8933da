import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonicalFlow } from '../../engine/flow/canonical'
import { register } from '../../server/contracts/auth'
import { createChatbot } from '../../server/contracts/chatbots'
import { listProjects } from '../../server/contracts/projects'
import { makeFolder, OWNER_LINK, type RunningApp, startProcess } from '../support/app'
import { createClient, type TestClient } from '../support/client'
import { openPeer, type Peer, synced } from '../support/collab'
import { type RedisServer, startRedisServer } from '../support/redisServer'

/**
 * Two processes as the README says to start them: the first with the embedded database, the second at the address that the first prints.
 * Rights, folding and what is lost of Redis have tests of their own (server/modules/flows/collab/severalProcesses.test.ts); here processes die.
 */
let folder: string
let redis: RedisServer
let first: RunningApp
let second: RunningApp
let owner: TestClient
let fid: string
beforeAll(async () => {
  folder = await makeFolder()
  redis = await startRedisServer()
  first = await startFirst()
  const ownerLink = await first.prints(OWNER_LINK)
  owner = await createClient(first.url)
  await owner.call(register, {
    body: {
      first_name: 'Ada',
      last_name: 'Owner',
      email: 'ada@example.com',
      password: 'correct horse battery',
      setup_token: new URL(ownerLink).searchParams.get('setup_token') ?? undefined,
    },
  })
  second = await startProcess({
    DATA_DIR: folder,
    REDIS_URL: redis.url,
    DATABASE_URL: await first.prints(/DATABASE_URL='(.+)'/),
  })
  const { projects } = await owner.call(listProjects)
  const { chatbot } = await owner.call(createChatbot, {
    params: { pgid: projects[0]?.gid ?? '' },
    body: { name: 'Bot' },
  })
  fid = chatbot.fid
})
afterAll(async () => {
  await second?.end('SIGINT')
  await first?.end('SIGINT')
  await redis?.close()
  await rm(folder, { recursive: true, force: true })
})

const startFirst = () => startProcess({ DATA_DIR: folder, REDIS_URL: redis.url })
const soon = <Value>(read: () => Value) => expect.poll(read)
const group = (id: string) => ({ id, title: id, position: { x: 0, y: 0 }, blocks: [] })
const has = (id: string) => (document: Peer['document']) => document.projection().groups.has(id)
const flowOf = ({ document }: Peer) => canonicalFlow(document.toFlow())

/** As a load balancer does it: the client's next connection goes to another process. */
function moveTo(app: RunningApp, { provider }: Peer): void {
  provider.serverUrl = `${app.url.replace(/^http/, 'ws')}/collab`
}

test('people design together across two processes, one of which is killed and started again with its database', async () => {
  const [here, there] = [openPeer(first, owner, fid), openPeer(second, owner, fid)]
  await Promise.all([synced(here), synced(there)])
  const present = there.provider.awareness.getStates()
  here.document.commands.addGroup(group('from-first'))
  await there.sees(has('from-first'))
  there.document.commands.addGroup(group('from-second'))
  await here.sees(has('from-second'))
  here.provider.awareness.setLocalStateField('cursor', { x: 1, y: 2 })
  const client = here.document.doc.clientID
  await soon(() => present.get(client)?.cursor).toEqual({ x: 1, y: 2 })

  // the last thing that the first process acknowledged: others have it, so it is stored
  here.document.commands.addGroup(group('just-before'))
  await there.sees(has('just-before'))
  here.provider.disconnect()
  const sitting = openPeer(first, owner, fid)
  await soon(() => present.has(sitting.document.doc.clientID)).toBe(true)
  await first.end('SIGKILL')
  await soon(() => present.has(sitting.document.doc.clientID)).toBe(false)

  // its database is still there: the second goes on, and takes those who were at the first
  there.document.commands.addGroup(group('after-the-death'))
  here.document.commands.addGroup(group('made-offline'))
  moveTo(second, here)
  here.provider.connect()
  await here.sees(has('after-the-death'))
  await there.sees(has('made-offline'))
  moveTo(second, sitting)
  await sitting.sees(has('made-offline'))
  const late = openPeer(second, owner, fid)
  await late.sees(has('just-before'))

  // it comes back, its database is started anew at the same address, and both go on
  first = await startFirst()
  const back = openPeer(first, owner, fid)
  await back.sees(has('made-offline'))
  there.document.commands.addGroup(group('after-the-return'))
  await back.sees(has('after-the-return'))
  back.document.commands.addGroup(group('at-the-end'))
  const peers = [here, there, sitting, late, back]
  await Promise.all(peers.map((peer) => peer.sees(has('at-the-end'))))
  await soon(() => new Set(peers.map((peer) => JSON.stringify(flowOf(peer)))).size).toBe(1)
  for (const peer of peers) peer.leave()
})
