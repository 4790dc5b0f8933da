import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ApiError } from '../errors'
import { refuseWithoutSpace } from './freeSpace'

/** Where uploaded bytes lie, named by their hash; `area` keeps the projects apart. Another store implements the same. */
export interface FileStore {
  /**
   * Takes bytes in as they come, whole or not at all; equal bytes of one area are kept once.
   * @throws what `bytes` throws, and ApiError `storage_full`: nothing is stored then
   */
  put(area: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredFile>
  /** The bytes as a stream, all or those from `start` to `end` (both included); null where they are not there. */
  read(area: string, sha256: string, range?: ByteRange): Promise<Readable | null>
  /** Gives a file to another area, too; false where it is not there. */
  copy(area: string, sha256: string, to: string): Promise<boolean>
  /** Removes all that an area holds. */
  removeArea(area: string): Promise<void>
  /**
   * Removes the files that nothing names: `used` tells which of an area's files something does. Those that came, or were given to an
   * area, after `before` stay, since what names them may be about to be written. Of all areas, or of some.
   */
  removeUnused(
    before: Date,
    used: (area: string, sha256: string[]) => Promise<readonly string[]>,
    areas?: readonly string[],
  ): Promise<void>
  /** Removes what uploads left behind that were cut off (by a crash) before the given time. */
  sweep(before: Date): Promise<void>
}

export interface ByteRange {
  start: number
  end: number
}

export interface StoredFile {
  sha256: string
  bytes: number
}

const INCOMING = 'incoming'
/** How many files are asked for at once. */
const BATCH = 500
/** After how many bytes of an upload it is asked again whether there is room: others write at the same time. */
const CHECK_EVERY = 8_000_000

/**
 * A store in a folder, which is made when it is first needed.
 * @param free bytes that stay free on its disk; null: by the disk's size
 */
export function createFileStore(folder: string, free: number | null = 0): FileStore {
  const incoming = join(folder, INCOMING)

  async function receive(path: string, chunks: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const hash = createHash('sha256')
    let bytes = 0
    let checked = 0
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        if (bytes - checked > CHECK_EVERY) {
          checked = bytes
          await refuseWithoutSpace(incoming, free)
        }
        await file.writeFile(chunk)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    return { sha256: hash.digest('hex'), bytes }
  }

  return {
    async put(area, bytes) {
      const path = join(incoming, randomUUID())
      try {
        await mkdir(incoming, { recursive: true })
        await refuseWithoutSpace(incoming, free)
        const stored = await receive(path, bytes)
        await mkdir(join(folder, area), { recursive: true })
        // a file appears under its name complete, or not at all
        await rename(path, join(folder, area, stored.sha256))
        return stored
      } catch (error) {
        await rm(path, { force: true })
        throw isFull(error) ? new ApiError('storage_full', { cause: error }) : error
      }
    },
    async read(area, sha256, range) {
      try {
        return (await open(join(folder, area, sha256))).createReadStream(range)
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null
        throw error
      }
    },
    async copy(area, sha256, to) {
      try {
        await mkdir(join(folder, to), { recursive: true })
        // nobody ever writes into a file that is there, so both names may be one file's
        await link(join(folder, area, sha256), join(folder, to, sha256))
        return true
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false
        throw isFull(error) ? new ApiError('storage_full', { cause: error }) : error
      }
    },
    removeArea: (area) => rm(join(folder, area), { recursive: true, force: true }),
    async removeUnused(before, used, areas) {
      const all = areas ?? (await readdir(folder).catch(() => []))
      for (const area of all.filter((name) => name !== INCOMING)) {
        const names = await readdir(join(folder, area)).catch(() => [])
        for (let at = 0; at < names.length; at += BATCH) {
          const batch = names.slice(at, at + BATCH)
          const kept = new Set(await used(area, batch))
          for (const name of batch) if (!kept.has(name)) await removeOlder(join(folder, area, name), 'ctime', before)
        }
      }
    },
    async sweep(before) {
      for (const name of await readdir(incoming).catch(() => []))
        await removeOlder(join(incoming, name), 'mtime', before)
    },
  }
}

/** @param time of its last change: of its bytes, or of any sort, such as a link from another area */
async function removeOlder(path: string, time: 'mtime' | 'ctime', before: Date): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found && found[time] < before) await rm(path, { force: true })
}

const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
