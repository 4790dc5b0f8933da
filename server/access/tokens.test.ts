import { expect, test } from 'vitest'
import { newKey } from './apiKeys'
import { hashToken, newToken } from './tokens'

test('a token is 256 random bits that an address can hold, and is kept as its SHA-256', () => {
  const tokens = Array.from({ length: 100 }, newToken)
  expect(new Set(tokens).size).toBe(100)
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
  expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('of a key its begin and its end are shown, and no more is kept than its hash', () => {
  const { secret, preview, hash } = newKey()
  expect(secret).toMatch(/^parley_[\w-]{43}$/)
  expect(preview).toBe(`${secret.slice(0, 11)}…${secret.slice(-4)}`)
  expect(hash).toEqual(hashToken(secret))
})
