import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { deleteChatbot } from '../../server/contracts/chatbots'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type Cable, layCable } from '../support/cable'
import { addMember, makeChatbot, openPeer, type Peer, storedFlow, synced } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { exportFlow, ready } from './steps'

/** A flow whose editor is on the far end of a cable: what he does offline, and what becomes of it. */
let server: TestServer
let browser: TestBrowser
let owner: Registered
let ed: Registered
let cable: Cable
let place: { pgid: string; cgid: string; fid: string }
/** the owner, beside the server */
let peer: Peer
let page: Page

beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer(), launchBrowser()])
  owner = await server.register()
  ed = await server.register({ first_name: 'Ed', email: 'ed@example.com' })
  place = await makeChatbot(owner)
  await addMember(server, place.pgid, ed, [Role.EDITOR])
  cable = await layCable(server.url)
  peer = openPeer(server, owner, place.fid)
  await synced(peer)
  await be(ed)
  page = browser.page
  await open(page)
})
afterAll(async () => {
  peer?.leave()
  cable?.close()
  await browser?.close()
  await server?.close()
})

const builder = () => `${cable.url}/projects/${place.pgid}/chatbots/${place.cgid}/builder`

/** Whose cookies the browser has from now on. */
const be = (person: Registered) =>
  browser.context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: cable.url })))

async function open(on: Page): Promise<void> {
  cable.mend()
  await on.goto(builder())
  await ready(on)
}

/** The tab is gone without a word; gives another one. The last tab of a browser would take the login with it. */
async function replace(old: Page): Promise<Page> {
  const next = await browser.context.newPage()
  await old.close()
  return next
}

/** His flow in a new tab, all stored; gives how many groups there are. */
async function fresh(): Promise<number> {
  page = await replace(page)
  await be(ed)
  await open(page)
  return count()
}

const group = (id: string) => ({ id, title: id, position: { x: 0, y: 0 }, blocks: [] })
const count = () => peer.document.projection().groups.size
/** By a notice, which goes by itself after a while. */
const isTold = (on: Page, text: RegExp) => on.getByText(text).waitFor()
const says = (on: Page, text: string | RegExp) => on.getByRole('status').filter({ hasText: text }).first().waitFor()

