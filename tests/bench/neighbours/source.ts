import { createChatbot } from '../../../server/contracts/chatbots'
import { startCrawl } from '../../../server/contracts/crawls'
import { listProjects } from '../../../server/contracts/projects'
import { addLinks, importFaq } from '../../../server/contracts/sources'
import type { TestClient } from '../../support/client'
import { startOutsideServer } from '../../support/outsideServer'

const MOST_ROUNDS = 1_000
/** ms between two rounds: the worst of them is under way much longer */
const PAUSE = 2_000
const BIG = 1_000_000

/** What a page may say that takes its readers long; each under an address of its own. */
const pages: Readonly<Record<string, string>> = {
  pictures: `<pre>${'![]('.repeat(BIG / 4)}</pre>`,
  nested: '<div>'.repeat(BIG / 5),
  closing: '</p>'.repeat(BIG / 4),
  angles: '<'.repeat(BIG),
  digits: `<p>${'1'.repeat(BIG)}</p>`,
  marks: `<p>a${'\u0301\u0323'.repeat(BIG / 2)}</p>`,
  headings: Array.from({ length: BIG / 20 }, (_, at) => `<h6>${at}</h6><p>a</p>`).join(''),
}

/** A site whose sitemap, robots.txt, pages and texts are made to be slow, and a project that has them read again and again. */
export const sourceCase = {
  name: 'hostile sources',
  async start({ client }: { baseUrl: string; client: TestClient }) {
    const site = await startOutsideServer(({ path }, response) => {
      if (path.startsWith('/sitemap'))
        return response.end(`<urlset><loc>${' '.repeat(60_000)}</loc>${'<loc>'.repeat(BIG)}</urlset>`)
      if (path === '/robots.txt')
        return response.end(`User-agent: *\nSitemap: /sitemap.xml\n${'Disallow: /*x*x*x*x*x*x\n'.repeat(10_000)}`)
      const page = pages[path.split('/')[1] ?? ''] ?? ''
      return response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><body>${page}</body></html>`)
    })
    const pgid = (await client.call(listProjects)).projects[0]?.gid ?? ''
    const { chatbot } = await client.call(createChatbot, { params: { pgid }, body: { name: 'Reader' } })
    const params = { pgid, cgid: chatbot.gid }
    const limits = { depth: 3, max_pages: 500, include: [], exclude: [] }
    let going = true
    const reading = (async () => {
      for (let round = 0; going && round < MOST_ROUNDS; round++) {
        const urls = Object.keys(pages).map((name) => `${site.url}/${name}/${round}`)
        // a limit that refuses some of it is what is hoped for
        await Promise.allSettled([
          client.call(addLinks, { params, body: { urls, resync: 'never' } }),
          client.call(startCrawl, {
            params,
            body: { mode: 'sitemap', url: `${site.url}/sitemap.xml?${round}`, ...limits },
          }),
          client.call(importFaq, { params, body: { csv: `question,answer\n${'  \n'.repeat(50_000)}`, check: true } }),
        ])
        await new Promise((resolve) => setTimeout(resolve, PAUSE))
      }
    })()
    return {
      async stop() {
        going = false
        await reading
        site.close()
      },
    }
  },
}
