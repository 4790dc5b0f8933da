import { rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config'
import type { Connection } from '../database/database'
import { createBucket } from '../files/bucket/createBucket'
import { type Checksums, sha256Of, writeChecksums } from './checksums'
import { copyBucket } from './copyBucket'
import { copyCluster } from './copyCluster'
import { copyFiles, writeSynced } from './copyFiles'
import { backupsIn, type Manifest, nameOf, PARTS } from './manifest'
import { keepKey, refuseShort } from './sealedKey'
import { makeWhole, PARTIAL } from './wholeFolder'

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

/**
 * Makes a backup of a running installation: the embedded database, then the files, then the key. It appears under its
 * name when it is complete and on disk, or not at all.
 * @returns its folder, what it says of itself, and the names of earlier ones that were deleted
 * @throws StartError for what the operator can mend
 */
export async function makeBackup(
  options: BackupOptions,
): Promise<{ folder: string; manifest: Manifest; deleted: string[] }> {
  const { config, keep } = options
  const into = resolve(options.into)
  refuseShort(options.passphrase)
  const { folder, told } = await makeWhole(into, async (partial) => {
    const manifest = await writeBackup(partial, options, async (sums) => {
      const last = (await backupsIn(into)).at(-1)
      const earlier = last ? join(into, last) : null
      return config.bucket
        ? copyBucket(createBucket(config.bucket), partial, earlier, sums)
        : copyFiles(join(config.dataDir, 'files'), partial, earlier, sums)
    })
    return { name: nameOf(new Date(manifest.ended_at)), told: manifest }
  })
  return { folder, manifest: told, deleted: keep === null ? [] : await deleteOldest(into, keep) }
}

/**
 * Writes the parts of a backup into an empty folder.
 * @param takeFiles keeps the files, there or elsewhere, and notes their checksums
 */
export async function writeBackup(
  folder: string,
  { config, connection, passphrase, clock }: Pick<BackupOptions, 'config' | 'connection' | 'passphrase' | 'clock'>,
  takeFiles: (sums: Checksums) => Promise<Manifest['files']>,
): Promise<Manifest> {
  const began = clock()
  const sums: Checksums = new Map()
  const copied = await copyCluster(connection, folder, sums, clock)
  const { postgres, installation, migration, ended, ...database } = copied
  const files = await takeFiles(sums)
  const key = await keepKey(config, folder, passphrase, sums)
  const list = writeChecksums(sums)
  await writeSynced(join(folder, PARTS.checksums), list)
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
  await writeSynced(join(folder, PARTS.manifest), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
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
