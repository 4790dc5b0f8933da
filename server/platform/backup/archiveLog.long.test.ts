import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../config/config'
import { createDatabase, type RootDb } from '../database/database'
import { type Cluster, startCluster } from '../database/embedded/cluster'
import { migrate } from '../database/migrate'
import { createFileStore } from '../files/files'
import { keyOfFolder } from '../secrets/keys'
import { archiveLog, archiveOf, segmentOf } from './archiveLog'
import { makeBackup } from './makeBackup'
import { restoreBackup } from './restoreBackup'

const silent = { log: pino({ level: 'silent' }) }
let root: string
let dataDir: string
let into: string
let cluster: Cluster
let db: RootDb
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-log-'))
  await chmod(root, 0o755)
  dataDir = join(root, 'data')
  into = join(root, 'backups')
  cluster = await startCluster({ folder: dataDir, durable: false })
  await migrate(cluster.connection)
  keyOfFolder(dataDir)
  db = createDatabase(cluster.connection)
})
afterAll(async () => {
  await db?.destroy()
  await cluster?.stop()
  await rm(root, { recursive: true, force: true })
})

const config = (minutes: number | null, to = into) => {
  const { backup, ...others } = parseConfig({})
  return { ...others, dataDir, backup: { ...backup, to, archiveMinutes: minutes } }
}
const backUp = (keep: number | null = null) =>
  makeBackup({
    ...{ config: config(null), connection: cluster.connection, into, passphrase: null, keep },
    clock: () => new Date(),
  })
const add = async (name: string) => {
  await sql`insert into projects (gid, name, created_at, updated_at) values (${name}, ${name}, now(), now())`.execute(
    db,
  )
}
const slots = async () => (await sql`select from pg_replication_slots`.execute(db)).rows.length
const restore = async (backup: string, target: string, at?: Date) =>
  restoreBackup({ backup, dataDir: join(root, target), passphrase: null, withoutKey: true, ...(at && { at }) })

async function namesIn(target: string): Promise<string[]> {
  const restored = await startCluster({ folder: join(root, target), durable: false })
  const its = createDatabase(restored.connection)
  try {
    await sql`insert into projects (gid, name, created_at, updated_at) values ('after', 'after', now(), now())`.execute(
      its,
    )
    return (await its.selectFrom('projects').select('name').orderBy('id').execute()).map(({ name }) => name)
  } finally {
    await its.destroy()
    await restored.stop()
  }
}

test('what keeps the log is there while it is archived, and goes with the setting; a bucket is refused', async () => {
  const archive = await archiveLog(config(5), cluster.connection, silent)
  archive?.stop()
  expect(await slots()).toBe(1)
  expect(await archiveLog(config(null), cluster.connection, silent)).toBeNull()
  expect(await slots()).toBe(0)
  await expect(archiveLog(config(5, 's3://bucket'), cluster.connection, silent)).rejects.toThrow('needs a folder')
})

test('the log before the oldest backup goes, and that after it stays', async () => {
  const archive = await archiveLog(config(5), cluster.connection, silent)
  archive?.stop()
  const { manifest } = await backUp()
  const segments = async () =>
    (await readdir(archiveOf(into, manifest.installation))).filter((name) => name.endsWith('.gz'))
  await add('before')
  await archive?.run()
  const first = await segments()
  expect(first.length).toBeGreaterThan(0)
  const second = await backUp(1)
  await add('between')
  await archive?.run()
  const left = await segments()
  expect(left.filter((name) => first.includes(name))).toEqual([])
  expect(left[0]?.slice(8, 24)).toBe(segmentOf(second.manifest.database.from))
})

test('a database is restored to a moment, or to the last that was archived, after its server was killed', async () => {
  const archive = await archiveLog(config(5), cluster.connection, silent)
  archive?.stop()
  const { folder, manifest } = await backUp()
  await add('a')
  const store = createFileStore(join(dataDir, 'files'))
  const { sha256 } = await store.put('1', [Buffer.from('came after the backup')] as never, { type: 'text/plain' })
  const now = async () =>
    (await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)).rows[0]?.at.getTime() ?? 0
  const moment = new Date((await now()) + 1)
  await expect.poll(now).toBeGreaterThan(moment.getTime())
  await add('b')
  await archive?.run()
  const [pid = ''] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')

  await restore(folder, 'to-moment', moment)
  expect(await namesIn('to-moment')).toEqual(['before', 'between', 'a', 'after'])
  const bytes = await createFileStore(join(root, 'to-moment/files')).read('1', sha256)
  expect(bytes && (await text(bytes))).toBe('came after the backup')
  await restore(folder, 'to-end')
  expect(await namesIn('to-end')).toEqual(['before', 'between', 'a', 'b', 'after'])

  await expect(restore(folder, 'never', new Date(Date.now() + 60_000))).rejects.toThrow('does not go beyond')
  const tooEarly = new Date(new Date(manifest.began_at).getTime() - 1)
  await expect(restore(folder, 'never', tooEarly)).rejects.toThrow('give an earlier one')
  expect((await readdir(join(root, 'never'))).filter((name) => name.startsWith('postgres'))).toEqual([])
})
