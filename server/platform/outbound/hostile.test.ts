import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseNetworks } from './addresses'
import { OutboundError } from './errors'
import { createOutboundFetch } from './outboundFetch'

/** Counts calls to a server on this machine that must not be reachable. */
let reached = 0
let port: number
const server = createServer((_, response) => {
  reached++
  response.end('secret')
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '::', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const failure = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundError ? error.code : `${error}`),
  )
/** A resolver that returns the given lists one after another. */
const answering = (...answers: string[][]): LookupFunction => {
  let turn = 0
  return (_, __, callback) => {
    const found = answers[Math.min(turn++, answers.length - 1)] ?? []
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

const hosts: [spelling: string, host: string][] = [
  ['loopback', '127.0.0.1'],
  ['loopback, another', '127.8.9.10'],
  ['loopback, short', '127.1'],
  ['loopback, three parts', '127.0.1'],
  ['loopback, one number', '2130706433'],
  ['loopback, one hexadecimal number', '0x7f000001'],
  ['loopback, one octal number', '017700000001'],
  ['loopback, octal parts', '0177.0.0.01'],
  ['loopback, hexadecimal parts', '0x7f.0x0.0x0.0x1'],
  ['loopback, mixed parts', '0x7f.0.0.01'],
  ['loopback, trailing dot', '127.0.0.1.'],
  ['loopback, percent-encoded', '%31%32%37.0.0.1'],
  ['loopback, full-width digits', '１２７.０.０.１'],
  ['loopback, circled digits', '①②⑦.⓪.⓪.①'],
  ['loopback, ideographic full stops', '127。0。0。1'],
  ['localhost', 'localhost'],
  ['localhost, capitals', 'LOCALHOST'],
  ['localhost, trailing dot', 'localhost.'],
  ['nothing', '0.0.0.0'],
  ['nothing, short', '0'],
  ['this network', '0.1.2.3'],
  ['private, class A', '10.0.0.1'],
  ['private, class B', '172.16.0.1'],
  ['private, end of class B', '172.31.255.255'],
  ['private, class C', '192.168.0.1'],
  ['shared by carriers', '100.64.0.1'],
  ['link-local', '169.254.1.1'],
  ['metadata', '169.254.169.254'],
  ['metadata, one number', '2852039166'],
  ['metadata, hexadecimal', '0xa9fea9fe'],
  ['metadata of another cloud', '100.100.100.200'],
  ['metadata at a public address', '168.63.129.16'],
  ['protocol assignments', '192.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['benchmarks', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 loopback', '[::1]'],
  ['IPv6 loopback, in full', '[0:0:0:0:0:0:0:1]'],
  ['IPv6 nothing', '[::]'],
  ['mapped loopback', '[::ffff:127.0.0.1]'],
  ['mapped loopback, hexadecimal', '[::ffff:7f00:1]'],
  ['mapped private', '[::ffff:10.0.0.1]'],
  ['mapped metadata', '[::ffff:a9fe:a9fe]'],
  ['compatible loopback', '[::127.0.0.1]'],
  ['translated loopback', '[::ffff:0:127.0.0.1]'],
  ['NAT64 loopback', '[64:ff9b::127.0.0.1]'],
  ['NAT64 metadata', '[64:ff9b::a9fe:a9fe]'],
  ['NAT64 of a network of its own', '[64:ff9b:1::7f00:1]'],
  ['6to4 loopback', '[2002:7f00:1::]'],
  ['6to4 private', '[2002:a00:1::1]'],
  ['Teredo', '[2001:0:7f00:1::1]'],
  ['IPv6 link-local', '[fe80::1]'],
  ['IPv6 site-local', '[fec0::1]'],
  ['unique local', '[fc00::1]'],
  ['unique local, locally assigned', '[fd12:3456:789a::1]'],
  ['IPv6 metadata', '[fd00:ec2::254]'],
  ['IPv6 multicast', '[ff02::1]'],
  ['IPv6 documentation', '[2001:db8::1]'],
  ['IPv6 discard', '[100::1]'],
  ['IPv6 that nobody was given', '[4000::1]'],
]

test('there are at least 44 hostile addresses', () => {
  expect(hosts.length).toBeGreaterThanOrEqual(44)
})

test.each(hosts)('%s is refused: %s', async (spelling, host) => {
  const call = createOutboundFetch()({ url: `http://${host}:${port}/` })
  expect(await failure(call)).toBe(spelling.includes('metadata') ? 'metadata_address' : 'private_address')
  expect(reached).toBe(0)
})

test.each(hosts.filter(([, host]) => /^[\d.]+$|^\[/.test(host)))(
  'a name that resolves to it is refused as well: %s, %s',
  async (_, host) => {
    const address = new URL(`http://${host}`).hostname.replace(/[[\]]/g, '')
    const fetchOutbound = createOutboundFetch({ lookup: answering([address]) })
    expect(await failure(fetchOutbound({ url: `http://friendly.example:${port}/` }))).toMatch(/_address$/)
    expect(reached).toBe(0)
  },
)

test.each([
  ['file:///etc/passwd', 'invalid_url'],
  ['ftp://example.com/', 'invalid_url'],
  ['gopher://127.0.0.1:70/', 'invalid_url'],
  ['data:text/plain,hello', 'invalid_url'],
  ['javascript:alert(1)', 'invalid_url'],
  ['//example.com', 'invalid_url'],
  ['http://', 'invalid_url'],
  ['http://[fe80::1%25eth0]/', 'invalid_url'],
  ['http://exa mple.com/', 'invalid_url'],
  ['http://127.0.0.1@example.com/', 'credentials_in_url'],
  ['http://user:secret@example.com/', 'credentials_in_url'],
])('%s is refused as %s', async (url, code) => {
  expect(await failure(createOutboundFetch()({ url }))).toBe(code)
})

test('a name whose answers mix public and private addresses is refused', async () => {
  const lookup = answering(['93.184.215.14', '127.0.0.1'])
  expect(await failure(createOutboundFetch({ lookup })({ url: `http://mixed.example:${port}/` }))).toBe(
    'private_address',
  )
  expect(reached).toBe(0)
})

test('a name that rebinds is resolved once, and connected to what was judged', async () => {
  let lookups = 0
  const lookup: LookupFunction = (name, options, callback) => {
    lookups++
    answering([lookups === 1 ? '127.0.0.2' : '127.0.0.1'])(name, options, callback)
  }
  // 127.0.0.2 plays the public address: it is allowed here, 127.0.0.1 is not
  const fetchOutbound = createOutboundFetch({ allowed: parseNetworks('127.0.0.2'), lookup })
  const answer = await fetchOutbound({ url: `http://rebinds.example:${port}/` })
  expect([answer.status, lookups]).toEqual([200, 1])
  expect(await failure(fetchOutbound({ url: `http://rebinds.example:${port}/` }))).toBe('private_address')
  expect(reached).toBe(1)
  reached = 0
})

test('what the operator allows can be called; metadata addresses never', async () => {
  const all = createOutboundFetch({ allowed: parseNetworks('0.0.0.0/0, ::/0') })
  expect((await all({ url: `http://127.0.0.1:${port}/` })).status).toBe(200)
  expect((await all({ url: `http://[::ffff:127.0.0.1]:${port}/` })).status).toBe(200)
  reached = 0
  for (const [spelling, host] of hosts.filter(([spelling]) => spelling.includes('metadata'))) {
    expect([spelling, await failure(all({ url: `http://${host}/` }))]).toEqual([spelling, 'metadata_address'])
  }
  expect(await failure(all({ url: 'http://[::a9fe:a9fe]/' }))).toBe('metadata_address')
})

test('a name that is not there is told from one that may not be called', async () => {
  const lookup: LookupFunction = (_, __, callback) =>
    callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), [])
  const call = createOutboundFetch({ lookup })({ url: 'http://nowhere.example/' })
  await expect(call).rejects.toThrow('No server found at nowhere.example: check the spelling.')
})
