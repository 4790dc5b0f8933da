import { expect, test } from 'vitest'
import { parseConfig } from './config'

const domains = (given: Record<string, string>) => parseConfig(given).domains

test('without settings, domains are served behind a proxy, by the DNS of the system', () => {
  expect(domains({})).toMatchObject({ mode: 'proxy', dnsServers: [] })
  expect(domains({}).acme).toMatchObject({ email: null, challenge: 'http-01', eab: null })
})

test.each([
  ['DNS_SERVERS', '1.1.1.1, 9.9.9.9:53 8.8.8.8:65535'],
  ['DNS_SERVERS', '2606:4700:4700::1111'],
  ['DNS_SERVERS', '[2606:4700:4700::1111], [2606:4700:4700::1001]:53'],
  ['DNS_SERVERS', Array(8).fill('1.1.1.1').join()],
  ['DOMAIN_TARGET', 'domains.example.com, 203.0.113.7, 2001:db8::1, a.b'],
  ['HTTP_PORT', '0'],
  ['HTTPS_PORT', '65535'],
  ['ACME_DIRECTORY', 'http://127.0.0.1:14000/dir'],
  ['ACME_CHALLENGE', 'tls-alpn-01'],
])('%s may be %s', (name, text) => {
  expect(() => parseConfig({ [name]: text })).not.toThrow()
})

test.each([
  ['DNS_SERVERS', 'dns.example.com'],
  ['DNS_SERVERS', '1.1.1.1:'],
  ['DNS_SERVERS', '1.1.1.1:123456'],
  ['DNS_SERVERS', '1.1.1.256'],
  ['DNS_SERVERS', '[1.1.1.1'],
  ['DNS_SERVERS', 'x1.1.1.1'],
  ['DNS_SERVERS', Array(9).fill('1.1.1.1').join()],
  ['DOMAIN_TARGET', 'localhost'],
  ['DOMAIN_TARGET', 'a.b, c.d, e.f, g.h, i.j'],
  ['DOMAIN_TARGET', 'https://a.example'],
  ['HTTP_PORT', '65536'],
  ['HTTP_PORT', '080000'],
  ['HTTPS_PORT', '-1'],
  ['ACME_DIRECTORY', 'ftp://a.example'],
  ['ACME_CHALLENGE', 'dns-01'],
  ['ACME_EAB_HMAC', 'a b'],
])('%s may not be %s, and the refusal names it', (name, text) => {
  expect(() => parseConfig({ [name]: text })).toThrow(name)
})

test('an account at the authority has both its halves, or there is none', () => {
  const both = { ACME_EAB_KID: 'kid', ACME_EAB_HMAC: 'aGk_-9=' }
  expect(domains(both).acme.eab).toEqual({ kid: 'kid', hmac: 'aGk_-9=' })
  for (const [name, text] of Object.entries(both)) expect(() => domains({ [name]: text })).toThrow('belong together')
})

test('the target of domains is compared with names in small letters', () => {
  expect(domains({ DOMAIN_TARGET: 'Domains.Example.com, 203.0.113.7' }).target).toEqual([
    'domains.example.com',
    '203.0.113.7',
  ])
})
