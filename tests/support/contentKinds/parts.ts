import { words } from '../siteServer'

/** A page as a site sends it, with what a reader would copy from it by hand. */
export interface ContentPage {
  kind: string
  html: string
  gold: string
  /** default: a page below a site's first one */
  url?: string
}

export const list = (count: number, of: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => of(n)).join('')

const menu = list(25, (n) => `<li><a href="/c/${n}">Category number ${n}</a></li>`)
const banner =
  '<div class="cookie-banner">We use cookies to make this site better. Accept all cookies or choose which ones you want.</div>'

/** A whole page: a header, a menu and a footer around what is given. */
export const page = (main: string, { head = '', root = 'lang="en"', beside = '' } = {}): string =>
  `<!doctype html><html ${root}><head><title>Lamps | Harbour</title>${head}</head><body>${banner}
  <header class="site-header"><div class="logo">Harbour</div><ul>${menu}</ul></header><nav><ul>${menu}</ul></nav>
  ${main}${beside}
  <footer><p>Harbour Ltd., registered in Portsmouth. Prices include VAT. All rights reserved.</p><ul>${menu}</ul></footer></body></html>`

/** What a page says of itself in structured data. */
export const declared = (type: string): string =>
  `<script type="application/ld+json">{"@context":"https://schema.org","@type":"${type}","headline":"Lamps"}</script>`

export const shareBar =
  '<div class="post__share-bar"><span>Share</span><a href="/s/1">Mail it</a><a href="/s/2">Post it</a><a href="/s/3">Copy the link</a></div>'
export const byline =
  '<div class="article-meta"><span class="byline">By Ada Byline</span> <time class="published-date">3 May 2026, 10:15</time> <span>4 min read</span></div>'
export const newsletter =
  '<div class="newsletter-signup"><h3>Stay awake</h3><p>Get our weekly digest of noise. We never pass on your address, and you can leave at any time.</p><form><input type="email"><button>Send</button></form></div>'
export const authorBox =
  '<div class="author-bio"><h4>Ada Byline</h4><p>Ada writes noise for this paper since 2019. Before, she was a sailor, a teacher and a keeper of bees in the north of the country.</p></div>'
export const related = `<section class="related-articles"><h2>Related articles</h2>${list(6, (n) => `<div class="teaser"><a href="/a/${n}">Noise story number ${n}</a><p>What happened with noise ${n} last week, and why many people talked about it for days.</p></div>`)}</section>`
export const comments = (count: number): string =>
  `<section id="comments" class="comments-area"><h2>${count} comments</h2><ol class="comment-list">${list(count, (n) => `<li class="comment"><b>Reader ${n}</b><p>I read this noise number ${n} with my neighbours, and we all thought that it is far too long for what it says.</p></li>`)}</ol></section>`
export const sidebar = `<div class="sidebar widget-area">${list(5, (n) => `<div class="widget"><h3>Noise column ${n}</h3><p>Here stands a long text of the editors, number ${n}, which is the same on each page and which has to do with nothing that stands beside it.</p></div>`)}</div>`
export const caption = (n: number): string =>
  `<figure><img src="${n}.jpg" alt=""><figcaption class="caption">Noise in the picture number ${n}. Photo: B. Credit</figcaption></figure>`

/** Paragraphs of a text, each of two. */
export const text = (...seeds: number[]): string => seeds.map(words).join('')
