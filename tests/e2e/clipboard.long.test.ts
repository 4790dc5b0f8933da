import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, type RichText } from '../../engine/values/richText'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { importFlow } from '../../server/contracts/flows'
import { expectAccessible } from '../support/accessibility'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type Cable, layCable } from '../support/cable'
import { addMember, makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { block, exportFlow, group, ready, settings, showAll } from './steps'

/** Pieces of flows, texts and pictures between chatbots, tabs and programs; bad input; and several blocks set at once. */
let server: TestServer
let browser: TestBrowser
let ada: Registered
let vera: Registered
let cable: Cable
/** two tabs with a chatbot each */
let one: Page
let two: Page
let places: { pgid: string; cgid: string; fid: string }[]

const made = (id: string, kind: string, data: object): Block => {
  const definition = registry.get(kind)
  const defaults = definition.defaults(() => `${id}-item`) as object
  return { id, kind, version: definition.migrations.length, data: { ...defaults, ...data } as Block['data'] }
}
const withChip = (text: string, variable: string): RichText => [
  { type: 'paragraph', children: [{ text }, { text: '', variable: true, variable_id: variable }] },
]
const at = (title: string, x: number, y: number, ...blocks: Block[]) => ({
  id: title.toLowerCase(),
  title,
  position: { x, y },
  blocks,
})
const variable = (id: string, name: string) => ({ id, name, value: null })
/** of a newer version */
const hologram: Block = { id: 'h', kind: 'hologram', version: 3, data: { beam: { width: 1.5, shape: [null, 'x'] } } }

const source = (): Flow => ({
  ...emptyFlow(),
  groups: [
    at('Start', 0, 0, made('begin', 'start', {})),
    at(
      'Alpha',
      400,
      0,
      made('a1', 'text', { content: withChip('Hello ', 'v-name') }),
      made('a2', 'text-input', { prompt: plainRichText('How old?'), saveTo: 'v-age' }),
    ),
    at('Beta', 800, 0, made('b1', 'text-input', { attempts: 5 }), made('b2', 'text-input', { required: false })),
    at('Gamma', 400, 420, hologram),
    at(
      'Delta',
      800,
      420,
      made('d1', 'text', { content: plainRichText('word '.repeat(caps.text / 5)) }),
      made('d2', 'image', { url: staticValue('https://pictures.test/gone.png') }),
    ),
  ],
  edges: [{ from: { blockId: 'begin', portId: 'next' }, to: { groupId: 'alpha' } }],
  variables: [variable('v-name', 'Name'), variable('v-age', 'Age'), variable('v-other', 'Other')],
})
const target = (): Flow => ({
  ...emptyFlow(),
  groups: [at('Home', 0, 0, made('begin', 'start', {}), made('t1', 'text', { content: plainRichText('Home') }))],
  variables: [variable('w-name', 'name')],
})

beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer(), launchBrowser({ viewport: { width: 1600, height: 900 } })])
  ada = await server.register({ last_name: 'Lovelace', email: 'ada@example.com' })
  vera = await server.register({ first_name: 'Vera', last_name: 'Viewer', email: 'vera@example.com' })
  cable = await layCable(server.url)
  places = [await makeChatbot(ada), await makeChatbot(ada)]
  for (const [i, flow] of [source(), target()].entries())
    await ada.call(importFlow, { params: place(i), body: { source: JSON.stringify(flow), mode: 'replace' } })
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await browser.context.route(/pictures\.test/, (route) => route.abort())
  one = browser.page
  two = await browser.context.newPage()
  await beAt(ada, one, server.url, place(0))
  await beAt(ada, two, server.url, place(1))
})
afterAll(async () => {
  cable?.close()
  await browser?.close()
  await server?.close()
})

function place(index: number) {
  const found = places[index]
  if (!found) throw new Error('There is no such chatbot')
  return found
}

