// crawlee's CheerioCrawler as its documentation sets it up: links of the same site, the words of the body; nothing is written to disk.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { measure } from './measure.mjs'

const from = createRequire(join(import.meta.dirname, '../peers/package.json'))
const { CheerioCrawler, Configuration, log } = await import(pathToFileURL(from.resolve('@crawlee/cheerio')))
log.setLevel(log.LEVELS.ERROR)

await measure(async (start, most) => {
  const pages = []
  const crawler = new CheerioCrawler(
    {
      maxRequestsPerCrawl: most * 5,
      maxRequestRetries: 0,
      async requestHandler({ request, $, enqueueLinks }) {
        pages.push({ url: request.url, title: $('title').text(), text: $('body').text() })
        await enqueueLinks()
      },
    },
    new Configuration({ persistStorage: false }),
  )
  await crawler.run([`${start}/`])
  return pages.length
})
process.exit()
