import { expect, test } from 'vitest'
import { normalizeUrl, urlKey } from './normalizeUrl'

test.each([
  ['HTTPS://Shop.Example:443/A%20b#top', 'https://shop.example/A%20b'],
  ['https://shop.example?utm_source=x&gclid=1', 'https://shop.example/'],
  ['https://shop.example/a?b=2&utm_medium=m&a=1', 'https://shop.example/a?a=1&b=2'],
  ['https://shop.example/a;jsessionid=0AF?PHPSESSID=7', 'https://shop.example/a'],
  ['https://shop.example/(S(abcdefgh1234))/a', 'https://shop.example/a'],
  ['https://shop.example//a///b/../c', 'https://shop.example/a/c'],
  ['https://shop.example/a?', 'https://shop.example/a'],
  ['https://shop.example/?q=a+b%2Cc', 'https://shop.example/?q=a+b%2Cc'],
  ['mailto:ada@shop.example', null],
  ['javascript:alert(1)', null],
  ['no address', null],
])('%s is kept as %s', (given, kept) => {
  expect(normalizeUrl(given)).toBe(kept)
})

test('addresses of one page have one key', () => {
  const same = ['https://www.shop.example/a/', 'http://shop.example/a', 'https://shop.example/a/index.html']
  expect(new Set(same.map(urlKey)).size).toBe(1)
  expect(urlKey('https://shop.example/a?b=1')).not.toBe(urlKey('https://shop.example/a'))
})
