import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { makeChatbot } from '../../../../tests/support/collab'
import { type OutsideServer, startOutsideServer } from '../../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { planOf } from '../../../access/plans'
import { dashboard } from '../../../contracts/account'
import { listChatbots } from '../../../contracts/chatbots'
import { chooseStay } from '../../../contracts/limits'
import {
  addFaq,
  addLinks,
  addText,
  deleteSources,
  listSources,
  readAgain,
  readSource,
  setResync,
  stopTraining,
} from '../../../contracts/sources'
import { migrations } from '../../../platform/database/migrate'
import { parseNetworks } from '../../../platform/outbound/addresses'
import { takeCredits } from '../../billing/monthlyCredits'
import { train } from './dispatch'

const DAY = 24 * 3600
const clock = createTestClock()
/** The life of sources from creation to deletion; a long file, since all of it uses one server with one site. */
let server: TestServer
let site: OutsideServer
let ada: Registered
let at: { pgid: string; cgid: string }
/** the site's responses by path; a function is called for each request */
let pages: Record<string, string | (() => string | Promise<string>)> = {}

beforeAll(async () => {
  site = await startOutsideServer(async ({ path, headers }, response) => {
    const page = pages[path]
    const text = typeof page === 'function' ? await page() : page
    if (text === undefined) return response.writeHead(404).end('gone')
    const etag = `"${Buffer.from(text).toString('base64url').slice(0, 60)}"`
    if (headers['if-none-match'] === etag) return response.writeHead(304).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag })
    const head = `<head><title>${path.slice(1)}</title></head>`
    response.end(`<!doctype html><html lang="en">${head}<body><main><article>${text}</article></main></body></html>`)
  })
  server = await startTestServer({ clock, config: { outboundAllow: parseNetworks('127.0.0.1'), pages: { pause: 0 } } })
  ada = await server.register()
})
afterAll(async () => {
  await server.close()
  site.close()
})
beforeEach(async () => {
  const { cgid } = await makeChatbot(ada)
  at = { pgid: ada.pgid, cgid }
  // it is not the one that is over the limit of a smaller plan
  await ada.call(chooseStay, { params: { pgid: at.pgid }, body: { limit: 'chatbots', chosen: [cgid] } })
  pages = {}
})
afterEach(() => setPlan('self-hosted'))

const due = () => server.context.jobs.runDue()
const setPlan = (plan_id: string) =>
  server.context.db.updateTable('projects').set({ plan_id }).where('gid', '=', ada.pgid).execute()
const words = (text: string) =>
  `<h1>About it</h1><p>${text} ${'This sentence makes the page long enough to be read. '.repeat(6)}</p>`
const links = (...paths: string[]) =>
  ada.call(addLinks, { params: at, body: { urls: paths.map((path) => `${site.url}${path}`), resync: 'never' } })
const sources = async () =>
  (await ada.call(listSources, { params: at, query: { offset: 0, limit: 200 } })).sources.reverse()
const states = async () => (await sources()).map(({ status }) => status)
const bodies = async (gid: string) =>
  (await ada.call(readSource, { params: { ...at, gid } })).chunks.map(({ text }) => text).join('\n')
const again = (gids: string[]) =>
  ada.send('POST', `/api/projects/${at.pgid}/chatbots/${at.cgid}/sources/read-again`, { gids })
const version = async () =>
  (
    await server.context.db
      .selectFrom('chatbots')
      .select('knowledge_version')
      .where('gid', '=', at.cgid)
      .executeTakeFirstOrThrow()
  ).knowledge_version
const usage = async () => (await ada.call(dashboard, { body: at })).user.usage

/** Waits until a condition holds: background work takes its time. */
const until = (check: () => Promise<boolean>) => expect.poll(check).toBe(true)

test('a page is trained; a dead link says so at the link, and the rest goes on', async () => {
  pages['/a'] = words('Bread is baked at five.')
  await links('/a', '/gone', '/a#part')
  await due()
  const [page, gone] = await sources()
  expect(page).toMatchObject({ status: 'ready', title: 'a', language: 'en', reason: null })
  expect(gone).toMatchObject({ status: 'error', chunks: 0, reason: expect.stringContaining('There is no page at') })
  expect((await sources()).length).toBe(2)
})

