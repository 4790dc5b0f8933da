import { expect, it } from 'vitest'
import { isFile, isWebAddress } from './address'

it.each(['https://example.org', 'HTTP://example.org/a b', 'https://[::1]/'])('%s leads to the web', (address) => {
  expect(isWebAddress(address)).toBe(true)
})

it.each(['javascript:alert(1)', ' https://example.org', 'https://', 'https://[', 'http://a:b:c'])(
  '%s does not',
  (address) => {
    expect(isWebAddress(address)).toBe(false)
  },
)

it('a file of the installation is a path of its own, and nothing that holds one', () => {
  const path = `/files/${'a1'.repeat(8)}`
  expect(isFile(path)).toBe(true)
  for (const address of [
    `javascript:alert(1)//${path}`,
    `//evil.example${path}`,
    `x${path}`,
    `${path}/x`,
    '/files/short',
  ])
    expect(isFile(address), address).toBe(false)
})
