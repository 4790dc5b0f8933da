import { expect, test } from 'vitest'
import { parseFeed } from './parseFeed'
import { parseArticle, parseArticles } from './readArticle'

const parse = (text: string, most = 10) =>
  parseFeed({ bytes: Buffer.from(text), contentType: undefined, url: 'https://blog.example/feed/index.xml', most })

test('RSS: each entry with its page and title, in the order of the feed; a link that is missing may be the guid', () => {
  const feed = parse(`<?xml version="1.0" encoding="utf-8"?>
    <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
      <title>Baker &amp; Sons</title><link>https://blog.example/</link>
      <atom:link href="https://blog.example/feed/index.xml" rel="self"/>
      <image><title>Logo</title><link>https://blog.example/logo</link></image>
      <item><title><![CDATA[Rye <em>bread</em>]]></title><link>https://blog.example/rye?utm_source=rss</link>
        <media:content><title>A picture</title><link>https://blog.example/picture</link></media:content></item>
      <item><title>Rolls</title><guid>https://blog.example/rolls</guid></item>
      <item><title>Draft</title><guid isPermaLink="false">https://blog.example/?p=3</guid></item>
      <item><title>Relative</title><link>../cakes#top</link></item>
      <item><title>Rye again</title><link>https://blog.example/rye</link></item>
      <item><link>javascript:alert(1)</link></item>
    </channel></rss>`)
  expect(feed).toEqual({
    title: 'Baker & Sons',
    entries: [
      { url: 'https://blog.example/rye', title: 'Rye bread' },
      { url: 'https://blog.example/rolls', title: 'Rolls' },
      { url: 'https://blog.example/cakes', title: 'Relative' },
    ],
    more: false,
  })
})

test('Atom: of several links the page’s own; titles may be XHTML', () => {
  const feed = parse(`<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">News</title>
    <link rel="self" href="/feed"/><link href="https://blog.example/"/>
    <entry><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Open on <b>Sunday</b></div></title>
      <link rel="replies" href="https://blog.example/comments"/><link rel="alternate" href="/sunday"/>
      <link rel="enclosure" href="https://blog.example/sunday.mp3"/><source><title>Other</title></source></entry>
  </feed>`)
  expect(feed).toEqual({
    title: 'News',
    entries: [{ url: 'https://blog.example/sunday', title: 'Open on Sunday' }],
    more: false,
  })
})

test('RSS 1.0 and JSON Feed are read too; of a long one the first entries', () => {
  const rdf = `<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><title>Old</title></channel>
    ${['a', 'b', 'c'].map((name) => `<item><title>${name}</title><link>https://blog.example/${name}</link></item>`).join('')}</rdf:RDF>`
  expect(parse(rdf, 2)).toEqual({
    title: 'Old',
    entries: ['a', 'b'].map((title) => ({ url: `https://blog.example/${title}`, title })),
    more: true,
  })
  const json = {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'J',
    items: [{ url: '/one', title: 'One' }, null, {}],
  }
  expect(parse(JSON.stringify(json))?.entries).toEqual([{ url: 'https://blog.example/one', title: 'One' }])
})

test.each(['<html><body><item><link>https://a.example/</link></item></body></html>', '', 'plain', '{"items":[]}', '{'])(
  'what is no feed is none: %j',
  (text) => expect(parse(text)).toBe(null),
)

const article = {
  ...{ id: 7, html_url: 'https://help.example/hc/en-us/articles/7', title: 'Send it back', locale: 'en-us' },
  ...{ body: '<h2>How</h2><p>Within <b>30 days</b>.</p><script>alert(1)</script>', draft: false },
  ...{ user_segment_id: null, updated_at: '2026-02-01T00:00:00Z', edited_at: '2026-01-01T00:00:00Z' },
}
const bytes = (value: unknown) => ({ bytes: Buffer.from(JSON.stringify(value)) })

test('an article becomes Markdown, and is known by its last edit', () => {
  expect(parseArticle(bytes({ article }))).toEqual({
    title: 'Send it back',
    markdown: '## How\n\nWithin **30 days**.',
    language: 'en',
    mark: '2026-01-01T00:00:00Z',
  })
})

test.each([{ draft: true }, { user_segment_id: 3 }, { user_segment_ids: [3] }, { draft: undefined }])(
  'an article that is not for everyone is neither listed nor read: %j',
  (difference) => {
    const hidden = { ...article, ...difference }
    expect(parseArticle(bytes({ article: hidden }))).toBe(null)
    const listed = parseArticles(bytes({ articles: [hidden, article], links: { next: null } }))
    expect(listed?.articles).toMatchObject([{ id: 7, url: article.html_url, mark: '2026-01-01T00:00:00Z' }])
  },
)
