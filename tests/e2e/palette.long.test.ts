import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { createProject } from '../../server/contracts/projects'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { ready } from './steps'

/** The block search, and Ctrl-K on every screen, by keys alone. */
let server: TestServer
let ada: TestBrowser
let vera: TestBrowser
let owner: Registered
let viewer: Registered
let place: { pgid: string; cgid: string; fid: string }

beforeAll(async () => {
  ensureBuilt()
  ;[server, ada, vera] = await Promise.all([startTestServer(), launchBrowser(), launchBrowser()])
  owner = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  viewer = await server.register({ first_name: 'Vera', last_name: 'Viewer', email: 'vera@example.com' })
  place = await makeChatbot(owner)
  await addMember(server, place.pgid, viewer, [Role.VIEWER])
  await owner.call(createProject, { body: { name: 'Second garden' } })
  for (const [browser, person] of [
    [ada, owner],
    [vera, viewer],
  ] as const)
    await browser.context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([ada?.close(), vera?.close(), server?.close()]))

const focused = (page: Page, on: Locator) => on.and(page.locator(':focus')).waitFor()
const field = (page: Page) => page.getByRole('combobox', { name: 'Find anything' })

/** Opens the palette by its key and types; ends when the row that Enter takes is the one that is wanted. */
async function find(page: Page, search: string, row: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await focused(page, field(page))
  await page.keyboard.type(search)
  await page.getByRole('option', { name: row, selected: true }).waitFor()
}

async function go(page: Page, search: string, row: string | RegExp): Promise<void> {
  await find(page, search, row)
  await page.keyboard.press('Enter')
  await field(page).waitFor({ state: 'detached' })
}

const open = (page: Page, path: string) => page.goto(`${server.url}/projects/${place.pgid}${path}`)

it('takes what is typed as soon as its key was pressed, the first time on a page too', async () => {
  const { page } = ada
  for (const path of ['/members', `/chatbots/${place.cgid}/builder`]) {
    // what the palette shows comes with the page
    const texts = page.waitForResponse(/\/assets\/palette-[^/]+\.js$/)
    await open(page, path)
    if (path === '/members') await page.getByRole('heading', { level: 1 }).waitFor()
    else await ready(page)
    await (await texts).finished()
    await page.keyboard.press('Control+k')
    // a person's next letter comes later than this
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await page.keyboard.type('api')
    expect(await field(page).inputValue()).toBe('api')
    await page.keyboard.press('Escape')
    await field(page).waitFor({ state: 'detached' })
  }
})

it('opens as soon as its texts are there where its key came before them, with what was typed meanwhile', async () => {
  const { page } = ada
  const texts = /\/assets\/palette-[^/]+\.js$/
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(texts, async (route) => {
    await arrived
    await route.continue()
  })
  await open(page, '/members')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('memx')
  await page.keyboard.press('Backspace')
  arrive()
  await focused(page, field(page))
  expect(await field(page).inputValue()).toBe('mem')
  await page.unroute(texts)
})

it('adds by Enter what the search marks: by name first, then by what else it is called', async () => {
  const { page } = ada
  await open(page, `/chatbots/${place.cgid}/builder`)
  await ready(page)
  for (const [typed, kind] of [
    ['send', 'Send email'],
    ['webhook', 'HTTP request'],
  ] as const) {
    await page.keyboard.press('a')
    const picker = page.getByRole('dialog', { name: 'Add a block' })
    await focused(page, picker.getByRole('searchbox'))
    await page.keyboard.type(typed)
    await picker.locator('[data-next]', { hasText: kind }).waitFor()
    await picker.getByText(`Enter adds: ${kind}`).waitFor({ state: 'attached' })
    expect(await picker.locator('[data-kind]').first().textContent()).toContain(kind)
    await page.keyboard.press('Enter')
    await picker.waitFor({ state: 'detached' })
    await page.getByLabel(`${kind} block`, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[data-block-id]:focus').waitFor()
    await page.keyboard.press('Escape')
  }
})

it('goes from any screen to any other, to chatbots and projects, and begins with what was chosen last', async () => {
  const { page } = ada
  await open(page, '')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await go(page, 'api keys', /^API keys/)
  await page.waitForURL(/settings\/project\/api-keys$/)
  await go(page, 'bot', /^Bot/)
  await page.waitForURL(/\/builder$/)
  await ready(page)
  await go(page, 'instructions', /^Instructions/)
  await page.waitForURL(/\/instructions$/)
  await page.getByLabel('Flow', { exact: true }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await focused(page, field(page))
  await page.getByText('Recent', { exact: true }).waitFor()
  await page.getByRole('option', { name: /^Bot/ }).first().waitFor()
  await expectAccessible(page, 'palette', '[role="dialog"]')
  await page.keyboard.press('Escape')
  await field(page).waitFor({ state: 'detached' })
  await go(page, 'second gar', /^Second garden/)
  await page.getByRole('button', { name: 'Switch project' }).getByText('Second garden').waitFor()
  expect(ada.errors).toEqual([])
})

it('publishes and changes the theme from a screen that has neither', async () => {
  const { page } = ada
  await open(page, '/members')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await go(page, 'dark', /^Dark theme/)
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await go(page, 'light th', /^Light theme/)
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor()
  await go(page, 'publish', /^Publish Bot/)
  await page.waitForURL(/\/builder$/)
  await page.getByRole('dialog', { name: 'Publish' }).waitFor()
})

it('opens by a button too, which names the key', async () => {
  const { page } = ada
  await open(page, '/members')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('button', { name: /^Search/ })
    .click()
  await focused(page, field(page))
  await page.keyboard.press('Escape')
})

it('offers nobody what the account may not do', async () => {
  const { page } = vera
  await open(page, '/chatbots')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await focused(page, field(page))
  const rows = page.getByRole('option')
  await rows.filter({ hasText: 'Dark theme' }).waitFor()
  const names = await rows.allInnerTexts()
  for (const forbidden of [/^Publish/, /^New chatbot/, /^Members/, /^Invite/, /^API keys/])
    expect(names.filter((name) => forbidden.test(name))).toEqual([])
})

it('logs out', async () => {
  const { page } = vera
  await page.keyboard.press('Escape')
  await field(page).waitFor({ state: 'detached' })
  await go(page, 'log out', /^Log out/)
  await page.waitForURL(/\/login/)
})

it('goes on at the heading of the page after a log-in by the keyboard', async () => {
  const { page } = vera
  await page.getByLabel('Email').fill('vera@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/projects\//)
  await page.locator('main h1:focus').waitFor()
})
