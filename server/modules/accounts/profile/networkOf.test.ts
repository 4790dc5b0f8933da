import { expect, test } from 'vitest'
import { networkOf } from './networkOf'

test.each([
  ['127.0.0.1', 'machine'],
  ['::1', 'machine'],
  ['::ffff:127.0.0.1', 'machine'],
  ['192.168.1.20', 'private'],
  ['10.1.2.3', 'private'],
  ['100.64.0.9', 'private'],
  ['fd12::1', 'private'],
  ['fe80::1%eth0', 'private'],
  ['93.184.216.34', 'public'],
  ['2606:2800:220:1:248:1893:25c8:1946', 'public'],
  ['192.0.2.1', 'unknown'],
  ['', 'unknown'],
  ['somewhere', 'unknown'],
])('%s is of: %s', (address, network) => expect(networkOf(address)).toBe(network))
