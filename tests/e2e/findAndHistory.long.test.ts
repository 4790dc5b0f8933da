import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { block, createFromFile, openBuilder, ready, registerOwner, settings, typebotFile } from './steps'

/** A word is found everywhere in a flow and replaced as one step; the history leads back, and forward again. */
let app: BuiltApp
let ada: TestBrowser
beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

const panel = (name: string) => ada.page.getByRole('complementary', { name, exact: true })
const matches = () => panel('Find and replace').getByRole('list', { name: 'Matches' }).getByRole('button')

it('finds a word in titles and texts, and shows where it stands while the panel stays', async () => {
  const { page } = ada
  await registerOwner(page, app)
  await createFromFile(page, typebotFile('lead-generation'), 'Words')
  await openBuilder(page)
  await page.keyboard.press('Control+f')
  const find = panel('Find and replace')
  await find.getByRole('textbox', { name: 'Find in titles and texts' }).fill('services')
  await find.getByText('2 matches').waitFor()
  await page.keyboard.press('Enter')
  await matches().first().and(page.locator('[aria-current]')).waitFor()
  await page.keyboard.press('Enter')
  await block(page, 'Services', 'Text').and(page.locator('[data-selected]')).waitFor()
  await expect.poll(() => find.isVisible()).toBe(true)
  await expectAccessible(page, 'find and replace')
  await find.getByRole('button', { name: 'Match case' }).click()
  await find.getByText('1 match', { exact: true }).waitFor()
  await find.getByRole('button', { name: 'Match case' }).click()
})

it('replaces all of them as one step, which undo takes back', async () => {
  const { page } = ada
  const find = panel('Find and replace')
  await find.getByRole('textbox', { name: 'Replace with' }).fill('topics')
  await find.getByRole('button', { name: 'Replace all' }).click()
  await page.getByText('2 matches replaced. You can undo this.').waitFor()
  await find.getByText('No matches for “services”').waitFor()
  await block(page, 'topics', 'Text').filter({ hasText: 'What topics shall we plan?' }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await find.getByText('2 matches').waitFor()
})

it('names the steps, and goes back to any of them and forward again', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'History', exact: true }).click()
  const history = panel('History').getByRole('list', { name: 'History' })
  const undone = history.getByRole('button', { name: 'Rename a group to “topics” (undone)' })
  const telling = undone.or(history.getByRole('button', { name: /\(undone\)$/ })).first()
  await telling.waitFor()
  await history.getByRole('button', { name: 'Flow opened' }).and(page.locator('[aria-current=step]')).waitFor()
  await expectAccessible(page, 'history')
  await telling.click()
  await block(page, 'topics', 'Text').waitFor()
  await history.getByRole('button', { name: 'Flow opened' }).click()
  await block(page, 'Services', 'Text').waitFor()
  await ready(page)
})

it('leads back from the settings to the panel behind them', async () => {
  const { page } = ada
  await block(page, 'Services', 'Text').click()
  await settings(page).waitFor()
  await settings(page).getByRole('button', { name: 'Back to History' }).click()
  await panel('History').waitFor()
  expect(ada.errors).toEqual([])
})
