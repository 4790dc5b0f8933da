import { createReadStream, existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { installedMajor } from '../database/embedded/binaries'
import { clusterFolder, PARTIAL_CLUSTER } from '../database/embedded/cluster'
import { databaseOwner, giveTo } from '../database/embedded/owner'
import { StartError } from '../database/startError'
import { archiveOf, segmentsFrom } from './archiveLog'
import { checkChecksums, readChecksums } from './checksums'
import { copyOne, takeFiles } from './copyFiles'
import { type Manifest, PARTS, readManifest } from './manifest'
import { recoverLog } from './recoverLog'
import { readKey } from './sealedKey'

export interface RestoreOptions {
  backup: string
  /** the DATA_DIR to make; it must hold no installation */
  dataDir: string
  passphrase: string | null
  /** restores without the key: what it sealed has to be entered again */
  withoutKey: boolean
  /** goes forward to this moment by the archived log; absent: to the end of what is archived, if anything is */
  at?: Date | null
}

/**
 * Makes a data folder of a backup, and of the log that is archived beside it. The database comes last, so that one that
 * was cut off does not start.
 * @returns what the backup says of itself, and how many segments of the log followed it
 * @throws StartError if the backup is damaged, the folder is in use, or the passphrase is missing or another one
 */
export async function restoreBackup({
  backup,
  dataDir,
  passphrase,
  withoutKey,
  at = null,
}: RestoreOptions): Promise<{ manifest: Manifest; segments: number }> {
  const manifest = await readManifest(backup)
  const into = resolve(dataDir)
  for (const part of ['postgres', 'files', 'secret.key'])
    if (existsSync(join(into, part)))
      throw new StartError(`${into} holds an installation already (${part}): give an empty folder as DATA_DIR`)
  const archive = archiveOf(dirname(resolve(backup)), manifest.installation)
  const segments = await segmentsFrom(archive, manifest.database.from)
  if (at && at < new Date(manifest.ended_at))
    throw new StartError(`This backup ended at ${manifest.ended_at}, after that moment: give an earlier one`)
  if (at && segments.length === 0)
    throw new StartError(`There is no archived log in ${archive}: without it, a restore goes to the backup's end alone`)
  const key = manifest.key === 'sealed' && !withoutKey ? await readKey(backup, passphrase) : null
  const sums = await readChecksums(backup, manifest.checksums)
  await checkChecksums(backup, sums)
  await mkdir(into, { recursive: true })
  // made of what was here before: the database would give its numbers again
  await rm(join(into, 'indexes'), { recursive: true, force: true })
  const files = await mkdtemp(join(into, '.files-'))
  try {
    for (const path of sums.keys()) {
      if (!path.startsWith(`${PARTS.files}/`)) continue
      const to = join(files, path.slice(PARTS.files.length + 1))
      await mkdir(dirname(to), { recursive: true })
      await copyFile(join(backup, path), to)
    }
    // those that came after the backup
    await takeFiles(join(archive, PARTS.files), new Map(), (file, path) =>
      copyOne(file, join(files, path.slice(PARTS.files.length + 1)), null),
    )
    await rename(files, join(into, 'files'))
    if (key) await writeFile(join(into, 'secret.key'), key, { mode: 0o600, flag: 'wx' })
    if (segments.length === 0) await restoreDatabase(backup, manifest, into)
    else await restoreForward(backup, manifest, into, (folder) => recoverLog(folder, archive, segments, at))
  } catch (error) {
    // none of them was there before: the next try begins anew
    for (const path of [files, join(into, 'files'), join(into, 'secret.key')])
      await rm(path, { recursive: true, force: true })
    throw error
  }
  return { manifest, segments: segments.length }
}

/** Elsewhere at first: a database on the way to its moment must not be started as if it were there. */
async function restoreForward(
  backup: string,
  manifest: Manifest,
  into: string,
  recover: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(into, '.recover-'))
  // PostgreSQL may run as another account
  await chmod(folder, 0o755)
  const [from, to] = [
    await clusterFolder({ folder }, databaseOwner()),
    await clusterFolder({ folder: into }, databaseOwner()),
  ]
  try {
    await restoreDatabase(backup, manifest, folder)
    await recover(folder)
    await rename(from, to)
  } finally {
    for (const path of [from, `${from}.log`, folder]) await rm(path, { recursive: true, force: true })
  }
}

/**
 * Unpacks the database alone.
 * @param into the data folder, to be given to `startCluster`
 * @throws StartError if there is a database, or another major version of PostgreSQL made the backup
 */
export async function restoreDatabase(backup: string, manifest: Manifest, into: string): Promise<void> {
  const owner = databaseOwner()
  const data = await clusterFolder({ folder: into }, owner)
  if (existsSync(data)) throw new StartError(`${data} holds a database already: give another DATA_DIR`)
  const major = await installedMajor()
  if (Number.parseInt(manifest.postgres, 10) !== major)
    throw new StartError(
      `PostgreSQL ${manifest.postgres} made this backup, and this Parley has ${major}: restore it with the Parley that made it`,
    )
  const partial = await mkdtemp(join(dirname(data), PARTIAL_CLUSTER))
  try {
    await unpack(join(backup, PARTS.database), partial)
    await giveTo(partial, owner)
    await rename(partial, data)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** Not synced file by file: PostgreSQL does that when it starts from a copy. */
async function unpack(archive: string, into: string): Promise<void> {
  const entries = extract()
  const unpacked = (async () => {
    for await (const entry of entries) {
      const { name, type } = entry.header
      const path = join(into, name)
      if (!path.startsWith(`${into}${sep}`))
        throw new StartError(`${archive} holds the path ${name}, which leads out of it`)
      if (type === 'directory') await mkdir(path, { recursive: true, mode: 0o700 })
      else await writeFile(path, entry, { mode: 0o600, flag: 'wx' })
      entry.resume()
    }
  })()
  await Promise.all([pipeline(createReadStream(archive), createGunzip(), entries as never), unpacked])
}
