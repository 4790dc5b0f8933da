import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { makeChatbot } from '../../../../tests/support/collab'
import { type OutsideServer, startOutsideServer } from '../../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { words } from '../../../../tests/support/siteServer'
import { startCrawl, trainCrawl } from '../../../contracts/crawls'
import { addLinks, listSources, readAgain, readSource } from '../../../contracts/sources'
import { parseNetworks } from '../../../platform/outbound/addresses'

const PATHS = ['/', '/lamps', '/oil', '/repair', '/history', '/people', '/press', '/visit-us']
const FOOTER = 'Harbour Lamps, Quay Street 4, Portsmouth. Call us: 023 55 501.'
let site: OutsideServer
let server: TestServer
let ada: Registered
let at: { pgid: string; cgid: string }
/** What a page says before the address that all have. */
let textOf: (path: string) => string

beforeAll(async () => {
  site = await startOutsideServer(({ path, headers }, response) => {
    if (!PATHS.includes(path)) return response.writeHead(404).end('gone')
    if (headers['if-none-match'] === `"${path}"`) return response.writeHead(304).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag: `"${path}"` })
    const links = PATHS.map((to) => `<li><a href="${to}">Page ${to}</a></li>`).join('')
    // no footer element: nothing but comparing tells that the address is not of the page
    response.end(`<!doctype html><html lang="en"><head><title>Page ${path}</title></head><body><nav><ul>${links}</ul></nav>
      <div class="text"><h1>Page ${path}</h1>${textOf(path)}<p>${FOOTER}</p></div></body></html>`)
  })
  server = await startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.1'), pages: { pause: 0 } } })
  ada = await server.register()
})
afterAll(async () => {
  await server.close()
  site.close()
})
beforeEach(async () => {
  const { cgid } = await makeChatbot(ada)
  at = { pgid: ada.pgid, cgid }
  textOf = (path) => words(PATHS.indexOf(path) + 100)
})

const sources = async () => (await ada.call(listSources, { params: at, query: { offset: 0, limit: 200 } })).sources
const isTrained = async (count: number) => {
  const all = await sources()
  return all.length === count && all.every(({ status }) => status === 'ready')
}
/** The pages of whose passages one has the address that all pages have. */
async function withFooter(): Promise<string[]> {
  const found: string[] = []
  for (const { gid, url } of await sources()) {
    const { chunks } = await ada.call(readSource, { params: { ...at, gid } })
    if (chunks.some(({ text }) => text.includes('023 55 501'))) found.push((url ?? '').replace(site.url, ''))
  }
  return found.sort()
}
const trained = (count: number) => vi.waitUntil(() => isTrained(count), { timeout: 60_000, interval: 20 })

test('what the pages of a crawled site say alike is a passage of the first page alone, and the rest of each stays', async () => {
  const start = { mode: 'crawl' as const, url: `${site.url}/`, depth: 2, max_pages: 20, include: [], exclude: [] }
  const { crawl } = await ada.call(startCrawl, { params: at, body: start })
  const state = () =>
    server.context.db.selectFrom('crawls').select('state').where('gid', '=', crawl.gid).executeTakeFirstOrThrow()
  await vi.waitUntil(async () => (await state()).state === 'found', { timeout: 60_000, interval: 20 })
  await ada.call(trainCrawl, { params: { ...at, gid: crawl.gid }, body: { resync: 'never' } })
  await trained(PATHS.length)
  expect(await withFooter()).toEqual(['/'])
  for (const { chunks, url } of await sources()) expect(chunks, url ?? '').toBeGreaterThan(0)
})

test('pages added one by one are compared when they are trained again, also those that have not changed since', async () => {
  const urls = PATHS.map((path) => `${site.url}${path}`)
  await ada.call(addLinks, { params: at, body: { urls, resync: 'never' } })
  await trained(PATHS.length)
  expect((await withFooter()).length).toBeGreaterThan(1)
  const gids = (await sources()).map(({ gid }) => gid)
  await ada.call(readAgain, { params: at, body: { gids } })
  await trained(PATHS.length)
  expect(await withFooter()).toEqual(['/'])
})

test('a page that says nothing else keeps it', async () => {
  textOf = (path) => (path === '/visit-us' ? '' : words(PATHS.indexOf(path) + 100))
  const urls = PATHS.map((path) => `${site.url}${path}`)
  await ada.call(addLinks, { params: at, body: { urls, resync: 'never' } })
  await trained(PATHS.length)
  const gids = (await sources()).map(({ gid }) => gid)
  await ada.call(readAgain, { params: at, body: { gids } })
  await trained(PATHS.length)
  expect(await withFooter()).toEqual(['/', '/visit-us'])
})
