import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { block, ready, registerOwner, settings } from './steps'

/** A flow built without touching the mouse. */
let app: BuiltApp
let ada: TestBrowser

beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
  const { page } = ada
  await registerOwner(page, app)
  await page.goto(`${page.url()}/chatbots/new`)
  await page.getByLabel('Chatbot name').fill('By keys')
  await page.getByRole('button', { name: 'Create chatbot' }).click()
  await ready(page)
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

const focused = (page: Page, on: Locator) => on.and(page.locator(':focus')).waitFor()

/** Opens the picker from where the focus is, and takes the first kind of that name. */
async function add(page: Page, key: string, kind: string): Promise<void> {
  await page.keyboard.press(key)
  const search = page.getByRole('dialog').getByRole('searchbox')
  await focused(page, search)
  await page.keyboard.type(kind)
  await page.keyboard.press('Enter')
  await search.waitFor({ state: 'detached' })
}

/** Presses Tab until the focus is on it. */
async function tabTo(page: Page, on: Locator, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await on.and(page.locator(':focus')).count()) return
    await page.keyboard.press(key)
  }
  throw new Error(`${on} can't be reached by ${key}`)
}

/** Writes into the settings' first text of what has the focus, and comes back to it. */
async function write(page: Page, field: string, text: string): Promise<void> {
  await page.keyboard.press('Enter')
  await focused(page, settings(page).getByRole('textbox', { name: field }))
  await page.locator('[data-slate-editor]:focus').waitFor()
  await page.keyboard.type(text)
  await page.keyboard.press('Escape')
}

/** Chooses a variable in the picker of the field that has the focus, or makes it. */
async function chooseVariable(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Enter')
  const filter = page.getByRole('combobox', { name: 'Find a variable' })
  await focused(page, filter)
  await page.keyboard.type(name)
  await page.getByRole('option', { name }).first().waitFor()
  await page.keyboard.press('Enter')
  await filter.waitFor({ state: 'detached' })
}

it('builds a flow from the start to two ends', async () => {
  const { page } = ada
  await add(page, 'a', 'Start')
  await focused(page, block(page, 'Start', 'Start'))
  await tabTo(page, page.getByRole('button', { name: /^Next of Start/ }))
  await add(page, 'Enter', 'Text')
  await focused(page, block(page, 'Text', 'Text'))
  await page.getByText('Text block added to Text').waitFor({ state: 'attached' })
  await write(page, 'Message', 'What is your name?')
  await focused(page, block(page, 'Text', 'Text'))
  await page.keyboard.press('F2')
  await focused(page, page.getByRole('textbox', { name: 'Group title' }))
  await page.keyboard.type('Hello')
  await page.keyboard.press('Enter')
  await focused(page, block(page, 'Hello', 'Text'))

  await add(page, 'a', 'Text input')
  await focused(page, block(page, 'Hello', 'Text input'))
  await page.keyboard.press('Enter')
  await focused(page, settings(page).getByRole('textbox', { name: 'Question' }))
  await tabTo(page, settings(page).getByRole('button', { name: /^Save the answer/ }))
  await chooseVariable(page, 'Name')
  await page.keyboard.press('Escape')
  await focused(page, block(page, 'Hello', 'Text input'))

  await add(page, 'a', 'Condition')
  await focused(page, block(page, 'Hello', 'Condition'))
  await page.keyboard.press('Enter')
  await focused(page, settings(page).getByRole('combobox', { name: 'What is compared' }))
  await tabTo(page, settings(page).getByRole('button', { name: 'Variable', exact: true }))
  await chooseVariable(page, 'Name')
  await tabTo(page, settings(page).getByRole('textbox', { name: 'Value' }))
  await page.keyboard.type('Ada')
  await page.keyboard.press('Escape')
  await focused(page, block(page, 'Hello', 'Condition'))

  for (const [exit, text] of [
    ['Else', 'Hello stranger'],
    ['Name is Ada', 'Hello Ada'],
  ] as const) {
    const port = block(page, 'Hello', 'Condition')
      .getByRole('button')
      .nth(exit === 'Else' ? 1 : 0)
    await tabTo(page, port)
    await add(page, 'Enter', 'Text')
    await write(page, 'Message', text)
    await page.keyboard.press('Alt+ArrowLeft')
    await focused(page, port)
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowDown')
    await focused(page, block(page, 'Hello', 'Condition'))
  }
  await ready(page)
  expect(ada.errors).toEqual([])
})
