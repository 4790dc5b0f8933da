import {
  authorBox,
  byline,
  type ContentPage,
  caption,
  comments,
  declared,
  newsletter,
  page,
  related,
  shareBar,
  sidebar,
  text,
} from './parts'

const news = { head: declared('NewsArticle') }
const times = `<table><tr><th>Tide</th><th>Time</th></tr><tr><td>High</td><td>6.10</td></tr><tr><td>Low</td><td>12.25</td></tr><tr><td>High</td><td>18.40</td></tr></table>`

/** News and posts: a text, and all that papers put around it and in between. */
export const newsPages: ContentPage[] = [
  {
    kind: 'news with all that papers put between',
    html: page(
      `<main><article><h1>Lamps</h1>${byline}${shareBar}${caption(1)}${text(20)}<div class="ad-slot">Advertisement</div>${text(21)}${newsletter}${text(22)}${shareBar}${authorBox}</article>${related}${comments(4)}</main>`,
      news,
    ),
    gold: `Lamps ${text(20, 21, 22)}`,
  },
  {
    kind: 'news with far more comments than text',
    html: page(`<main><article><h1>Lamps</h1>${byline}${text(23)}</article>${comments(60)}</main>`, news),
    gold: `Lamps ${text(23)}`,
  },
  {
    kind: 'a post with comments that does not say what it is',
    html: page(`<main><article><h1>Lamps</h1>${text(24, 25)}</article>${comments(30)}</main>`),
    gold: `Lamps ${text(24, 25)}`,
  },
  {
    kind: 'news beside long columns of the editors',
    html: page(
      `<div class="wrap"><div class="content-column"><h1>Lamps</h1>${byline}<div class="article-body">${text(26)}${caption(2)}${text(27)}</div></div>${sidebar}</div>`,
      news,
    ),
    gold: `Lamps ${text(26, 27)}`,
  },
  {
    kind: 'news in parts without paragraphs',
    html: page(
      `<div id="story"><h1>Lamps</h1><div itemprop="articleBody">${text(28, 29).replaceAll('<p>', '<div>').replaceAll('</p>', '<br><br></div>')}</div>${related}</div>`,
    ),
    gold: `Lamps ${text(28, 29)}`,
  },
  {
    kind: 'a post with a table and what leads on in the text',
    html: page(
      `<article class="post"><h1>Lamps</h1><div class="entry-content">${text(30)}<p>Read more: <a href="/a/1">Noise of last week</a></p>${times}${text(31)}</div><div class="post-tags"><a href="/t/1">noise</a> <a href="/t/2">more noise</a></div>
      <div class="post-navigation"><a href="/p/1">Previous noise</a><a href="/p/2">Next noise</a></div>${authorBox}${comments(8)}</article>`,
      { head: declared('BlogPosting') },
    ),
    gold: `Lamps ${text(30)} ${times} ${text(31)}`,
  },
  {
    kind: 'the beginning of news behind a wall to pay',
    html: page(
      `<main><article><h1>Lamps</h1>${byline}${text(32)}<div class="paywall">Subscribe to read on. Three months for the price of one, and you can leave at any time.</div></article>${related}</main>`,
      news,
    ),
    gold: `Lamps ${text(32)}`,
  },
  {
    kind: 'news beside other news with their beginnings',
    html: page(
      `<div class="grid"><div class="story-body"><h1>Lamps</h1>${byline}${text(33)}</div><div class="rail">${Array.from({ length: 9 }, (_, n) => `<div class="rail-item"><h3><a href="/n/${n}">Noise of town ${n}</a></h3><p>In town ${n} people heard noise on Monday night, and the mayor promised to look for those who made it.</p></div>`).join('')}</div></div>`,
      news,
    ),
    gold: `Lamps ${text(33)}`,
  },
  {
    kind: 'news among other texts of the paper, in parts without names',
    html: page(
      `<div><div><h1>Lamps</h1>${text(34, 35)}</div><ul>${Array.from({ length: 45 }, (_, n) => `<li>Noise was heard in street ${n} on Monday night until morning.</li>`).join('')}</ul></div>`,
      news,
    ),
    gold: `Lamps ${text(34, 35)}`,
  },
]
