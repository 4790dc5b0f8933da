import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../../server/cli/sources.mjs'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createFromFile, editText, openBuilder, ready, registerOwner, settings, typebotFile } from './steps'

/** What the builder takes over a slow line: how much, in how many pieces, and how soon each is asked for. The bench `loading` has the time. */
let app: BuiltApp
let ada: TestBrowser
beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

it('brings the builder in few pieces, all of which its page names, and what is opened in it after them', async () => {
  const { page, context } = ada
  await registerOwner(page, app)
  await createFromFile(page, typebotFile('lead-scoring'), 'Lead scoring')
  await openBuilder(page)
  await page.goto('about:blank')
  const asked: Request[] = []
  context.on('request', (request) => asked.push(request))
  await page.goBack()
  await ready(page)
  await editText(page, page.getByLabel('Text block', { exact: true }).first())
  const html = await (await context.request.get(page.url())).text()
  const program = asked.filter((request) => ['script', 'stylesheet'].includes(request.resourceType()))
  const pathOf = (request: Request) => new URL(request.url()).pathname
  const named = program.filter((request) => html.includes(pathOf(request)))
  expect(named.length).toBeGreaterThan(5)
  expect(named.length).toBeLessThanOrEqual(20)
  const sizes = await Promise.all(named.map((request) => request.sizes()))
  const bytes = sizes.reduce(
    (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
    0,
  )
  // some 2 KB a block kind: the last five took it from 620
  expect(bytes).toBeLessThanOrEqual(630 * 1024)
  // on a slow line these would take from what the canvas needs
  const later = program.filter((request) => !named.includes(request)).map(pathOf)
  expect(later.some((path) => path.includes('createTextEditor'))).toBe(true)
  const last = Math.max(...named.map((request) => asked.indexOf(request)))
  const before = asked.slice(0, last).map(pathOf)
  expect(later.filter((path) => before.includes(path))).toEqual([])
})

it('asks for the flow beside the program, not after it', async () => {
  const { page } = ada
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/assets/builder-*.js', async (route) => {
    await held
    await route.continue()
  })
  const [room] = await Promise.all([
    page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/document')),
    page.reload({ waitUntil: 'commit' }),
  ])
  expect(room.ok()).toBe(true)
  letGo()
  await ready(page)
  await page.unrouteAll()
})

it('draws the builder with the navigation beside it: nothing in it waits for its texts', async () => {
  const { context } = ada
  const page = await context.newPage()
  await page.addInitScript(() => {
    const seen = { screen: 0, without: 0 }
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const screen = document.querySelector('#content')
      if (screen) seen[screen.querySelector('*') ? 'screen' : 'without'] += 1
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(ada.page.url())
  await ready(page)
  const seen = await page.evaluate(() => (window as unknown as { seen: { screen: number; without: number } }).seen)
  expect(seen.screen).toBeGreaterThan(0)
  expect(seen.without).toBe(0)
  await page.close()
})

it('opens the form of a text, whose program comes with the flow, without a sign of waiting', async () => {
  const { page } = ada
  await page.reload()
  await ready(page)
  await isThere(page, '../blocks/text/editor.tsx')
  await page.evaluate(() => {
    const seen = { waiting: 0 }
    Object.assign(window, { seen })
    new MutationObserver(() => {
      if (document.querySelector('aside [aria-busy="true"]')) seen.waiting += 1
    }).observe(document, { childList: true, subtree: true })
  })
  await editText(page, page.getByLabel('Text block', { exact: true }).first())
  expect(await page.evaluate(() => (window as unknown as { seen: { waiting: number } }).seen)).toEqual({ waiting: 0 })
})

it('fetches a panel that could not be fetched once there is a connection again', async () => {
  const { page, context } = ada
  const held: Route[] = []
  await page.route('**/assets/ProblemsPanel-*.js', (route) => void held.push(route))
  await page.reload()
  await ready(page)
  // fetched when the builder has nothing else to do
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await context.setOffline(true)
  for (const route of held) await route.abort()
  await page.unroute('**/assets/ProblemsPanel-*.js')
  await page.getByRole('button', { name: /^Problems/ }).click()
  const panel = page.getByRole('complementary', { name: 'Problems' })
  await panel.waitFor()
  expect(await panel.getByRole('heading').count()).toBe(0)
  await context.setOffline(false)
  await panel.getByRole('heading').first().waitFor()
})

it('goes to the first field of a form however long that is on its way', async () => {
  const page = await ada.context.newPage()
  await page.addInitScript(() => {
    const now = performance.now.bind(performance)
    let ahead = 0
    performance.now = () => now() + ahead
    window.addEventListener('pass', () => {
      ahead += 60_000
    })
  })
  const held: Route[] = []
  await page.route(`**${builtAs('../blocks/condition/editor.tsx')}`, (route) => void held.push(route))
  await page.goto(ada.page.url())
  await ready(page)
  await page.getByRole('region', { name: 'Blocks' }).getByRole('button', { name: 'Condition', exact: true }).click()
  await settings(page).locator('[aria-busy="true"]').waitFor()
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        window.dispatchEvent(new Event('pass'))
        // whoever looks once a frame has seen it
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
      }),
  )
  await expect.poll(() => held.length).toBeGreaterThan(0)
  for (const route of held) await route.continue()
  await settings(page).getByRole('button', { name: 'Variable', exact: true }).and(page.locator(':focus')).waitFor()
  await page.close()
})

it('has the screen of a link in view before anybody points at it', async () => {
  const eve = await launchBrowser()
  try {
    await registerOwner(eve.page, app)
    await eve.page.getByRole('link', { name: 'Members', exact: true }).first().waitFor()
    await isThere(eve.page, 'screens/members/MembersScreen.tsx')
  } finally {
    await eve.close()
  }
})

/** The path of a module of the sources in the built program. */
function builtAs(module: string): string {
  const manifest = JSON.parse(readFileSync(join(root, 'build/parley/client/manifest.json'), 'utf8'))
  return `/${manifest[module].file}`
}

/** Waits until the page has a module of the sources that it asks for by itself. */
async function isThere(page: Page, module: string): Promise<void> {
  const path = builtAs(module)
  await page.waitForFunction(
    (path) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(path)),
    path,
  )
  await page.evaluate(`import('${path}').then(() => null)`)
}
