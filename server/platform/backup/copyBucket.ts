import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Bucket } from '../files/bucket/createBucket'
import { BUCKET_NAME } from '../files/bucket/createBucketStore'
import { type Checksums, sha256Of } from './checksums'
import { linked, writeSynced } from './copyFiles'
import { PARTS } from './manifest'

/** `files/<area>/<hash>`, or the same in the trash. */
const STORED = /^(?:files|trash)\/(\d+)\/([0-9a-f]{64})$/

/**
 * Copies the files of a bucket into a backup, in the form of a folder, with its trash: the database may name what was
 * thrown away since. What an earlier backup on the same disk has is linked, and not loaded again.
 * @param sums gets the checksum of each file
 */
export async function copyBucket(
  bucket: Bucket,
  backup: string,
  earlier: string | null,
  sums: Checksums,
): Promise<{ count: number; bytes: number }> {
  let count = 0
  let bytes = 0
  for (const prefix of ['files/', 'trash/', 'files/']) {
    for await (const object of bucket.list(prefix)) {
      const [, area, name] = STORED.exec(object.key) ?? []
      const path = `${PARTS.files}/${area}/${name}`
      if (name === undefined || sums.has(path)) continue
      const to = join(backup, path)
      await mkdir(dirname(to), { recursive: true })
      if (!(earlier && (await linked(join(earlier, path), to, object.bytes))) && !(await load(bucket, object.key, to)))
        continue
      sums.set(path, name)
      count++
      bytes += object.bytes
    }
  }
  const name = await bucket.getText(BUCKET_NAME)
  if (name) {
    await writeSynced(join(backup, PARTS.files, BUCKET_NAME), name)
    sums.set(`${PARTS.files}/${BUCKET_NAME}`, sha256Of(name))
  }
  return { count, bytes }
}

/** @returns whether it was there */
async function load(bucket: Bucket, key: string, to: string): Promise<boolean> {
  const bytes = await bucket.read(key)
  if (!bytes) return false
  const file = await open(to, 'wx', 0o600)
  try {
    for await (const chunk of bytes) await file.writeFile(chunk as Uint8Array)
    await file.sync()
  } finally {
    await file.close()
  }
  return true
}
