import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { startSite } from '../../../../tests/support/siteServer'
import { createChatbot } from '../../../contracts/chatbots'
import type { Crawl, CrawlMode, PageState } from '../../../contracts/crawls'
import { deleteCrawl, listCrawls, readCrawl, startCrawl, stopCrawl, trainCrawl } from '../../../contracts/crawls'
import { parseNetworks } from '../../../platform/outbound/addresses'
import { createPages } from '../page/readPage'
import { createCrawls } from './createCrawls'
import { addPages, crawlOf, nextPages, standingAt } from './frontier'
import { endLostCrawls } from './lostCrawls'
import { writeVisits } from './visitPage'

/** 500 pages, including the traps. */
const GUIDES = 480
/** Three links away from the first page, which is where shorter crawls end. */
const NEAR = 111
/** No pauses: the hosts are the test's own. */
const config = { outboundAllow: parseNetworks('127.0.0.1'), pages: { pause: 0, atOnce: 8 } }
let site: Awaited<ReturnType<typeof startSite>>
let server: TestServer
let ada: Registered
let cgid: string

beforeAll(async () => {
  site = await startSite({ guides: GUIDES })
  server = await startTestServer({ config })
  ada = await server.register()
  cgid = await chatbotOf(ada)
})
afterAll(async () => {
  await server.close()
  site.close()
})

async function chatbotOf(person: Registered): Promise<string> {
  const { chatbot } = await person.call(createChatbot, { params: { pgid: person.pgid }, body: { name: 'Bot' } })
  return chatbot.gid
}

interface Start {
  mode: CrawlMode
  url?: string
  depth?: number
  max_pages?: number
  include?: string[]
  exclude?: string[]
}
async function begin(start: Start): Promise<string> {
  const body = { url: site.url, depth: 3, max_pages: 1_000, include: [], exclude: [], ...start }
  const { crawl } = await ada.call(startCrawl, { params: { pgid: ada.pgid, cgid }, body })
  return crawl.gid
}
const view = (gid: string, state: PageState = 'found', search = '') =>
  ada.call(readCrawl, { params: { pgid: ada.pgid, cgid, gid }, query: { state, search, offset: 0, limit: 1_000 } })
async function ended(gid: string): Promise<Crawl> {
  const state = async () => {
    const row = await server.context.db.selectFrom('crawls').select('state').where('gid', '=', gid).executeTakeFirst()
    return row?.state
  }
  await vi.waitUntil(async () => (await state()) !== 'finding', { timeout: 120_000, interval: 20 })
  return (await view(gid)).crawl
}
const crawled = async (start: Start): Promise<[gid: string, crawl: Crawl]> => {
  const gid = await begin(start)
  return [gid, await ended(gid)]
}
/** The result of pages, by path. */
async function paths(gid: string, state: PageState): Promise<Record<string, string>> {
  const { pages } = await view(gid, state)
  return Object.fromEntries(pages.map(({ url, title, reason }) => [url.replace(site.url, ''), reason ?? title]))
}

