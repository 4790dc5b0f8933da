import { docsPages } from './contentKinds/docs'
import { newsPages } from './contentKinds/news'
import type { ContentPage } from './contentKinds/parts'
import { peoplePages } from './contentKinds/people'
import { shopPages } from './contentKinds/shop'
import { words } from './siteServer'

const menu = Array.from({ length: 25 }, (_, n) => `<li><a href="/c/${n}">Category number ${n}</a></li>`).join('')
/** A page of a site: its own content with navigation and the like around it. */
export const around = (
  main: string,
  root = 'lang="en"',
) => `<!doctype html><html ${root}><head><title>Lamps | Harbour</title></head><body>
  <div class="cookie-banner">We use cookies to make this site better. Accept all cookies or choose which ones you want.</div>
  <header><div class="logo">Harbour</div><ul>${menu}</ul></header><nav><ul>${menu}</ul></nav>
  ${main}
  <aside><h3>Also read</h3><ul>${menu}</ul></aside>
  <div id="comments"></div>
  <footer><p>Harbour Ltd., registered in Portsmouth. Prices include VAT. All rights reserved.</p><ul>${menu}</ul></footer></body></html>`

export const priceTable = `<table><tr><th>Lamp</th><th>Price</th><th>Burns for</th></tr>
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

const arabic = [
  'نبيع المصابيح للموانئ منذ مئة عام، ونصلح كل مصباح اشتريته من متجرنا في الميناء القديم.',
  'يفتح المتجر أبوابه من الساعة التاسعة صباحا حتى الخامسة مساء، ويغلق يوم الجمعة وفي أيام الأعياد.',
  'إذا انكسر الزجاج فأرسل لنا صورة، وسنرسل لك زجاجا جديدا خلال أسبوع واحد من دون أي تكلفة إضافية.',
]
const chinese = [
  '我们为港口制造灯具已有一百年，凡在老港口的店里买到的灯，我们都负责修理。',
  '商店每天早上九点开门，下午五点关门，星期五和节假日休息，请提前打电话预约。',
  '如果玻璃碎了，请给我们寄一张照片，我们会在一个星期之内免费寄出新的玻璃。',
]
const paragraphs = (texts: string[]) => texts.map((text) => `<p>${text}</p>`).join('')
const ports = Array.from(
  { length: 60 },
  (_, n) => `<tr><td>Port ${n}</td><td>Tide ${n * 3}</td><td>Depth ${n + 4} m</td><td>Pilot ${n * 7}</td></tr>`,
).join('')
const cards = Array.from(
  { length: 8 },
  (_, n) => `<div class="card"><a href="/p/${n}"><img src="${n}.jpg"><h4>Category number ${n} lamp</h4></a></div>`,
).join('')
const details = Array.from(
  { length: 5 },
  (_, n) =>
    `<details><summary>May lamp ${n} stand in rain?</summary><p>Lamp ${n} may, for ${n + 2} hours a day and not more.</p></details>`,
).join('')

/** Expected content of typical pages, as copied by hand. */
const pages: [kind: string, main: string, gold: string, root?: string][] = [
  ['an article', `<article><h1>Lamps</h1>${words(1)}${words(2)}</article>`, words(1) + words(2)],
  [
    'an article among divs',
    `<div class="page"><div class="c1"><h1>Lamps</h1><div>${words(3)}</div><div>${words(4)}</div></div></div>`,
    words(3) + words(4),
  ],
  [
    'prices in a table',
    `<main><h1>Prices</h1><p>All prices include tax and are valid this year.</p>${priceTable}</main>`,
    `All prices include tax and are valid this year. ${priceTable}`,
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
  [
    'documentation beside its own menu',
    `<div class="layout"><div class="sidebar"><ul>${menu}</ul></div><div class="doc-content"><h1>Set up</h1>${words(10)}
      <h2>Options</h2><ul><li><code>--wick</code> the length of the wick</li><li><code>--oil</code> how much oil</li></ul>${words(11)}</div>
      <div class="toc"><a href="#a">Category number of this page</a></div></div>`,
    `Set up ${words(10)} Options --wick the length of the wick --oil how much oil ${words(11)}`,
  ],
  [
    'a product in a shop',
    `<main><div class="product"><h1>Storm lamp</h1><p class="price">49 €</p><button>Add to cart</button><div class="description">${words(12)}</div>
      <h2>Data</h2>${priceTable}</div><section class="related"><h3>Also bought</h3><div class="grid">${cards}</div></section></main>`,
    `Storm lamp 49 € ${words(12)} Data ${priceTable}`,
  ],
  [
    'a table and hardly anything else',
    `<main><h1>Ports</h1><p>All the ports that we deliver to.</p><table>${ports}</table></main>`,
    `Ports All the ports that we deliver to. ${ports}`,
  ],
  ['questions to unfold', `<main><h1>Rain</h1>${details}</main>`, `Rain ${details}`],
  [
    'one sentence',
    '<div class="page"><h1>Closed</h1><p>Our shop is closed until the third of May.</p></div>',
    'Closed Our shop is closed until the third of May.',
  ],
  [
    'an article under a wall of cookies',
    `<div id="consent-wall" role="dialog" aria-modal="true"><h2>We use cookies</h2>${'<p>We and our partners use cookies to count visits and to show what fits.</p>'.repeat(40)}</div>
      <article><h1>Lamps</h1>${words(13)}${words(14)}</article>`,
    `Lamps ${words(13)} ${words(14)}`,
  ],
  [
    'a page from right to left',
    `<main><h1>المصابيح</h1>${paragraphs(arabic)}</main>`,
    `المصابيح ${arabic.join(' ')}`,
    'lang="ar" dir="rtl"',
  ],
  [
    'a page without spaces',
    `<main><h1>灯具</h1>${paragraphs(chinese)}</main>`,
    `灯具 ${chinese.join(' ')}`,
    'lang="zh"',
  ],
]

/** Pages as a site sends them, with their expected content. */
export const contentPages: ContentPage[] = [
  ...pages.map(([kind, main, gold, root]) => ({ kind, html: around(main, root), gold })),
  ...newsPages,
  ...shopPages,
  ...docsPages,
  ...peoplePages,
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
/** The F1 score of words: 1 if all expected ones are found and no others. */
export function f1(found: string, gold: string): number {
  const [a, b] = [bag(found), bag(gold)]
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, count) => all + count, 0)
  const both = [...a].reduce((all, [word, count]) => all + Math.min(count, b.get(word) ?? 0), 0)
  return both === 0 ? 0 : (2 * both) / (sum(a) + sum(b))
}
