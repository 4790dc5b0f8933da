import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server'
import { parseTrustProxy } from '../config/trustProxy'
import { callerAddress } from './callerAddress'

test('an IPv4 address counts as itself, however it is written, and IPv6 by its /64', () => {
  expect(callerAddress('203.0.113.7')).toBe('203.0.113.7')
  expect(callerAddress('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(callerAddress('::ffff:cb00:7107')).toBe('203.0.113.7')
  expect(callerAddress('2001:db8:1:2:3:4:5:6')).toBe(callerAddress('2001:0db8:0001:0002::1'))
  expect(callerAddress('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(callerAddress('2001:db8:1:2::1')).not.toBe(callerAddress('2001:db8:1:3::1'))
  expect(callerAddress('fe80::1%eth0')).toBe(callerAddress('fe80::2'))
})

test('who has hung up before the call was looked at fails nothing', () => {
  expect(callerAddress(undefined)).toBe('gone')
})

test('whom to trust is a number of proxies, or addresses', () => {
  expect(parseTrustProxy('2')).toBe(2)
  expect(parseTrustProxy('0')).toBe(0)
  expect(parseTrustProxy('loopback, 10.0.0.0/8,192.168.1.20')).toEqual(['loopback', '10.0.0.0/8', '192.168.1.20'])
  for (const wrong of ['11', '-1', 'yes', '10.0.0.0/33', 'loopback,', ',', 'proxy.example.com'])
    expect(parseTrustProxy(wrong), wrong).toBeNull()
})

const servers: TestServer[] = []
const trusting = async (text: string) => {
  const server = await startTestServer({ config: { trustProxy: parseTrustProxy(text) ?? 0 }, clock: () => new Date(0) })
  servers.push(server)
  return server
}
let byDefault: TestServer
let nobody: TestServer
let elsewhere: TestServer
let twoHops: TestServer
beforeAll(async () => {
  byDefault = await trusting('loopback')
  nobody = await trusting('0')
  elsewhere = await trusting('10.0.0.0/8')
  twoHops = await trusting('2')
})
afterAll(() => Promise.all(servers.map((server) => server.close())))

/** The status of the last of six wrong passwords for one account; the calls claim to come from these addresses. */
async function sixth(server: TestServer, from: (at: number) => string): Promise<number | undefined> {
  const guest = await server.guest()
  const body = { email: 'nobody@example.com', password: 'wrong password' }
  let last: number | undefined
  for (let at = 1; at <= 6; at++)
    last = (await guest.send('POST', '/api/auth/login', body, { 'x-forwarded-for': from(at) })).status
  return last
}

test('the proxy on this machine says whom it speaks for, and one network of IPv6 is one caller', async () => {
  expect(await sixth(byDefault, (at) => `203.0.113.${at}`)).toBe(422)
  expect(await sixth(await trusting('loopback'), (at) => `2001:db8:1:2::${at}`)).toBe(429)
})

test('what a caller writes himself is ignored when nobody, or another address, is trusted', async () => {
  expect(await sixth(nobody, (at) => `203.0.113.${at}`)).toBe(429)
  expect(await sixth(elsewhere, (at) => `203.0.113.${at}`)).toBe(429)
})

test('of two proxies in a row the outer one’s word is taken, and what was there before it is not', async () => {
  expect(await sixth(twoHops, (at) => `198.51.100.${at}, 203.0.113.9, 10.0.0.1`)).toBe(429)
  expect(await sixth(await trusting('2'), (at) => `203.0.113.${at}, 10.0.0.1`)).toBe(422)
})
