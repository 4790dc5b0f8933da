import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { block, group, ready, registerOwner, settings } from './steps'

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
    const before = await page.evaluateHandle(() => document.activeElement)
    await page.keyboard.press(key)
    // the canvas brings into sight what it focuses: a frame later
    await page.waitForFunction((element) => document.activeElement !== element, before)
  }
  throw new Error(`${on} can't be reached by ${key}`)
}

/** Writes into the text of the card that was just added, and comes back to the block. */
async function write(page: Page, text: string): Promise<void> {
  await page.locator('[data-card-editor] [data-slate-editor]:focus').waitFor()
  await page.keyboard.type(text)
  await page.keyboard.press('Escape')
  await page.locator('[data-block-id]:focus').waitFor()
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
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await focused(page, block(page, 'Start', 'Start'))
  await tabTo(page, page.getByRole('button', { name: /^Next of Start/ }))
  await add(page, 'Enter', 'Text')
  await page.getByText('Text block added to Text').waitFor({ state: 'attached' })
  await write(page, 'What is your name?')
  await focused(page, block(page, 'Text', 'Text'))
  await page.keyboard.press('F2')
  await focused(page, page.getByRole('textbox', { name: 'Group title' }))
  await page.keyboard.type('Hello')
  await page.keyboard.press('Enter')
  await focused(page, block(page, 'Hello', 'Text'))

  await add(page, 'a', 'Text input')
  await page.locator('[data-card-editor] [data-slate-editor]:focus').waitFor()
  await page.keyboard.press('Escape')
  await focused(page, block(page, 'Hello', 'Text input'))
  await page.keyboard.press('Control+Enter')
  await focused(page, settings(page).getByRole('textbox', { name: 'Question' }))
  await tabTo(page, settings(page).getByRole('button', { name: /^Save the answer/ }))
  await chooseVariable(page, 'Name')
  await page.keyboard.press('Escape')
  await focused(page, block(page, 'Hello', 'Text input'))

  await add(page, 'a', 'Condition')
  await focused(page, settings(page).getByRole('button', { name: 'Variable', exact: true }))
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
    await write(page, text)
    await page.keyboard.press('Alt+ArrowLeft')
    await focused(page, port)
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowDown')
    await focused(page, block(page, 'Hello', 'Condition'))
  }
  await ready(page)
})