describe('a site with traps', () => {
  let gid: string
  let crawl: Crawl
  beforeAll(async () => {
    ;[gid, crawl] = await crawled({ mode: 'crawl', depth: 10 })
  }, 150_000)

  it('gives each of its pages once, by its title', async () => {
    const found = await paths(gid, 'found')
    for (let n = 1; n <= GUIDES; n++) expect(found[`/guides/${n}`]).toBe(`Guide ${n}`)
    expect(found).toMatchObject({
      '/': 'Harbour Lamps',
      '/latin': 'Öffnungszeiten',
      '/new-name': 'New name',
      '/canonical': 'Canonical',
      '/shop': 'Shop',
      '/list.pdf': 'list.pdf',
      '/imprint?a=1&b=2': 'Imprint',
    })
    expect(found).not.toHaveProperty('/imprint?b=2&a=1')
    expect(crawl).toMatchObject({ state: 'found', pages: { waiting: 0, found: Object.keys(found).length } })
    // only redirects and failures were requested twice
    const twice = [...site.visits].filter(
      ([path, count]) => count > 1 && !/circle|busy|canonical|login|new-name/.test(path),
    )
    expect(twice).toEqual([])
  })

  it('says why pages were left out or failed', async () => {
    expect(await paths(gid, 'left_out')).toEqual({
      '/old-name': `It is the same page as ${site.url}/new-name`,
      '/copy': `It says the same as ${site.url}/guides/1`,
      '/canonical?sort=price': `It is the same page as ${site.url}/canonical`,
      '/secret/plan': expect.stringContaining('robots.txt'),
      '/noindex': expect.stringContaining('noindex'),
    })
    expect(await paths(gid, 'failed')).toEqual({
      '/circle/a': expect.stringContaining('in a circle'),
      '/gone': expect.stringContaining('There is no page at'),
      '/busy': expect.stringContaining('too busy'),
      '/private': expect.stringContaining('requires a login'),
      '/account': expect.stringContaining('requires a login'),
      '/empty': expect.stringContaining('has no text'),
      '/app': expect.stringContaining('scripts'),
    })
    // the failure may have been temporary
    expect(site.visits.get('/busy')).toBe(3)
  })

  it('leaves calendars, other sites, files and paths that repeat themselves alone', async () => {
    const all = { ...(await paths(gid, 'found')), ...(await paths(gid, 'left_out')), ...(await paths(gid, 'failed')) }
    expect(Object.keys(all).filter((path) => path.startsWith('/calendar'))).toHaveLength(10)
    expect(Object.keys(all).filter((path) => /other|film|deep/.test(path))).toEqual([])
  })

  it('makes sources of all but what was left out, and knows them then', async () => {
    const params = { pgid: ada.pgid, cgid, gid }
    const { total } = await view(gid)
    const except = [`${site.url}/`, `${site.url}/shop`]
    const { added } = await ada.call(trainCrawl, { params, body: { except, resync: 'weekly' } })
    expect(added).toBe(total - 2)
    const after = await view(gid)
    expect(after.crawl.state).toBe('done')
    expect(after.pages.filter(({ known }) => !known).map(({ url }) => url)).toEqual(except)
    // without training, which this test does not need
    await server.context.db.deleteFrom('knowledge_sources').execute()
    expect((await view(gid, 'found', 'guide 47')).pages.map(({ title }) => title)).toHaveLength(11)
    expect((await view(gid, 'found', '100%')).total).toBe(0)
  })
})

it('reads what sitemaps list, packed and in an index, of the site alone', async () => {
  const [gid, crawl] = await crawled({ mode: 'sitemap', exclude: ['/guides/2*', '/guides/3', '/guides/4'] })
  const found = await paths(gid, 'found')
  expect(found).toHaveProperty('/imprint?a=1&b=2')
  expect(found).toHaveProperty('/guides/19')
  expect(Object.keys(found).filter((path) => path.startsWith('/guides/2'))).toEqual([])
  expect(await paths(gid, 'failed')).toHaveProperty('/gone')
  expect(crawl).toMatchObject({ state: 'found', reason: null })
})

it('keeps to the depth, the number and the patterns that were asked for, and says when there is more', async () => {
  const [, shallow] = await crawled({ mode: 'crawl', url: `${site.url}/guides/1`, depth: 0 })
  expect(shallow).toMatchObject({ pages: { found: 1, waiting: 0 }, reason: null })
  const [few, limited] = await crawled({ mode: 'crawl', max_pages: 3, include: ['/guides/*'] })
  expect(limited.pages).toMatchObject({ found: 3, waiting: 0 })
  expect(limited.reason).toContain('limit of 3 pages')
  expect(Object.keys(await paths(few, 'found')).every((path) => path.startsWith('/guides/'))).toBe(true)
})

it('says of one page why it could not be read', async () => {
  const [, gone] = await crawled({ mode: 'page', url: `${site.url}/gone` })
  expect(gone).toMatchObject({ state: 'error', reason: expect.stringContaining('There is no page at') })
  const [, none] = await crawled({ mode: 'sitemap', url: `${site.url}/maps/index.xml`, include: ['nowhere'] })
  expect(none).toMatchObject({ state: 'error', reason: expect.stringContaining('lists no pages') })
})

