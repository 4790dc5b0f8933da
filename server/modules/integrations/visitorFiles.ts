import { buffer } from 'node:stream/consumers'
import type { ServerContext } from '../../platform/context'
import { VendorError } from './calls/vendorError'

/** A file that a visitor sent. */
export interface VisitorFile {
  name: string
  read: () => Promise<Uint8Array>
}

/** Ours: a file is held in memory while it is sent on. */
const LARGEST = 20_000_000
/** How many files a process holds at once. */
const AT_ONCE = 4

/** Finds files that visitors of a project sent, by their addresses, to be sent on to its vendors. */
export function createVisitorFiles({ db, files }: Pick<ServerContext, 'db' | 'files'>) {
  let held = 0
  const waiting: (() => void)[] = []

  return {
    /**
     * In the order of the addresses; their hosts don't matter, since a project may have changed its own. What a visitor
     * types may be any address: one of another project's files, or of a page elsewhere, is none.
     * @throws VendorError file_gone, file_large
     */
    async find(projectId: string, addresses: readonly string[]): Promise<VisitorFile[]> {
      const found: VisitorFile[] = []
      for (const address of addresses) {
        const [, gid = ''] = /^https?:\/\/[^/?#]+\/files\/sent\/([a-z0-9]{16})$/.exec(address) ?? []
        const sent = db.forProject(projectId).selectFrom('sent_files').select(['name', 'sha256', 'bytes'])
        const row = gid && (await sent.where('gid', '=', gid).executeTakeFirst())
        if (!row) throw new VendorError('file_gone', address)
        const { name, sha256, bytes } = row
        if (bytes > LARGEST) throw new VendorError('file_large', name)
        found.push({ name, read: () => read(sha256, address) })
      }
      return found

      async function read(sha256: string, address: string): Promise<Uint8Array> {
        const stream = await files.read(projectId, sha256)
        if (!stream) throw new VendorError('file_gone', address)
        return buffer(stream)
      }
    },

    /** Does what holds a file in memory, a few at a time. */
    async hold<Result>(work: () => Promise<Result>): Promise<Result> {
      if (held >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
      else held++
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else held--
      }
    },
  }
}
export type VisitorFiles = ReturnType<typeof createVisitorFiles>
