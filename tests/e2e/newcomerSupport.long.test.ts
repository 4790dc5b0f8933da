import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { startTestServer, type TestServer } from '../support/server'
import { pageHtml } from '../support/siteServer'
import { countGestures, countKeys } from './gestureCount'
import { createDesk, type Desk } from './newcomerDesk'
import { atRest, block, ready } from './steps'

/**
 * The third job of a newcomer: support from a website of six pages, and a hand-off for what none of them says. Begun in an empty project, by
 * its website's address or from an empty canvas, by mouse and by keyboard alone, gestures counted, and then tried.
 */
let server: TestServer
let outside: OutsideServer
let browser: TestBrowser
let page: Page
let desk: Desk
let home: string

const SITE: Record<string, string> = {
  '/': pageHtml(
    'Lamps',
    `<p>We repair harbour lamps of every make.</p>${['care', 'hours', 'prices', 'shipping', 'returns']
      .map((name) => `<a href="/${name}">${name}</a>`)
      .join(' ')}`,
  ),
  '/care': pageHtml('Care', '<p>The guarantee for a repaired lamp lasts five years from the day of the repair.</p>'),
  '/hours': pageHtml('Hours', '<p>The workshop opens from nine to five on weekdays and closes on Sundays.</p>'),
  '/prices': pageHtml('Prices', '<p>A repair costs forty euros, and a new lens costs ninety euros more.</p>'),
  '/shipping': pageHtml('Shipping', '<p>Parcels travel with the evening boat and arrive within three days.</p>'),
  '/returns': pageHtml('Returns', '<p>Lamps that do not please come back within thirty days, unused.</p>'),
}

