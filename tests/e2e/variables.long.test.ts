import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createFromFile, openBuilder, registerOwner, settings, typebotFile } from './steps'

/** The variables of a flow, as an editor works with them; each test goes on from the one before. */
let app: BuiltApp
let ada: TestBrowser
beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

const panel = () => ada.page.getByRole('complementary', { name: 'Variables' })
const details = (name: string) => panel().getByRole('button', { name: `Details of ${name}`, exact: true })

it('lists what the flow has and what every conversation has', async () => {
  const { page } = ada
  await registerOwner(page, app)
  await createFromFile(page, typebotFile('lead-scoring'), 'Scoring')
  await openBuilder(page)
  await page.getByRole('button', { name: 'Variables', exact: true }).click()
  await details('Lead Score').waitFor()
  await panel().getByRole('region', { name: 'System variables' }).getByText('contact_email').waitFor()
  await expectAccessible(page, 'variables', 'aside[aria-label="Variables"]')
})

it('creates a variable, refuses a name that is taken, and keeps a list to start with', async () => {
  const { page } = ada
  await panel().getByRole('button', { name: 'New variable' }).click()
  const name = panel().getByRole('textbox', { name: 'Name' })
  await name.fill('lead score')
  await panel().getByText('This variable name is already taken').waitFor()
  await name.fill('Basket')
  await name.press('Enter')
  await panel().getByRole('textbox', { name: 'Rename Basket' }).waitFor()
  await panel().getByRole('combobox', { name: 'Initial value' }).click()
  await page.getByRole('option', { name: 'List' }).click()
  const value = panel().getByRole('textbox', { name: 'Initial value' })
  await value.fill('[{"name": "Tea"')
  await panel().getByText('Enter a list as JSON').waitFor()
  await value.fill('[{"name": "Tea"}]')
  await panel().getByText('Enter a list as JSON').waitFor({ state: 'detached' })
  await expectAccessible(page, 'a variable', 'aside[aria-label="Variables"]')
})

it('renames one everywhere, leads to where it is used, and back', async () => {
  const { page } = ada
  await details('Lead Score').click()
  const name = panel().getByRole('textbox', { name: 'Rename Lead Score' })
  await name.fill('Points')
  await name.press('Enter')
  await details('Points').waitFor()
  await panel()
    .getByRole('button', { name: /^Show Set variable in / })
    .first()
    .click()
  await settings(page).getByRole('button', { name: 'Variable' }).getByText('Points').waitFor()
})

it('writes an expression with a part of a variable, and says what is wrong once it is left', async () => {
  const { page } = ada
  await settings(page).getByRole('combobox', { name: 'Operation' }).click()
  await page.getByRole('option', { name: 'Calculate' }).click()
  const field = settings(page).getByRole('textbox', { name: 'Expression' })
  await field.click()
  await field.and(page.locator('[data-slate-editor]:focus')).waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('length({')
  const filter = page.getByRole('combobox', { name: 'Find a variable' })
  await filter.fill('Basket[0].name')
  await page.getByRole('option', { name: 'Basket[0].name' }).waitFor()
  await expectAccessible(page, 'picker', '[data-text-floating]')
  await filter.press('Enter')
  await field.and(page.locator('[data-slate-editor]:focus')).waitFor()
  await field.blur()
  await settings(page).getByText('“,” or “)” is missing (character 9)', { exact: true }).waitFor()
  await field.focus()
  await field.and(page.locator('[data-slate-editor]:focus')).waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(') * 2')
  await settings(page).getByText('is missing').first().waitFor({ state: 'detached' })
  await expectAccessible(page, 'expression', 'aside[aria-label="Settings"]')
  await settings(page).getByRole('button', { name: 'Close' }).click()
})

it('deletes a variable that is used after saying so, and brings it back by undo', async () => {
  const { page } = ada
  await details('Points').waitFor()
  await panel().getByRole('button', { name: 'Delete Points' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “Points”?' })
  await dialog.getByText(/\d+ blocks use it\./).waitFor()
  await expectAccessible(page, 'delete dialog', '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Delete variable' }).click()
  await details('Points').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await details('Points').waitFor()
  expect(ada.errors).toEqual([])
})
