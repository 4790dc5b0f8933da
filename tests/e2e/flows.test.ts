import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { emptyFlow, type FlowFile } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { block, createFromFile, openBuilder, ready, registerOwner } from './steps'

/** A chatbot of several flows in the builder; each test goes on from the one before. */
let app: BuiltApp
let ada: TestBrowser
let folder: string
beforeAll(async () => {
  ;[app, ada, folder] = await Promise.all([
    startBuiltApp(),
    launchBrowser(),
    mkdtemp(join(tmpdir(), 'parley-several-flows-')),
  ])
})
afterAll(() => Promise.all([ada.close(), app.stop(), rm(folder, { recursive: true })]))

const stored = (id: string, kind: string, data: object = {}) => {
  const definition = registry.get(kind)
  return {
    id,
    kind,
    version: definition.migrations.length,
    data: { ...definition.defaults(() => `${id}-item`), ...data },
  }
}
const says = (id: string, text: string) => stored(id, 'text', { content: plainRichText(text) })
const groups = (title: string, ...blocks: ReturnType<typeof stored>[]) => [
  { id: 'g', title, position: { x: 0, y: 0 }, blocks: [stored('s', 'start'), ...blocks] },
]
const file: FlowFile = {
  ...emptyFlow(),
  groups: groups('Reception', stored('go', 'go-to', { to: 'flow', flowId: 'flow-1' }), says('b', 'Back again')),
  flows: [
    {
      id: 'flow-1',
      title: 'Book a table',
      groups: groups('Booking', says('a', 'How many are you?'), stored('ask', 'text-input')),
      edges: [],
      variables: [],
    },
  ],
}

const switcher = (page: Page, title: string) => page.getByRole('button', { name: `Flow: ${title}` })
const choose = async (page: Page, from: string, entry: string) => {
  await switcher(page, from).click()
  // not its copy, which the list may hold until it is read anew
  await page.getByRole('menuitem', { name: new RegExp(`^${entry}(?! copy)`) }).click()
}
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) })
}

it('brings a chatbot of two flows in from a file, and opens at its main one', async () => {
  const { page } = ada
  await registerOwner(page, app)
  const path = join(folder, 'restaurant.json')
  await writeFile(path, JSON.stringify(file))
  await page.getByRole('link', { name: 'Chatbots' }).first().click()
  await createFromFile(page, path, 'Restaurant')
  await openBuilder(page)
  await switcher(page, 'Main flow').waitFor()
  await block(page, 'Reception', 'Go to').waitFor()
})

it('leads to another flow and back; the address names it, and a reload keeps it', async () => {
  const { page } = ada
  await choose(page, 'Main flow', 'Book a table')
  await block(page, 'Booking', 'Text').first().waitFor()
  expect(new URL(page.url()).searchParams.get('flow')).toMatch(/^[a-z0-9]{16}$/)
  await page.reload()
  await ready(page)
  await switcher(page, 'Book a table').waitFor()
  await block(page, 'Booking', 'Text').first().waitFor()
  await page.goBack()
  await block(page, 'Reception', 'Go to').waitFor()
  expect(new URL(page.url()).search).toBe('')
})

it('tests the whole chatbot, says in which flow the test is, opens it, and goes on there', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await preview(page).getByRole('log').getByText('How many are you?').waitFor()
  await preview(page).getByText('This preview is in the flow “Book a table”.').waitFor()
  await shot(page, 'elsewhere')
  await expectAccessible(page, 'test in another flow')
  await preview(page).getByRole('button', { name: 'Open flow' }).click()
  await block(page, 'Booking', 'Text').first().waitFor()
  await preview(page).getByRole('log').getByText('How many are you?').waitFor()
  await preview(page).getByText('This preview is in the flow').waitFor({ state: 'detached' })
  expect(await preview(page).getByText('The draft has changed').count()).toBe(0)
  await shot(page, 'opened')
  await preview(page).getByRole('textbox').first().fill('Four')
  await page.keyboard.press('Enter')
  await preview(page).getByRole('log').getByText('Back again').waitFor()
  await preview(page).getByRole('tab', { name: 'Path' }).click()
  await preview(page).getByRole('button', { name: 'Go to Text in Main flow' }).click()
  await switcher(page, 'Main flow').waitFor()
  // its settings are there, behind the test
  await page.locator('aside[aria-label="Settings"]').waitFor({ state: 'attached' })
  await preview(page).getByRole('button', { name: 'Close preview' }).click()
})

