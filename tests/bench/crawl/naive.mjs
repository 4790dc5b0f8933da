// What one would write first: one page after the other, links in a set, the article by Readability. No robots.txt, no limits, no memory.
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { NodeHtmlMarkdown } from 'node-html-markdown'
import { request } from 'undici'
import { measure } from './measure.mjs'

await measure(async (start, most) => {
  const known = new Set([`${start}/`])
  const pages = []
  for (const url of known) {
    const { statusCode, body } = await request(url)
    const html = await body.text()
    if (statusCode !== 200) continue
    const { document } = parseHTML(html)
    for (const link of document.querySelectorAll('a[href]')) {
      const to = new URL(link.getAttribute('href'), url)
      if (to.origin === start && known.size < most * 5) known.add(to.href)
    }
    const article = new Readability(document).parse()
    pages.push({ url, title: article?.title, markdown: NodeHtmlMarkdown.translate(article?.content ?? '') })
  }
  return pages.length
})
process.exit()
