import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import {
  block,
  closeSettings,
  createFromFile,
  editText,
  logIn,
  openBuilder,
  ready,
  registerOwner,
  showAll,
  typebotFile,
} from './steps'

/** Undo in a tab that is loaded again, while somebody else edits the same flow. */
let app: BuiltApp
let ada: TestBrowser
let bob: TestBrowser

beforeAll(async () => {
  ;[app, ada, bob] = await Promise.all([startBuiltApp(), launchBrowser(), launchBrowser()])
  await registerOwner(ada.page, app)
  await createFromFile(ada.page, typebotFile('lead-generation'), 'Lead generation')
  await openBuilder(ada.page)
  await logIn(bob.page, app.url)
  await bob.page.goto(ada.page.url())
  await ready(bob.page)
  await showAll(bob.page)
})
afterAll(() => Promise.all([ada.close(), bob.close(), app.stop()]))

const keptUndo = () =>
  ada.page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('parley-undo/')))

it('takes back and does again after a reload what was done before it, and leaves a peer’s change', async () => {
  const { page } = ada
  const mine = block(page, 'Name', 'Text')
  await editText(page, mine)
  await page.keyboard.type(' Please')
  await mine.filter({ hasText: 'your name? Please' }).waitFor()
  await closeSettings(page)
  await ready(page)

  await page.reload()
  await ready(page)
  await showAll(page)
  await mine.filter({ hasText: 'your name? Please' }).waitFor()
  const theirs = block(bob.page, 'Name', 'Text')
  await editText(bob.page, theirs)
  await bob.page.keyboard.press('Home')
  await bob.page.keyboard.type('Hello: ')
  await mine.filter({ hasText: 'Hello: ' }).waitFor()

  await page.getByRole('button', { name: 'Undo', exact: true }).and(page.locator(':enabled')).focus()
  await page.keyboard.press('Control+z')
  await mine.filter({ hasNotText: 'Please' }).filter({ hasText: 'Hello: ' }).waitFor()
  await theirs.filter({ hasNotText: 'Please' }).filter({ hasText: 'Hello: ' }).waitFor()
  await page.keyboard.press('Control+Shift+z')
  await theirs.filter({ hasText: /Hello: .*your name\? Please/ }).waitFor()
})

it('keeps nothing of it in the tab once its person has logged out', async () => {
  const { page } = ada
  await ready(page)
  await page.reload()
  await ready(page)
  // what is kept is taken up, and kept again when the page goes
  await page.getByRole('button', { name: 'Undo', exact: true }).and(page.locator(':enabled')).waitFor()
  await page.goto(app.url)
  await expect.poll(keptUndo).toHaveLength(1)
  await page.getByRole('button', { name: 'Account menu', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Log out', exact: true }).click()
  await page.waitForURL(/\/login/)
  expect(await keptUndo()).toEqual([])
})
