import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import {
  atRest,
  chat,
  createFromFile,
  openBuilder,
  ready,
  registerOwner,
  settings,
  showAll,
  typebotFile,
} from './steps'

/** The versions of a chatbot, from the first publishing on; each test goes on from the one before. */
let app: BuiltApp
let ada: TestBrowser
beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

const card = () => ada.page.getByRole('dialog', { name: 'Publish' })
const panel = () => ada.page.getByRole('complementary', { name: 'Versions' })
const version = (number: number) => panel().getByRole('listitem', { name: `Version ${number}`, exact: true })
const comparison = () => ada.page.getByRole('region', { name: 'Comparison' })
const openCard = () => ada.page.getByRole('button', { name: 'Publish', exact: true }).click()

async function renameGroup(from: string, to: string) {
  const { page } = ada
  await showAll(page)
  const group = page.getByRole('group', { name: new RegExp(`^Group ${from}:`) })
  await group.focus()
  await page.keyboard.press('Enter')
  await settings(page).getByRole('textbox', { name: 'Title' }).fill(to)
  await page.keyboard.press('Enter')
  await settings(page).getByRole('button', { name: 'Close' }).click()
  await ready(page)
}

it('publishes with a name and notes, which the panel shows', async () => {
  const { page } = ada
  await registerOwner(page, app)
  await createFromFile(page, typebotFile('lead-generation'), 'Leads')
  await openBuilder(page)
  await openCard()
  await card().getByRole('textbox', { name: 'Name (optional)' }).fill('Spring')
  await card().getByRole('textbox', { name: 'What’s new? (optional)' }).fill('Asks for the company')
  await card().getByRole('button', { name: 'Publish now' }).click()
  await card().getByText('No unpublished changes').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Versions' }).click()
  await version(1).getByText('Asks for the company').waitFor()
  await version(1).getByText('Spring').waitFor()
  await version(1).getByText('Published').waitFor()
  await expectAccessible(page, 'versions', 'aside[aria-label="Versions"]')
})

it('says what changed since, and shows it on the canvas and in a list', async () => {
  const { page } = ada
  const [first] = await page.getByRole('group', { name: /^Group / }).all()
  const title = /^Group (.+?):/.exec((await first?.getAttribute('aria-label')) ?? '')?.[1] ?? ''
  await renameGroup(title, 'Renamed')
  await openCard()
  await card().getByText('Unpublished changes: 1 group changed.').waitFor()
  await card().getByRole('button', { name: 'View changes' }).click()
  const row = comparison().getByRole('button', { name: 'Group “Renamed” renamed' })
  await row.waitFor()
  await page.keyboard.press('n')
  const sides = comparison().getByRole('definition')
  await expect.poll(() => sides.allInnerTexts()).toEqual([title, 'Renamed'])
  await comparison().getByRole('button', { name: 'Swap sides' }).click()
  await comparison()
    .getByRole('button', { name: `Group “${title}” renamed` })
    .click()
  await expect.poll(() => sides.allInnerTexts()).toEqual(['Renamed', title])
  await expectAccessible(page, 'comparison', 'section[aria-label="Comparison"]')
  await comparison().getByRole('button', { name: 'Back to the draft' }).click()
})

it('lets one look at a version, which nobody can change', async () => {
  const { page } = ada
  const view = page.locator('.react-flow__viewport')
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const { log } = chat(page)
  await log.locator('p').first().waitFor()
  // another log would not have it
  await log.evaluate((element) => element.setAttribute('data-kept', ''))
  // the canvas goes to the block that waits for an answer
  await page.locator('[data-block-id][data-active]').waitFor({ state: 'attached' })
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Versions' }).click()
  await atRest(page)
  const before = await view.getAttribute('style')
  await page.getByRole('button', { name: 'View version 1' }).click()
  const look = page.getByRole('region', { name: 'Version viewer' })
  await look
    .getByRole('group', { name: /^Group / })
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0)
  await look.getByRole('button', { name: 'Back to the draft' }).click()
  // as it was left: what was in sight, and the test that runs
  await expect.poll(() => view.getAttribute('style')).toBe(before)
  await page.locator('[role=log][data-kept]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.locator('[role=log]').waitFor({ state: 'detached' })
})

it('restores a version in one step of undo, and keeps the draft before', async () => {
  const { page } = ada
  const renamed = page.getByRole('group', { name: /^Group Renamed:/ })
  await showAll(page)
  await renamed.waitFor()
  await version(1).getByRole('button', { name: 'More actions for version 1' }).click()
  await page.getByRole('menuitem', { name: 'Restore as draft' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await version(2).getByText('Before restoring version 1').waitFor()
  await renamed.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await renamed.waitFor()
})

it('names a version in its row', async () => {
  const { page } = ada
  await version(2).getByRole('button', { name: 'More actions for version 2' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await version(2).getByRole('textbox', { name: 'Name of version 2' }).fill('Try-out')
  await page.keyboard.press('Enter')
  await version(2).getByText('Try-out').waitFor()
})

it('gives an older version to visitors again, and leaves the draft', async () => {
  const { page } = ada
  await openCard()
  await card().getByRole('button', { name: 'Publish again' }).click()
  await version(3).getByText('Published').waitFor()
  await page.keyboard.press('Escape')
  await version(1).getByRole('button', { name: 'More actions for version 1' }).click()
  await page.getByRole('menuitem', { name: 'Publish this version again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await version(1).getByText('Published').waitFor()
  await page.getByRole('group', { name: /^Group Renamed:/ }).waitFor()
})
