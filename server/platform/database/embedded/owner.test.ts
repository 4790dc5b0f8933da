import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { canReach } from './owner'

const uid = process.getuid?.() ?? 0
const gid = process.getgid?.() ?? 0
/** The folder's owner, a member of its group, and another account. */
const accounts = [
  { uid, gid },
  { uid: uid + 1, gid },
  { uid: uid + 1, gid: gid + 1 },
]

let above: string
let folder: string
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'parley-owner-'))
  await chmod(above, 0o755)
  folder = join(above, 'data')
  await mkdir(folder)
})
afterEach(() => rm(above, { recursive: true, force: true }))

const reached = async (mode: number) => {
  await chmod(folder, mode)
  return Promise.all(accounts.map((account) => canReach(folder, account)))
}

test('a folder is reached by whom it lets read and enter: its owner, its group, others', async () => {
  expect(await reached(0o755)).toEqual([true, true, true])
  expect(await reached(0o750)).toEqual([true, true, false])
  expect(await reached(0o705)).toEqual([true, false, true])
  expect(await reached(0o055)).toEqual([false, true, true])
  expect(await reached(0o711)).toEqual([true, false, false])
  expect(await reached(0o744)).toEqual([true, false, false])
})

test('every folder above has to let one pass; to be read it need not be', async () => {
  await chmod(above, 0o711)
  expect(await reached(0o755)).toEqual([true, true, true])
  await chmod(above, 0o710)
  expect(await reached(0o755)).toEqual([true, true, false])
  await chmod(above, 0o744)
  expect(await reached(0o755)).toEqual([true, false, false])
})

test('a folder that nobody else may enter closes all that is deep below it', async () => {
  const deep = join(folder, 'deeper', 'still')
  await mkdir(deep, { recursive: true })
  await chmod(folder, 0o700)
  expect(await Promise.all(accounts.map((account) => canReach(deep, account)))).toEqual([true, false, false])
})
