import { describe, expect, it, test } from 'vitest'
import { around, contentPages, f1, priceTable } from '../../../../tests/support/contentPages'
import { words } from '../../../../tests/support/siteServer'
import { plainText } from '../chunks/chunkMarkdown'
import { readHtml } from './readHtml'

const URL = 'https://harbour.example/help/lamps'
const read = (html: string) => readHtml(html, URL)
describe('the main content', () => {
  test.each(contentPages)('of $kind is found among what stands around it', ({ html, gold, url = URL }) => {
    const { markdown } = readHtml(html, url)
    expect(f1(plainText(markdown), gold)).toBeGreaterThan(0.93)
    expect(markdown).not.toMatch(/We use cookies|Category number|All rights reserved|[Nn]oise/)
  })

  it('is the whole page where there is nothing but that', () => {
    expect(read('<p>Open from <b>nine</b>.').markdown).toBe('Open from **nine**.')
  })
})

it('keeps tables, lists, headings, code and links, and drops pictures and scripts', () => {
  const { markdown } = read(
    around(`<main><h1>Lamps</h1>${words(1)}<h2>Prices</h2>${priceTable}<ol><li>Fill<ul><li>with oil</li></ul></li><li>Light</li></ol>
      <p>See <a href="../contact?x=1#form">the form</a>, <a href="javascript:steal()">this</a> or <a href="mailto:a@b.example">mail</a>.</p>
      <pre><code>lamp --light</code></pre><img src="x.png" alt="a lamp"><script>steal()</script></main>`),
  )
  expect(markdown).toContain('## Prices')
  expect(markdown).toMatch(/\| Lamp +\| Price +\| Burns for +\|\n\|[ -]+\|[ -]+\|[ -]+\|\n\| Storm +\| 9 € +\| 3 h +\|/)
  expect(markdown).toMatch(/1\. Fill\n {2,}\* with oil\n2\. Light/)
  expect(markdown).toContain('[the form](https://harbour.example/contact?x=1#form), this or [mail](mailto:a@b.example)')
  expect(markdown).toContain('```\nlamp --light\n```')
  expect(markdown).not.toMatch(/steal|x\.png/)
})

it('takes a part that is a text and nothing else as it is, and looks for the text where there is more', () => {
  const text = `<h1>Lamps</h1>${words(1)}${words(2)}<h2>Oil</h2>${words(3)}`
  const headings = (html: string) => read(around(`<main>${html}</main>`)).markdown.match(/^#+ .*/gm)
  expect(headings(text)).toEqual(['# Lamps', '## Oil'])
  // Readability makes the first heading one of the second level
  const beside = `<div class="note">${words(4)}</div>`
  expect(headings(text + beside)).toEqual(['## Lamps', '## Oil'])
  const menu = Array.from({ length: 40 }, (_, n) => `<p><a href="/p/${n}">Another page about lamp ${n}</a></p>`).join(
    '',
  )
  expect(headings(text + menu)).toEqual(['## Lamps', '## Oil'])
})

it('is called what it says of itself, without the name of the site', () => {
  expect(read(around(`<main><h1>Lamps</h1>${words(1)}</main>`)).title).toBe('Lamps')
  expect(read(around(`<main><h1>Welcome</h1>${words(1)}</main>`)).title).toBe('Lamps | Harbour')
  expect(read('<p>No head, no heading, no name.</p>').title).toBe('')
})

it('translates a page of a megabyte as it does a small one', () => {
  const part = `<div>${words(1)}<h2>A part</h2>${priceTable}</div>`
  const count = 300
  const { markdown } = read(`<main><div>${part.repeat(count)}</div></main>`)
  expect(markdown.match(/## A part/g)).toHaveLength(count)
  expect(markdown.match(/\| Quay/g)).toHaveLength(count)
})

it.each([
  '<!doctype html><title>Lamps</title><p>We sell lamps for harbours, of brass and of steel.',
  '<!doctype html><html lang="en"><head><title>Lamps</title></head><p>We sell lamps for harbours, of brass and of steel.</p></html>',
  '<html lang="en"><meta charset="utf-8"><title>Lamps</title><main><p>We sell lamps for harbours, of brass and of steel.</p></main>',
  '<title>Lamps</title><body><p>We sell lamps for harbours, of brass and of steel.</p>',
])('reads a page that leaves out tags, as the standard lets it: %s', (html) => {
  const read = readHtml(html, 'https://lamps.example/')
  expect(read.title).toBe('Lamps')
  expect(read.markdown).toContain('We sell lamps for harbours, of brass and of steel.')
})
