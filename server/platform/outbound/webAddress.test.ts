import { expect, test } from 'vitest'
import { parseNetworks } from './addresses'
import { webAddressProblem } from './webAddress'

const RULE = 'Enter a valid URL (must start with https:// or http://)'

test('the URL rule holds for pages that somebody names, and a private one says why', () => {
  expect(webAddressProblem('https://shop.example/a?b=c', [])).toBeNull()
  expect(webAddressProblem('HTTPS://Shop.example', [])).toBeNull()
  for (const text of ['https://foo', 'https://93.184.216.34/', 'ftp://shop.example', 'shop.example', 'https://'])
    expect(webAddressProblem(text, []), text).toBe(RULE)
  expect(webAddressProblem('http://10.1.2.3/', [])).toContain('private network')
})

test('in networks that the operator opened, hosts have numbers and names without a dot', () => {
  const own = parseNetworks('10.0.0.0/8')
  for (const text of ['http://10.1.2.3/', 'http://intranet/']) expect(webAddressProblem(text, own), text).toBeNull()
  expect(webAddressProblem('http://192.168.1.1/', own)).toContain('private network')
})

test('in networks that the operator opened, a name that is neither is still no address', () => {
  const own = parseNetworks('10.0.0.0/8')
  expect(webAddressProblem('http://a_b/', own)).toBe(RULE)
})
