import { statfs } from 'node:fs/promises'
import { ApiError } from '../errors'

const GB = 1_000_000_000
/** In seconds: somebody has to free space first. */
const RETRY_AFTER = 600

/** The bytes to leave free on a disk: as set, otherwise 5 % of it, at least 1 GB and at most 10. */
export const reserveOf = (disk: number, set: number | null): number => set ?? Math.min(10 * GB, Math.max(GB, disk / 20))

/**
 * Refuses to write a file if the database would run out of space.
 * @param set bytes to leave free; null: by the disk's size
 * @throws ApiError `storage_full`
 */
export async function refuseWithoutSpace(folder: string, set: number | null, coming = 0): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder)
  if (bavail * bsize - coming < reserveOf(blocks * bsize, set)) {
    throw new ApiError('storage_full', { retryAfter: RETRY_AFTER })
  }
}
