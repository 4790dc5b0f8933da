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
import { atRest, block, createFromFile, group, openBuilder, ready, registerOwner, showAll } from './steps'

/** The draft is debugged beside the canvas; each test goes on from the one before. */
let app: BuiltApp
let ada: TestBrowser
let folder: string
beforeAll(async () => {
  ;[app, ada, folder] = await Promise.all([
    startBuiltApp(),
    launchBrowser(),
    mkdtemp(join(tmpdir(), 'parley-debugger-')),
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
const name = { text: '', variable: true, variable_id: 'name' }
const greeting = [{ type: 'paragraph', children: [{ text: 'Hello ', bold: true }, name] }]
const file: Flow = {
  ...emptyFlow(),
  variables: [{ id: 'name', name: 'name', value: null }],
  groups: [
    {
      id: 'g1',
      title: 'Reception',
      position: { x: 0, y: 0 },
      blocks: [stored('s', 'start'), says('welcome', 'Welcome'), stored('ask', 'text-input', { saveTo: 'name' })],
    },
    {
      id: 'g2',
      title: 'Greeting',
      position: { x: 420, y: 0 },
      blocks: [
        stored('greet', 'text', { content: greeting }),
        stored('map', 'embed', { url: { type: 'static', value: 'https://example.com/map' } }),
        stored('more', 'text-input'),
        says('bye', 'See you'),
      ],
    },
  ],
  edges: [{ from: { blockId: 'ask', portId: 'next' }, to: { groupId: 'g2' } }],
}

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const log = (page: Page) => preview(page).getByRole('log', { name: 'Conversation' })
const tab = (page: Page, title: string) => preview(page).getByRole('tab', { name: title }).click()
const say = async (page: Page, text: string) => {
  await preview(page).getByRole('textbox').first().fill(text)
  await page.keyboard.press('Enter')
}
const shot = async (page: Page, title: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${title}.png`) })
}

it('pauses before a block with a breakpoint, which outlives the page, and goes on by a key', async () => {
  const { page } = ada
  await registerOwner(page, app)
  const path = join(folder, 'place.json')
  await writeFile(path, JSON.stringify(file))
  await page.getByRole('link', { name: 'Chatbots' }).first().click()
  await createFromFile(page, path, 'Our place')
  await openBuilder(page)
  await block(page, 'Greeting', 'Text').first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('F9')
  await page.reload()
  await ready(page)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await tab(page, 'Breakpoints')
  await preview(page).getByRole('button', { name: 'Remove the breakpoint on Text' }).waitFor()
  await log(page).getByText('Welcome').waitFor()
  await say(page, 'Ada')
  await preview(page).getByText('Paused before Greeting › Text').waitFor()
  expect(await log(page).getByText('Hello').count()).toBe(0)
  await shot(page, 'debugger-paused')
  await expectAccessible(page, 'a paused test')
})

it('changes a variable on the way, for what follows', async () => {
  const { page } = ada
  await tab(page, 'Variables')
  await preview(page).getByRole('button', { name: 'Change name: Ada' }).click()
  await preview(page).getByRole('textbox', { name: 'Value of name' }).fill('Grace')
  await shot(page, 'debugger-variable')
  await preview(page).getByRole('button', { name: 'Set', exact: true }).click()
  await preview(page).getByRole('button', { name: 'Change name: Grace' }).waitFor()
  await page.keyboard.press('F8')
  await log(page).getByText('Hello Grace').waitFor()
})

it('shows what a step was given and did', async () => {
  const { page } = ada
  await tab(page, 'Path')
  await preview(page).getByRole('button', { name: 'Details of Text', exact: true }).last().click()
  await preview(page).getByText('Inputs {').click()
  await preview(page).getByText('"Hello Grace"').waitFor()
  await shot(page, 'debugger-card')
})

it('looks back at an earlier turn, and goes on from there once one agrees that the rest goes', async () => {
  const { page } = ada
  await tab(page, 'Turns')
  await preview(page)
    .getByRole('button', { name: /Preview started/ })
    .click()
  await preview(page).getByText('Viewing turn 1 of 4').waitFor()
  expect(await log(page).getByText('Hello').count()).toBe(0)
  await shot(page, 'debugger-past')
  await preview(page).getByRole('button', { name: 'Back to latest' }).click()
  await log(page).getByText('Hello Grace').waitFor()
  await preview(page)
    .getByRole('button', { name: /Preview started/ })
    .click()
  await preview(page).getByText('Viewing turn 1 of 4').waitFor()
  await say(page, 'Edsger')
  await page
    .getByRole('dialog', { name: 'Continue from here?' })
    .getByRole('button', { name: 'Continue from here' })
    .click()
  await preview(page).getByText('Paused before Greeting › Text').waitFor()
  await page.keyboard.press('F10')
  await preview(page).getByText('Paused before Greeting › Embed').waitFor()
  await log(page).getByText('Hello Edsger').waitFor()
})

it('shows the same conversation as on WhatsApp, where either takes the answer', async () => {
  const { page } = ada
  await preview(page).getByRole('button', { name: 'Both' }).click()
  await page.keyboard.press('F8')
  const whatsapp = preview(page).getByRole('region', { name: 'WhatsApp' })
  await page.getByRole('img', { name: 'visitors on WhatsApp get the address as a link instead' }).first().waitFor()
  await whatsapp.getByText('https://example.com/map').last().waitFor()
  await shot(page, 'debugger-both')
  await expectAccessible(page, 'both looks')
  await whatsapp.getByRole('button', { name: 'JSON' }).click()
  const requests = whatsapp.getByRole('region', { name: 'What is sent to WhatsApp' })
  await requests.getByText('"messaging_product": "whatsapp"').waitFor()
  await shot(page, 'debugger-json')
  await expectAccessible(page, 'WhatsApp as JSON')
  await whatsapp.getByRole('button', { name: 'JSON' }).click()
  await whatsapp.getByRole('textbox', { name: 'Message' }).fill('Bye')
  await page.keyboard.press('Enter')
  await whatsapp.getByText('See you').waitFor()
  await log(page).getByText('See you').waitFor()
  await preview(page).getByRole('button', { name: 'Web', exact: true }).click()
})

it('runs from a group or block that one chooses, with variables set first, and says why that is no test to keep', async () => {
  const { page } = ada
  await preview(page).getByRole('button', { name: 'Close preview' }).click()
  await atRest(page)
  await showAll(page)
  await group(page, 'Greeting').hover()
  await atRest(page)
  await group(page, 'Greeting').getByText('Greeting').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Preview from here' }).click()
  await preview(page).getByText('Starts at Greeting').waitFor()
  await preview(page).getByText('Paused before Greeting › Text').waitFor()
  await preview(page).getByRole('button', { name: 'Set variables first' }).click()
  await preview(page).getByRole('textbox', { name: 'Value of name' }).fill('Barbara')
  await preview(page).getByRole('button', { name: 'Run', exact: true }).click()
  await tab(page, 'Variables')
  await preview(page).getByRole('button', { name: 'Change name: Barbara' }).waitFor()
  await page.keyboard.press('F8')
  await log(page).getByText('Hello Barbara').waitFor()

  await showAll(page)
  await block(page, 'Greeting', 'Text').last().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Preview from here' }).click()
  await preview(page).getByText('Starts at Greeting › Text').waitFor()
  await log(page).getByText('See you').waitFor()
  expect(await log(page).getByText('Welcome').count()).toBe(0)
  await preview(page).getByRole('button', { name: 'Save as test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as test' })
  await dialog.getByLabel('Test name').fill('From the middle')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('where no visitor begins').waitFor()
  await page.keyboard.press('Escape')
  await preview(page).getByRole('button', { name: 'Start from the beginning' }).click()
  await log(page).getByText('Welcome').waitFor()
  // the refusal just now
  expect(ada.errors.filter((error) => !error.includes('409 (Conflict)'))).toEqual([])
})

it('keeps what was said up to the turn that one looks at, and forgets where it ran from once it is closed', async () => {
  const { page } = ada
  await say(page, 'Ada')
  await preview(page).getByText('Paused before Greeting › Text').waitFor()
  await tab(page, 'Turns')
  await preview(page)
    .getByRole('button', { name: /Preview started/ })
    .click()
  await preview(page).getByText('Viewing turn 1 of 2').waitFor()
  await preview(page).getByRole('button', { name: 'Save as test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as test, up to turn 1' })
  await dialog.getByLabel('Test name').fill('The welcome')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“The welcome” saved as a test.').waitFor()
  // the canvas has gone to the block that it paused before
  await showAll(page)
  await block(page, 'Greeting', 'Text').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Preview from here' }).click()
  await preview(page).getByText('Starts at Greeting › Text').waitFor()
  await preview(page).getByRole('button', { name: 'Close preview' }).click()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await log(page).getByText('Welcome').waitFor()
  expect(await preview(page).getByText('Starts at').count()).toBe(0)
})
