import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFileStore } from './files'
import { refuseWithoutSpace, reserveOf } from './freeSpace'

test('a twentieth of a disk stays free, at least 1 GB and at most 10, or what is set', () => {
  const GB = 1e9
  expect([10, 100, 1_000].map((disk) => reserveOf(disk * GB, null) / GB)).toEqual([1, 5, 10])
  expect(reserveOf(100 * GB, 0)).toBe(0)
})

test('an upload that would take what stays free is refused, and leaves nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-space-'))
  async function* bytes() {
    yield new Uint8Array(10)
  }
  const TEXT = { type: 'text/plain' }
  const full = createFileStore(folder, { free: Number.MAX_SAFE_INTEGER })
  await expect(full.put('1', bytes(), TEXT)).rejects.toMatchObject({
    code: 'storage_full',
    status: 507,
    retryAfter: 600,
  })
  expect(await readdir(folder, { recursive: true })).toEqual(['incoming'])
  expect(await createFileStore(folder).put('1', bytes(), TEXT)).toMatchObject({ bytes: 10 })
  await rm(folder, { recursive: true })
})

test('what is free are the bytes that a user may still take, less what is coming', async () => {
  const { bavail, bsize } = await statfs(tmpdir())
  const half = (bavail * bsize) / 2
  await refuseWithoutSpace(tmpdir(), half)
  await refuseWithoutSpace(tmpdir(), 0, half)
  await expect(refuseWithoutSpace(tmpdir(), half, half * 1.5)).rejects.toMatchObject({ code: 'storage_full' })
})
