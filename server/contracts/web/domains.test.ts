import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { frameAncestors, isDomain, mayEmbed, tidyDomain } from './domains'
import { embedSchema } from './settings'

test.each([
  'example.com',
  '*.example.com',
  'localhost',
  'localhost:3000',
  'my-shop.example.co.uk',
  'xn--mnchen-3ya.example',
  'münchen.example',
  '127.0.0.1:8080',
  '[::1]:3000',
])('%s is a domain', (text) => expect(isDomain(text)).toBe(true))

test.each([
  '',
  '*',
  'a--b.example',
  '-a.example',
  'a-.example',
  'exa mple.com',
  '*.*.example',
  'a.*.example',
  'b.example:0',
  'b.example:99999',
  '*.127.0.0.1',
  'user@b.example',
  'a..b',
])('%j is none', (text) => expect(isDomain(text)).toBe(false))

test('an address that was pasted is kept as its host', () => {
  expect(tidyDomain(' https://Shop.Example.com/cart?x=1#top ')).toBe('shop.example.com')
  const { whitelisted_domains } = embedSchema.parse({
    whitelisted_domains: ['HTTPS://Example.com/a', '*.Example.com.'],
  })
  expect(whitelisted_domains).toEqual(['example.com', '*.example.com'])
  expect(embedSchema.safeParse({ whitelisted_domains: ['a--b.example'] }).error?.issues[0]?.message).toBe(
    'Enter a valid domain (such as example.com)',
  )
})

describe('a page may hold the chatbot', () => {
  test.each([
    ['example.com', 'https://example.com', true],
    ['example.com', 'http://example.com:8080', true],
    ['example.com', 'https://www.example.com', false],
    ['example.com', 'https://example.com.evil.test', false],
    ['example.com', 'https://notexample.com', false],
    ['*.example.com', 'https://shop.example.com', true],
    ['*.example.com', 'https://a.b.example.com', true],
    ['*.example.com', 'https://example.com', false],
    ['*.example.com', 'https://evilexample.com', false],
    ['localhost:3000', 'http://localhost:3000', true],
    ['localhost:3000', 'http://localhost:3001', false],
    ['example.com:443', 'https://example.com', true],
    ['example.com:443', 'http://example.com', false],
    ['münchen.example', 'https://xn--mnchen-3ya.example', true],
    ['example.com', 'null', false],
    ['example.com', 'file://example.com', false],
    ['example.com', 'moz-extension://example.com', false],
  ])('%s: %s: %s', (domain, origin, allowed) => expect(mayEmbed([domain], origin)).toBe(allowed))

  it('from anywhere while no domain is named, and from nowhere else once one is', () => {
    expect(mayEmbed([], 'null')).toBe(true)
    expect(mayEmbed(['other.example'], 'https://example.com')).toBe(false)
  })
})

/** What a browser makes of a source of `frame-ancestors` (CSP level 3, 6.7.2.8), for origins with a port. */
function matches(source: string, origin: URL): boolean {
  const [, scheme, host = '', port] = /^(https?):\/\/(.+):([\d]+|\*)$/.exec(source) ?? []
  const given = origin.port || (origin.protocol === 'https:' ? '443' : '80')
  if (`${scheme}:` !== origin.protocol || (port !== '*' && port !== given)) return false
  return host.startsWith('*.') ? origin.hostname.endsWith(host.slice(1)) : origin.hostname === host
}

test('the server and the frame’s policy let the same pages in', () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/)
  const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
  const port = fc.constantFrom('', ':80', ':443', ':3000')
  const domain = fc.tuple(fc.boolean(), host, port).map(([below, name, at]) => `${below ? '*.' : ''}${name}${at}`)
  const origin = fc.tuple(fc.constantFrom('http://', 'https://'), host, port).map((parts) => parts.join(''))
  const below = fc.tuple(label, domain).map(([name, of]) => ({ of, origin: `https://${name}.${of.replace('*.', '')}` }))
  const pairs = fc.oneof(
    fc.tuple(fc.array(domain, { minLength: 1, maxLength: 5 }), origin),
    below.map(({ of, origin: page }): [string[], string] => [[of], page]),
  )
  fc.assert(
    fc.property(pairs, ([domains, page]) => {
      const sources = frameAncestors(domains).split(' ').slice(1)
      const framed = sources.some((source) => matches(source, new URL(page)))
      expect(mayEmbed(domains, new URL(page).origin)).toBe(framed)
    }),
    { seed: 1511, numRuns: 2_000 },
  )
})
