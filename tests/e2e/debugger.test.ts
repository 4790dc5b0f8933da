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
import { block, createFromFile, openBuilder, ready, registerOwner } from './steps'

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

const preview = (page: Page) => page.getByRole('region', { name: 'Test your draft' })
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
  await page.keyboard.press('Enter')
  await page.keyboard.press('F9')
  await page.reload()
  await ready(page)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
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
  await preview(page).getByText('Given {').click()
  await preview(page).getByText('"Hello Grace"').waitFor()
  await shot(page, 'debugger-card')
})

it('looks back at an earlier turn, and comes back to the present', async () => {
  const { page } = ada
  await tab(page, 'Turns')
  await preview(page)
    .getByRole('button', { name: /The test began/ })
    .click()
  await preview(page).getByText('You look at turn 1 of 4').waitFor()
  expect(await log(page).getByText('Hello').count()).toBe(0)
  await shot(page, 'debugger-past')
  await preview(page).getByRole('button', { name: 'Back to now' }).click()
  await log(page).getByText('Hello Grace').waitFor()
  expect(ada.errors).toEqual([])
})
