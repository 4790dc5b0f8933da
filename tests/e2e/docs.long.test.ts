import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { addSamples } from '../../server/contracts/samples'
import { objections, settled } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { look } from './look'

/**
 * The documentation in a browser, and its pictures: `DOCS_PICTURES=src/docs/public/pictures` keeps them there, else
 * they are made and thrown away.
 */
let server: TestServer
let browser: TestBrowser
let ada: Registered
let kept: string
let page: Page
beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer({}), launchBrowser({ colorScheme: 'light' })])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  await browser.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  page = browser.page
  kept = process.env.DOCS_PICTURES ?? (await mkdtemp(join(tmpdir(), 'parley-pictures-')))
  await mkdir(kept, { recursive: true })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  if (!process.env.DOCS_PICTURES) await rm(kept, { recursive: true })
})
// a blocked script or a request to another host would be one
afterEach(() => expect(browser.errors).toEqual([]))

test.each(['', 'editors/canvas', 'blocks/http-request'])('/docs/%s can be used by everybody', async (path) => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(size)
      await page.goto(`${server.url}/docs/${path}`)
      await page.locator(`html${colorScheme === 'dark' ? '.dark' : ':not(.dark)'}`).waitFor({ state: 'attached' })
      await page.getByRole('main').waitFor()
      if (process.env.DOCS_LOOK)
        await page.screenshot({
          path: join(process.env.DOCS_LOOK, `${path.replace('/', '-') || 'home'}-${colorScheme}-${size.width}.png`),
        })
      expect(await objections(page), `${colorScheme} ${size.width}`).toEqual([])
    }
})

test('what a page is about is found in the browser', async () => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${server.url}/docs/`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('breakpoints')
  await page
    .getByRole('option', { name: /Preview/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Preview and tests', level: 1 }).waitFor()
})

test('the help of a screen is the page that explains it', async () => {
  await page.goto(`${server.url}/projects/${ada.pgid}/contacts`)
  const [help] = await Promise.all([
    browser.context.waitForEvent('page'),
    page.getByRole('link', { name: 'Help for this screen' }).click(),
  ])
  await help.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
  await help.close()
})

test('the home screen answers a question about Parley from the documentation', async () => {
  await page.goto(`${server.url}/projects/${ada.pgid}`)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText('Enter a question').waitFor()
  await page.getByRole('textbox', { name: 'Your question' }).fill('can I put the chat on my wordpress site')
  await page.keyboard.press('Enter')
  await page.getByText('You add the code once.').waitFor()
  await page.getByText('You add the code once.').scrollIntoViewIfNeeded()
  await look(page, 'ask-docs')
  const [opened] = await Promise.all([
    browser.context.waitForEvent('page'),
    page.getByRole('link', { name: 'On your website', exact: true }).click(),
  ])
  await opened.getByRole('heading', { name: 'On your website', level: 1 }).waitFor()
  await opened.close()
  await page.getByRole('textbox', { name: 'Your question' }).fill('why do cats purr')
  await page.keyboard.press('Enter')
  await page.getByText('The documentation doesn’t say this in these words.').waitFor()
})

test('the pictures show the program as it is', async () => {
  const sample = await ada.call(addSamples, { params: { pgid: ada.pgid } })
  const project = `${server.url}/projects/${ada.pgid}`
  const chatbot = `${project}/chatbots/${sample.chatbot}`
  const pictures: Record<string, [url: string, shown: string]> = {
    builder: [`${chatbot}/builder`, '.react-flow__node'],
    'data-sources': [`${chatbot}/data-sources/new`, 'main h1'],
    embed: [`${chatbot}/integrations/embed`, 'main h1'],
    visibility: [`${chatbot}/settings/visibility`, 'main h1'],
    inbox: [`${project}/conversations`, 'main li, main [role="row"], main [role="option"]'],
    contacts: [`${project}/contacts`, 'main tbody tr'],
  }
  let bytes = 0
  for (const [name, [url, shown]] of Object.entries(pictures)) {
    await page.goto(url)
    await page.locator(shown).first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    await settled(page)
    const path = join(kept, `${name}.png`)
    await page.screenshot({ path })
    bytes += (await stat(path)).size
  }
  expect(bytes).toBeLessThan(3_000_000)
})
