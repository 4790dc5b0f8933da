import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import type { Connection } from '../database/database'
import { StartError } from '../database/startError'
import { ApiError } from '../errors'
import { type Bucket, createBucket } from '../files/bucket/createBucket'
import type { BackupPlace, NewBackup } from './backupPlace'
import { type Checksums, parseChecksums, readChecksums } from './checksums'
import { copyBucketName, load, takeObjects } from './copyBucket'
import { copyName, takeFiles, writeSynced } from './copyFiles'
import { writeBackup } from './makeBackup'
import { isBackup, type Manifest, nameOf, PARTS, parseManifest } from './manifest'
import { refuseShort } from './sealedKey'

/** Uploaded files are beside the backups: all backups share them. */
const SHARED = /^files\/\d+\/[0-9a-f]{64}$/
/** What a backup that is being made has sent is not taken for left behind, for so many ms. */
const DAY = 86_400_000
/** Any number that nothing else in Parley locks. */
const BACKUP_LOCK = 7_027_709

/**
 * Backups in a bucket: `<name>/` with the parts of a backup, and `files/` with the files of all of them. What says that
 * one is complete, `backup.json`, is sent last and removed first.
 * @param name in messages
 */
export function bucketBackups(name: string, bucket: Bucket): BackupPlace {
  const keyOf = (backup: string, path: string) => (SHARED.test(path) ? path : `${backup}/${path}`)

  async function names(): Promise<string[]> {
    const found: string[] = []
    for await (const { key } of bucket.list('parley-')) {
      const [backup = '', part] = key.split('/')
      if (part === PARTS.manifest && isBackup(backup)) found.push(backup)
    }
    return found.sort()
  }

  async function manifestOf(backup: string): Promise<Manifest> {
    const told = isBackup(backup) ? await bucket.getText(`${backup}/${PARTS.manifest}`) : null
    if (told === null) throw new StartError(`There is no backup ${backup} in ${name}. Give one of "parley backup list"`)
    return parseManifest(told, `${name}/${backup}/${PARTS.manifest}`)
  }

  /** Files that the bucket has already are not sent again: their names are the hashes of their bytes. */
  async function sendFiles({ config }: NewBackup, folder: string, sums: Checksums): Promise<Manifest['files']> {
    const there = new Set<string>()
    for await (const { key } of bucket.list(`${PARTS.files}/`)) there.add(key)
    const send = (path: string, file: string, bytes: number) =>
      bucket.putFile(path, { path: file, sha256: path.slice(-64), bytes })
    if (config.bucket) {
      const from = createBucket(config.bucket)
      await copyBucketName(from, folder, sums)
      return takeObjects(from, sums, async ({ key, bytes }, path) => {
        if (there.has(path)) return true
        const file = join(folder, 'loaded')
        try {
          if (!(await load(from, key, file))) return false
          await send(path, file, bytes)
          return true
        } finally {
          await rm(file, { force: true })
        }
      })
    }
    const from = join(config.dataDir, 'files')
    await copyName(from, folder, sums)
    return takeFiles(from, sums, async (file, path) => {
      const size = await stat(file).then(
        (found) => found.size,
        () => null,
      )
      if (size === null || there.has(path)) return size
      try {
        await send(path, file, size)
        return size
      } catch (error) {
        // thrown away meanwhile: it is met again in the trash
        if (!existsSync(file)) return null
        throw error
      }
    })
  }

  /** Deletes the oldest, what no other one names, and what one that broke off has sent. */
  async function deleteOldest(keep: number, now: Date): Promise<string[]> {
    const all = await names()
    const old = all.slice(0, Math.max(0, all.length - keep))
    for (const backup of old) await bucket.remove(`${backup}/${PARTS.manifest}`)
    const kept = new Set(all.slice(old.length))
    const needed = new Set<string>()
    for (const backup of kept) {
      const list = await bucket.read(`${backup}/${PARTS.checksums}`)
      for (const path of parseChecksums(list ? await text(list) : '', `${backup}/${PARTS.checksums}`).keys())
        needed.add(path)
    }
    const isPast = (changed: Date) => now.getTime() - changed.getTime() > DAY
    for await (const { key, changed } of bucket.list('parley-')) {
      const [backup = ''] = key.split('/')
      if (old.includes(backup) || (isBackup(backup) && !kept.has(backup) && isPast(changed))) await bucket.remove(key)
    }
    for await (const { key, changed } of bucket.list(`${PARTS.files}/`))
      if (SHARED.test(key) && !needed.has(key) && isPast(changed)) await bucket.remove(key)
    return old
  }

  return {
    name,
    make: (given) =>
      explained(name, async () => {
        refuseShort(given.passphrase)
        return alone(given.connection, async () => {
          await mkdir(given.config.dataDir, { recursive: true })
          const folder = await mkdtemp(join(given.config.dataDir, '.backup-'))
          try {
            const manifest = await writeBackup(folder, given, (sums) => sendFiles(given, folder, sums))
            const backup = nameOf(new Date(manifest.ended_at))
            const sums = await readChecksums(folder, manifest.checksums)
            const parts = [...sums.keys()].filter((path) => !SHARED.test(path))
            for (const path of [...parts, PARTS.checksums, PARTS.manifest])
              await bucket.putLargeFile(`${backup}/${path}`, join(folder, path))
            const deleted = given.keep === null ? [] : await deleteOldest(given.keep, given.clock())
            return { folder: `${name}/${backup}`, manifest, deleted }
          } finally {
            await rm(folder, { recursive: true, force: true })
          }
        })
      }),

    list: () =>
      explained(name, async () => {
        const found: { name: string; manifest: Manifest }[] = []
        for (const backup of await names()) found.push({ name: backup, manifest: await manifestOf(backup) })
        return found
      }),

    during: async (backup, scratch, work) => {
      const folder = await mkdtemp(join(scratch, 'parley-loaded-'))
      try {
        await explained(name, async () => {
          const manifest = await manifestOf(backup)
          await writeSynced(join(folder, PARTS.manifest), JSON.stringify(manifest))
          await load(bucket, `${backup}/${PARTS.checksums}`, join(folder, PARTS.checksums))
          for (const path of (await readChecksums(folder, manifest.checksums)).keys()) {
            await mkdir(dirname(join(folder, path)), { recursive: true })
            // what is missing is named by who compares the checksums
            await load(bucket, keyOf(backup, path), join(folder, path))
          }
        })
        return await work(folder)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Two at once would delete what the other one counts on. @throws StartError if one is being made */
async function alone<Made>(connection: Connection, make: () => Promise<Made>): Promise<Made> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ free: boolean }>(`select pg_try_advisory_lock(${BACKUP_LOCK}) as free`)
    if (!rows[0]?.free) throw new StartError('Another backup is being made: wait for its end')
    return await make()
  } finally {
    await client.end().catch(() => {})
  }
}

async function explained<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { message = '' } = (error.cause ?? {}) as { message?: string }
    throw new StartError(`${name} can't be used: ${message || error.message}`, { cause: error })
  }
}