/** Pictures for whoever wants to look at them: wide and on a phone, light and dark. */
async function shot(on: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await on.setViewportSize({ width, height })
      await on.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await on.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png`, animations: 'disabled' })
    }
  await on.setViewportSize({ width: 1440, height: 900 })
  await on.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** A group more, beside what is there or out of sight. */
const addGroup = (on: Page) => on.getByRole('button', { name: 'Text', exact: true }).click()

/** What is kept in the browser, of all accounts. */
const kept = (on: Page) =>
  on.evaluate(async () => {
    const rows: Record<string, number> = {}
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      for (const store of database.objectStoreNames)
        rows[store] = await new Promise((resolve) => {
          const request = database.transaction(store).objectStore(store).count()
          request.onsuccess = () => resolve((rows[store] ?? 0) + request.result)
        })
      database.close()
    }
    return rows
  })
const nothing = { states: 0, stays: 0, updates: 0 }

it('keeps what is done offline through the end of the tab, and merges it when the flow is opened again', async () => {
  cable.cut()
  await says(page, /^Offline$/)
  await addGroup(page)
  await says(page, /^Offline: 1 edit kept on this device$/)
  peer.document.commands.addGroup(group('meanwhile'))
  page = await replace(page)
  await Promise.all([open(page), isTold(page, /^1 unsaved edit from .* was restored\.$/)])
  await page.getByRole('group', { name: /^Group meanwhile:/ }).waitFor()
  await peer.sees(() => count() === 3)
  await ready(page)
  await expect.poll(() => kept(page)).toEqual(nothing)
  expect((await storedFlow(server, place.fid)).groups).toHaveLength(3)
})

it('warns before the tab is closed, and lets two tabs of one person work offline without doubling what either did', async () => {
  const before = count()
  const other = await browser.context.newPage()
  await open(other)
  cable.cut()
  for (const tab of [page, other]) {
    await tab.bringToFront()
    await says(tab, /^Offline$/)
    await addGroup(tab)
    await says(tab, /^Offline: 1 edit kept on this device$/)
  }
  const [dialog] = await Promise.all([other.waitForEvent('dialog'), other.close({ runBeforeUnload: true })])
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  cable.mend()
  for (const tab of [page, other]) await ready(tab)
  await peer.sees(() => count() === before + 2)
  await other.close()
  expect((await storedFlow(server, place.fid)).groups).toHaveLength(before + 2)
})

it('keeps the flow open when calls fail meanwhile, and tries again when one asks it to', async () => {
  const before = await fresh()
  cable.cut()
  await says(page, /^Offline$/)
  await addGroup(page)
  // coming back to the window looks whether the server is back, and what was read is old by now
  await page.clock.setFixedTime(Date.now() + 60_000)
  const failed = page.waitForEvent('requestfailed', (request) => /\/(api\/|readyz)/.test(request.url()))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await failed
  const state = page.getByRole('button', { name: /^Offline: 1 edit kept/ })
  await state.click()
  await page.getByRole('button', { name: 'Try now', exact: true }).click()
  await page.getByText('The server still can’t be reached.').waitFor()
  await shot(page, 'offline')
  expect(JSON.parse((await exportFlow(page)).text).groups).toHaveLength(before + 1)
  cable.mend()
  await ready(page)
  await peer.sees(() => count() === before + 1)
})

it('shows another account of the same browser nothing, and gives the edits back to whose they are', async () => {
  const before = await fresh()
  cable.cut()
  await says(page, /^Offline$/)
  await addGroup(page)
  await says(page, /^Offline: 1 edit kept on this device$/)
  await be(owner)
  cable.mend()
  await says(page, /^Not saved$/)
  await page.getByRole('button', { name: 'Not saved' }).click()
  await page.getByText(/^You were logged out\. 1 edit is kept on this device/).waitFor()
  page = await replace(page)
  await open(page)
  await expect.poll(() => kept(page)).toMatchObject({ stays: 1 })
  expect(await page.getByText(/was restored\./).count()).toBe(0)
  expect(count()).toBe(before)
  page = await replace(page)
  await be(ed)
  await Promise.all([open(page), isTold(page, /^1 unsaved edit from .* was restored\.$/)])
  await peer.sees(() => count() === before + 1)
  await ready(page)
})

it('loses nothing of somebody who may no longer write', async () => {
  const before = await fresh()
  cable.cut()
  await says(page, /^Offline$/)
  await addGroup(page)
  await says(page, /^Offline: 1 edit kept on this device$/)
  await addMember(server, place.pgid, ed, [Role.VIEWER])
  const room = page.waitForResponse((response) => response.url().endsWith(`/flows/${place.fid}/document`))
  cable.mend()
  const dialog = page.getByRole('dialog', { name: '1 edit could not be saved' })
  await dialog.getByText(/can no longer edit this flow/).waitFor()
  // by HTTP too the page reads that he may only read: what is open stays
  expect(await (await room).json()).toMatchObject({ data: { read_only: true } })
  await expectAccessible(page, 'edits that could not be sent')
  await shot(page, 'stranded')
  // and again after a reload, from what is kept
  page = await replace(page)
  await page.goto(builder())
  const shown = page.getByRole('dialog', { name: '1 edit could not be saved' })
  await shown.waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: 'Download your version' }).click(),
  ])
  expect(JSON.parse(await readFile(await download.path(), 'utf8')).groups).toHaveLength(before + 1)
  await shown.getByRole('button', { name: 'Continue without them' }).click()
  await shown.waitFor({ state: 'detached' })
  await expect.poll(() => kept(page)).toEqual(nothing)
  expect(count()).toBe(before)
})

it('says so when the browser keeps nothing', async () => {
  await addMember(server, place.pgid, ed, [Role.EDITOR])
  await be(ed)
  const before = count()
  page = await replace(page)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('forbidden', 'SecurityError')
    }
  })
  await open(page)
  cable.cut()
  await says(page, /^Offline$/)
  await addGroup(page)
  await says(page, /^Offline: 1 edit only in this tab$/)
  cable.mend()
  await peer.sees(() => count() === before + 1)
  await ready(page)
})

it('keeps the flow of somebody whose flow is gone, and offers it outside of the builder too', async () => {
  const before = await fresh()
  cable.cut()
  await says(page, /^Offline$/)
  await addGroup(page)
  await says(page, /^Offline: 1 edit kept on this device$/)
  await expect.poll(() => kept(page)).toMatchObject({ states: 1 })
  await owner.call(deleteChatbot, { params: { pgid: place.pgid, cgid: place.cgid }, body: { name: 'Bot' } })
  cable.mend()
  await page
    .getByRole('dialog', { name: '1 edit could not be saved' })
    .getByText(/the flow was deleted/)
    .waitFor()
  page = await replace(page)
  await page.goto(`${cable.url}/projects/${place.pgid}/chatbots`)
  const left = page.getByRole('region', { name: 'Unsaved edits' })
  await left.getByText(/^1 edit in “Bot” from/).waitFor()
  await shot(page, 'left')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    left.getByRole('button', { name: 'Download my version' }).click(),
  ])
  expect(JSON.parse(await readFile(await download.path(), 'utf8')).groups).toHaveLength(before + 1)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out', exact: true }).click()
  const leaving = page.getByRole('dialog', { name: 'Log out with unsaved edits?' })
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await left.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog', { name: 'Discard unsaved edits?' }).getByRole('button', { name: 'Discard' }).click()
  await left.waitFor({ state: 'detached' })
  await expect.poll(() => kept(page)).toEqual(nothing)
})
