import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { startSite } from '../../../tests/support/siteServer'
import { createChatbot } from '../../api/chatbots/contract'
import { readCrawl, startCrawl, stopCrawl } from '../../api/crawls/contract'
import { createJobs } from '../../jobs/createJobs'
import { parseNetworks } from '../../outside/addresses'

const config = { outboundAllow: parseNetworks('127.0.0.1') }
/** Tests don't wait for each other's sake: hosts of their own stand it. */
const pages = { pause: 0, atOnce: 8, timeoutMs: 1_500 }
let site: Awaited<ReturnType<typeof startSite>>
let server: TestServer
let ada: Registered
let cgid: string
beforeAll(async () => {
  site = await startSite()
  server = await startTestServer({ config, pages })
  ada = await server.register()
  cgid = (await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Bot' } })).chatbot.gid
})
afterAll(async () => {
  await server.close()
  site.close()
})

const start = async (body: Partial<(typeof startCrawl)['body']['_output']> & { mode: 'page' | 'sitemap' | 'crawl' }) => {
  const params = { pgid: ada.pgid, cgid }
  const { crawl } = await ada.call(startCrawl, { params, body: { url: site.url, depth: 3, max_pages: 1_000, include: [], exclude: [], ...body } })
  return crawl.gid
}
const read = (gid: string, state: 'found' | 'left_out' | 'failed' = 'found') =>
  ada.call(readCrawl, { params: { pgid: ada.pgid, cgid, gid }, query: { state, limit: 1_000, offset: 0 } })

it('finds the pages of a site once each, and says what became of its traps', async () => {
  const t = performance.now()
  const gid = await start({ mode: 'crawl', depth: 10 })
  await createJobs(server.context).runDue()
  console.log(performance.now() - t)
  for (const s of ['found', 'left_out', 'failed'] as const) {
    const v = await read(gid, s)
    console.log(v.crawl, v.pages.filter((p) => !p.url.includes('guides')))
  }
}, 120_000)
