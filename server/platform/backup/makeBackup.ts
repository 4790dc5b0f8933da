import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config'
import type { Connection } from '../database/database'
import { StartError } from '../database/startError'
import { createBucket } from '../files/bucket/createBucket'
import { type Checksums, sha256Of, writeChecksums } from './checksums'
import { copyBucket } from './copyBucket'
import { copyCluster } from './copyCluster'
import { copyFiles, writeSynced } from './copyFiles'
import { backupsIn, type Manifest, nameOf, PARTS } from './manifest'
import { LEAST_PASSPHRASE, sealKey } from './sealedKey'

export interface BackupOptions {
  config: Pick<Config, 'dataDir' | 'secretKeys' | 'bucket'>
  /** of the running embedded server */
  connection: Connection
  /** the folder that holds the backups; it is made if need be */
  into: string
  /** null: the key of `DATA_DIR` is left out */
  passphrase: string | null
  /** how many backups stay, the newest ones; null: all */
  keep: number | null
  clock: () => Date
}

/** The prefix of a backup that is being made or deleted. */
const PARTIAL = '.parley-'
/** Partial folders of so many ms ago were left behind by a crash. */
const DAY = 86_400_000

/**
 * Makes a backup of a running installation: the embedded database, then the files, then the key. It appears under its
 * name when it is complete and on disk, or not at all.
 * @returns its folder, what it says of itself, and the names of earlier ones that were deleted
 * @throws StartError for what the operator can mend
 */
export async function makeBackup(
  options: BackupOptions,
): Promise<{ folder: string; manifest: Manifest; deleted: string[] }> {
  const { config, connection, passphrase, keep, clock } = options
  const into = resolve(options.into)
  if (passphrase !== null && [...passphrase].length < LEAST_PASSPHRASE)
    throw new StartError(`BACKUP_PASSPHRASE is too short: give at least ${LEAST_PASSPHRASE} characters`)
  const partial = await beginIn(into)
  try {
    const began = clock()
    const sums: Checksums = new Map()
    const copied = await copyCluster(connection, partial, sums, clock)
    const { postgres, installation, migration, ended, ...database } = copied
    const last = (await backupsIn(into)).at(-1)
    const earlier = last ? join(into, last) : null
    const files = config.bucket
      ? await copyBucket(createBucket(config.bucket), partial, earlier, sums)
      : await copyFiles(join(config.dataDir, 'files'), partial, earlier, sums)
    const key = await keepKey(config, partial, passphrase, sums)
    const list = writeChecksums(sums)
    await writeSynced(join(partial, PARTS.checksums), list)
    const manifest: Manifest = {
      format: 1,
      began_at: began.toISOString(),
      ended_at: ended.toISOString(),
      installation,
      migration,
      postgres,
      database,
      files,
      key,
      checksums: sha256Of(list),
    }
    await writeSynced(join(partial, PARTS.manifest), `${JSON.stringify(manifest, null, 2)}\n`)
    await syncFolders(partial)
    const folder = join(into, nameOf(ended))
    await rename(partial, folder)
    await syncFolder(into)
    return { folder, manifest, deleted: keep === null ? [] : await deleteOldest(into, keep) }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw explain(error, into)
  }
}

async function beginIn(into: string): Promise<string> {
  try {
    await mkdir(into, { recursive: true })
    for (const name of (await readdir(into)).filter((each) => each.startsWith(PARTIAL)))
      if (Date.now() - (await stat(join(into, name))).mtimeMs > DAY) await rm(join(into, name), { recursive: true })
    return await mkdtemp(join(into, PARTIAL))
  } catch (error) {
    throw explain(error, into)
  }
}

async function keepKey(
  { dataDir, secretKeys }: BackupOptions['config'],
  partial: string,
  passphrase: string | null,
  sums: Checksums,
): Promise<Manifest['key']> {
  if (secretKeys.length > 0) return 'environment'
  if (passphrase === null) return 'left out'
  const sealed = await sealKey(await readFile(join(dataDir, 'secret.key'), 'utf8'), passphrase)
  await writeSynced(join(partial, PARTS.key), sealed)
  sums.set(PARTS.key, sha256Of(sealed))
  return 'sealed'
}

/** A half deleted backup must not look like one. */
async function deleteOldest(into: string, keep: number): Promise<string[]> {
  const names = await backupsIn(into)
  const old = names.slice(0, Math.max(0, names.length - keep))
  for (const name of old) {
    const away = join(into, `${PARTIAL}old-${name}`)
    await rename(join(into, name), away)
    await rm(away, { recursive: true })
  }
  return old
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name))
  await syncFolder(folder)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

function explain(error: unknown, into: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC')
    return new StartError(`The disk that holds ${into} is full: free some space, or give another folder`, {
      cause: error,
    })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST')
    return new StartError(`The backup can't be written into ${into} (${code}): give another folder with --to`, {
      cause: error,
    })
  return error
}
