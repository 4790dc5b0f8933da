import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyFlow } from '../../engine/flow/schema'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { fillInbox } from '../bench/inbox/fill'
import { objections } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { insertPublishedFlow, type PublishedFlow } from '../support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { look } from './look'

/** A search of the inbox with more conversations than a page has. */
let server: TestServer
let ada: Registered
let desk: TestBrowser
let flow: PublishedFlow
beforeAll(async () => {
  ensureBuilt()
  ;[server, desk] = await Promise.all([startTestServer(), launchBrowser()])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  const { db } = server.context
  const idOf = async (table: 'projects' | 'users', gid: string) =>
    (await db.selectFrom(table).select('id').where('gid', '=', gid).executeTakeFirstOrThrow()).id
  flow = await insertPublishedFlow(db, emptyFlow(), 'searched', {}, await idOf('projects', ada.pgid))
  await fillInbox(db, { ...flow, userId: await idOf('users', ada.user.ui), conversations: 300 })
  await desk.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([desk?.close(), server?.close()]))

const list = () => desk.page.getByRole('region', { name: 'Conversations', exact: true })
const search = () => desk.page.getByRole('textbox', { name: 'Search messages' })
const rows = () => list().getByRole('listitem')
const scrollDown = () =>
  list()
    .getByRole('list')
    .locator('..')
    .evaluate((list) => list.scrollTo(0, list.scrollHeight))

/** How many conversations have a message with a word. */
async function count(word: string): Promise<number> {
  const { rows: counted } = await sql<{ count: number }>`
    select count(distinct conversation_id)::integer as count from messages
    where project_id = ${flow.projectId} and words ~ ${`\\m${word}`}`.execute(server.context.db)
  return counted[0]?.count ?? 0
}

it('all conversations in which there is a word are come to by scrolling', async () => {
  await desk.page.goto(`${server.url}/projects/${ada.pgid}/conversations`)
  await search().fill('w10a')
  const all = await count('w10a')
  expect(all).toBeGreaterThan(120)
  const ROW = 78
  const height = () =>
    list()
      .getByRole('list')
      .evaluate((element) => element.clientHeight)
  await expect.poll(height).toBeGreaterThanOrEqual(40 * ROW)
  await expect
    .poll(async () => {
      await scrollDown()
      return height()
    })
    .toBe(all * ROW)
  await list().getByText('Searching older messages…').waitFor({ state: 'detached' })
  expect(await objections(desk.page)).toEqual([])
})

it('a page that did not come leaves the others, and is asked for again', async () => {
  await desk.page.route(/[?&]before=/, (route) => route.abort())
  await search().fill('w5a')
  await rows().first().waitFor()
  await scrollDown()
  const failed = list().getByRole('alert')
  await failed.waitFor()
  expect(await rows().count()).toBeGreaterThan(0)
  await desk.page.unroute(/[?&]before=/)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await failed.waitFor({ state: 'detached' })
  const all = await count('w5a')
  await expect
    .poll(async () => {
      await scrollDown()
      return list()
        .getByRole('list')
        .evaluate((element) => element.clientHeight / 78)
    })
    .toBe(all)
})

it('what no message says is not found, and the filters hold for all pages', async () => {
  await search().fill('zanzibar')
  await list().getByText('No messages found').waitFor()
  await desk.page.goto(`${server.url}/projects/${ada.pgid}/conversations?language=pt`)
  await search().fill('w1a')
  await rows().first().waitFor()
  const { rows: counted } = await sql<{ count: number }>`
    select count(distinct c.id)::integer as count from messages m join conversations c on c.id = m.conversation_id
    where m.project_id = ${flow.projectId} and words ~ '\\mw1a' and c.language = 'pt-br'`.execute(server.context.db)
  await expect
    .poll(async () => {
      await scrollDown()
      return list()
        .getByRole('list')
        .evaluate((element) => element.clientHeight / 78)
    })
    .toBe(counted[0]?.count)
  expect(desk.errors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([])
})

it('a search of 10,000 characters says what is wrong with it, and keeps it', async () => {
  const { page } = desk
  await page.goto(`${server.url}/projects/${ada.pgid}/conversations`)
  await search().fill('x'.repeat(10_000))
  await page.getByText('Search for at most 200 characters').waitFor()
  expect((await search().inputValue()).length).toBe(10_000)
  await search().fill('w10a')
  await page.getByText('Search for at most 200 characters').waitFor({ state: 'detached' })
  await rows().first().waitFor()
})

it('a view with its filters is kept under a name, opened again, shared, and forgotten', async () => {
  const { page } = desk
  const views = page.getByRole('navigation', { name: 'Views' })
  const filters = page.getByRole('button', { name: /^Filters/ })
  await page.goto(`${server.url}/projects/${ada.pgid}/conversations?view=closed&language=de`)
  await rows().first().waitFor()
  const address = () => new URL(page.url()).search
  await filters.click()
  await page.getByRole('button', { name: 'Keep as a view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keep as a view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('German, done')
  await look(page, 'keep-view')
  await dialog.getByRole('button', { name: 'Keep', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const kept = views.getByRole('button', { name: 'German, done', exact: true })
  await expect.poll(() => kept.getAttribute('aria-current')).toBe('page')
  await views.getByRole('button', { name: /^All open/ }).click()
  await filters.click()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(address).toBe('?view=all')
  await kept.click()
  await expect.poll(address).toBe('?view=closed&language=de')
  await expect.poll(() => kept.getAttribute('aria-current')).toBe('page')
  await rows().first().waitFor()
  await look(page, 'kept-view')

  // it becomes everybody's, from one day to another
  const more = views.getByRole('button', { name: 'Change the view “German, done”' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Name and who sees it' }).click()
  const change = page.getByRole('dialog', { name: 'Name and who sees it' })
  await change.getByRole('combobox', { name: 'Who sees it' }).click()
  await page.getByRole('option', { name: 'Everybody' }).click()
  await look(page, 'share-view')
  await change.getByRole('button', { name: 'Save' }).click()
  await change.waitFor({ state: 'detached' })
  await expect.poll(() => kept.getAttribute('title')).toBe('Everybody, kept by Ada Lovelace')
  await filters.click()
  await page.getByRole('combobox', { name: 'Started in' }).click()
  await page.getByRole('option', { name: 'From … to …' }).click()
  await page.getByLabel('From', { exact: true }).fill('2026-03-01')
  await page.getByLabel('To', { exact: true }).fill('2026-03-02')
  const ends = () => ['since', 'until'].map((name) => new URL(page.url()).searchParams.get(name))
  const days = await page.evaluate(() => [1, 3].map((day) => new Date(2026, 2, day).toISOString()))
  await expect.poll(ends).toEqual(days)
  await page.getByLabel('To', { exact: true }).fill('2026-02-02')
  await page.getByText('This is before the first day').waitFor()
  await look(page, 'period')
  await page.keyboard.press('Escape')
  await kept.click()

  await more.click()
  await page.getByRole('menuitem', { name: 'Forget' }).click()
  await page.getByRole('dialog').getByText('They lose it as well.').waitFor()
  await page.getByRole('button', { name: 'Forget', exact: true }).click()
  await kept.waitFor({ state: 'detached' })
})