test('an address that is none is named at its field, and nothing is added', async () => {
  const path = `/api/projects/${at.pgid}/chatbots/${at.cgid}/sources/links`
  const { status, body } = await ada.send('POST', path, { urls: ['https://example.com', 'example'] })
  expect([status, body.data]).toMatchObject([422, { fields: { 'urls.1': expect.stringContaining('valid URL') } }])
  expect(await sources()).toEqual([])
})

test('read again, a page that did not change is not trained again, and one that did is', async () => {
  pages['/a'] = words('Bread is baked at five.')
  const { sources: added } = await links('/a')
  const gid = added[0]?.gid ?? ''
  await due()
  const [before, credits] = [await version(), (await usage()).training_credits.used]
  await again([gid])
  await due()
  expect([await version(), (await usage()).training_credits.used]).toEqual([before, credits])
  pages['/a'] = words('Bread is baked at six.')
  await again([gid])
  await due()
  expect(Number(await version())).toBe(Number(before) + 1)
  expect(await bodies(gid)).toContain('baked at six')
  expect((await usage()).training_credits.used).toBeGreaterThan(credits)
})

test('a page whose server sends it anew is not trained again either while it says the same', async () => {
  let sent = 0
  pages['/a'] = () => `<!-- ${++sent} -->${words('Bread is baked at five.')}`
  const { sources: added } = await links('/a')
  await due()
  const before = await version()
  await again(added.map(({ gid }) => gid))
  await due()
  expect([sent, await version(), await states()]).toEqual([2, before, ['ready']])
})

test('a page that fails when it is read again keeps what was trained, and says why', async () => {
  pages['/a'] = words('Bread is baked at five.')
  const { sources: added } = await links('/a')
  await due()
  pages = {}
  await again([added[0]?.gid ?? ''])
  await due()
  expect(await sources()).toMatchObject([
    { status: 'error', reason: expect.stringContaining('What was trained before is still used.') },
  ])
  expect(await bodies(added[0]?.gid ?? '')).toContain('baked at five')
})

test('training is stopped at any moment: what a slow page brings later is thrown away', async () => {
  let release = () => {}
  let asked = false
  pages['/slow'] = () => {
    asked = true
    return new Promise((done) => {
      release = () => done(words('Too late.'))
    })
  }
  pages['/b'] = words('A page that waits.')
  const { sources: added } = await links('/slow')
  await until(async () => asked)
  expect(await ada.call(stopTraining, { params: at, body: {} })).toEqual({ stopped: 1 })
  expect(await states()).toEqual(['stopped'])
  release()
  await due()
  expect(await sources()).toMatchObject([{ status: 'stopped', chunks: 0 }])
  pages['/slow'] = words('In time.')
  await again([added[0]?.gid ?? ''])
  await due()
  expect(await states()).toEqual(['ready'])
})

test('a slow page holds up neither other pages nor entries', async () => {
  let release = () => {}
  let asked = false
  pages['/slow'] = () => {
    asked = true
    return new Promise((done) => {
      release = () => done(words('At last.'))
    })
  }
  pages['/a'] = words('Quick.')
  await links('/slow', '/a')
  await ada.call(addFaq, { params: at, body: { question: 'Quick?', answer: 'Yes.', phrasings: [] } })
  await until(async () => (await states()).filter((status) => status === 'ready').length === 2)
  await until(async () => asked)
  expect((await states())[0]).toBe('reading')
  release()
  await due()
  expect(await states()).toEqual(['ready', 'ready', 'ready'])
})

test('a run that a crash cut off begins anew, and one without a job is queued again', async () => {
  const { db } = server.context
  await ada.call(addText, { params: at, body: { title: 'Text', markdown: 'A text.' } })
  await due()
  // the state after a process died when the run's job was gone
  await db
    .updateTable('knowledge_sources')
    .set({ status: 'training', run: 'lost', content_hash: null, queued_at: clock() })
    .where('title', '=', 'Text')
    .execute()
  clock.pass(61)
  await due()
  clock.pass(61)
  await due()
  expect(await sources()).toMatchObject([{ status: 'ready', chunks: 1 }])
})

test('a source whose run was given up says so, and can be tried again', async () => {
  const { db } = server.context
  const body = { title: 'Text', markdown: 'A text.' }
  const { source } = await ada.call(addText, { params: at, body })
  await due()
  await db
    .updateTable('knowledge_sources')
    .set({ status: 'training', run: 'given up' })
    .where('gid', '=', source.gid)
    .execute()
  const job = { key: 'given up', payload: { run: 'given up' }, runAt: clock(), projectId: null }
  await server.context.jobs.schedule(db, train, job)
  await db.updateTable('jobs').set({ failed_at: clock() }).where('key', '=', 'given up').execute()
  clock.pass(61)
  await due()
  expect(await sources()).toMatchObject([{ status: 'error', reason: expect.stringContaining('tried ten times') }])
  await again([source.gid])
  await due()
  expect(await states()).toEqual(['ready'])
})