beforeAll(async () => {
  ensureBuilt()
  outside = await startOutsideServer(({ path }, response) => {
    const body = SITE[path]
    response.writeHead(body ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(body ?? '')
  })
  ;[server, browser] = await Promise.all([
    startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.0/8') } }),
    launchBrowser({ colorScheme: 'light' }),
  ])
  page = browser.page
  desk = createDesk(page)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  outside?.close()
})
/** Somebody new, in a project where nothing is. */
beforeEach(async () => {
  const person = await server.register()
  await actAs(browser, person, server.url)
  home = `${server.url}/projects/${person.pgid}`
  await page.goto(home)
  await page.getByLabel('Website address').waitFor()
})
afterEach(() => expect(browser.errors).toEqual([]))

/** A visitor asks what a page says, then what none says, and is handed over to the team. */
async function triesSupport(greeting: string, next: string): Promise<void> {
  await desk.openPreview()
  await desk.hears(greeting)
  await desk.writes('How long does the guarantee for a repaired lamp last?')
  await desk.hears(/five years from the day of the repair/)
  await desk.hears(next)
  await desk.writes('Do you sell bicycles in Brazil?')
  // the nearest headings are offered first
  await desk.preview().getByRole('button', { name: 'None of these', exact: true }).click()
}
async function isHandedOver(said: string): Promise<void> {
  await desk.hears('Where can we answer you?')
  await desk.writes('grace@example.org')
  await desk.hears('Would email the conversation to 1 person')
  await desk.hears(said)
}

const chatbotName = () => page.getByLabel('Chatbot name')
const links = () => page.getByRole('link', { name: 'Links', exact: true })
const startUrl = () => page.getByRole('textbox', { name: 'Start URL', exact: true })
const train = () => page.getByRole('button', { name: 'Train 6 pages', exact: true })
async function isTrained(): Promise<void> {
  const rows = page.getByRole('table', { name: 'Sources', exact: true }).getByText('Ready', { exact: true })
  await expect.poll(() => rows.count(), { timeout: 90_000 }).toBe(6)
  await page.getByText('Up to date', { exact: true }).waitFor()
}

const ASKS = 'What would you like to know?'
const HANDS_OVER = 'Our team reads this and answers you.'

it('is built on an empty canvas by the mouse, and answers from the website or hands over', async () => {
  const hands = countGestures(page)
  await hands.click(page.getByRole('button', { name: 'New chatbot', exact: true }).first())
  await hands.type('Support', chatbotName())
  await hands.press('Enter')
  await ready(page)
  await atRest(page)
  await hands.click(desk.palette('Text input'))
  await hands.type(ASKS, desk.onCard('Text input: Question'))
  await hands.click(desk.palette('AI answer'))
  await atRest(page)
  // what is answered leads to the next question, what is not to the team
  await hands.drag({ on: desk.output('Next', 'AI answer') }, { on: block(page, 'Text input', 'Text input') })
  const canvas = page.locator('[data-canvas]')
  await hands.drag({ on: desk.output('Not found', 'AI answer') }, { on: canvas, x: -700, y: -200 })
  const picker = page.getByRole('dialog', { name: 'What comes next?' })
  await hands.type('hand', picker.getByRole('searchbox'))
  await picker.getByRole('button', { name: 'Hand-off', exact: true }).waitFor()
  await hands.press('Enter')
  await picker.waitFor({ state: 'detached' })
  await hands.type(HANDS_OVER, desk.onCard('Hand-off: Message'))
  await ready(page)
  await desk.shots('support-1-built')

  await hands.click(page.getByRole('link', { name: 'Data sources', exact: true }))
  await hands.click(links())
  await hands.click(page.getByText('Website', { exact: true }))
  await hands.click(startUrl())
  await hands.type(`${outside.url}/`, startUrl())
  await hands.press('Enter')
  await hands.click(train())
  await isTrained()
  await desk.shots('support-2-trained')
  await hands.click(page.getByRole('link', { name: 'Builder', exact: true }))
  const { count } = hands
  await triesSupport(ASKS, ASKS)
  await isHandedOver(HANDS_OVER)
  await desk.shots('support-3-handed')
  expect(count).toBeLessThanOrEqual(20)
})

it('is built on an empty canvas by the keyboard alone', async () => {
  const keys = countKeys(page)
  await desk.commandByKeys(keys, 'New chatbot')
  await keys.type('Support', chatbotName())
  await keys.press('Enter')
  await ready(page)
  await atRest(page)
  await keys.press('Alt+Home')
  await page.locator('.react-flow__node:focus').waitFor()
  await desk.addByKeys(keys, 'Text input')
  await keys.type(ASKS, desk.onCard('Text input: Question'))
  await desk.leave(keys, 'Text input')
  await desk.addByKeys(keys, 'AI answer')
  await desk.leave(keys, 'AI answer')
  await desk.connectByKeys(keys, 'Next', 'What would')
  await keys.walkTo(desk.output('Not found', 'AI answer'), 'Shift+Tab')
  await desk.addByKeys(keys, 'Hand-off', 'Enter')
  await keys.type(HANDS_OVER, desk.onCard('Hand-off: Message'))
  await keys.press('Escape')
  await ready(page)

  await desk.commandByKeys(keys, 'Data sources')
  await keys.walkTo(links())
  await keys.press('Enter')
  await page.getByRole('heading', { name: 'Add data sources' }).and(page.locator(':focus')).waitFor()
  await keys.walkTo(page.getByRole('radio', { name: /^Pages/ }))
  await keys.press('ArrowDown')
  await startUrl().waitFor()
  await keys.walkTo(startUrl())
  await keys.type(`${outside.url}/`, startUrl())
  await keys.press('Enter')
  await train().waitFor()
  await keys.walkTo(train())
  await keys.press('Enter')
  await isTrained()
  await desk.commandByKeys(keys, 'Builder')
  const { count } = keys
  await triesSupport(ASKS, ASKS)
  await isHandedOver(HANDS_OVER)
  expect(count).toBeLessThanOrEqual(96)
})

/** As the template for websites hands over: where the visitor chooses a person. */
async function choosesPerson(): Promise<void> {
  await desk.hears('I have no answer to that.')
  await desk.preview().getByRole('button', { name: 'Talk to a person', exact: true }).last().click()
}

it('is made of the website’s address by the mouse', async () => {
  const hands = countGestures(page)
  await hands.click(page.getByLabel('Website address'))
  await hands.type(`${outside.url}/`, page.getByLabel('Website address'))
  await hands.press('Enter')
  await page.waitForURL(/\/train\?crawl=/)
  await page.getByRole('region', { name: 'Ask the chatbot' }).waitFor({ timeout: 90_000 })
  await page.getByText('6 of 6 pages read').waitFor()
  await desk.shots('site-1-trained')
  await hands.click(page.getByRole('link', { name: 'Open the builder' }))
  const { count } = hands
  await triesSupport('Hello!', 'Is there anything else')
  await choosesPerson()
  await isHandedOver('Our team gets this conversation and answers you.')
  await desk.shots('site-2-handed')
  expect(count).toBe(4)
})

it('is made of the website’s address by the keyboard alone', async () => {
  const keys = countKeys(page)
  // past the navigation
  await keys.walkTo(page.getByRole('link', { name: 'Skip to content' }))
  await keys.press('Enter')
  await keys.walkTo(page.getByLabel('Website address'))
  await keys.type(`${outside.url}/`, page.getByLabel('Website address'))
  await keys.press('Enter')
  await page.waitForURL(/\/train\?crawl=/)
  await page.getByRole('region', { name: 'Ask the chatbot' }).waitFor({ timeout: 90_000 })
  await keys.walkTo(page.getByRole('link', { name: 'Open the builder' }))
  await keys.press('Enter')
  const { count } = keys
  await triesSupport('Hello!', 'Is there anything else')
  await choosesPerson()
  await isHandedOver('Our team gets this conversation and answers you.')
  // samples are on the way to the address
  expect(count).toBeLessThanOrEqual(12)
})
