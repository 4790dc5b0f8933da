import { expect, test } from 'vitest'
import { parseSitemap } from './parseSitemap'
import { familyOf, isTrap, isWanted } from './scope'

const sites = new Set(['shop.example'])
test.each<[url: string, include: string[], exclude: string[], wanted: boolean]>([
  ['https://www.shop.example/a', [], [], true],
  ['https://shop.example.evil.test/a', [], [], false],
  ['https://shop.example/docs/x', ['/docs/'], [], true],
  ['https://shop.example/Docs/x', ['/docs/*'], [], true],
  ['https://shop.example/blog/docs', ['/docs/'], [], false],
  ['https://shop.example/docs/old/x', ['/docs/'], ['/docs/*/x'], false],
  ['https://shop.example/docs/a.b+c', ['a.b+c'], [], true],
  ['https://shop.example/docs/axb+c', ['a.b+c'], [], false],
])('%s with %j and without %j: %s', (url, include, exclude, wanted) => {
  expect(isWanted(url, { sites, include, exclude })).toBe(wanted)
})

test('a pattern of many stars takes no longer than the address', () => {
  const url = `https://shop.example/${'a'.repeat(2_000)}`
  expect(isWanted(url, { sites, include: [`${'*a'.repeat(240)}*b`], exclude: [] })).toBe(false)
})

test.each([
  ['https://shop.example/film.MP4', true],
  ['https://shop.example/list.pdf', false],
  ['https://shop.example/a/b/a/b/a/b', true],
  ['https://shop.example/a/b/a', false],
  [`https://shop.example/${'a/'.repeat(30)}`, true],
  [`https://shop.example/?${Array.from({ length: 11 }, (_, n) => `p${n}=1`).join('&')}`, true],
  [`https://shop.example/${'a'.repeat(2_048)}`, true],
])('%s is a trap or a file: %s', (url, trap) => {
  expect(isTrap(url)).toBe(trap)
})

test('addresses of dates and of numbers are families, articles of a day are not', () => {
  const family = (path: string) => familyOf(`https://shop.example${path}`)
  expect(family('/calendar/2026/05')).toEqual(family('/calendar/2031/11'))
  expect(family('/calendar/2026/05')?.most).toBeLessThan(100)
  expect(family('/events?month=3&year=2027')?.most).toBeLessThan(100)
  expect(family('/article?id=7')?.most).toBeGreaterThan(100)
  expect(family('/2026/05/a-new-lamp')).toBeNull()
  expect(family('/products/77')).toBeNull()
})

test('sitemaps are read in each of their forms', () => {
  const entry =
    '<url><loc> https://shop.example/?a=1&amp;b=&#x32; </loc><image:image><image:loc>https://x.example/i.png</image:loc></image:image></url>'
  expect(
    parseSitemap(
      `<?xml version="1.0"?><urlset>${entry}<url><loc><![CDATA[https://shop.example/b]]></loc></url></urlset>`,
    ),
  ).toEqual({
    index: false,
    locations: ['https://shop.example/?a=1&b=2', 'https://shop.example/b'],
  })
  expect(
    parseSitemap('<sitemapindex><sitemap><loc>https://shop.example/m.xml</loc></sitemap></sitemapindex>')?.index,
  ).toBe(true)
  expect(parseSitemap('https://shop.example/a\r\nhttps://shop.example/b\n')?.locations).toHaveLength(2)
  for (const text of ['', '<html><body>404</body></html>', 'User-agent: *']) expect(parseSitemap(text)).toBeNull()
})
