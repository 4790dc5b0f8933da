import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Role } from '../../server/api/roles'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type Cable, layCable } from '../support/cable'
import { addMember, makeChatbot, openPeer, type Peer, storedFlow, synced } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { ready } from './steps'

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
  ;[server, browser] = await Promise.all([startTestServer(), launchBrowser()])
  owner = await server.register()
  ed = await server.register({ first_name: 'Ed', email: 'ed@example.com' })
  place = await makeChatbot(owner)
  await addMember(server, place.pgid, ed, [Role.EDITOR])
  cable = await layCable(server.url)
  peer = openPeer(server, owner, place.fid)
  await synced(peer)
  await browser.context.addCookies([...ed.cookies].map(([name, value]) => ({ name, value, url: cable.url })))
  page = browser.page
  await open(page)
})
afterAll(async () => {
  peer?.leave()
  cable?.close()
  await browser?.close()
  await server?.close()
})

async function open(on: Page): Promise<void> {
  await on.goto(`${cable.url}/projects/${place.pgid}/chatbots/${place.cgid}/builder`)
  await ready(on)
}

/** The tab is gone without a word; gives another one. The last tab of a browser would take the login with it. */
async function replace(old: Page): Promise<Page> {
  const next = await browser.context.newPage()
  await old.close()
  return next
}

const group = (id: string) => ({ id, title: id, position: { x: 0, y: 0 }, blocks: [] })
const titles = () => [...peer.document.projection().groups.values()].map(({ title }) => title)
const says = (on: Page, text: string | RegExp) => on.getByRole('status').filter({ hasText: text }).first().waitFor()

/** Adds a group by the canvas's own way. */
async function addGroup(on: Page): Promise<void> {
  const groups = on.getByRole('group', { name: /^Group / })
  const before = await groups.count()
  await on.getByRole('button', { name: 'Text', exact: true }).click()
  await groups.nth(before).waitFor()
}

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
  cable.mend()
  await open(page)
  await page.getByText(/^1 edit of yours from .* was brought back\.$/).waitFor()
  await page.getByRole('group', { name: /^Group meanwhile:/ }).waitFor()
  await peer.sees(() => titles().length === 3)
  await ready(page)
  await expect.poll(() => kept(page)).toEqual(nothing)
  expect((await storedFlow(server, place.fid)).groups).toHaveLength(3)
})
