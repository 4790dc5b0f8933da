import { describe, expect, it, test } from 'vitest'
import { words } from '../../../tests/support/siteServer'
import { readHtml } from './readHtml'

const URL = 'https://harbour.example/help/lamps'
const read = (html: string) => readHtml(html, URL)
const menu = Array.from({ length: 25 }, (_, n) => `<li><a href="/c/${n}">Category number ${n}</a></li>`).join('')
const around = (main: string) => `<!doctype html><html lang="en"><head><title>Lamps | Harbour</title></head><body>
  <div class="cookie-banner">We use cookies to make this site better. Accept all cookies or choose which ones you want.</div>
  <header><div class="logo">Harbour</div><ul>${menu}</ul></header><nav><ul>${menu}</ul></nav>
  ${main}
  <aside><h3>Also read</h3><ul>${menu}</ul></aside>
  <div id="comments"></div>
  <footer><p>Harbour Ltd., registered in Portsmouth. Prices include VAT. All rights reserved.</p><ul>${menu}</ul></footer></body></html>`

const table = `<table><tr><th>Lamp</th><th>Price</th><th>Burns for</th></tr>
  ${['Storm', 'Bay', 'Pier', 'Quay'].map((name, n) => `<tr><td>${name}</td><td>${n + 9} €</td><td>${n + 3} h</td></tr>`).join('')}</table>`
const faq = Array.from(
  { length: 6 },
  (
    _,
    n,
  ) => `<div class="accordion-item"><h3><button aria-expanded="false">Question ${n}: how is a lamp number ${n} filled?</button></h3>
  <div class="accordion-panel" hidden>Answer ${n}: open the tank at its side, pour oil to mark ${n}, and close it again.</div></div>`,
).join('')
const product = Array.from(
  { length: 12 },
  (_, n) => `<div class="card"><h3>Lamp ${n}</h3><p>Burns for ${n} hours.</p><p>${n} €</p></div>`,
).join('')

/** What pages of the kinds that chatbots are trained on say, as they would be copied by hand. */
const pages: [kind: string, main: string, gold: string][] = [
  ['an article', `<article><h1>Lamps</h1>${words(1)}${words(2)}</article>`, words(1) + words(2)],
  [
    'an article among divs',
    `<div class="page"><div class="c1"><h1>Lamps</h1><div>${words(3)}</div><div>${words(4)}</div></div></div>`,
    words(3) + words(4),
  ],
  [
    'prices in a table',
    `<main><h1>Prices</h1><p>All prices include tax and are valid this year.</p>${table}</main>`,
    `All prices include tax and are valid this year. ${table}`,
  ],
  ['questions that are folded up', `<main><h1>Questions</h1>${faq}</main>`, faq],
  ['a list of products', `<main><h1>Our lamps</h1>${product}</main>`, product],
  [
    'hours and an address',
    '<main><h1>Visit us</h1><p>Open Monday to Friday, 9 to 17.</p><address>Quay Street 4, Portsmouth</address><p>Call 023 55 501.</p></main>',
    'Open Monday to Friday, 9 to 17. Quay Street 4, Portsmouth Call 023 55 501.',
  ],
  [
    'documentation with code',
    `<main><h1>Set up</h1>${words(5)}<pre><code>npm install lamps</code></pre><h2>Next</h2>${words(6)}</main>`,
    `${words(5)} npm install lamps Next ${words(6)}`,
  ],
  [
    'short parts on a landing page',
    `<section><h1>Light for harbours</h1><p>Lamps that last.</p></section>${[7, 8, 9].map((n) => `<section><h2>Reason ${n}</h2>${words(n)}</section>`).join('')}`,
    `Light for harbours Lamps that last. ${[7, 8, 9].map((n) => `Reason ${n} ${words(n)}`).join(' ')}`,
  ],
]

const bag = (text: string): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const word of text
    .replace(/<[^>]+>/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
/** How well words fit the ones that are wanted: 1 is all of them and no others. */
function f1(found: string, gold: string): number {
  const [a, b] = [bag(found), bag(gold)]
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, count) => all + count, 0)
  const both = [...a].reduce((all, [word, count]) => all + Math.min(count, b.get(word) ?? 0), 0)
  return both === 0 ? 0 : (2 * both) / (sum(a) + sum(b))
}

describe('the main content', () => {
  test.each(pages)('of %s is found among what stands around it', (_, main, gold) => {
    const { markdown } = read(around(main))
    expect(f1(markdown, gold)).toBeGreaterThan(0.93)
    expect(markdown).not.toMatch(/cookies|Category number|All rights reserved/)
  })

  it('is the whole page where there is nothing but that', () => {
    expect(read('<p>Open from <b>nine</b>.').markdown).toBe('Open from **nine**.')
  })
})

it('keeps tables, lists, headings, code and links, and drops pictures and scripts', () => {
  const { markdown } = read(
    around(`<main><h1>Lamps</h1>${words(1)}<h2>Prices</h2>${table}<ol><li>Fill<ul><li>with oil</li></ul></li><li>Light</li></ol>
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

it('is called what it says of itself, without the name of the site', () => {
  expect(read(around(`<main><h1>Lamps</h1>${words(1)}</main>`)).title).toBe('Lamps')
  expect(read(around(`<main><h1>Welcome</h1>${words(1)}</main>`)).title).toBe('Lamps | Harbour')
  expect(read('<p>No head, no heading, no name.</p>').title).toBe('')
})

it('translates a page of a megabyte as it does a small one', () => {
  const part = `<div>${words(1)}<h2>A part</h2>${table}</div>`
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
