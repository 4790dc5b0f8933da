import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { createChatbot } from '../../server/contracts/chatbots'
import { publishFlow } from '../../server/contracts/flows'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { startOutsideServer } from '../support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { pageHtml } from '../support/siteServer'
import { block, ready } from './steps'

/** What somebody who is new finds at home: the ways to a chatbot, what is left to do of one, and how each stands. */
let server: TestServer
let site: Awaited<ReturnType<typeof startOutsideServer>>
let browser: TestBrowser
let page: Page
let ada: Registered
let home: string

const PAGES: Record<string, string> = {
  '/': pageHtml(
    'Lamps',
    '<p>We repair harbour lamps of every make.</p><a href="/care">Care</a> <a href="/hours">Hours</a>',
  ),
  '/care': pageHtml(
    'Care',
    '<p>The guarantee for every repaired lamp lasts five years from the day of the repair.</p>',
  ),
  '/hours': pageHtml('Hours', '<p>The workshop is open from nine to five on weekdays and closed on Sundays.</p>'),
}

beforeAll(async () => {
  ensureBuilt()
  site = await startOutsideServer(({ path }, response) => {
    const body = PAGES[path]
    response.writeHead(body ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(body ?? '')
  })
  ;[server, browser] = await Promise.all([
    startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.0/8') } }),
    launchBrowser(),
  ])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  await browser.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  page = browser.page
  home = `${server.url}/projects/${ada.pgid}`
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await server?.close()
})

const make = async (name: string, template?: string) =>
  (await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name, ...(template && { template }) } })).chatbot
const list = () => page.getByRole('region', { name: 'All chatbots' })
const row = (name: string) => list().getByRole('listitem').filter({ hasText: name })

it('makes of an address a chatbot that answers from its pages, with nothing else to do', async () => {
  await page.goto(home)
  await page.getByRole('button', { name: 'Train', exact: true }).click()
  await page.getByText('Enter the address of your website').waitFor()
  await page.getByLabel('Website address').fill(`${site.url}/`)
  await page.getByRole('button', { name: 'Train', exact: true }).click()
  await page.waitForURL(/\/train\?crawl=/)
  const chat = page.getByRole('region', { name: 'Ask the chatbot' })
  await chat.waitFor({ timeout: 90_000 })
  await page.getByText('3 of 3 pages read').waitFor()
  await chat.getByPlaceholder('Ask a question').fill('How long does the guarantee last?')
  await page.keyboard.press('Enter')
  await chat
    .getByText(/five years from the day of the repair/)
    .first()
    .waitFor()
})

it('leads from the picture of a template to its chatbot, and keeps what is left to fill in until it is done', async () => {
  await page.goto(home)
  await page.getByRole('link', { name: 'Order status' }).click()
  await page.getByRole('heading', { name: 'Order status' }).waitFor()
  await page.getByRole('button', { name: 'Create chatbot' }).click()
  await ready(page)
  const todo = page.getByRole('region', { name: 'To do' })
  const steps = todo.getByRole('checkbox')
  await steps.first().waitFor()
  const count = await steps.count()
  // ticked before the server has said anything, and back where it refuses
  let refuse = () => {}
  const asked = new Promise<void>((done) => {
    refuse = done
  })
  await page.route('**/setup-steps', async (route) => {
    await asked
    await route.fulfill({ status: 500, json: { success: false, data: 'Out of order', code: 'internal' } })
  })
  await steps.first().check()
  await todo.getByText(`1 of ${count} done`).waitFor()
  refuse()
  await todo.getByText(`0 of ${count} done`).waitFor()
  expect(await steps.first().isChecked()).toBe(false)
  // the browser tells of the refusal too
  await expect.poll(() => browser.errors.length).toBeGreaterThan(0)
  expect(browser.errors.splice(0).filter((error) => !error.includes('500'))).toEqual([])
  await page.unroute('**/setup-steps')
  // shown at once: a page that is loaded anew meanwhile would take its request along
  const kept = page.waitForResponse('**/setup-steps')
  await steps.first().check()
  await todo.getByText(`1 of ${count} done`).waitFor()
  await kept
  await page.reload()
  await todo.getByText(`1 of ${count} done`).waitFor()
  for (let at = 1; at < count; at++) {
    await steps.nth(at).click()
    if (at < count - 1) await todo.getByText(`${at + 1} of ${count} done`).waitFor()
  }
  await todo.waitFor({ state: 'detached' })
})

it('says in the header and in the list whether the draft has changed since it was published', async () => {
  const chatbot = await make('Support', 'faq')
  await ada.call(publishFlow, { params: { pgid: ada.pgid, cgid: chatbot.gid, fid: chatbot.fid }, body: {} })
  await page.goto(`${home}/chatbots/${chatbot.gid}/builder`)
  await ready(page)
  const state = page.getByRole('banner').or(page.locator('header')).getByText('Published', { exact: true })
  await state.waitFor()
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await page.locator('header').getByText('Draft changed', { exact: true }).waitFor()
  await page.goto(home)
  await row('Support').getByText('Draft changed').waitFor()
  await row('Support')
    .getByText(/Ada Lovelace/)
    .waitFor()
})