it('looks no further when it is stopped, and trains what was found', async () => {
  // a page that never responds keeps the crawl running
  const gid = await begin({ mode: 'crawl', url: `${site.url}/to-slow`, include: ['slow'] })
  await expect.poll(() => site.visits.get('/slow') ?? 0).toBeGreaterThan(0)
  const params = { pgid: ada.pgid, cgid, gid }
  const early = await ada.send('POST', `/api/projects/${ada.pgid}/chatbots/${cgid}/crawls/${gid}/train`, {
    resync: 'never',
  })
  expect([early.status, early.text]).toEqual([409, expect.stringContaining('Wait until it is done, or stop it')])
  const { crawl } = await ada.call(stopCrawl, { params })
  expect(crawl).toMatchObject({ state: 'stopped', reason: expect.stringContaining('1 more URLs') })
  expect((await ada.call(stopCrawl, { params })).crawl.state).toBe('stopped')
  // later responses are not wanted any more
  site.release()
  await server.context.jobs.runDue()
  expect((await view(gid)).crawl).toMatchObject({ state: 'stopped', pages: { found: 1, waiting: 0 } })
  expect(await ada.call(trainCrawl, { params, body: { resync: 'never' } })).toEqual({ added: 1 })
  await server.context.db.deleteFrom('knowledge_sources').execute()
})

