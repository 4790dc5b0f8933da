import { ApiError } from '../errors'
import type { FileStore } from './files'

/** What was moved, and what was there already. */
export interface Moved {
  files: number
  bytes: number
  before: number
}

/** Whatever a file was, it stays as it is. */
const AS_IT_IS = { type: 'application/octet-stream' }

/**
 * Copies all files of a store that another one lacks; nothing is taken from the first. It can be done again after an
 * interruption, and for what came meanwhile. What lies in the trash is left out: no row names it.
 * @param onFile called after each one
 * @throws Error for a file whose bytes are not those of its name
 */
export async function moveFiles(
  from: Pick<FileStore, 'list' | 'read'>,
  to: Pick<FileStore, 'list' | 'put'>,
  onFile: (moved: Moved) => void,
): Promise<Moved> {
  const there = new Set<string>()
  for await (const { area, sha256 } of to.list()) there.add(`${area}/${sha256}`)
  const moved: Moved = { files: 0, bytes: 0, before: 0 }
  for await (const { area, sha256 } of from.list()) {
    if (there.has(`${area}/${sha256}`)) moved.before++
    else {
      const bytes = await from.read(area, sha256)
      // deleted since it was listed
      if (!bytes) continue
      const stored = await to.put(area, bytes, AS_IT_IS)
      if (stored.sha256 !== sha256)
        throw new ApiError('internal', {
          message: `The file ${area}/${sha256} is damaged: its bytes have another hash`,
        })
      moved.files++
      moved.bytes += stored.bytes
    }
    onFile(moved)
  }
  return moved
}
