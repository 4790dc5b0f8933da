import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../database/startError'

/** The prefix of a folder that is being made or deleted. */
export const PARTIAL = '.parley-'
/** Partial folders of so many ms ago were left behind by a crash. */
const DAY = 86_400_000

/**
 * Makes a folder that appears under its name when all of it is on disk, or not at all.
 * @param into the folder that it will be in; it is made if need be
 * @param fill writes the content, and says the name
 * @returns where it is, and what `fill` told
 * @throws StartError if it can't be written, or one of that name is there
 */
export async function makeWhole<Told>(
  into: string,
  fill: (partial: string) => Promise<{ name: string; told: Told }>,
): Promise<{ folder: string; told: Told }> {
  const partial = await beginIn(into)
  try {
    const { name, told } = await fill(partial)
    await syncFolders(partial)
    const folder = join(into, name)
    if (existsSync(folder)) throw new StartError(`${folder} is there already: give another name, or remove it`)
    await rename(partial, folder)
    await syncFolder(into)
    return { folder, told }
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
    return new StartError(`Nothing can be written into ${into} (${code}): give another folder`, { cause: error })
  return error
}
