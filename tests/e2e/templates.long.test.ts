import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { block, chat, group, ready, registerOwner, showAll } from './steps'

/** A chatbot is made of a template, tried, tested, and another template goes into it; each test goes on from the one before. */
let app: BuiltApp
let ada: TestBrowser
let project: string
beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

const card = (page: Page, title: string) => page.getByRole('button', { name: title, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

it('finds a template by its category and by words, and says when none fits', async () => {
  const { page } = ada
  await registerOwner(page, app)
  project = page.url()
  await page.goto(`${project}/chatbots/new`)
  await page.getByText('From a template').click()
  await card(page, 'Quiz with a score').waitFor()
  await button(page, 'Feedback').click()
  await card(page, 'Quiz with a score').waitFor({ state: 'detached' })
  await card(page, 'Net Promoter survey').waitFor()
  await expectAccessible(page, 'gallery')
  const search = page.getByRole('searchbox', { name: 'Search templates' })
  await search.fill('pizza')
  await page.getByRole('heading', { name: 'No templates found' }).waitFor()
  await button(page, 'Show all templates').click()
  await search.fill('score game')
  await page.getByText('1 template', { exact: true }).waitFor()
})

it('shows one whole, with its name filled in, and leads back to its card', async () => {
  const { page } = ada
  await card(page, 'Quiz with a score').press('Enter')
  await page.getByRole('heading', { name: 'To do' }).waitFor()
  await expect.poll(() => page.getByLabel('Chatbot name').inputValue()).toBe('Quiz with a score')
  await page.getByRole('list', { name: 'Sample conversation' }).getByText('Welcome to the space quiz').waitFor()
  await expectAccessible(page, 'template')
  await button(page, 'All templates').click()
  await card(page, 'Quiz with a score').and(page.locator(':focus')).waitFor()
  await expect.poll(() => page.getByLabel('Chatbot name').inputValue()).toBe('')
  await page.keyboard.press('Enter')
})

it('makes a chatbot of it that talks, and whose tests pass', async () => {
  const { page } = ada
  await button(page, 'Create chatbot').click()
  await page.waitForURL('**/builder')
  await ready(page)
  await showAll(page)
  await button(page, 'Preview').click()
  const { hears, writes, chooses } = chat(page)
  await hears('Who is playing?')
  await writes('Ada')
  await hears('Good luck, Ada!')
  await chooses('Jupiter')
  await hears(/^Correct!/)
  await button(page, 'Tests').click()
  const tests = page.getByRole('complementary', { name: 'Tests' })
  await tests.getByRole('button', { name: 'Run all' }).click()
  await tests.getByText('All 2 tests pass.').waitFor()
})

it('puts another beside the flow, in one step of undo', async () => {
  const { page } = ada
  await page.reload()
  await ready(page)
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Insert a template…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Insert a template' })
  await card(page, 'Net Promoter survey').click()
  await dialog.getByRole('heading', { name: 'To do' }).waitFor()
  await dialog.getByRole('button', { name: 'Insert', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('11 selected').waitFor()
  // all of it is in sight, from afar
  await page.getByRole('region', { name: 'Go to' }).getByRole('button', { name: 'The question' }).click()
  // what came in begins nothing: the flow has its own start
  await group(page, 'The question').waitFor()
  expect(await block(page, 'The question', 'Start').count()).toBe(0)
  await ready(page)
  await button(page, 'Undo').click()
  await group(page, 'The question').waitFor({ state: 'detached' })
  await expect.poll(() => button(page, 'Undo').isDisabled()).toBe(true)
  expect(ada.errors).toEqual([])
})

it('comes in place of a start that nothing follows', async () => {
  const { page } = ada
  await page.goto(`${project}/chatbots/new`)
  await page.getByLabel('Chatbot name').fill('Unbegun')
  await button(page, 'Create chatbot').click()
  await page.waitForURL('**/builder')
  await ready(page)
  await group(page, 'Start').waitFor()
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Insert a template…' }).click()
  await card(page, 'Quiz with a score').click()
  await page
    .getByRole('dialog', { name: 'Insert a template' })
    .getByRole('button', { name: 'Insert', exact: true })
    .click()
  await page.getByRole('dialog', { name: 'Insert a template' }).waitFor({ state: 'detached' })
  await showAll(page)
  await group(page, 'Start').waitFor({ state: 'detached' })
})

it('begins an empty flow with one', async () => {
  const { page } = ada
  await page.goto(`${project}/chatbots/new`)
  await page.getByLabel('Chatbot name').fill('Bare')
  await button(page, 'Create chatbot').click()
  await page.waitForURL('**/builder')
  await ready(page)
  await group(page, 'Start').click()
  await page.keyboard.press('Delete')
  await button(page, 'Start from a template').click()
  await card(page, 'Employee onboarding').click()
  await button(page, 'Insert').click()
  await group(page, 'Welcome').waitFor()
  // its sub-flow has come along
  await button(page, 'Flow: Main flow').click()
  await page.getByRole('menuitem', { name: 'New colleague' }).waitFor()
  expect(ada.errors).toEqual([])
})
