import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { block, createFromFile, editText, openBuilder, ready, registerOwner, showAll } from './steps'

/** A conversation is kept in the preview and run as a test beside the canvas; each test goes on from the one before. */
let app: BuiltApp
let ada: TestBrowser
let folder: string
beforeAll(async () => {
  ;[app, ada, folder] = await Promise.all([
    startBuiltApp(),
    launchBrowser({ acceptDownloads: true }),
    mkdtemp(join(tmpdir(), 'parley-kept-tests-')),
  ])
})
afterAll(() => Promise.all([ada.close(), app.stop(), rm(folder, { recursive: true })]))

const stored = (id: string, kind: string, data: object = {}) => {
  const definition = registry.get(kind)
  const defaults = definition.defaults(() => `${id}-item`) as object
  return {
    id,
    kind,
    version: definition.migrations.length,
    data: { ...defaults, ...data },
  } as Flow['groups'][0]['blocks'][0]
}
const says = (id: string, text: string) => stored(id, 'text', { content: plainRichText(text) })
const file: Flow = {
  ...emptyFlow(),
  groups: [
    {
      id: 'g1',
      title: 'Reception',
      position: { x: 0, y: 0 },
      blocks: [stored('s', 'start'), says('hello', 'Welcome to our place'), stored('ask', 'text-input')],
    },
    { id: 'g2', title: 'Goodbye', position: { x: 420, y: 0 }, blocks: [says('bye', 'See you soon')] },
    { id: 'g3', title: 'Forgotten', position: { x: 840, y: 0 }, blocks: [says('never', 'Never said')] },
  ],
  edges: [{ from: { blockId: 'ask', portId: 'next' }, to: { groupId: 'g2' } }],
}

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const tests = (page: Page) => page.getByRole('complementary', { name: 'Tests' })
/** Also from behind the settings. */
const openTests = async (page: Page) => {
  await page.getByRole('button', { name: 'Tests', exact: true }).click()
  await tests(page).getByRole('button', { name: 'Run all' }).waitFor()
}
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) })
}

it('says how tests are made while there are none', async () => {
  const { page } = ada
  await registerOwner(page, app)
  const path = join(folder, 'place.json')
  await writeFile(path, JSON.stringify(file))
  await page.getByRole('link', { name: 'Chatbots' }).first().click()
  await createFromFile(page, path, 'Our place')
  await openBuilder(page)
  await page.getByRole('button', { name: 'Tests', exact: true }).click()
  await tests(page).getByText('No tests yet').waitFor()
  await expect.poll(() => tests(page).getByRole('button', { name: 'Run all' }).isDisabled()).toBe(true)
  await shot(page, 'tests-none')
  await tests(page).getByRole('button', { name: 'Close the tests' }).click()
})

it('keeps a conversation of the preview under a name', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await preview(page).getByRole('log').getByText('Welcome to our place').waitFor()
  await preview(page).getByRole('textbox').first().fill('Grace')
  await page.keyboard.press('Enter')
  await preview(page).getByRole('log').getByText('See you soon').waitFor()
  await preview(page).getByRole('button', { name: 'Save as test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as test' })
  await dialog.getByLabel('Test name').fill('A guest')
  await shot(page, 'tests-keep')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“A guest” saved as a test.').waitFor()
  await preview(page).getByRole('button', { name: 'Close preview' }).click()
})

it('runs it on the draft, and says what no test reaches', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Tests', exact: true }).click()
  await tests(page).getByRole('button', { name: 'A guest: not run' }).waitFor()
  await tests(page).getByRole('button', { name: 'Run all' }).click()
  await tests(page).getByText('The test passes.').waitFor()
  await tests(page).getByText('2 of 3').waitFor()
  await shot(page, 'tests-same')
  await expectAccessible(page, 'tests that ran')
  await tests(page).getByRole('button', { name: 'Forgotten', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await openTests(page)
})

it('shows the one text that changed, leads there, and takes it for right when told so', async () => {
  const { page } = ada
  await showAll(page)
  await editText(page, block(page, 'Goodbye', 'Text'))
  await page.keyboard.press('End')
  await page.keyboard.type(', friend')
  await ready(page)
  await openTests(page)
  await tests(page).getByRole('button', { name: 'Run all' }).click()
  await tests(page).getByText('1 of 1 no longer pass.').waitFor()
  const row = tests(page).getByRole('listitem').filter({ hasText: 'A guest' })
  await row.getByText('Goodbye > Text').waitFor()
  await expect.poll(() => row.locator('dd').allTextContents()).toEqual(['See you soon', 'See you soon, friend'])
  await shot(page, 'tests-changed')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('1 test no longer passes.').waitFor()
  await shot(page, 'tests-publish')
  await page.getByRole('dialog', { name: 'Publish' }).getByRole('button', { name: 'Show', exact: true }).click()
  await expectAccessible(page, 'a test that changed')
  await row.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('complementary', { name: 'Settings' }).getByRole('textbox', { name: 'Message' }).waitFor()
  await openTests(page)
  await row.getByRole('button', { name: 'Accept new behaviour' }).click()
  await tests(page).getByText('The test passes.').waitFor()
})

it('renames and deletes it', async () => {
  const { page } = ada
  await tests(page).getByRole('button', { name: 'A guest: passed' }).click()
  await tests(page).getByRole('button', { name: 'Rename test' }).click()
  await page.getByRole('dialog', { name: 'Rename test' }).getByLabel('Name').fill('A friend')
  await page.keyboard.press('Enter')
  await tests(page)
    .getByRole('button', { name: /^A friend/ })
    .waitFor()
  await tests(page).getByRole('button', { name: 'Delete test' }).click()
  await page.getByRole('dialog', { name: 'Delete test' }).getByRole('button', { name: 'Delete test' }).click()
  await tests(page).getByText('No tests yet').waitFor()
  expect(ada.errors).toEqual([])
})
