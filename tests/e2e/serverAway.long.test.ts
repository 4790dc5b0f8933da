import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeFolder, OWNER_LINK, type RunningApp, startProcess } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { freePort } from '../support/databaseUrl'
import {
  block,
  createFromFile,
  editText,
  fillAccount,
  openBuilder,
  openGroup,
  owner,
  ready,
  showAll,
  typebotFile,
} from './steps'

/** A server that is killed under pages that are open, and started again where it was. */
let env: Record<string, string>
let app: RunningApp
let running = true
let browser: TestBrowser
/** the builder */
let page: Page
let home: string

beforeAll(async () => {
  env = { DATA_DIR: await makeFolder(), PORT: String(await freePort()) }
  ;[app, browser] = await Promise.all([startProcess(env), launchBrowser()])
  page = browser.page
  await page.goto(await app.prints(OWNER_LINK))
  await fillAccount(page, owner)
  home = page.url()
  await createFromFile(page, typebotFile('lead-generation'), 'Leads')
  await openBuilder(page)
})
beforeEach(async () => {
  if (!running) await restart()
  // the browser prints every call that finds nobody
  browser.errors.splice(0)
})
afterAll(async () => {
  await browser?.close()
  await app?.end('SIGINT')
  await rm(env.DATA_DIR ?? '', { recursive: true, force: true })
})

const banner = (on: Page) => on.getByRole('region', { name: 'Connection' })

async function kill(): Promise<void> {
  running = false
  await app.end('SIGKILL')
}
async function restart(): Promise<void> {
  app = await startProcess(env)
  running = true
}

/** What a screen must not say of what it could not ask for. */
const FALSE = /refresh the page|no \w+( \w+)? yet|has no variables|could not be|An error occured/i

it('keeps what is edited in the builder while the server is away, says so once, and goes on by itself', async () => {
  const pane = page.getByRole('region', { name: 'Preview' })
  const test = page.getByRole('button', { name: 'Preview', exact: true })
  // its part of the program is there
  await test.click()
  await pane.getByRole('log', { name: 'Conversation' }).waitFor()
  // the canvas goes to the block that waits for an answer
  await page.locator('[data-block-id][data-active]').waitFor({ state: 'attached' })
  await test.click()
  await showAll(page)
  const message = await editText(page, block(page, 'Bye', 'Text').first())
  await kill()
  await banner(page).waitFor()
  await message.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' Written without a server.')
  await page
    .getByRole('status')
    .filter({ hasText: /^Offline: \d+ edits? kept on this device$/ })
    .waitFor()
  // a test that can't begin says so in one place, and nothing that isn't so
  await test.click()
  await pane.getByText('The chat could not be opened').waitFor()
  expect(await page.getByText(FALSE).allInnerTexts()).toEqual(['The chat could not be opened'])
  expect(await banner(page).count()).toBe(1)
  await restart()
  await banner(page).waitFor({ state: 'detached' })
  await ready(page)
  await pane.getByRole('log', { name: 'Conversation' }).getByText('Welcome').first().waitFor()
  await page.reload()
  await ready(page)
  await page.getByText('Written without a server.').first().waitFor()
})

it('shows a screen that can not be read as loading, with the navigation beside it, and fills it when the server is back', async () => {
  const ofProject = ['Members', 'Secrets', 'Outbox']
  const ofChatbot = ['Data sources', 'Instructions', 'AI settings']
  // a browser with routes keeps nothing: here parts of the program that were loaded once are
  await browser.context.unrouteAll()
  const open = await browser.context.newPage()
  await open.goto(home)
  const link = (name: string) => open.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
  // the parts of the program are there, and what they show is not
  const visit = async (name: string) => {
    await link(name).click()
    await link(name).and(open.locator('[aria-current="page"]')).waitFor()
    await open.getByRole('heading', { level: 1 }).first().waitFor()
  }
  await openGroup(open, 'Project')
  for (const name of ofProject) await visit(name)
  await link('Leads').click()
  await ready(open)
  for (const name of [...ofChatbot, 'Results']) await visit(name)
  await open.reload()
  await open.getByRole('heading', { name: 'Results', exact: true, level: 1 }).waitFor()
  await kill()
  for (const name of [...ofChatbot, ...ofProject]) {
    await link(name).click()
    await open.getByRole('status', { name: 'Loading' }).first().waitFor()
    expect(await open.getByText(FALSE).allInnerTexts(), name).toEqual([])
    expect(await open.getByRole('alert').count(), name).toBe(0)
  }
  await banner(open).waitFor()
  await restart()
  await banner(open).waitFor({ state: 'detached' })
  await open.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
  await open.close()
})

it('brings the styles of a screen with it that was first asked for while the server was away', async () => {
  const open = await browser.context.newPage()
  await open.goto(home)
  await openGroup(open, 'Project')
  const link = open
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Project settings', exact: true })
  await link.waitFor()
  await kill()
  await link.click()
  await banner(open).waitFor()
  await restart()
  await open.getByRole('heading', { name: 'Project settings', level: 1 }).waitFor()
  // the browser keeps the rules of a style that did not come to itself
  const missing = () =>
    open.locator('link[rel="stylesheet"]').evaluateAll(
      (links) =>
        links.filter((style) => {
          try {
            return (style as HTMLLinkElement).sheet?.cssRules === undefined
          } catch {
            return true
          }
        }).length,
    )
  await expect.poll(missing).toBe(0)
  await open.close()
})

it('leads to a chatbot that can not be asked for no further than the navigation, and into it when the server is back', async () => {
  const open = await browser.context.newPage()
  // the parts of the builder are there, and the chatbot is left
  await open.goto(home)
  await open.getByRole('link', { name: 'Leads', exact: true }).first().click()
  await ready(open)
  await open.getByRole('link', { name: 'Members' }).click()
  await open.getByRole('heading', { name: 'Members' }).waitFor()
  await kill()
  await open.getByRole('link', { name: 'Leads', exact: true }).click()
  await open.getByText('Problem loading your account, please refresh the page. (Code: 2008)').waitFor()
  await open.getByRole('navigation', { name: 'Main' }).waitFor()
  expect(await open.getByText('500').count()).toBe(0)
  // pressing it does not end on the browser's own page
  await open.getByRole('button', { name: 'Try again' }).click()
  const now = banner(open).getByRole('button', { name: 'Retry now' })
  await now.waitFor()
  // until it is pressed: the page would find out by itself
  let isPressed = false
  await open.route('**/readyz', (route) => (isPressed ? route.continue() : route.abort()))
  const pressed = open.evaluate(
    () =>
      new Promise<void>((resolve) => window.addEventListener('click', () => resolve(), { capture: true, once: true })),
  )
  await restart()
  await now.click()
  await pressed
  isPressed = true
  await ready(open)
  await open.close()
})
