import { link, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ApiError } from '../errors'
import { folderPlace } from './place'
import { codeOf, createStaging, type FileKind, type FileSettings, isFull } from './staging'

/** Stores uploaded bytes by their hash; `area` separates projects. Other stores can implement the same interface. */
export interface FileStore {
  /**
   * Stores bytes as they arrive, atomically; equal bytes of one area are stored once. A picture is stored upright, no
   * larger than it is shown, and without what it says about its taking.
   * @throws what `bytes`, `scanFile` and `cleanPicture` throw, and ApiError `storage_full`: then nothing is stored
   */
  put(area: string, bytes: AsyncIterable<Uint8Array>, kind: FileKind): Promise<StoredFile>
  /** The bytes as a stream, all or from `start` to `end` (inclusive); null if missing. */
  read(area: string, sha256: string, range?: ByteRange): Promise<Readable | null>
  /**
   * An address from which browsers load the bytes for some minutes, with these headers; null: they are read here, or
   * missing.
   */
  link(area: string, sha256: string, shown: { type: string; disposition: string }): Promise<string | null>
  /** Copies a file to another area; false if missing. */
  copy(area: string, sha256: string, to: string): Promise<boolean>
  /** Removes an area with all its files. */
  removeArea(area: string): Promise<void>
  /** Permanently removes files of an area, except those added to it after `before`. */
  remove(area: string, names: readonly string[], before: Date): Promise<void>
  /**
   * Moves unreferenced files into the trash of the day `now`; reading restores them. Files added to an area after
   * `before` stay, since a reference to them may be about to be written.
   */
  discardUnused(times: { before: Date; now: Date }, used: UsedFiles): Promise<void>
  /**
   * Restores files from the trash that are referenced again, and permanently removes those trashed on a day before
   * `before`.
   */
  tidyTrash(before: Date, used: UsedFiles): Promise<void>
  /** All files, without those in the trash. */
  list(): AsyncIterable<{ area: string; sha256: string; bytes: number }>
  /** The installation that owns these files; null: they are not bound to one. */
  installation(): Promise<string | null>
  /** Removes leftovers of uploads that were interrupted (by a crash) before the given time. */
  sweep(before: Date): Promise<void>
}

/** Returns which of an area's files are referenced. */
export type UsedFiles = (area: string, sha256: string[]) => Promise<readonly string[]>

export interface ByteRange {
  start: number
  end: number
}

export interface StoredFile {
  sha256: string
  bytes: number
}

const INCOMING = 'incoming'
/** One folder per day, with areas as in the store itself. */
const TRASH = 'trash'
/** A project's folder; the store has other folders and a file of its own. */
const AREA = /^\d+$/
/** Files per query. */
const BATCH = 500

/** A store in a folder, which is created when first needed. */
export function createFileStore(folder: string, settings: FileSettings = { free: 0 }): FileStore {
  const staging = createStaging(join(folder, INCOMING), settings)
  const trash = join(folder, TRASH)
  const daysOfTrash = () => readdir(trash).catch(() => [])
  const areasIn = async (path: string) => (await readdir(path).catch(() => [])).filter((name) => AREA.test(name))

  /** @returns whether it was in the trash */
  async function takeBack(area: string, sha256: string): Promise<boolean> {
    for (const day of await daysOfTrash()) {
      try {
        await stat(join(trash, day, area, sha256))
        await mkdir(join(folder, area), { recursive: true })
        await rename(join(trash, day, area, sha256), join(folder, area, sha256))
        return true
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
      }
    }
    return false
  }

  /** The caller has a row that references it: a restored database may reference files that were trashed since. */
  async function openNamed(area: string, sha256: string) {
    const path = join(folder, area, sha256)
    try {
      return await open(path)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
      return (await takeBack(area, sha256)) ? open(path) : null
    }
  }

  return {
    put: (area, bytes, kind) =>
      staging.during(bytes, kind, async ({ path, ...stored }) => {
        await mkdir(join(folder, area), { recursive: true })
        // a file appears under its name completely, or not at all
        await rename(path, join(folder, area, stored.sha256))
        return stored
      }),
    async read(area, sha256, range) {
      return (await openNamed(area, sha256))?.createReadStream(range) ?? null
    },
    link: async () => null,
    async copy(area, sha256, to) {
      try {
        await (await openNamed(area, sha256))?.close()
        await mkdir(join(folder, to), { recursive: true })
        // stored files are never modified, so a hard link is safe
        await link(join(folder, area, sha256), join(folder, to, sha256))
        return true
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false
        throw isFull(error) ? new ApiError('storage_full', { cause: error }) : error
      }
    },
    removeArea: (area) => rm(join(folder, area), { recursive: true, force: true }),
    async remove(area, names, before) {
      for (const name of names) {
        const path = join(folder, area, name)
        if (await isOlder(path, before)) await rm(path, { force: true })
      }
    },
    async discardUnused({ before, now }, used) {
      const today = join(trash, now.toISOString().slice(0, 10))
      for (const area of await areasIn(folder)) {
        for await (const { name, kept } of marked(join(folder, area), (names) => used(area, names))) {
          if (kept || !(await isOlder(join(folder, area, name), before))) continue
          await mkdir(join(today, area), { recursive: true })
          await rename(join(folder, area, name), join(today, area, name))
        }
      }
    },
    async tidyTrash(before, used) {
      const oldest = before.toISOString().slice(0, 10)
      for (const day of await daysOfTrash()) {
        for (const area of await areasIn(join(trash, day))) {
          const lies = join(trash, day, area)
          for await (const { name, kept } of marked(lies, (names) => used(area, names))) {
            if (kept) await takeBack(area, name)
            else if (day < oldest) await rm(join(lies, name), { force: true })
          }
          await removeEmpty(lies)
        }
        await removeEmpty(join(trash, day))
      }
    },
    async *list() {
      for (const area of await areasIn(folder))
        for (const sha256 of await readdir(join(folder, area)))
          yield { area, sha256, bytes: (await stat(join(folder, area, sha256))).size }
    },
    installation: () => folderPlace(folder).read(),
    sweep: staging.sweep,
  }
}

/** By its last change of any kind, such as a new link. */
async function isOlder(path: string, before: Date): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && found.ctime < before
}

/** The files of a folder, each with whether it is referenced; queried in batches. */
async function* marked(path: string, used: (names: string[]) => Promise<readonly string[]>) {
  const names = await readdir(path)
  for (let at = 0; at < names.length; at += BATCH) {
    const batch = names.slice(at, at + BATCH)
    const kept = new Set(await used(batch))
    for (const name of batch) yield { name, kept: kept.has(name) }
  }
}

async function removeEmpty(path: string): Promise<void> {
  await rmdir(path).catch((error: unknown) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error
  })
}