it('offers the flows that a go-to can enter', async () => {
  const { page } = ada
  await block(page, 'Reception', 'Go to').click()
  const settings = page.getByRole('complementary', { name: 'Settings' })
  await settings.getByText('Go to').first().waitFor()
  await shot(page, 'go-to')
  await expect
    .poll(() => settings.locator('input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)))
    .toContain('Book a table')
})

it('adds a flow, names it anew, copies it, and deletes both', async () => {
  const { page } = ada
  await choose(page, 'Main flow', 'New flow')
  await page.getByRole('textbox', { name: 'Name' }).fill('book a table')
  await page.getByRole('button', { name: 'Create flow' }).click()
  await page.getByText('Another flow of this chatbot has this name').waitFor()
  await expectAccessible(page, 'new flow')
  await page.getByRole('textbox', { name: 'Name' }).fill('Complaints')
  await page.getByRole('button', { name: 'Create flow' }).click()
  await switcher(page, 'Complaints').waitFor()
  await block(page, 'Start', 'Start').waitFor()
  await choose(page, 'Complaints', 'Rename flow')
  await page.getByRole('textbox', { name: 'Name' }).fill('Feedback')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await choose(page, 'Feedback', 'Duplicate flow')
  await switcher(page, 'Feedback copy').waitFor()
  await shot(page, 'four')
  for (const title of ['Feedback copy', 'Feedback']) {
    if (title === 'Feedback') await choose(page, 'Main flow', 'Feedback')
    await choose(page, title, 'Delete flow')
    await page.getByRole('button', { name: 'Delete flow' }).click()
    await switcher(page, 'Main flow').waitFor()
  }
  await switcher(page, 'Main flow').click()
  await expect
    .poll(() => page.getByRole('menuitem', { name: 'The main flow can’t be deleted' }).isDisabled())
    .toBe(true)
  await expectAccessible(page, 'flows')
  await shot(page, 'menu')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'menu-dark')
  await page.setViewportSize({ width: 390, height: 844 })
  await shot(page, 'menu-small')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.keyboard.press('Escape')
  await shot(page, 'small')
  await page.setViewportSize({ width: 1440, height: 900 })
})

it('asks before a flow is deleted that another goes to, and names it', async () => {
  const { page } = ada
  await choose(page, 'Main flow', 'Book a table')
  await choose(page, 'Book a table', 'Delete flow')
  await page.getByText('“Main flow” runs this flow.').waitFor()
  await shot(page, 'delete')
  await page.getByRole('button', { name: 'Cancel' }).click()
})

it('exports all flows from the main one, and one from another', async () => {
  const { page } = ada
  const save = async (entry: string) => {
    await page.getByRole('button', { name: 'More' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: entry }).click(),
    ])
    return JSON.parse(await readFile(await download.path(), 'utf8')) as FlowFile
  }
  expect((await save('Export flow')).groups).toMatchObject([{ title: 'Booking' }])
  await choose(page, 'Book a table', 'Main flow')
  await block(page, 'Reception', 'Go to').waitFor()
  expect(await save('Export all flows')).toMatchObject({
    groups: [{ title: 'Reception' }],
    flows: [{ id: 'flow-1', title: 'Book a table' }],
  })
})

it('says so when the flow of an address is gone, and leads to the main one', async () => {
  const { page } = ada
  const errors = [...ada.errors]
  await page.goto(`${page.url()}?flow=zzzzzzzzzzzzzzzz`)
  await page.getByRole('button', { name: 'Open main flow' }).click()
  await block(page, 'Reception', 'Go to').waitFor()
  // the browser itself reports the refused name, and what was being read of a flow while it was deleted
  const expected = /status of 422|status of 404 .*\/flows\/\w{16}\//
  expect(errors.filter((error) => !expected.test(error))).toEqual([])
})
