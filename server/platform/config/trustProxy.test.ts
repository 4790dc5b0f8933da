import { expect, test } from 'vitest'
import { parseTrustProxy, trustOf } from './trustProxy'

test.each([
  ['0', 0],
  ['1', 1],
  ['10', 10],
  ['11', null],
  ['-1', null],
  ['loopback', ['loopback']],
  ['loopback, linklocal ,uniquelocal', ['loopback', 'linklocal', 'uniquelocal']],
  ['10.0.0.0/8, 192.168.1.20', ['10.0.0.0/8', '192.168.1.20']],
  ['fd00::/8', ['fd00::/8']],
  ['10.0.0.0/8,', null],
  ['', null],
  ['nginx', null],
  ['toString', null],
  ['10.0.0.0/33', null],
])('TRUST_PROXY=%s is %j', (text, trust) => {
  expect(parseTrustProxy(text)).toEqual(trust)
})

test('a number trusts so many proxies in a row, counted from the nearest', () => {
  const trusted = (count: number) => {
    const trust = trustOf(count)
    return typeof trust === 'function' ? [0, 1, 2].map((hop) => trust('10.0.0.1', hop)) : trust
  }
  expect([0, 1, 2].map(trusted)).toEqual([
    [false, false, false],
    [true, false, false],
    [true, true, false],
  ])
  expect(trustOf(['loopback'])).toEqual(['loopback'])
})
