import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { makeChatbot } from '../../../../tests/support/collab'
import { type OutsideServer, startOutsideServer } from '../../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { startZendesk } from '../../../../tests/support/vendors/zendesk/startZendesk'
import { dashboard } from '../../../contracts/account'
import { duplicateChatbot } from '../../../contracts/chatbots'
import { addFeed, deleteFeed, listFeeds, readFeedNow, updateFeed } from '../../../contracts/feeds'
import { chooseStay } from '../../../contracts/limits'
import { deleteSources, listSources, readSource } from '../../../contracts/sources'
import { parseNetworks } from '../../../platform/outbound/addresses'
import type { Pages } from '../page/readPage'
import { createFeeds } from './createFeeds'

const DAY = 24 * 3600
const clock = createTestClock()
let server: TestServer
let site: OutsideServer
let ada: Registered
let at: { pgid: string; cgid: string }
/** the site's answers by path and query */
let answers: Record<string, { status?: number; type?: string; retryAfter?: string; text: string }> = {}
/** how many calls of the API are refused, as there are too many */
let busy = 0
let asked: { path: string; authorization: string | undefined }[] = []

beforeAll(async () => {
  site = await startOutsideServer(({ path, headers }, response) => {
    asked.push({ path, authorization: headers.authorization })
    const { status = 200, type = 'text/html', text, retryAfter } = answers[path] ?? { status: 404, text: 'gone' }
    if (busy > 0 && path.startsWith('/api/')) {
      busy--
      return response.writeHead(429, { 'retry-after': '0' }).end()
    }
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    })
    response.end(text)
  })
  server = await startTestServer({ clock, config: { outboundAllow: parseNetworks('127.0.0.1'), pages: { pause: 0 } } })
  ada = await server.register()
})
afterAll(async () => {
  await server.close()
  site.close()
})
beforeEach(async () => {
  at = { pgid: ada.pgid, cgid: (await makeChatbot(ada)).cgid }
  // it is not the one that is over the limit of a smaller plan
  await ada.call(chooseStay, { params: { pgid: at.pgid }, body: { limit: 'chatbots', chosen: [at.cgid] } })
  answers = {}
  asked = []
})

/** Readings and trainings until nothing is to be done. */
async function due() {
  const isDone = async () => {
    await server.context.jobs.runDue()
    const { sources } = await ada.call(listSources, { params: at, query: { offset: 0, limit: 200 } })
    const isReading = (await feeds()).some(({ state }) => state === 'reading')
    return !isReading && sources.every(({ status }) => status === 'ready' || status === 'error')
  }
  await expect.poll(isDone).toBe(true)
}
const add = async (kind: 'feed' | 'help_center', path: string, resync: 'never' | 'daily' = 'never', most = 50) =>
  (await ada.call(addFeed, { params: at, body: { kind, url: `${site.url}${path}`, resync, most } })).feed.gid
const feeds = async () => (await ada.call(listFeeds, { params: at })).feeds
const titles = async (of = at) =>
  (await ada.call(listSources, { params: of, query: { offset: 0, limit: 200 } })).sources
    .map(({ title, status }) => `${title}: ${status}`)
    .toSorted()
const usage = async () => (await ada.call(dashboard, { body: at })).user.usage.resync_credits.used
const setPlan = (plan_id: string) =>
  server.context.db.updateTable('projects').set({ plan_id }).where('gid', '=', ada.pgid).execute()

function say(...names: string[]) {
  const items = names.map((name) => `<item><title>${name}</title><link>${site.url}/${name}</link></item>`)
  answers['/feed'] = {
    type: 'application/rss+xml',
    text: `<rss><channel><title>News</title>${items.join('')}</channel></rss>`,
  }
  for (const name of names) {
    const words = `About ${name}. ${'This sentence makes the page long enough to be read. '.repeat(6)}`
    answers[`/${name}`] = {
      text: `<!doctype html><html><head><title>${name}</title></head><body><article><p>${words}</p></article></body></html>`,
    }
  }
}

test('a feed’s newest pages are trained; what comes later is added when it is read again, and what left it stays', async () => {
  say('three', 'two', 'one')
  const gid = await add('feed', '/feed', 'never', 2)
  await due()
  expect(await titles()).toEqual(['three: ready', 'two: ready'])
  expect(await feeds()).toMatchObject([
    { state: 'ready', title: 'News', sources: 2, reason: expect.stringContaining('the newest 2'), next_read_at: null },
  ])
  say('four', 'three')
  const before = await usage()
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
  expect(await titles()).toEqual(['four: ready', 'three: ready', 'two: ready'])
  expect(await feeds()).toMatchObject([{ state: 'ready', sources: 3, reason: null }])
  expect(await usage()).toBe(before + 1)
})

