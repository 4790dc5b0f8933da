import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createFromFile, openBuilder, registerOwner, settings, typebotFile } from './steps'

/** The problems of a flow, as an editor works through them; each test goes on from the one before. */
let app: BuiltApp
let ada: TestBrowser
beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

const counter = () => ada.page.getByRole('button', { name: /^\d+ problems?$/ })
const counted = async () => Number.parseInt((await counter().getAttribute('aria-label')) ?? '', 10)
const panel = () => ada.page.getByRole('complementary', { name: 'Problems' })
const errors = () => panel().getByRole('region', { name: 'Errors' }).getByRole('listitem')
const warnings = () => panel().getByRole('region', { name: 'Warnings' }).getByRole('listitem')

it('counts them in the header, and lists the gravest first', async () => {
  const { page } = ada
  await registerOwner(page, app)
  await createFromFile(page, typebotFile('ai-chat'), 'Chat')
  await openBuilder(page)
  await counter().click()
  await warnings().first().waitFor()
  expect(await counted()).toBe((await warnings().count()) + (await errors().count()))
  await expectAccessible(page, 'problems', 'aside[aria-label="Problems"]')
})

it('leads to the block and opens its settings', async () => {
  const { page } = ada
  await errors().or(warnings()).filter({ hasText: /reply/ }).first().getByRole('button').first().click()
  await settings(page).or(page.locator('.react-flow__node.selected')).first().waitFor()
  await page.keyboard.press('Escape')
})

it('puts one right by a click, in one step of undo', async () => {
  const { page } = ada
  const unreachable = panel().getByRole('listitem').filter({ hasText: '“Intro” can’t be reached' })
  const before = await counted()
  await unreachable.getByRole('button', { name: 'Delete group' }).click()
  await unreachable.waitFor({ state: 'detached' })
  await expect.poll(counted).toBeLessThan(before)
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await unreachable.waitFor()
  await expect.poll(counted).toBe(before)
})

it('hears of an edit by itself', async () => {
  const { page } = ada
  const lost = panel().getByRole('listitem').filter({ hasText: '“Alone” can’t be reached' })
  await panel().getByRole('button', { name: '“Intro” can’t be reached' }).click()
  await settings(page).getByRole('textbox', { name: 'Title' }).fill('Alone')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await lost.waitFor()
})

it('says what is wrong with a block below its form, on one line that moves nothing, once the field is left', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Search blocks' }).or(page.getByLabel('Search blocks')).first().waitFor()
  await page.getByRole('complementary', { name: 'Blocks' }).getByRole('button', { name: 'Image', exact: true }).click()
  const form = settings(page)
  const own = form.getByRole('region', { name: 'Problems of this block' })
  const link = form.getByRole('textbox', { name: 'Alt text' })
  await link.waitFor()
  await link.focus()
  const at = async () => (await link.boundingBox())?.y
  const before = await at()
  await link.blur()
  const line = own.getByRole('button', { name: /Upload an image or enter its URL/ })
  await line.waitFor()
  expect(await at()).toBe(before)
  expect((await line.boundingBox())?.height).toBe(40)
  await line.click()
  await own.getByRole('listitem').first().waitFor()
  expect(await at()).toBe(before)
  await expectAccessible(page, 'problems of a block', 'aside[aria-label="Settings"]')
})

it('calls nothing wrong while it is being typed', async () => {
  const { page } = ada
  const form = settings(page)
  const link = form.getByRole('textbox', { name: 'Link' })
  const wrong = form.getByText('Enter a valid URL (must start with https:// or http://)', { exact: true })
  await link.click()
  await page.keyboard.type('exam')
  await expect.poll(() => link.textContent()).toContain('exam')
  // the checker has looked: the rail counts one more
  await expect.poll(() => page.getByRole('button', { name: /^\d+ problems?$/ }).count()).toBe(1)
  expect(await wrong.count()).toBe(0)
  await link.blur()
  await wrong.first().waitFor()
})