it('takes no more addresses than there is room for, of those without end some, and none to which its site leads away', async () => {
  const { db } = server.context
  const [gid] = await crawled({ mode: 'crawl', url: `${site.url}/shop`, depth: 1, max_pages: 1 })
  await db.updateTable('crawls').set({ state: 'finding' }).where('gid', '=', gid).execute()
  const { id, project_id } = await db
    .selectFrom('crawls')
    .select(['id', 'project_id'])
    .where('gid', '=', gid)
    .executeTakeFirstOrThrow()
  const crawl = await crawlOf(db, project_id, id)
  if (!crawl) throw new Error('There is no such crawl.')
  const at = { depth: 1, sites: new Set([new URL(site.url).host]) }
  const add = (count: number, path: (n: number) => string) => {
    const urls = Array.from({ length: count }, (_, n) => `${site.url}${path(n)}`)
    return db.transaction().execute((trx) => addPages(trx, crawl, urls, at))
  }
  const date = (n: number) =>
    `2026-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + Math.floor(n / 12)).padStart(2, '0')}`
  expect(await add(100, (n) => `/events/${date(n)}`)).toHaveLength(60)
  await db.updateTable('crawls').set({ max_pages: 10 }).where('id', '=', id).execute()
  const [last] = await nextPages(db, crawl, 1)
  const away = { ok: true, url: 'http://other.example/x', address: 'http://other.example/x', title: 'X' } as const
  const read = {
    ...away,
    markdown: 'Elsewhere.',
    language: null,
    links: [],
    noindex: false,
    fingerprint: 'x',
    blocks: [],
    etag: null,
    note: null,
  }
  if (last) await writeVisits(db, crawl, [{ page: last, read }])
  expect(Object.values(await paths(gid, 'left_out'))).toContain('It leads to another site: http://other.example/x')
  const { met } = await db
    .selectFrom('crawl_pages')
    .select(({ fn }) => fn.countAll<string>().as('met'))
    .where('crawl_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await add(2_000, (n) => `/page-${n}`)).toHaveLength(1_004 - Number(met))
  const here = (page: { url: string }, fingerprint: string) => ({
    ...read,
    url: page.url,
    address: page.url,
    fingerprint,
  })
  const [first, second, third, fourth] = (await nextPages(db, crawl, 300)).filter(({ url }) => url.includes('/page-'))
  if (!first || !second || !third || !fourth) throw new Error('There are fewer pages than were added.')
  const batch = [first, second, first].map((page) => ({ page, read: here(page, 'same') }))
  await db.updateTable('crawls').set({ max_pages: 2 }).where('id', '=', id).execute()
  const { found: before } = await writeVisits(db, crawl, [])
  await db
    .updateTable('crawls')
    .set({ max_pages: before + 2 })
    .where('id', '=', id)
    .execute()
  const more = [third, fourth].map((page) => ({ page, read: here(page, page.url) }))
  // of a batch that finds more than is wanted, what came first is kept, as if one after the other were written
  expect(await writeVisits(db, crawl, [...batch, ...more])).toEqual({ goesOn: false, found: before + 2 })
  expect((await paths(gid, 'left_out'))[new URL(second.url).pathname]).toBe(`It says the same as ${first.url}`)
  const { waiting } = await standingAt(
    db,
    crawl,
    [first, second, third, fourth].map((page) => ({ id: page.id, fingerprint: null })),
  )
  expect([...waiting]).toEqual([fourth.id])
  await ada.call(deleteCrawl, { params: { pgid: ada.pgid, cgid, gid } })
})

it('has room for five searches of a chatbot at once, and says so to the sixth', async () => {
  const start = { mode: 'crawl' as const, url: `${site.url}/to-slow`, include: ['slow'] }
  const gids: string[] = []
  for (let n = 0; n < 5; n++) gids.push(await begin(start))
  const sixth = await ada.send('POST', `/api/projects/${ada.pgid}/chatbots/${cgid}/crawls`, start)
  expect([sixth.status, sixth.body.data]).toMatchObject([
    422,
    { fields: { url: expect.stringContaining('5 searches') } },
  ])
  for (const gid of gids) await ada.call(stopCrawl, { params: { pgid: ada.pgid, cgid, gid } })
  site.release()
})

it('leaves a site alone that stopped answering, and one that is looked at for more than a day', async () => {
  const { db } = server.context
  const gid = await begin({ mode: 'crawl', url: `${site.url}/to-busy`, depth: 1, include: ['busy'] })
  const crawl = await ended(gid)
  expect(crawl).toMatchObject({ state: 'found', reason: expect.stringMatching(/stopped responding: [1-9]\d* more/) })
  expect(crawl.pages).toMatchObject({ found: 1 })
  const old = await begin({ mode: 'crawl', url: `${site.url}/to-slow`, include: ['slow'] })
  await expect.poll(async () => (await view(old)).crawl.pages).toMatchObject({ found: 1, waiting: 1 })
  await db
    .updateTable('crawls')
    .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
    .where('gid', '=', old)
    .execute()
  site.release()
  expect(await ended(old)).toMatchObject({ state: 'found' })
})

it('refuses what is no address, what is private, and what nobody has', async () => {
  const send = async (url: string, person = ada) => {
    const chatbot = person === ada ? cgid : await chatbotOf(person)
    const answer = await person.send('POST', `/api/projects/${person.pgid}/chatbots/${chatbot}/crawls`, {
      mode: 'page',
      url,
    })
    return (answer.body.data as { fields?: Record<string, string> }).fields?.url
  }
  const rule = 'Enter a valid URL (must start with https:// or http://)'
  for (const url of ['', 'shop.example', 'ftp://shop.example', 'javascript:alert(1)', 'http://'])
    expect(await send(url)).toBe(rule)
  expect(await send('http://10.1.2.3/')).toContain('private network')
  expect(await send('http://169.254.169.254/latest')).toContain('Parley never calls it')
  expect(await send('http://me:secret@127.0.0.1/')).toContain('username or password')
  expect(await send(`http://x/${'a'.repeat(2_048)}`)).toBeTruthy()
})

it("shows and changes a project's crawls to nobody else", async () => {
  const gid = await begin({ mode: 'page', url: `${site.url}/shop` })
  await ended(gid)
  const bob = await server.register()
  const theirs = await chatbotOf(bob)
  const calls = [
    ['GET', gid],
    ['POST', `${gid}/stop`],
    ['POST', `${gid}/train`],
    ['DELETE', gid],
  ] as const
  for (const [method, path] of calls)
    for (const [project, chatbot] of [
      [ada.pgid, cgid],
      [bob.pgid, cgid],
      [bob.pgid, theirs],
    ]) {
      const answer = await bob.send(
        method,
        `/api/projects/${project}/chatbots/${chatbot}/crawls/${path}`,
        method === 'GET' ? undefined : {},
      )
      expect(answer.status).toBe(404)
    }
  expect((await bob.call(listCrawls, { params: { pgid: bob.pgid, cgid: theirs } })).crawls).toEqual([])
  // nor to another chatbot of the same project
  const other = { pgid: ada.pgid, cgid: await chatbotOf(ada) }
  expect((await ada.call(listCrawls, { params: other })).crawls).toEqual([])
  const there = await ada.send('GET', `/api/projects/${ada.pgid}/chatbots/${other.cgid}/crawls/${gid}`)
  expect(there.status).toBe(404)
})

it('is forgotten when it is deleted, and after ten others', async () => {
  const params = { pgid: ada.pgid, cgid }
  const gids: string[] = []
  for (let n = 0; n < 11; n++) {
    const [gid] = await crawled({ mode: 'page', url: `${site.url}/shop` })
    gids.unshift(gid)
  }
  const { crawls } = await ada.call(listCrawls, { params })
  expect(crawls.map(({ gid }) => gid)).toEqual(gids.slice(0, 10))
  await ada.call(deleteCrawl, { params: { ...params, gid: gids[0] ?? '' } })
  expect((await ada.call(listCrawls, { params })).crawls.map(({ gid }) => gid)).toEqual(gids.slice(1, 10))
})

it('ends with what it has when the server gave up its job, and begins anew when it has none', async () => {
  const { db } = server.context
  const lost = async (key: string | null) => {
    const gid = await begin({ mode: 'crawl', url: `${site.url}/to-slow`, include: ['slow'] })
    await expect.poll(async () => (await view(gid)).crawl.pages).toMatchObject({ found: 1, waiting: 1 })
    const { id } = await db.selectFrom('crawls').select('id').where('gid', '=', gid).executeTakeFirstOrThrow()
    const job = db.updateTable('jobs').where('kind', '=', 'find-pages').where('key', '=', id)
    await job.set(key === null ? { failed_at: new Date() } : { key }).execute()
    await endLostCrawls(server.context, createCrawls(server.context, createPages(server.context)).begin)
    return { gid, id }
  }
  const { gid } = await lost(null)
  expect((await view(gid)).crawl).toMatchObject({
    state: 'stopped',
    reason: expect.stringContaining('tried ten times'),
    pages: { found: 1, waiting: 0 },
  })
  const other = await lost('gone')
  const job = db.selectFrom('jobs').select('id').where('kind', '=', 'find-pages').where('key', '=', other.id)
  expect(await job.execute()).toHaveLength(1)
  await ada.call(stopCrawl, { params: { pgid: ada.pgid, cgid, gid: other.gid } })
})

it('goes on where it was when the server is closed in the middle of it', async () => {
  const first = await startTestServer({ config })
  const bob = await first.register()
  const params = { pgid: bob.pgid, cgid: await chatbotOf(bob) }
  site.visits.clear()
  const body = { mode: 'crawl' as const, url: site.url, include: ['/guides/'], depth: 3 }
  const { crawl } = await bob.call(startCrawl, { params, body: { max_pages: 1_000, exclude: [], ...body } })
  await vi.waitUntil(() => (site.visits.get('/guides/9') ?? 0) > 0, { timeout: 30_000 })
  await first.app.close()
  const before = await first.context.db.selectFrom('crawl_pages').select(['url', 'state']).execute()
  expect(new Set(before.map(({ state }) => state))).toEqual(new Set(['waiting', 'found', 'left_out']))

  const second = await startTestServer({ config, beside: first })
  const row = () =>
    second.context.db.selectFrom('crawls').selectAll().where('gid', '=', crawl.gid).executeTakeFirstOrThrow()
  await vi.waitUntil(async () => (await row()).state === 'found', { timeout: 60_000, interval: 20 })
  const after = await second.context.db.selectFrom('crawl_pages').select(['url', 'state']).execute()
  expect(after.filter(({ state }) => state === 'found')).toHaveLength(NEAR)
  // what was found before the interruption is not requested again
  const again = before.filter(
    ({ url, state }) => state === 'found' && (site.visits.get(new URL(url).pathname) ?? 0) > 1,
  )
  expect(again).toEqual([])
  await second.close()
  await first.close()
})
