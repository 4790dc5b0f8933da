import { expect, test } from 'vitest'
import { addressKey } from './addressKey'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['unix socket', 'unix socket'],
])('%s is known as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
