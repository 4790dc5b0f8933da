import { expect, test } from 'vitest'
import { parseNetworks, refusalOf } from './addresses'

test.each([
  ['93.184.216.34', null],
  ['2606:2800:220:1::1', null],
  ['2606:2800:220:1::1%eth0', null],
  ['10.0.0.1', 'private_address'],
  ['127.0.0.1', 'private_address'],
  ['::1', 'private_address'],
  ['::', 'private_address'],
  ['fd00::1', 'private_address'],
  // 6to4, Teredo, and what nobody was given
  ['2002:5db8:d822::1', 'private_address'],
  ['2001:0:5db8:d822::1', 'private_address'],
  ['4000::1', 'private_address'],
  ['169.254.169.254', 'metadata_address'],
  ['fd00:ec2::254', 'metadata_address'],
  // IPv4 within IPv6 is judged as that
  ['::ffff:93.184.216.34', null],
  ['::ffff:0:93.184.216.34', null],
  ['64:ff9b::93.184.216.34', null],
  ['::93.184.216.34', null],
  ['::ffff:10.0.0.1', 'private_address'],
  ['::ffff:169.254.169.254', 'metadata_address'],
  ['64:ff9b::169.254.169.254', 'metadata_address'],
  ['shop.example', 'private_address'],
  ['', 'private_address'],
])('%s: %s', (address, refusal) => {
  expect(refusalOf(address, [])).toBe(refusal)
})

test('what the operator allows is let through, by IPv4 within IPv6 too, but for metadata', () => {
  const allowed = parseNetworks('10.0.0.0/8, fd00::/8, 169.254.0.0/16')
  for (const address of ['10.255.0.1', '::ffff:10.0.0.1', 'fd00::7', '169.254.1.1'])
    expect(refusalOf(address, allowed), address).toBeNull()
  for (const address of ['192.168.0.1', '::ffff:192.168.0.1', '127.0.0.1'])
    expect(refusalOf(address, allowed), address).toBe('private_address')
  for (const address of ['169.254.169.254', 'fd00:ec2::254'])
    expect(refusalOf(address, allowed), address).toBe('metadata_address')
})

test('the lowest addresses of IPv6 hold no IPv4 address: they are its own', () => {
  // allowed as what they are
  expect(refusalOf('::1', parseNetworks('::1'))).toBeNull()
  expect(refusalOf('::', parseNetworks('::'))).toBeNull()
  // judged as 0.0.0.2
  expect(refusalOf('::2', parseNetworks('::2'))).toBe('private_address')
  expect(refusalOf('::2', parseNetworks('0.0.0.2'))).toBeNull()
  expect(refusalOf('::100', parseNetworks('0.0.1.0'))).toBeNull()
})

test('networks stand with commas, an address alone being one of itself', () => {
  const read = (text: string) => parseNetworks(text).map(([address, bits]) => `${address}/${bits}`)
  expect(read(' 10.0.0.0/8, 192.168.1.20 ,, fd00::/8,fe80::1,')).toEqual([
    '10.0.0.0/8',
    '192.168.1.20/32',
    'fd00::/8',
    'fe80::1/128',
  ])
  expect(read('')).toEqual([])
  for (const wrong of ['10.0.0.0/33', 'intranet', '10.0.0.0/8/8'])
    expect(() => parseNetworks(`10.0.0.0/8, ${wrong}`), wrong).toThrow(new RangeError(wrong))
})
