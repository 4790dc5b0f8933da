import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../errors'
import { refuseWithoutSpace } from './freeSpace'
import { cleanPicture, isPicture } from './pictures/cleanPicture'
import { type ScanSettings, scanFile } from './scanFile'

/** A file that arrived completely, at a place of its own, until a store takes it. */
export interface Staged {
  path: string
  sha256: string
  bytes: number
}

/** Free space is checked again after so many bytes of an upload: others write at the same time. */
const CHECK_EVERY = 8_000_000

export interface FileSettings {
  /** bytes to leave free on the disk where uploads arrive; null: by the disk's size */
  free: number | null
  /** what looks for viruses; default: nothing */
  scan?: ScanSettings | null
}

/** Where uploads arrive before a store has them: on this machine's disk, whatever the store. */
export function createStaging(folder: string, { free, scan = null }: FileSettings) {
  async function write(path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Staged> {
    await refuseWithoutSpace(folder, free)
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
          await refuseWithoutSpace(folder, free)
        }
        await file.writeFile(chunk)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    return { path, sha256: hash.digest('hex'), bytes }
  }

  return {
    /**
     * Receives a file and gives it to `take`; whatever becomes of it, nothing stays here. A picture is given as
     * `cleanPicture` writes it.
     * @param kind its media type, by its bytes, and the longest side of a picture
     * @throws what `chunks` and `take` throw, and ApiError `storage_full` or what `scanFile` and `cleanPicture` throw
     */
    async during<Result>(
      chunks: AsyncIterable<Uint8Array>,
      kind: FileKind,
      take: (staged: Staged) => Promise<Result>,
    ): Promise<Result> {
      const path = join(folder, randomUUID())
      const clean = `${path}-clean`
      try {
        await mkdir(folder, { recursive: true })
        const received = await write(path, chunks)
        if (scan) await scanFile(scan, path)
        if (!isPicture(kind.type)) return await take(received)
        return await take(await write(clean, [await cleanPicture(path, kind.type, kind.side)]))
      } catch (error) {
        throw isFull(error) ? new ApiError('storage_full', { cause: error }) : error
      } finally {
        for (const left of [path, clean]) await rm(left, { force: true })
      }
    },

    /** Removes leftovers of uploads that were interrupted (by a crash) before the given time. */
    async sweep(before: Date): Promise<void> {
      for (const name of await readdir(folder).catch(() => [])) {
        const found = await stat(join(folder, name)).catch(() => null)
        if (found && found.mtime < before) await rm(join(folder, name), { force: true })
      }
    },
  }
}

export interface FileKind {
  type: string
  /** default: `PICTURE_SIDE` */
  side?: number
}

export const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
export const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
