import { expect, it } from 'vitest'
import { isWebAddress } from './address'

it.each(['https://example.org', 'HTTP://example.org/a b', 'https://[::1]/'])('%s leads to the web', (address) => {
  expect(isWebAddress(address)).toBe(true)
})

it.each(['javascript:alert(1)', ' https://example.org', 'https://', 'https://[', 'http://a:b:c'])(
  '%s does not',
  (address) => {
    expect(isWebAddress(address)).toBe(false)
  },
)