test('a page that a member deletes stays out, of a copy too, until it is wanted again', async () => {
  say('three', 'two', 'one')
  const gid = await add('feed', '/feed')
  await due()
  const { sources } = await ada.call(listSources, { params: at, query: { offset: 0, limit: 200 } })
  const two = sources.filter(({ title }) => title === 'two').map((source) => source.gid)
  await ada.call(deleteSources, { params: at, body: { gids: two } })
  expect(await feeds()).toMatchObject([{ sources: 2, left_out: 1 }])
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
  expect(await titles()).toEqual(['one: ready', 'three: ready'])
  const { chatbot } = await ada.call(duplicateChatbot, { params: at })
  const copied = (await ada.call(listFeeds, { params: { ...at, cgid: chatbot.gid } })).feeds
  expect(copied).toMatchObject([{ sources: 2, left_out: 1 }])
  const { feed } = await ada.call(updateFeed, { params: { ...at, gid }, body: { left_out: 0 } })
  expect(feed).toMatchObject({ left_out: 0, resync: 'never' })
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
  expect(await titles()).toEqual(['one: ready', 'three: ready', 'two: ready'])
})

test('an address without a feed says so at the list, keeps what it had, and is tried again for nothing', async () => {
  say('one')
  const gid = await add('feed', '/feed')
  await due()
  for (const [answer, reason] of [
    [{ text: '<html><body>Hello</body></html>' }, 'no RSS, Atom or JSON Feed'],
    [{ status: 503, retryAfter: '0', text: '' }, 'status 503'],
  ] as const) {
    answers['/feed'] = answer
    await ada.call(readFeedNow, { params: { ...at, gid } })
    await due()
    expect(await feeds()).toMatchObject([{ state: 'error', reason: expect.stringContaining(reason), sources: 1 }])
  }
  const before = await usage()
  say('two', 'one')
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
  expect(await feeds()).toMatchObject([{ state: 'ready', reason: null, sources: 2 }])
  expect(await usage()).toBe(before)
})

test('it is read by itself as often as one says, each time for a credit, where the plan has automatic sync', async () => {
  say('one')
  const gid = await add('feed', '/feed', 'daily')
  await due()
  const before = await usage()
  say('two', 'one')
  clock.pass(DAY - 3600)
  await due()
  expect(await titles()).toEqual(['one: ready'])
  clock.pass(2 * 3600)
  await due()
  expect(await titles()).toEqual(['one: ready', 'two: ready'])
  expect(await usage()).toBe(before + 1)
  await ada.call(updateFeed, { params: { ...at, gid }, body: { resync: 'never' } })
  say('three')
  clock.pass(2 * DAY)
  await due()
  expect(await feeds()).toMatchObject([{ sources: 2, next_read_at: null }])
  await ada.call(updateFeed, { params: { ...at, gid }, body: { resync: 'daily' } })
  await setPlan('starter')
  clock.pass(2 * DAY)
  await due()
  expect(await feeds()).toMatchObject([
    { sources: 2, reason: expect.stringContaining('Not re-synced: your plan has no automatic sync') },
  ])
  await expect(ada.call(updateFeed, { params: { ...at, gid }, body: { resync: 'weekly' } })).rejects.toThrow(
    'plan_limit',
  )
  await setPlan('self-hosted')
})

test('it ends with or without its pages; a copy of the chatbot follows it too', async () => {
  say('one', 'two')
  const gid = await add('feed', '/feed')
  await due()
  const { chatbot } = await ada.call(duplicateChatbot, { params: at })
  const copy = { ...at, cgid: chatbot.gid }
  const copied = (await ada.call(listFeeds, { params: copy })).feeds
  expect(copied).toMatchObject([{ title: 'News', state: 'ready', sources: 2 }])
  await ada.call(deleteFeed, { params: { ...at, gid }, query: { sources: 'keep' } })
  expect([await feeds(), await titles()]).toEqual([[], ['one: ready', 'two: ready']])
  await ada.call(deleteFeed, { params: { ...copy, gid: copied[0]?.gid ?? '' }, query: { sources: 'delete' } })
  expect([(await ada.call(listFeeds, { params: copy })).feeds, await titles(copy)]).toEqual([[], []])
})

