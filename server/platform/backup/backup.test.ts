import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startBucketServer } from '../../../tests/support/bucketServer'
import { createDatabase, type RootDb } from '../database/database'
import { type Cluster, startCluster } from '../database/embedded/cluster'
import { bindFiles } from '../database/installation'
import { migrate } from '../database/migrate'
import { createBucket } from '../files/bucket/createBucket'
import { createFileStore, type FileStore } from '../files/files'
import { moveFiles } from '../files/moveFiles'
import { openFiles, placeOfFiles } from '../files/openFiles'
import { folderPlace } from '../files/place'
import { keyOfFolder } from '../secrets/keys'
import { makeBackup } from './makeBackup'
import { backupsIn, readManifest } from './manifest'
import { openBackups } from './openBackups'
import { restoreBackup } from './restoreBackup'
import { scheduleBackups } from './scheduleBackups'
import { verifyBackup } from './verifyBackup'

const PASSPHRASE = 'correct horse battery'
let root: string
let dataDir: string
let into: string
let cluster: Cluster
let db: RootDb
let files: FileStore
let projectId: string
/** a backup that several tests look at */
let backup: string
let count = 0
beforeAll(async () => {
  root = await newFolder()
  dataDir = join(root, 'data')
  cluster = await startCluster({ folder: dataDir, durable: false })
  await migrate(cluster.connection)
  const folder = join(dataDir, 'files')
  await mkdir(folder, { recursive: true })
  await bindFiles({ connection: cluster.connection, files: folderPlace(folder), database: 'this one', adopt: false })
  keyOfFolder(dataDir)
  db = createDatabase(cluster.connection)
  files = createFileStore(folder)
  projectId = await addProject('the first')
  await addFile('a first contract')
  into = join(root, 'backups')
  backup = (await backUp()).folder
})
afterAll(async () => {
  await db?.destroy()
  await cluster?.stop()
  await rm(root, { recursive: true, force: true })
})
beforeEach(() => {
  into = join(root, `backups-${++count}`)
})

/** Within reach of the account that runs PostgreSQL. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  await chmod(folder, 0o755)
  return folder
}

async function addProject(name: string, at = new Date()): Promise<string> {
  const row = { gid: randomBytes(8).toString('hex'), name, created_at: at, updated_at: at }
  return (await db.insertInto('projects').values(row).returning('id').executeTakeFirstOrThrow()).id
}

async function addFile(content: string): Promise<string> {
  const { sha256, bytes } = await files.put(projectId, [Buffer.from(content)] as never, { type: 'text/plain' })
  const row = { gid: randomBytes(8).toString('hex'), sha256, media_type: 'text/plain', bytes, name: 'note.txt' }
  await db
    .insertInto('files')
    .values({ ...row, project_id: projectId, created_by: null, created_at: new Date() })
    .execute()
  return sha256
}

const backUp = (given: Partial<Parameters<typeof makeBackup>[0]> = {}) => {
  const config = { dataDir, secretKeys: [], bucket: null }
  const always = { config, connection: cluster.connection, into, passphrase: PASSPHRASE, keep: null }
  return makeBackup({ ...always, clock: () => new Date(), ...given })
}

/** Starts what was restored, and asks it. */
async function ask<Answer>(folder: string, question: (db: RootDb) => Promise<Answer>): Promise<Answer> {
  const restored = await startCluster({ folder, durable: false })
  const restoredDb = createDatabase(restored.connection)
  try {
    return await question(restoredDb)
  } finally {
    await restoredDb.destroy()
    await restored.stop()
  }
}

test('what was acknowledged before the end of a backup, while others went on to write, is there after a restore', async () => {
  const names: string[] = []
  const seen: number[] = []
  let done = false
  const writer = async (writerName: string) => {
    for (let at = 0; !done; at++) {
      await addProject(`${writerName}-${at}`)
      names.push(`${writerName}-${at}`)
    }
  }
  const writers = ['a', 'b', 'c'].map(writer)
  const sha256 = await addFile('a contract')
  const { folder } = await backUp({
    clock: () => {
      seen.push(names.length)
      return new Date()
    },
  })
  done = true
  await Promise.all(writers)
  const [began = 0, ended = 0] = seen
  expect(ended).toBeGreaterThan(began)

  const target = join(root, 'restored')
  await restoreBackup({ backup: folder, dataDir: target, passphrase: PASSPHRASE, withoutKey: false })
  const rows = await ask(target, (restored) => restored.selectFrom('projects').select('name').execute())
  const there = new Set(rows.map(({ name }) => name))
  expect(names.slice(0, ended).filter((name) => !there.has(name))).toEqual([])
  const copied = createFileStore(join(target, 'files'))
  const bytes = await copied.read(projectId, sha256)
  expect(bytes && (await text(bytes))).toBe('a contract')
  expect(await copied.installation()).toBe(await files.installation())
  expect(await readFile(join(target, 'secret.key'), 'utf8')).toBe(await readFile(join(dataDir, 'secret.key'), 'utf8'))
})

