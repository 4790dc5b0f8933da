import { expect, test } from 'vitest'
import { parseConfig } from '../../platform/config/config'
import { ownHosts, readHostname, recordFor } from './hostname'

const own = ownHosts(
  parseConfig({ PUBLIC_URL: 'https://parley.example.com', CHAT_URL: 'https://chats.example.com:8443' }),
)

test.each([
  ['chat.example.org', 'chat.example.org', false],
  ['  Chat.Example.ORG.  ', 'chat.example.org', false],
  ['https://chat.example.org/', 'chat.example.org', false],
  ['example.co.uk', 'example.co.uk', true],
  ['bot.example.co.uk', 'bot.example.co.uk', false],
  ['me.github.io', 'me.github.io', true],
  ['müller.example', 'xn--mller-kva.example', true],
  ['xn--mller-kva.example', 'xn--mller-kva.example', true],
  ['bücher.shop.example', 'xn--bcher-kva.shop.example', false],
])('%s is the domain %s', (input, hostname, apex) => {
  expect(readHostname(input, own)).toEqual({ hostname, apex })
})

test.each([
  ['nothing', ''],
  ['a single label', 'localhost'],
  ['an IPv4 address', '203.0.113.7'],
  ['one in another spelling', '0xcb007107'],
  ['an IPv6 address', '[2001:db8::1]'],
  ['a public suffix', 'co.uk'],
  ['a private one', 'github.io'],
  ['a top-level domain', 'com'],
  ['two hyphens in a row', 'my--shop.example.org'],
  ['a hyphen at an end', 'shop-.example.org'],
  ['a hyphen at the front', '-shop.example.org'],
  ['an empty label', 'shop..example.org'],
  ['a wildcard', '*.example.org'],
  ['an underscore', '_acme.example.org'],
  ['a path', 'example.org/chat'],
  ['a port', 'chat.example.org:8080'],
  ['a user', 'me@example.org'],
  ['punycode of nothing', 'xn--.example.org'],
  ['punycode that does not decode', 'xn--99999999999.example.org'],
  ['punycode of plain letters', 'xn--abc-.example.org'],
  ['a label that is too long', `${'a'.repeat(64)}.example.org`],
  ['a name that is too long', `${'a.'.repeat(130)}example.org`],
  ['the application’s own host', 'parley.example.com'],
  ['that of chat pages', 'CHATS.example.com'],
])('%s is none: %s', (_, input) => {
  expect(readHostname(input, own)).toEqual({ wrong: 'Enter a valid domain (such as chat.example.com)' })
})

test('the record leads to what is set, or to the host of chat pages; an apex takes no CNAME', () => {
  const of = (apex: boolean, env: Record<string, string>) => recordFor(apex, parseConfig(env))
  const chats = { PUBLIC_URL: 'https://parley.example.com', CHAT_URL: 'https://chats.example.com' }
  expect(of(false, chats)).toEqual({ type: 'CNAME', value: 'chats.example.com' })
  expect(of(true, chats)).toEqual({ type: 'ALIAS', value: 'chats.example.com' })
  expect(of(false, {})).toEqual({ type: 'A', value: '127.0.0.1' })
  const both = { ...chats, DOMAIN_TARGET: 'domains.example.com, 203.0.113.7' }
  expect(of(false, both)).toEqual({ type: 'CNAME', value: 'domains.example.com' })
  expect(of(true, both)).toEqual({ type: 'A', value: '203.0.113.7' })
  expect(of(false, { DOMAIN_TARGET: '2001:db8::1' })).toEqual({ type: 'AAAA', value: '2001:db8::1' })
})