test('one address is followed once, and what is no address is named at its field', async () => {
  say('one')
  await add('feed', '/feed')
  await expect(add('feed', '/feed')).rejects.toThrow('follows it already')
  await expect(
    ada.call(addFeed, { params: at, body: { kind: 'feed', url: 'news', most: 50, resync: 'never' } }),
  ).rejects.toThrow('valid URL')
})

interface Listed {
  id: number
  /** the end of its address, which has its title */
  slug?: string
  body: string
  edited: string
  draft?: boolean
  segment?: number
}
/** A Help Center as it answers whoever has no account, and as it should not. */
function publish(...articles: Listed[]) {
  const present = ({ id, slug = '', body, edited, draft = false, segment }: Listed) => ({
    ...{ id, body: `<p>${body}</p>`, title: `Article ${id}`, locale: 'en-us', draft, user_segment_id: segment ?? null },
    ...{
      html_url: `${site.url}/hc/en-us/articles/${id}${slug}`,
      updated_at: '2026-03-01T00:00:00Z',
      edited_at: edited,
    },
  })
  const type = 'application/json'
  const api = '/api/v2/help_center'
  const list = `${api}/en-us/articles?page[size]=100&sort_by=updated_at&sort_order=desc`
  const half = Math.ceil(articles.length / 2)
  const page = (some: Listed[], next: string | null) =>
    JSON.stringify({ articles: some.map(present), meta: { has_more: next !== null }, links: { next } })
  const second = `${api}/en-us/articles?page[after]=x`
  answers = {
    [`${api}/locales`]: { type, text: JSON.stringify({ locales: ['en-us'], default_locale: 'en-us' }) },
    [list]: { type, text: page(articles.slice(0, half), `${site.url}${second}`) },
    [second]: { type, text: page(articles.slice(half), null) },
  }
  for (const article of articles)
    answers[`${api}/en-us/articles/${article.id}`] = { type, text: JSON.stringify({ article: present(article) }) }
}

test('of a Help Center what everybody may read is trained; edited articles are read again, deleted ones go', async () => {
  const [one, two] = [
    { id: 1, body: 'Parcels take two days.', edited: '2026-01-01T00:00:00Z' },
    { id: 2, body: 'Send it back within a month.', edited: '2026-01-01T00:00:00Z' },
  ]
  const hidden = { edited: '2026-01-01T00:00:00Z', body: 'For us alone' }
  publish(one, { id: 3, segment: 9, ...hidden }, two, { id: 4, draft: true, ...hidden })
  const gid = await add('help_center', '/')
  await due()
  expect(await titles()).toEqual(['Article 1: ready', 'Article 2: ready'])
  expect(asked.every(({ authorization }) => authorization === undefined)).toBe(true)
  const { sources } = await ada.call(listSources, { params: at, query: { offset: 0, limit: 200 } })
  const first = sources.find(({ title }) => title === 'Article 1')
  expect(first?.url).toBe(`${site.url}/hc/en-us/articles/1`)
  const text = async () =>
    (await ada.call(readSource, { params: { ...at, gid: first?.gid ?? '' } })).chunks.map((chunk) => chunk.text).join()
  expect(await text()).toContain('two days')

  const edited = { ...one, slug: '-Parcels', body: 'Parcels take three days.', edited: '2026-02-01T00:00:00Z' }
  publish(edited)
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
  expect(await titles()).toEqual(['Article 1: ready'])
  expect(await text()).toContain('three days')
  const { source } = await ada.call(readSource, { params: { ...at, gid: first?.gid ?? '' } })
  expect(source.url).toBe(`${site.url}/hc/en-us/articles/1-Parcels`)
  // what was not edited is not read
  publish(edited)
  asked = []
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
  expect(asked.map(({ path }) => path).filter((path) => path.endsWith('/articles/1'))).toEqual([])

  // whatever its address on the site becomes
  await ada.call(deleteSources, { params: at, body: { gids: [first?.gid ?? ''] } })
  publish({ ...edited, slug: '-Delivery', edited: '2026-03-01T00:00:00Z' })
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
  expect(await titles()).toEqual([])
  expect(await feeds()).toMatchObject([{ sources: 0, left_out: 1 }])
})

test('of a Help Center with more articles than are taken, those that were deleted go, and others stay', async () => {
  const about = (id: number) => ({ id, body: `Answer ${id} is this one.`, edited: '2026-01-01T00:00:00Z' })
  publish(about(1), about(2))
  const gid = await add('help_center', '/', 'never', 2)
  await due()
  expect(await titles()).toEqual(['Article 1: ready', 'Article 2: ready'])
  // newer ones come first; one is no longer among the newest two, the other was deleted
  publish(about(4), about(3), about(1))
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
  expect(await titles()).toEqual(['Article 1: ready', 'Article 3: ready', 'Article 4: ready'])
  expect(await feeds()).toMatchObject([{ state: 'ready', reason: expect.stringContaining('the newest 2') }])
})