test('files in a bucket are in a backup too; what the one before has is not loaded again', async () => {
  const service = await startBucketServer()
  const store = openFiles({ dataDir, freeSpace: 0, bucket: service.settings })
  await placeOfFiles({ dataDir, bucket: service.settings }).write((await files.installation()) ?? '', false)
  const sha256 = await addFile('a contract in the bucket')
  await moveFiles(files, store, () => {})
  await store.discardUnused({ before: new Date(Date.now() + 86_400_000), now: new Date() }, async () => [sha256])
  const config = { dataDir, secretKeys: [], bucket: service.settings }
  const { folder, manifest } = await backUp({ config })
  // one, and what lies in the trash
  expect(manifest.files.count).toBeGreaterThan(1)
  await createBucket(service.settings).remove(`files/${projectId}/${sha256}`)
  const target = join(root, 'from-bucket')
  await restoreBackup({ backup: folder, dataDir: target, passphrase: PASSPHRASE, withoutKey: false })
  const bytes = await createFileStore(join(target, 'files')).read(projectId, sha256)
  expect(bytes && (await text(bytes))).toBe('a contract in the bucket')
  expect((await backUp({ config })).manifest.files.count).toBe(manifest.files.count - 1)
  await service.close()
})

test('backups in a bucket share their files, and are listed, verified, kept and deleted as in a folder', async () => {
  const { settings, close } = await startBucketServer()
  const place = openBackups(`s3://${settings.bucket}/nightly/shop`, settings)
  const bucket = createBucket({ ...settings, prefix: 'nightly/shop/' })
  const keys = async (prefix: string) => {
    const found: string[] = []
    for await (const { key } of bucket.list(prefix)) found.push(key)
    return found
  }
  const config = { dataDir, secretKeys: [], bucket: null }
  const make = (at: Date, keep: number | null) =>
    place.make({ config, connection: cluster.connection, passphrase: PASSPHRASE, keep, clock: () => at })
  expect(await place.list()).toEqual([])
  const [gone, kept] = [await addFile('in the first alone'), await addFile('in both')]
  const first = await make(new Date(), null)
  expect(await keys('files/')).toContain(`files/${projectId}/${gone}`)
  await rm(join(dataDir, 'files', projectId, gone))
  await db.deleteFrom('files').where('sha256', '=', gone).execute()
  const later = new Date(Date.now() + 3 * 86_400_000)
  const second = await make(later, 1)
  expect(second.deleted).toEqual([first.folder.split('/').at(-1)])
  const [only, ...others] = await place.list()
  expect([only?.manifest, others]).toEqual([second.manifest, []])
  expect((await keys('parley-')).every((key) => key.startsWith(`${only?.name}/`))).toBe(true)
  const files = await keys('files/')
  expect([files.includes(`files/${projectId}/${gone}`), files.includes(`files/${projectId}/${kept}`)]).toEqual([
    false,
    true,
  ])

  const name = only?.name ?? ''
  const { files: named } = await place.during(name, root, (folder) => verifyBackup(folder, root))
  expect(named).toBeGreaterThan(1)
  const target = join(root, 'from-s3')
  await place.during(name, root, (folder) =>
    restoreBackup({ backup: folder, dataDir: target, passphrase: PASSPHRASE, withoutKey: false }),
  )
  expect(await readFile(join(target, 'secret.key'), 'utf8')).toBe(await readFile(join(dataDir, 'secret.key'), 'utf8'))
  await bucket.putText(`files/${projectId}/${kept}`, 'other bytes')
  await expect(place.during(name, root, (folder) => verifyBackup(folder, root))).rejects.toThrow(
    `${kept} is missing or not`,
  )
  // nothing is left on this machine
  expect((await readdir(root)).filter((each) => each.startsWith('parley-loaded-'))).toEqual([])
  expect((await readdir(dataDir)).filter((each) => each.startsWith('.backup-'))).toEqual([])

  const wrong = openBackups(`s3://${settings.bucket}`, { ...settings, secretAccessKey: 'wrong' })
  await expect(wrong.list()).rejects.toThrow(/can't be used: .*403/)
  expect(() => openBackups('s3://a', settings)).toThrow('give it as s3://bucket/prefix')
  expect(() => openBackups(`s3://${settings.bucket}`, null)).toThrow('needs BACKUP_S3_ACCESS_KEY_ID')
  await close()
})

test('a backup is verified by a start in a scratch folder, of which nothing stays', async () => {
  const scratch = await newFolder()
  const { tables, rows, files: named } = await verifyBackup(backup, scratch)
  expect(tables).toBeGreaterThan(100)
  expect(rows).toBeGreaterThan(0)
  expect(named).toBeGreaterThan(0)
  expect(await readdir(scratch)).toEqual([])
  await rm(scratch, { recursive: true })
})

describe('a backup that is not whole', () => {
  test('is refused, and the part that has changed is named', async () => {
    const target = join(root, 'never')
    const parts = {
      'database.tar.gz': 'database.tar.gz is missing or not as it was written',
      'checksums.txt': 'checksums.txt is missing or not as it was written',
      'backup.json': "backup.json can't be understood",
    }
    for (const [part, message] of Object.entries(parts)) {
      const content = await readFile(join(backup, part))
      await writeFile(join(backup, part), content.subarray(1))
      await expect(verifyBackup(backup, root)).rejects.toThrow(message)
      const restored = restoreBackup({ backup, dataDir: target, passphrase: PASSPHRASE, withoutKey: false })
      await expect(restored).rejects.toThrow(message)
      await writeFile(join(backup, part), content)
    }
  })

  test('is found by the file that its database names and it lacks', async () => {
    const sha256 = await addFile('soon gone')
    await rm(join(dataDir, 'files', projectId, sha256))
    try {
      const { folder } = await backUp()
      await expect(verifyBackup(folder, root)).rejects.toThrow(`The file ${projectId}/${sha256}`)
    } finally {
      await db.deleteFrom('files').where('sha256', '=', sha256).execute()
    }
  })
})

test('only its passphrase opens the key of a backup, and a folder with data is never written over', async () => {
  expect((await readManifest(backup)).key).toBe('sealed')
  expect(await readFile(join(backup, 'secret.key.sealed'), 'utf8')).not.toContain(
    (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim().split(':')[1],
  )
  const target = join(root, 'guarded')
  const restore = (passphrase: string | null, withoutKey = false, into = target) =>
    restoreBackup({ backup, dataDir: into, passphrase, withoutKey })
  await expect(restore(null)).rejects.toThrow('set BACKUP_PASSPHRASE')
  await expect(restore('another passphrase')).rejects.toThrow('does not open')
  await expect(restore(PASSPHRASE, false, dataDir)).rejects.toThrow('holds an installation already')
  await restore(null, true)
  expect(await readdir(target)).not.toContain('secret.key')
  await expect(backUp({ passphrase: 'short' })).rejects.toThrow('at least 12 characters')
})

test('the newest backups stay, and a file that did not change takes its space once', async () => {
  const sha256 = await addFile('kept for long')
  const at = (day: number) => ({ clock: () => new Date(Date.UTC(2026, 10, day)), keep: 2, passphrase: null })
  for (const day of [1, 2, 3]) await backUp(at(day))
  expect(await backupsIn(into)).toEqual(['parley-20261102T000000Z', 'parley-20261103T000000Z'])
  expect((await readdir(into)).length).toBe(2)
  const inode = async (name: string) => (await stat(join(into, name, 'files', projectId, sha256))).ino
  expect(await inode('parley-20261102T000000Z')).toBe(await inode('parley-20261103T000000Z'))
  const newest = await readManifest(join(into, 'parley-20261103T000000Z'))
  expect(newest).toMatchObject({ ended_at: '2026-11-03T00:00:00.000Z', key: 'left out' })
})

test('they are made by the schedule, one at a time, and a failure does not end it', async () => {
  const log = pino({ level: 'silent' })
  const failures: unknown[] = []
  log.error = ((told: unknown) => failures.push(told)) as never
  const settings = {
    schedule: '30 3 * * *',
    service: null,
    archiveMinutes: null,
    to: into,
    keep: null,
    passphrase: PASSPHRASE,
  }
  const config = { dataDir, secretKeys: [], bucket: null, backup: settings }
  const schedule = scheduleBackups(config, cluster.connection, { log, clock: () => new Date() })
  expect(schedule?.next()?.toString()).toContain('03:30:00')
  await Promise.all([schedule?.run(), schedule?.run()])
  expect(await backupsIn(into)).toHaveLength(1)
  settings.passphrase = 'short'
  await schedule?.run()
  expect(failures).toHaveLength(1)
  schedule?.stop()
  expect(schedule?.next()).toBeNull()
  expect(
    scheduleBackups({ ...config, backup: { ...settings, schedule: null } }, cluster.connection, {
      log,
      clock: () => new Date(),
    }),
  ).toBeNull()
})

test('one that fails leaves nothing behind', async () => {
  const connection = { host: join(root, 'nowhere'), port: 1, user: 'parley', database: 'parley' }
  await expect(backUp({ connection })).rejects.toThrow()
  expect(await readdir(into)).toEqual([])
})
