import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './passwords'

test('a password is verified against its own hash alone', async () => {
  const stored = await hashPassword('correct horse')
  expect(await verifyPassword(stored, 'correct horse')).toBe(true)
  expect(await verifyPassword(stored, 'correct horsf')).toBe(false)
  expect(await hashPassword('correct horse')).not.toBe(stored)
})

test('a hash costs 19 MiB and two passes, and says so: a server can tell later which ones to make anew', async () => {
  expect(await hashPassword('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('nobody logs in without a hash, not even with the password that the time is spent on', async () => {
  expect(await verifyPassword(undefined, 'nobody has this password')).toBe(false)
})

test('a crowd is served in turn, and beyond what may wait it is told to come back', async () => {
  const results = await Promise.allSettled(Array.from({ length: 230 }, () => verifyPassword('not a hash', 'x')))
  const overloaded = results.filter((each) => each.status === 'rejected' && each.reason.code === 'overloaded')
  expect(overloaded).toHaveLength(230 - 202)
  const stored = await hashPassword('afterwards')
  expect(await verifyPassword(stored, 'afterwards')).toBe(true)
})