test('a Help Center behind a log-in is refused with the reason, and so is what is none, or leads to another server', async () => {
  answers['/api/v2/help_center/locales'] = { status: 401, text: '{}' }
  await add('help_center', '/')
  await due()
  expect(await feeds()).toMatchObject([{ state: 'error', reason: expect.stringContaining('asks for a log-in') }])
  const gid = (await feeds())[0]?.gid ?? ''
  const says = async (reason: string) => {
    await ada.call(readFeedNow, { params: { ...at, gid } })
    await due()
    expect(await feeds()).toMatchObject([{ state: 'error', reason: expect.stringContaining(reason) }])
  }
  answers = {}
  await says('There is no Help Center')
  publish({ id: 1, body: 'Parcels take two days.', edited: '2026-01-01T00:00:00Z' })
  const first = Object.entries(answers).find(([path]) => path.includes('page[size]'))?.[1]
  if (first) first.text = first.text.replace(`${site.url}/api`, 'https://elsewhere.example/api')
  await says('goes on at another server')
})

test('a Help Center that asks for a pause is asked again; one that gives no end of pages is left', async () => {
  publish({ id: 1, body: 'Parcels take two days.', edited: '2026-01-01T00:00:00Z' })
  busy = 3
  const gid = await add('help_center', '/')
  await due()
  expect(await feeds()).toMatchObject([{ state: 'ready', sources: 1 }])
  busy = 4
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
  expect(await feeds()).toMatchObject([{ state: 'error', reason: expect.stringContaining('status 429') }])

  const list = Object.keys(answers).find((path) => path.includes('page[size]')) ?? ''
  answers = new Proxy(answers, {
    get(target, path: string) {
      if (path !== list && !path.includes('page[after]')) return target[path]
      const next = `${site.url}/api/v2/help_center/en-us/articles?page[after]=${asked.length}`
      return { type: 'application/json', text: JSON.stringify({ articles: [], links: { next } }) }
    },
  })
  asked = []
  await ada.call(readFeedNow, { params: { ...at, gid } })
  await due()
  expect(await feeds()).toMatchObject([{ state: 'ready', sources: 1, reason: expect.stringContaining('Nothing that') }])
  expect(asked.length).toBeLessThanOrEqual(201)
})

test('Zendesk’s own interface gives who has no account what everybody may read', async () => {
  const zendesk = await startZendesk({ clock })
  zendesk.addArticle({ title: 'Parcels', body: '<p>Parcels take two days.</p>' })
  zendesk.addArticle({ title: 'Internal', body: '<p>For us</p>', userSegmentId: 5 })
  zendesk.addArticle({ title: 'Draft', body: '<p>Not yet</p>', draft: true })
  const body = { kind: 'help_center' as const, url: `${zendesk.origin}/hc/en-us`, most: 10, resync: 'never' as const }
  await ada.call(addFeed, { params: at, body })
  await due()
  expect(await titles()).toEqual(['Parcels: ready'])
  await zendesk.close()
  expect(zendesk.broken).toEqual([])
})

test('a list whose server does not end is given up, and one whose job was lost is read again', async () => {
  say('one')
  const gid = await add('feed', '/feed')
  await due()
  const { db } = server.context
  const { id, project_id: projectId } = await db
    .selectFrom('knowledge_feeds')
    .select(['id', 'project_id'])
    .where('gid', '=', gid)
    .executeTakeFirstOrThrow()
  const fetch: Pages['fetch'] = (_url, _most, { signal }) =>
    new Promise((_, fail) => {
      const end = () => fail(signal?.reason)
      // as a real one: the time may be over before it is asked
      if (signal?.aborted) end()
      else signal?.addEventListener('abort', end)
    })
  const slow = createFeeds(
    server.context,
    { fetch },
    {
      open: async () => {
        throw new Error('not asked')
      },
    },
    { longestMs: 1 },
  )
  await slow.jobs[0]?.handle({ feed: id }, { id: '1', projectId })
  expect(await feeds()).toMatchObject([{ state: 'error', reason: expect.stringContaining('more than ten minutes') }])

  await db.updateTable('knowledge_feeds').set({ state: 'reading' }).where('id', '=', id).execute()
  clock.pass(301)
  await due()
  expect(await feeds()).toMatchObject([{ state: 'ready', sources: 1 }])
})
