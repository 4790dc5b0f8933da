import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Checksums, sha256Of } from './checksums'
import { PARTS } from './manifest'

/** The file store's own form: a folder a project, and one a day in the trash (`platform/files`). */
const AREA = /^\d+$/
const TRASH = 'trash'
const BY_HASH = /^[0-9a-f]{64}$/
const NAME_FILE = 'installation-id'

/**
 * Copies the uploaded files, with their trash: the database may name what was thrown away since. A file never changes,
 * so one that an earlier backup on the same disk has takes no space again: it is linked.
 * @param from `DATA_DIR/files`
 * @param earlier the backup before, if there is one
 * @param sums gets the checksum of each file
 */
export async function copyFiles(
  from: string,
  backup: string,
  earlier: string | null,
  sums: Checksums,
): Promise<{ count: number; bytes: number }> {
  const taken = await takeFiles(from, sums, (file, path) =>
    copyOne(file, join(backup, path), earlier && join(earlier, path)),
  )
  await copyName(from, backup, sums)
  return taken
}

/** Copies what names the installation that the files belong to. */
export async function copyName(from: string, backup: string, sums: Checksums): Promise<void> {
  const name = await readFile(join(from, NAME_FILE)).catch(() => null)
  if (!name) return
  await writeSynced(join(backup, PARTS.files, NAME_FILE), name)
  sums.set(`${PARTS.files}/${NAME_FILE}`, sha256Of(name))
}

/**
 * Goes through the files of a folder and its trash, each once.
 * @param take keeps one under its path in a backup. @returns its size; null if it is gone
 */
export async function takeFiles(
  from: string,
  sums: Checksums,
  take: (file: string, path: string) => Promise<number | null>,
): Promise<{ count: number; bytes: number }> {
  let count = 0
  let bytes = 0
  const takeArea = async (area: string) => {
    for (const name of await namesIn(join(from, area))) {
      // in the trash, the area comes after the day
      const path = `${PARTS.files}/${basename(area)}/${name}`
      if (!BY_HASH.test(name) || sums.has(path)) continue
      const size = await take(join(from, area, name), path)
      if (size === null) continue
      sums.set(path, name)
      count++
      bytes += size
    }
  }
  const takeAreas = async (folder: string) => {
    for (const area of await namesIn(join(from, folder))) if (AREA.test(area)) await takeArea(join(folder, area))
  }
  await takeAreas('')
  for (const day of await namesIn(join(from, TRASH))) await takeAreas(join(TRASH, day))
  // what was taken out of the trash between the two
  await takeAreas('')
  return { count, bytes }
}

/** @returns its size; null if it is gone */
export async function copyOne(from: string, to: string, earlier: string | null): Promise<number | null> {
  await mkdir(dirname(to), { recursive: true })
  try {
    const { size } = await stat(from)
    if (earlier && (await linked(earlier, to, size))) return size
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const file = await open(to, 'r+')
    await file.sync().finally(() => file.close())
    return size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** @returns whether the same file of an earlier backup could be linked */
export async function linked(earlier: string, to: string, size: number): Promise<boolean> {
  try {
    if ((await stat(earlier)).size !== size) return false
    await link(earlier, to)
    return true
  } catch {
    // not there, or not every file system has links
    return false
  }
}

export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
