import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { refuseWithoutSpace } from '../../../platform/files/freeSpace'
import { type Claim, claimFolder } from './claimFolder'
import { breather, LexicalIndex, type Part } from './lexicalIndex'
import type { Segment } from './segment'
import { type Measured, nameOf, packPart, readPart, type StoredPart } from './segmentFile'
import { loadUsual } from './usual'

/** Whose index it is. */
export interface IndexPlace {
  projectId: string
  chatbotId: string
}

/**
 * Segments of indexes in files, so that a start needs not make them anew. What they hold is compared with the chunks
 * that are there before it is used (updateIndex.ts): a file too many, too old or too few costs time, and nothing else.
 */
export interface IndexFiles {
  /** Smaller indexes are not kept: so few chunks are read from the database as fast. */
  readonly least: number
  /** What there is of a chatbot; null: nothing that can be used. */
  read(place: IndexPlace): Promise<{ lexical: LexicalIndex; measured: Measured } | null>
  /** Writes what has no file yet, and removes files of what it no longer has. @throws what the file system throws */
  write(place: IndexPlace, lexical: LexicalIndex, measured: Measured): Promise<void>
  /** Waits until no other process makes a chatbot's index. Null: the files can't be used, so that nobody waits. */
  claim(place: IndexPlace): Promise<Claim | null>
  /** Removes the files of chatbots that have no chunks. */
  sweep(hasChunks: (place: IndexPlace) => Promise<boolean>): Promise<void>
}

const LEAST = 500
/** The most files of a chatbot that are read: ten million chunks have as many. */
const MOST = 2_000
const DIGITS = /^\d+$/

/**
 * @param folder of all indexes, below DATA_DIR
 * @param options.freeSpace as of files (freeSpace.ts) @param options.least chunks of an index that is kept
 */
export function createIndexFiles(
  folder: string,
  { freeSpace, least = LEAST }: { freeSpace: number | null; least?: number },
): IndexFiles {
  /** which file a segment is in */
  const names = new WeakMap<Segment, string>()
  /** by chatbot: the files of the index that was read or written last */
  const kept = new Map<string, Set<string>>()
  const folderOf = ({ projectId, chatbotId }: IndexPlace) => join(folder, projectId, chatbotId)

  async function writePart(into: string, part: Part, measured: Measured): Promise<string> {
    const bytes = packPart(part, measured)
    const name = await nameOf(bytes, breather())
    const partial = join(into, `.${name}-${process.pid}`)
    const file = await open(partial, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, join(into, name))
    names.set(part.segment, name)
    return name
  }

  return {
    least,

    async read(place) {
      const from = folderOf(place)
      const found = (await readdir(from).catch(() => [])).filter((name) => name.endsWith('.segment')).slice(0, MOST)
      const stored: StoredPart[] = []
      const present = new Set<string>()
      for (const name of found) {
        present.add(name)
        const one = await readPart(join(from, name), name)
        if (!one) continue
        names.set(one.part.segment, name)
        stored.push(one)
      }
      kept.set(place.chatbotId, present)
      const alike = weighedAlike(stored)
      const [first] = alike
      if (!first) return null
      // what is in several files counts in the largest one
      const parts = alike.map(({ part }) => part).sort((one, other) => other.live - one.live)
      return { lexical: new LexicalIndex(parts, await loadUsual()), measured: first.measured }
    },

    async write(place, lexical, measured) {
      const into = folderOf(place)
      if (lexical.size < least) {
        kept.delete(place.chatbotId)
        await rm(into, { recursive: true, force: true })
        return
      }
      await mkdir(into, { recursive: true, mode: 0o700 })
      const now = new Set<string>()
      for (const part of lexical.parts) {
        const known = names.get(part.segment)
        if (!known) await refuseWithoutSpace(into, freeSpace, part.segment.chunks.length * 4)
        now.add(known ?? (await writePart(into, part, measured)))
      }
      for (const name of kept.get(place.chatbotId) ?? [])
        if (!now.has(name)) await rm(join(into, name), { force: true })
      kept.set(place.chatbotId, now)
    },

    claim: (place) => claimFolder(folderOf(place)).catch(() => null),

    async sweep(hasChunks) {
      for (const projectId of await readdir(folder).catch(() => []))
        for (const chatbotId of await readdir(join(folder, projectId)).catch(() => [])) {
          const isOurs = DIGITS.test(projectId) && DIGITS.test(chatbotId)
          if (isOurs && (await hasChunks({ projectId, chatbotId }))) {
            await removePartial(join(folder, projectId, chatbotId))
            continue
          }
          kept.delete(chatbotId)
          await rm(join(folder, projectId, chatbotId), { recursive: true, force: true })
        }
    },
  }
}

/** ms after which nobody writes a file any more. */
const HOUR = 3_600_000

/** Removes what a process wrote when it ended. */
async function removePartial(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith('.')) continue
    const found = await stat(join(folder, name)).catch(() => null)
    if (found && Date.now() - found.mtimeMs > HOUR) await rm(join(folder, name), { force: true })
  }
}

/** The parts that can stand in one index, of those the most chunks: impacts depend on how fields were measured. */
function weighedAlike(stored: readonly StoredPart[]): StoredPart[] {
  const groups = new Map<string, StoredPart[]>()
  for (const one of stored) {
    const key = JSON.stringify(one.measured)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const chunksOf = (group: readonly StoredPart[]) => group.reduce((sum, { part }) => sum + part.live, 0)
  return [...groups.values()].sort((one, other) => chunksOf(other) - chunksOf(one))[0] ?? []
}
