import { rm } from 'node:fs/promises'
import { register } from '../../../server/contracts/auth'
import { listProjects } from '../../../server/contracts/projects'
import { createDatabase, type RootDb } from '../../../server/platform/database/database'
import { startCluster } from '../../../server/platform/database/embedded/cluster'
import { makeFolder, OWNER_LINK, type RunningApp, startProcess } from '../../support/app'
import { createClient, type TestClient } from '../../support/client'
import { startRedisServer } from '../../support/redisServer'
import { cpuShares } from './cpuShare'
import { childrenOf } from './processUse'

/** An installation of several processes of the built program over one durable PostgreSQL and one Redis. */
export interface Processes {
  apps: readonly RunningApp[]
  /** of PostgreSQL and of Redis */
  pids: { database: number; redis: number }
  db: RootDb
  owner: TestClient
  pgid: string
  /** leaves each process this part of a core from now on */
  limit(share: number): void
  close(): Promise<void>
}

/** Starts them, and makes the owner's account. */
export async function startProcesses(count: number): Promise<Processes> {
  const folder = await makeFolder()
  const others = childrenOf(process.pid, 'postgres')
  const cluster = await startCluster({ folder: `${folder}/database`, durable: true, maxConnections: 200 })
  const redis = await startRedisServer()
  const limits = cpuShares()
  const env = {
    DATA_DIR: `${folder}/data`,
    DATABASE_URL: cluster.url,
    REDIS_URL: redis.url,
    CHAT_STARTS_PER_MINUTE: '0',
    CHAT_MESSAGES_PER_MINUTE: '0',
    LOG_LEVEL: 'error',
  }
  const apps: RunningApp[] = []
  const db = createDatabase(cluster.connection, { max: 4 })
  const close = async () => {
    await Promise.all(apps.map((app) => app.end('SIGINT')))
    await limits.remove()
    await db.destroy()
    await redis.close()
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const first = await startProcess(env)
    apps.push(first)
    const owner = await registerOwner(first)
    while (apps.length < count) apps.push(await startProcess(env))
    const { projects } = await owner.call(listProjects)
    const pids = {
      database: childrenOf(process.pid, 'postgres').find((pid) => !others.includes(pid)) ?? 0,
      redis: childrenOf(process.pid, 'redis-server').at(-1) ?? 0,
    }
    const limit = (share: number) => {
      for (const { pid } of apps) limits.limit(pid, share)
    }
    return { apps, pids, db, owner, pgid: projects[0]?.gid ?? '', limit, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function registerOwner(app: RunningApp): Promise<TestClient> {
  const link = new URL(await app.prints(OWNER_LINK))
  const owner = await createClient(app.url)
  await owner.call(register, {
    body: {
      ...{ first_name: 'Ada', last_name: 'Owner', email: 'ada@example.com', password: 'correct horse battery' },
      setup_token: link.searchParams.get('setup_token') ?? undefined,
    },
  })
  return owner
}