async function beAt(person: Registered, page: Page, url: string, { pgid, cgid }: (typeof places)[0]): Promise<void> {
  await actAs(browser, person, url)
  await page.goto(`${url}/projects/${pgid}/chatbots/${cgid}/builder`)
  await showAll(page)
}

const flow = async (page: Page): Promise<Flow> => JSON.parse((await exportFlow(page)).text)
const says = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).first().waitFor()
const canvas = (page: Page) => page.getByLabel('Flow', { exact: true })
const shot = async (page: Page, name: string) => {
  if (!process.env.SHOTS) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${colorScheme}.png`, animations: 'disabled' })
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** Presses on a group's title, so that it alone is selected. */
const press = (page: Page, title: string) => group(page, title).click({ position: { x: 60, y: 8 } })

/** Adds something to what is selected. What was selected first has opened the settings, which may cover the rest. */
async function add(page: Page, to: Locator, position?: { x: number; y: number }): Promise<void> {
  await settings(page).waitFor()
  await showAll(page)
  await to.click({ position, modifiers: ['Shift'] })
}

/** Nothing is selected, no panel is open, and one sees all. */
async function leave(page: Page): Promise<void> {
  await canvas(page).focus()
  await page.keyboard.press('Escape')
  await settings(page).waitFor({ state: 'detached' })
  await showAll(page)
}

/** Puts a text on the clipboard as another program does, and pastes it by the keys. */
async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+v')
}

async function undoes(page: Page, before: Flow): Promise<void> {
  await leave(page)
  await page.keyboard.press('Control+z')
  await ready(page)
  expect(await flow(page)).toEqual(before)
}

it('takes variables along to another chatbot in another tab: by their names, and made where there are none', async () => {
  await one.bringToFront()
  await press(one, 'Alpha')
  await one.keyboard.press('Control+c')
  await two.bringToFront()
  const before = await flow(two)
  await canvas(two).hover()
  await two.keyboard.press('Control+v')
  await group(two, 'Alpha').waitFor()
  await expect.poll(() => group(two, 'Alpha').getAttribute('class')).toContain('selected')
  const after = await flow(two)
  expect(after.variables.map(({ name }) => name)).toEqual(['name', 'Age'])
  const pasted = after.groups.find(({ title }) => title === 'Alpha')
  const age = after.variables.find(({ name }) => name === 'Age')?.id
  expect(JSON.stringify(pasted?.blocks[0]?.data.content)).toContain('"variable_id":"w-name"')
  expect(pasted?.blocks[1]?.data.saveTo).toBe(age)
  await undoes(two, before)
})

it('does the same by the menu and by the palette', async () => {
  const before = await flow(two)
  await canvas(two).click({ button: 'right', position: { x: 700, y: 500 } })
  await two.getByRole('menuitem', { name: /^Paste/ }).click()
  await group(two, 'Alpha').waitFor()
  await undoes(two, before)
  await two.keyboard.press('Control+k')
  await two.getByRole('combobox', { name: 'Find anything' }).fill('Paste')
  await two
    .getByRole('option', { name: /^Paste/ })
    .first()
    .click()
  await group(two, 'Alpha').waitFor()
  await undoes(two, before)
})

it('makes a text block of a text, and says why a longer one is not pasted', async () => {
  const before = await flow(two)
  await canvas(two).hover({ position: { x: 800, y: 600 } })
  await pasteText(two, 'Hello {name}, this is from a mail.\n')
  await says(two, '28 characters pasted as a text block.')
  const pasted = (await flow(two)).groups.find(({ title }) => title === 'New group')
  expect(pasted?.blocks[0]?.data.content).toEqual([
    {
      type: 'paragraph',
      children: [
        { text: 'Hello ' },
        { text: '', variable: true, variable_id: 'w-name' },
        { text: ', this is from a mail.' },
      ],
    },
  ])
  await shot(two, 'text')
  await undoes(two, before)
  await pasteText(two, 'y'.repeat(caps.text + 1))
  await says(two, 'the text has 20,001 characters, and a text block can have 20,000')
  expect(await flow(two)).toEqual(before)
})

it('reads what Typebot copies, names other products, and says when a piece of a flow is broken', async () => {
  const before = await flow(two)
  const typebot = {
    groups: [
      {
        id: 'g',
        title: 'Imported',
        graphCoordinates: { x: 0, y: 0 },
        blocks: [
          { id: 'b', type: 'text', content: { richText: [{ type: 'p', children: [{ text: 'Hi {{name}}' }] }] } },
        ],
      },
    ],
    edges: [],
    variables: [{ id: 'x', name: 'name' }],
  }
  await canvas(two).hover({ position: { x: 800, y: 600 } })
  await pasteText(two, JSON.stringify(typebot))
  await says(two, '1 block pasted from Typebot.')
  expect((await flow(two)).variables.map(({ id }) => id)).toEqual(['w-name'])
  await undoes(two, before)
  await pasteText(two, JSON.stringify({ nodes: [], connections: {} }))
  await says(two, 'this was copied from n8n')
  await pasteText(two, '{"format":"parley-clip","version":1,"gro')
  await says(two, 'the copied blocks are incomplete')
  await shot(two, 'refused')
  expect(await flow(two)).toEqual(before)
})

it('uploads a picture from the clipboard and shows it in a block', async () => {
  const before = await flow(two)
  await two.evaluate(async () => {
    const picture = Object.assign(document.createElement('canvas'), { width: 8, height: 8 })
    picture.getContext('2d')?.fillRect(0, 0, 8, 8)
    const blob = await new Promise<Blob | null>((done) => picture.toBlob(done))
    if (blob) await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
  })
  await canvas(two).hover({ position: { x: 800, y: 600 } })
  await two.keyboard.press('Control+v')
  const shown = block(two, 'New group', 'Image').locator('img')
  await shown.waitFor()
  await expect.poll(() => shown.getAttribute('src')).toMatch(/\/files\//)
  await undoes(two, before)
})

it('sets several questions at once, as one step, and says where they differ', async () => {
  // a tab behind another draws once a second
  await two.close()
  await one.bringToFront()
  await leave(one)
  const before = await flow(one)
  await press(one, 'Alpha')
  await add(one, group(one, 'Beta'), { x: 60, y: 8 })
  const panel = settings(one)
  await panel.getByRole('heading', { name: '2 selected' }).waitFor()
  await panel.getByRole('button', { name: 'Select only the 3 Text input blocks' }).press('Enter')
  const attempts = panel.getByLabel('Attempts')
  await expect.poll(() => attempts.getAttribute('placeholder')).toBe('Mixed')
  await expect.poll(() => panel.getByRole('button', { name: 'Save the answer to' }).textContent()).toBe('Mixed')
  await shot(one, 'several')
  await expectAccessible(one, 'settings of several', 'aside[aria-label="Settings"]')
  await attempts.fill('4')
  await panel.getByRole('switch', { name: 'Required' }).press('Space')
  const asked = (all: Flow) => all.groups.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === 'text-input')
  expect(asked(await flow(one)).map(({ data }) => [data.attempts, data.required])).toEqual([
    [4, true],
    [4, true],
    [4, true],
  ])
  await leave(one)
  await one.keyboard.press('Control+z')
  expect(asked(await flow(one)).map(({ data }) => data.required)).toEqual(
    asked(before).map(({ data }) => data.required),
  )
  await undoes(one, before)
})

it('moves several blocks to a group, and leads to each', async () => {
  const before = await flow(one)
  await block(one, 'Beta', 'Text input').first().click()
  await add(one, block(one, 'Beta', 'Text input').nth(1))
  const panel = settings(one)
  await panel.getByRole('region', { name: 'Go to' }).getByRole('button').first().click()
  await panel.getByRole('combobox', { name: 'Move to group' }).fill('Alpha')
  await one.getByRole('option', { name: 'Alpha' }).click()
  await group(one, 'Beta').waitFor({ state: 'detached' })
  expect((await flow(one)).groups.find(({ id }) => id === 'alpha')?.blocks.map(({ id }) => id)).toEqual([
    'a1',
    'a2',
    'b1',
    'b2',
  ])
  await undoes(one, before)
})

it('keeps a block of an unknown kind as it is, and asks before it is deleted', async () => {
  const card = block(one, 'Gamma', 'hologram')
  await card.getByText('Unknown block: hologram').waitFor()
  await card.click()
  await settings(one).getByText('This version of Parley does not know “hologram”.').waitFor()
  const problems = settings(one).getByRole('region', { name: 'Problems of this block' })
  await problems.getByRole('button', { name: /hologram/ }).click()
  await problems
    .getByRole('listitem')
    .getByText(/hologram/)
    .first()
    .waitFor()
  await shot(one, 'unknown')
  await card.focus()
  await one.keyboard.press('Delete')
  const dialog = one.getByRole('dialog', { name: 'Delete unknown blocks?' })
  await shot(one, 'unknown-delete')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  const kept = (await flow(one)).groups.find(({ id }) => id === 'gamma')
  expect(kept?.blocks).toEqual([hologram])
  await card.focus()
  await one.keyboard.press('Delete')
  await dialog.getByRole('button', { name: 'Delete anyway' }).click()
  await card.waitFor({ state: 'detached' })
  await one.keyboard.press('Control+z')
  await card.waitFor()
  expect((await flow(one)).groups.find(({ id }) => id === 'gamma')?.blocks).toEqual([hologram])
})

it('counts a text of 20,000 characters, and gives the address of a picture that does not load', async () => {
  await leave(one)
  await block(one, 'Delta', 'Image').getByText('https://pictures.test/gone.png').waitFor()
  await block(one, 'Delta', 'Text').click()
  await settings(one)
    .getByText(/20,?000 ?\/ ?20,?000/)
    .waitFor()
})

it('finishes a drag whose connection is lost, and stores it once it is back', async () => {
  const far = await browser.context.newPage()
  await beAt(ada, far, cable.url, place(0))
  const box = await group(far, 'Beta').boundingBox()
  if (!box) throw new Error('Beta is not in sight')
  await far.mouse.move(box.x + 90, box.y + 8)
  await far.mouse.down()
  await far.mouse.move(box.x + 120, box.y + 60, { steps: 4 })
  cable.cut()
  await far
    .getByText(/Offline/)
    .first()
    .waitFor()
  await far.mouse.move(box.x + 140, box.y + 90, { steps: 4 })
  await far.mouse.up()
  const stands = async (page: Page) => (await flow(page)).groups.find(({ id }) => id === 'beta')?.position
  const dropped = await stands(far)
  expect(dropped).not.toEqual({ x: 800, y: 0 })
  cable.mend()
  await ready(far)
  await far.close()
  await one.bringToFront()
  await expect.poll(() => stands(one)).toEqual(dropped)
})

it('shows several to a viewer, who can change none of them, on a phone too', async () => {
  await addMember(server, place(0).pgid, vera, [Role.VIEWER])
  await beAt(vera, one, server.url, place(0))
  await one.getByText('Read-only', { exact: true }).waitFor()
  await block(one, 'Beta', 'Text input').first().click()
  await add(one, block(one, 'Beta', 'Text input').nth(1))
  const panel = settings(one)
  await panel.getByRole('heading', { name: '2 selected' }).waitFor()
  for (const field of await panel.locator('input').all())
    expect(await field.evaluate((element: HTMLInputElement) => element.disabled || element.readOnly)).toBe(true)
  expect(await panel.getByRole('button', { name: /Duplicate|Delete/ }).count()).toBe(0)
  await one.setViewportSize({ width: 390, height: 844 })
  await panel.getByRole('button', { name: 'Select only the 2 Text input blocks' }).waitFor()
  await shot(one, 'viewer-phone')
})