test("what is more than the plan's training credits is refused at its source, and the rest goes on", async () => {
  await setPlan('free')
  const project = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', ada.pgid)
    .executeTakeFirstOrThrow()
  const { used } = (await usage()).training_credits
  const spent = { projectId: project.id, key: 'before', amount: 500_000 - 200 - used, at: clock() }
  expect(await takeCredits(server.context.db, { ...spent, credit: 'training_credits' })).toBe(true)
  const text = (title: string, length: number) =>
    ada.call(addText, { params: at, body: { title, markdown: 'word '.repeat(length / 5) } })
  await text('Large', 5_000)
  await text('Small', 100)
  await due()
  expect(await sources()).toMatchObject([
    {
      status: 'error',
      reason: expect.stringMatching(
        /This has 4,999 characters, and the plan has \d+ characters of training left this month/,
      ),
    },
    { status: 'ready' },
  ])
  // the other tests use the same month
  await server.context.db.deleteFrom('credit_uses').where('key', '=', 'before').execute()
})

test('links are read again on schedule, each for a credit, where the plan has automatic sync', async () => {
  pages['/a'] = words('Monday.')
  const { sources: added } = await links('/a')
  const gid = added[0]?.gid ?? ''
  await due()
  const before = (await usage()).resync_credits.used
  await ada.call(setResync, { params: at, body: { gids: [gid], resync: 'daily' } })
  pages['/a'] = words('Tuesday.')
  clock.pass(DAY - 3600)
  await due()
  expect(await bodies(gid)).toContain('Monday')
  clock.pass(2 * 3600)
  await due()
  await due()
  expect(await bodies(gid)).toContain('Tuesday')
  expect((await usage()).resync_credits.used).toBe(before + 1)

  await setPlan('starter')
  pages['/a'] = words('Wednesday.')
  clock.pass(2 * DAY)
  await due()
  expect(await bodies(gid)).toContain('Tuesday')
  // it is no lack of credits
  const { sources: left } = await ada.call(listSources, { params: at, query: { offset: 0, limit: 200 } })
  expect(left.map(({ reason }) => reason)).toEqual([expect.stringContaining('no automatic sync')])
  const path = `/api/projects/${at.pgid}/chatbots/${at.cgid}/sources/resync`
  expect((await ada.send('POST', path, { gids: [gid], resync: 'daily' })).status).toBe(403)
})

test('nothing of a chatbot over the plan’s limit is read again by itself, and what it says names the limit', async () => {
  const { limits } = planOf('growth')
  const many = async () => (await ada.call(listChatbots, { params: { pgid: at.pgid } })).chatbots.length
  while ((await many()) <= limits.chatbots) at.cgid = (await makeChatbot(ada)).cgid
  // the oldest stay
  await ada.call(chooseStay, { params: { pgid: at.pgid }, body: { limit: 'chatbots', chosen: [] } })
  pages['/a'] = words('Monday.')
  const { sources: added } = await links('/a')
  const gid = added[0]?.gid ?? ''
  await due()
  await ada.call(setResync, { params: at, body: { gids: [gid], resync: 'daily' } })
  pages['/a'] = words('Tuesday.')
  await setPlan('growth')
  clock.pass(DAY + 3600)
  await due()
  expect(await bodies(gid)).toContain('Monday')
  const { sources: left } = await ada.call(listSources, { params: at, query: { offset: 0, limit: 200 } })
  expect(left.map(({ reason }) => reason)).toEqual([expect.stringContaining('over the limit of your plan')])
  await setPlan('business')
  clock.pass(DAY + 3600)
  await due()
  expect(await bodies(gid)).toContain('Tuesday')
})

test('without resync credits nothing is read again by hand, but what failed is tried again', async () => {
  pages['/a'] = words('Monday.')
  const { sources: added } = await links('/a', '/later')
  await due()
  await setPlan('free')
  pages['/later'] = words('There now.')
  const gids = added.map(({ gid }) => gid)
  expect((await again(gids.slice(0, 1))).status).toBe(403)
  expect(await ada.call(readAgain, { params: at, body: { gids: gids.slice(1) } })).toEqual({ queued: 1 })
  await due()
  expect(await states()).toEqual(['ready', 'ready'])
})

