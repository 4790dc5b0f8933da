import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Bucket, Listed } from '../files/bucket/createBucket'
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
  const taken = await takeObjects(bucket, sums, async ({ key, bytes }, path) => {
    const to = join(backup, path)
    await mkdir(dirname(to), { recursive: true })
    return (earlier !== null && (await linked(join(earlier, path), to, bytes))) || load(bucket, key, to)
  })
  await copyBucketName(bucket, backup, sums)
  return taken
}

/** Copies what names the installation that the files belong to. */
export async function copyBucketName(bucket: Bucket, backup: string, sums: Checksums): Promise<void> {
  const name = await bucket.getText(BUCKET_NAME)
  if (!name) return
  await writeSynced(join(backup, PARTS.files, BUCKET_NAME), name)
  sums.set(`${PARTS.files}/${BUCKET_NAME}`, sha256Of(name))
}

/**
 * Goes through the files of a bucket and its trash, each once.
 * @param take keeps one under its path in a backup. @returns false if it is gone
 */
export async function takeObjects(
  bucket: Bucket,
  sums: Checksums,
  take: (object: Listed, path: string) => Promise<boolean>,
): Promise<{ count: number; bytes: number }> {
  let count = 0
  let bytes = 0
  for (const prefix of ['files/', 'trash/', 'files/']) {
    for await (const object of bucket.list(prefix)) {
      const [, area, name] = STORED.exec(object.key) ?? []
      const path = `${PARTS.files}/${area}/${name}`
      if (name === undefined || sums.has(path) || !(await take(object, path))) continue
      sums.set(path, name)
      count++
      bytes += object.bytes
    }
  }
  return { count, bytes }
}

/** Writes an object into a new file. @returns whether it was there */
export async function load(bucket: Bucket, key: string, to: string): Promise<boolean> {
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