it('finds a chatbot among several, and orders them', async () => {
  for (const name of ['Zebra', 'Apple']) await make(name)
  await page.goto(home)
  await row('Apple').waitFor()
  await page.getByRole('combobox', { name: 'Order' }).click()
  await page.getByRole('option', { name: 'Name' }).click()
  const names = () => list().getByRole('link').allInnerTexts()
  await expect.poll(names).toEqual([...(await names())].sort((a, b) => a.localeCompare(b)))
  await page.getByRole('searchbox', { name: 'Search chatbots' }).fill('zeb')
  await expect.poll(names).toEqual(['Zebra'])
})

it('says beside a lone start how to go on', async () => {
  const chatbot = await make('Fresh')
  await page.goto(`${home}/chatbots/${chatbot.gid}/builder`)
  await ready(page)
  await page.getByText('Drag from the dot next to Start').waitFor()
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await block(page, 'Start', 'Text')
    .or(page.getByLabel('Text block', { exact: true }))
    .first()
    .waitFor()
})

it('takes the focus to the heading after a navigation, and F6 through the parts of the page', async () => {
  await page.goto(home)
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('heading', { name: 'Members', level: 1 }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('F6')
  await nav.getByRole('link', { name: 'Members' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('F6')
  await page.getByRole('heading', { name: 'Members', level: 1 }).and(page.locator(':focus')).waitFor()
  // it is told of where the keyboard comes first
  await page.goto(home)
  await page.getByRole('button', { name: 'Train', exact: true }).waitFor()
  await page.keyboard.press('Tab')
  await page
    .getByRole('link', { name: /F6 moves between the parts/ })
    .and(page.locator(':focus'))
    .waitFor()
})

it('shows among many chatbots where one is, in a low window too', async () => {
  const { gid } = await make('Far down')
  await page.setViewportSize({ width: 1280, height: 420 })
  await page.goto(`${home}/chatbots/${gid}/settings/general`)
  const here = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]', { hasText: 'Settings' })
  await here.waitFor()
  const hidden = () =>
    here.evaluate((link) => {
      const { top, bottom } = link.getBoundingClientRect()
      const list = link.closest('nav > div')?.getBoundingClientRect()
      return !list || top < list.top || bottom > list.bottom
    })
  await expect.poll(hidden).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
})

it('opens and closes the groups of the navigation by the keyboard, and remembers it; a closed one shows where one is', async () => {
  const { gid } = await make('Groups')
  await page.goto(`${home}/chatbots/${gid}/settings/survey`)
  const nav = page.getByRole('navigation', { name: 'Main' })
  const link = (name: string) => nav.getByRole('link', { name, exact: true })
  const heading = nav.getByRole('button', { name: 'Settings', exact: true })
  const state = (open: boolean) => heading.and(page.locator(`[aria-expanded="${open}"]`)).waitFor()
  await link('Survey').and(page.locator('[aria-current="page"]')).waitFor()
  await state(false)
  expect(await link('Visibility').count()).toBe(0)
  // by arrows: to the heading, open, and down to a place
  await page.keyboard.press('F6')
  await link('Survey').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowLeft')
  await heading.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowRight')
  await state(true)
  await page.keyboard.press('ArrowDown')
  await link('General settings').and(page.locator(':focus')).waitFor()
  await link('Visibility').waitFor()
  await page.keyboard.press('ArrowUp')
  await heading.and(page.locator(':focus')).waitFor()
  await page.reload()
  await link('Visibility').waitFor()
  await state(true)
  await heading.press('Enter')
  await state(false)
  await link('Visibility').waitFor({ state: 'detached' })
  await link('Survey').waitFor()
  await expectAccessible(page, 'the navigation with groups')
  // a menu's own keys stay its own
  await page.getByRole('button', { name: 'Account menu' }).click()
  const entry = page.getByRole('menu').getByRole('menuitem')
  await entry.first().and(page.locator(':focus')).waitFor()
  await page.keyboard.press('End')
  await entry.last().and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
})

it('makes a project from the switcher, and leads into it', async () => {
  await page.goto(home)
  await page.getByRole('button', { name: 'Switch project' }).click()
  await page.getByRole('menuitem', { name: 'New project' }).click()
  await page.getByRole('textbox', { name: 'Project name' }).fill('Second')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { name: 'Second', level: 1 }).waitFor()
})

it('opens one’s own account behind the avatar: name, sessions, and what deleting it would take along', async () => {
  await page.goto(home)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Account', exact: true }).click()
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  await page.getByLabel('First name').fill('Augusta')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Account menu' }).filter({ hasText: 'Augusta Lovelace' }).waitFor()
  await page.getByText('This browser', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByText('Deleted with everything in them: you are the only member').waitFor()
  await dialog.getByText(/My project/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

it('lets an owner open a private network where the message about it leads', async () => {
  // the address that it had before leads there too
  await page.goto(`${home}/settings/project/general#networks`)
  await page.waitForURL(`${home}/settings/project/security#networks`)
  const field = page.getByRole('textbox', { name: 'Addresses and networks' })
  await field.waitFor()
  // whoever may register here is not trusted with the network of the server
  expect(await field.getAttribute('readonly')).not.toBeNull()
  await page.getByText(/does not allow projects to call private networks/).waitFor()
  expect(browser.errors).toEqual([])
})