test('an address that is there already stays as it is, and only what failed is tried again: reading anew has its price', async () => {
  pages['/a'] = words('Monday.')
  const { sources: added } = await links('/a', '/later')
  await due()
  pages['/a'] = words('Tuesday.')
  pages['/later'] = words('There now.')
  const { sources: again } = await links('/a', '/later', '/new')
  expect(again.map(({ url }) => url)).toEqual([`${site.url}/later`, `${site.url}/new`])
  await due()
  expect(await bodies(added[0]?.gid ?? '')).toContain('Monday')
  expect(await states()).toEqual(['ready', 'ready', 'error'])
  const path = `/api/projects/${at.pgid}/chatbots/${at.cgid}/sources/links`
  const { status, body } = await ada.send('POST', path, { urls: [`${site.url}/a`] })
  expect([status, body.data]).toMatchObject([422, { fields: { urls: expect.stringContaining('sources already') } }])
})

test('without enough resync credits for all of them none is read again by hand', async () => {
  pages['/a'] = words('Monday.')
  pages['/b'] = words('Monday, too.')
  const { sources: added } = await links('/a', '/b')
  await due()
  await setPlan('growth')
  const { id: projectId } = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', ada.pgid)
    .executeTakeFirstOrThrow()
  const { used, max } = (await usage()).resync_credits
  const spent = { projectId, key: 'before', amount: max - used - 1, at: clock(), credit: 'resync_credits' } as const
  expect(await takeCredits(server.context.db, spent)).toBe(true)
  const gids = added.map(({ gid }) => gid)
  const refused = await again(gids)
  expect([refused.status, refused.body.data]).toEqual([403, expect.stringContaining('your plan has 1 left this month')])
  expect(await states()).toEqual(['ready', 'ready'])
  expect((await again(gids.slice(0, 1))).status).toBe(200)
  expect((await again(gids.slice(1))).text).toContain('your plan has 0 left this month')
  await due()
  // automatic sync fails too: the source says why, and keeps its content
  await ada.call(setResync, { params: at, body: { gids: gids.slice(0, 1), resync: 'daily' } })
  pages['/a'] = words('Tuesday.')
  clock.pass(2 * DAY)
  await due()
  expect(await sources()).toMatchObject([
    { status: 'ready', reason: expect.stringContaining('re-sync credits for this month are used up') },
    { status: 'ready' },
  ])
  await server.context.db.deleteFrom('credit_uses').where('key', '=', 'before').execute()
})

test('a source that is deleted while it is read leaves nothing', async () => {
  let release = () => {}
  let asked = false
  pages['/slow'] = () => {
    asked = true
    return new Promise((done) => {
      release = () => done(words('Nobody wants it.'))
    })
  }
  const { sources: added } = await links('/slow')
  await until(async () => asked)
  await ada.call(deleteSources, { params: at, body: { gids: added.map(({ gid }) => gid) } })
  release()
  await due()
  expect(await sources()).toEqual([])
  const { count } = await server.context.db
    .selectFrom('knowledge_chunks')
    .innerJoin('chatbots', 'chatbots.id', 'knowledge_chunks.chatbot_id')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('chatbots.gid', '=', at.cgid)
    .executeTakeFirstOrThrow()
  expect(count).toBe('0')
})

test('what was measured of other evidence is measured anew after the update', async () => {
  await ada.call(addFaq, { params: at, body: { question: 'When is bread baked?', answer: 'At five.', phrasings: [] } })
  await due()
  const { db } = server.context
  const measured = async () =>
    (
      await db
        .selectFrom('chatbots')
        .select('knowledge_calibration')
        .where('gid', '=', at.cgid)
        .executeTakeFirstOrThrow()
    ).knowledge_calibration
  const before = await measured()
  expect(before).not.toBeNull()
  await db
    .updateTable('chatbots')
    .set({ knowledge_calibration: JSON.stringify({ words: { unsure: 9, sure: 9 }, vectors: null }) })
    .where('gid', '=', at.cgid)
    .execute()
  const update = migrations.find(({ name }) => name.endsWith('calibrate_anew'))
  for (const statement of update?.sql.trim().split(/;\n/) ?? []) await sql.raw(statement).execute(db)
  expect(await measured()).toBeNull()
  await due()
  expect(await measured()).toEqual(before)
})