it('connects, reconnects and cuts a connection', async () => {
  const { page } = ada
  await page.keyboard.press('Alt+End')
  const last = page.locator('.react-flow__node:focus')
  await last.waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  const choose = page.getByRole('dialog', { name: 'Connect “Next” to' }).getByRole('combobox')
  const said = (text: string) => page.getByText(text).waitFor({ state: 'attached' })
  const lead = async (to: string) => {
    await page.keyboard.press('c')
    await focused(page, choose)
    await page.keyboard.type(to)
    await page.getByRole('option', { name: to, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await choose.waitFor({ state: 'detached' })
    await said(`Connected to ${to}`)
  }
  const edges = page.locator('.react-flow__edge')
  const before = await edges.count()
  await lead('Hello')
  await expect.poll(() => edges.count()).toBe(before + 1)
  await page.keyboard.press('c')
  await focused(page, choose)
  await page.keyboard.type('Text')
  await page.keyboard.press('Enter')
  await choose.waitFor({ state: 'detached' })
  await expect.poll(() => edges.count()).toBe(before + 1)
  await page.keyboard.press('Shift+C')
  await said('Connection removed')
  await expect.poll(() => edges.count()).toBe(before)
})

it('selects several, lines them up and moves them, and takes it back', async () => {
  const { page } = ada
  const left = () =>
    page
      .locator('.react-flow__node')
      .evaluateAll((nodes) => nodes.map((node) => new DOMMatrix(getComputedStyle(node).transform).m41))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Alt+Home')
  await focused(page, group(page, 'Start'))
  await page.keyboard.press('Alt+Shift+PageDown')
  await focused(page, group(page, 'Hello'))
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await bar.getByText('2 selected').waitFor()
  await page.keyboard.press('Alt+Shift+PageDown')
  await bar.getByText('3 selected').waitFor()
  await page.keyboard.press('Shift+Space')
  await bar.getByText('2 selected').waitFor()
  const before = await left()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(async () => (await left()).filter((x, at) => x > (before[at] ?? 0)).length).toBe(2)
  // keys that came slowly are a step each
  for (let now = await left(); now.some((x, at) => x !== before[at]); now = await left()) {
    await page.keyboard.press('Control+Z')
    await expect.poll(left).not.toEqual(now)
  }
  await page.keyboard.press('Alt+a')
  await expect.poll(async () => (await left()).filter((x, at) => x !== before[at]).length).toBe(1)
  await page.keyboard.press('Control+Z')
  await expect.poll(left).toEqual(before)
})

it('says of each stop what it is and where it leads', async () => {
  const { page } = ada
  await page.keyboard.press('Escape')
  await page.keyboard.press('Alt+Home')
  const at = page.locator(':focus')
  const description = () => at.getAttribute('aria-description')
  await focused(page, group(page, 'Start'))
  await expect.poll(description).toBe('1 of 4. Leads to Hello')
  await page.keyboard.press('Tab')
  await focused(page, block(page, 'Start', 'Start'))
  await expect.poll(description).toContain('Leads to Hello')
  await page.keyboard.press('Tab')
  await focused(page, page.getByRole('button', { name: 'Next of Start, connected: choose what comes next' }))
  await page.keyboard.press('Tab')
  await focused(page, group(page, 'Hello'))
  await page.keyboard.press('Tab')
  await expect.poll(description).toBe('What is your name?')
})

it('zooms, and says in the palette what is not possible now', async () => {
  const { page } = ada
  const zoom = (percent: string) => page.getByRole('button', { name: `Zoom ${percent} %` }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+Digit0')
  await zoom('100')
  await page.keyboard.press('+')
  await zoom('120')
  await page.keyboard.press('Shift+Digit0')
  await zoom('100')
  await page.keyboard.press('Control+K')
  const search = page.getByRole('combobox', { name: 'Find anything' })
  await focused(page, search)
  await page.keyboard.type('align left')
  const row = page.getByRole('option', { name: /Align left.*Select at least two groups/ })
  await row.waitFor()
  await expect.poll(() => row.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Enter')
  await focused(page, search)
  await search.fill('hello ada')
  await page.getByRole('option', { name: /Hello Ada/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-block-id]:focus', { hasText: 'Hello Ada' }).waitFor()
})

it('leaves keys alone while one writes, and Ctrl-K is for links there', async () => {
  const { page } = ada
  await page.keyboard.press('Enter')
  const message = page.locator('[data-card-editor]').getByRole('textbox', { name: 'Text: Message' })
  await page.locator('[data-slate-editor]:focus').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.type(' a?/m+v')
  await expect.poll(() => message.textContent()).toContain('Hello Ada a?/m+v')
  await page.keyboard.type(' {')
  const filter = page.getByRole('combobox', { name: 'Find a variable' })
  await focused(page, filter)
  await page.keyboard.type('Name')
  await page.keyboard.press('Enter')
  await filter.waitFor({ state: 'detached' })
  await message.getByText('Name', { exact: true }).waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+K')
  const address = page.getByRole('textbox', { name: 'Link address' })
  await focused(page, address)
  await page.keyboard.press('Escape')
  await address.waitFor({ state: 'detached' })
  await page.locator('[data-slate-editor]:focus').waitFor()
  expect(await page.getByRole('dialog', { name: 'Find anything' }).count()).toBe(0)
  await ready(page)
})

it('runs the flow that was built', async () => {
  const { page } = ada
  await page.keyboard.press('Escape')
  await page.locator('[data-block-id]:focus').waitFor()
  await page.keyboard.press('Alt+Home')
  await focused(page, group(page, 'Start'))
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+K')
  await focused(page, page.getByRole('combobox', { name: 'Find anything' }))
  await page.keyboard.type('preview from')
  await page.getByRole('option', { name: /Preview from here/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('log', { name: 'Conversation' }).getByText('What is your name?').waitFor()
  const answer = page.getByRole('textbox', { name: 'Your message' })
  await tabTo(page, answer)
  await page.keyboard.type('Ada')
  await page.keyboard.press('Enter')
  await page.getByRole('log', { name: 'Conversation' }).getByText('Hello Ada').waitFor()
  expect(ada.errors).toEqual([])
})
