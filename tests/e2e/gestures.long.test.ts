import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import {
  atRest,
  block,
  createFromFile,
  exportFlow,
  group,
  logIn,
  openBuilder,
  ready,
  registerOwner,
  showAll,
} from './steps'

/** What hands do on the canvas. Every test begins with the same flow: it undoes what it has done, which tests that, too. */
let app: BuiltApp
let ada: TestBrowser
let page: Page
let before: Flow

const text = (id: string): Block => {
  const definition = registry.get('text')
  return {
    id,
    kind: 'text',
    version: definition.migrations.length,
    data: { content: [{ type: 'paragraph', children: [{ text: id }] }] },
  } as Block
}

/** Start -> Alpha -> Beta in a row, Gamma and Delta, which nothing leads to, below. */
const sample = (): Flow => {
  const at = (title: string, x: number, y: number, blocks: Block[]) => ({
    id: title.toLowerCase(),
    title,
    position: { x, y },
    blocks,
  })
  const start = registry.get('start')
  const first = { id: 'begin', kind: 'start', version: start.migrations.length, data: {} } as Block
  return {
    ...emptyFlow(),
    groups: [
      at('Start', 0, 0, [first]),
      at('Alpha', 403, 0, [text('a1'), text('a2')]),
      at('Beta', 1000, 0, [text('b1')]),
      at('Gamma', 408, 280, [text('c1')]),
      at('Delta', 1000, 288, [text('d1'), text('d2')]),
    ],
    edges: [
      { from: { blockId: 'begin', portId: 'next' }, to: { groupId: 'alpha' } },
      { from: { blockId: 'a2', portId: 'next' }, to: { groupId: 'beta' } },
    ],
  }
}

beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser({ viewport: { width: 1700, height: 900 } })])
  page = ada.page
  const file = join(await mkdtemp(join(tmpdir(), 'parley-gestures-')), 'flow.json')
  await writeFile(file, JSON.stringify(sample()))
  await registerOwner(page, app)
  await createFromFile(page, file, 'Gestures')
  await openBuilder(page)
  before = await flow()
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

async function flow(): Promise<Flow> {
  return JSON.parse((await exportFlow(page)).text)
}

const places = ({ groups }: Flow) => Object.fromEntries(groups.map(({ id, position }) => [id, position]))
const ends = ({ edges }: Flow) => edges.map(({ from, to }) => `${from.blockId} -> ${to.blockId ?? to.groupId}`).sort()
const selected = (count: number) =>
  page
    .getByRole('toolbar', { name: 'Selection' })
    .getByRole('status')
    .filter({ hasText: `${count} selected` })
    .waitFor()
const canvas = () => page.getByLabel('Flow', { exact: true })

/** One step of undo takes back all that a gesture has done. */
async function undoes(): Promise<void> {
  await leave()
  await page.keyboard.press('Control+z')
  await ready(page)
  expect(await flow()).toEqual(before)
}

/** Nothing is selected, no panel is open: the canvas is as wide as it was, and shows all. */
async function leave(): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Settings' }).waitFor({ state: 'detached' })
  await showAll(page)
}

/** How many pixels a unit of the flow takes on the screen. */
async function scale(): Promise<number> {
  return ((await group(page, 'Start').boundingBox())?.width ?? Number.NaN) / 264
}

/** Where one grips a group to drag it. */
async function grip(title: string): Promise<{ x: number; y: number }> {
  const on = group(page, title)
  await on.hover({ trial: true, force: true })
  await atRest(page)
  const box = await on.boundingBox()
  if (!box) throw new Error(`${title} is not in sight`)
  return { x: box.x + box.width / 2, y: box.y + 12 }
}

/** Takes a group by its title and moves it by so many units of the flow, without letting go. */
async function take(title: string, x: number, y: number): Promise<void> {
  const from = await grip(title)
  const unit = await scale()
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + (x * unit) / 2, from.y + (y * unit) / 2, { steps: 3 })
  await page.mouse.move(from.x + x * unit, from.y + y * unit, { steps: 3 })
}

async function drop(title: string, x: number, y: number): Promise<void> {
  await take(title, x, y)
  await page.mouse.up()
}

/** Draws a box on the empty canvas from above the one group to inside the other. */
async function marquee(from: string, to: string): Promise<void> {
  const start = await grip(from)
  const end = await grip(to)
  const unit = await scale()
  await page.mouse.move(start.x - 150 * unit, start.y - 30 * unit)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 6 })
  await page.mouse.up()
}

it('selects with a marquee, and with Shift adds and takes away', async () => {
  await marquee('Gamma', 'Delta')
  await selected(2)
  await page.keyboard.down('Shift')
  await marquee('Beta', 'Beta')
  await selected(3)
  const on = await grip('Gamma')
  await page.mouse.click(on.x, on.y)
  await selected(2)
  await page.keyboard.up('Shift')
  // a click tells by itself that Shift is held, before anything has noticed the key
  await group(page, 'Gamma').dispatchEvent('click', { shiftKey: true })
  await selected(3)
  await leave()

  await block(page, 'Gamma', 'Text').click()
  await showAll(page)
  await block(page, 'Delta', 'Text')
    .first()
    .click({ modifiers: ['Shift'] })
  await selected(2)
  await leave()
})

it('brings a dragged group in line with its neighbours, unless Ctrl is held', async () => {
  await take('Gamma', -2, 41)
  await page.locator('[data-guides]').waitFor()
  await page.mouse.up()
  expect(places(await flow()).gamma?.x).toBe(403)
  await undoes()

  const from = await grip('Gamma')
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.keyboard.down('Control')
  await page.mouse.move(from.x - 30, from.y + 33, { steps: 4 })
  expect(await page.locator('[data-guides]').count()).toBe(0)
  await page.mouse.up()
  await page.keyboard.up('Control')
  const unit = await scale()
  expect(places(await flow()).gamma).toEqual({ x: Math.round(408 - 30 / unit), y: Math.round(280 + 33 / unit) })
  await undoes()
})

it('drags all selected groups as one step, and puts them back on Escape', async () => {
  await marquee('Gamma', 'Delta')
  await selected(2)
  await drop('Delta', 80, 60)
  const moved = places(await flow())
  const by = { x: (moved.gamma?.x ?? 0) - 408, y: (moved.gamma?.y ?? 0) - 280 }
  expect(by).not.toEqual({ x: 0, y: 0 })
  expect(moved.delta).toEqual({ x: 1000 + by.x, y: 288 + by.y })
  await undoes()

  for (const callOff of [
    () => page.keyboard.press('Escape'),
    () => page.evaluate(() => window.dispatchEvent(new Event('blur'))),
  ]) {
    const stood = await grip('Gamma')
    await take('Gamma', 50, 70)
    expect((await grip('Gamma')).y).toBeGreaterThan(stood.y + 10)
    await callOff()
    await page.locator('html:not([data-dragging])').waitFor()
    await page.mouse.up()
    expect(await grip('Gamma')).toEqual(stood)
    expect(await flow()).toEqual(before)
  }
})

it('copies with Alt', async () => {
  const from = await grip('Gamma')
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.keyboard.down('Alt')
  await page.mouse.move(from.x + 40, from.y + 120, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.up('Alt')
  const { groups } = await flow()
  expect(groups.map(({ title }) => title).sort()).toEqual(['Alpha', 'Beta', 'Delta', 'Gamma', 'Gamma', 'Start'])
  expect(groups.find(({ id }) => id === 'gamma')?.position).toEqual({ x: 408, y: 280 })
  await undoes()
})

/** The middle of the edge from Alpha to Beta. */
async function edgeMiddle(): Promise<{ x: number; y: number }> {
  const box = await page.locator('.react-flow__edge[data-id^="a2/"] path').first().boundingBox()
  if (!box) throw new Error('The edge is not in sight')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function dragTo(from: Locator, to: { x: number; y: number }): Promise<void> {
  await from.hover({ trial: true, force: true })
  const box = await from.boundingBox()
  if (!box) throw new Error('Nothing to drag')
  await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 12))
  await page.mouse.down()
  await page.mouse.move(to.x - 30, to.y - 40, { steps: 4 })
  // the canvas may still be making room: where the edge is, is asked again
  const reaches = async () => {
    const aim = await edgeMiddle()
    await page.mouse.move(aim.x, aim.y, { steps: 4 })
    return page.locator('path[data-look="near"]').count()
  }
  await expect.poll(reaches).toBeGreaterThan(0)
  await page.mouse.up()
}

it('inserts on an edge what is dropped there: from the palette, a group, a block', async () => {
  const palette = page.getByRole('complementary', { name: 'Blocks' })
  const middle = await edgeMiddle()
  await dragTo(palette.getByRole('button', { name: 'Text', exact: true }), middle)
  const added = (await flow()).groups.find(({ id }) => !(id in places(before)))
  expect(ends(await flow())).toEqual([`a2 -> ${added?.id}`, 'begin -> alpha', `${added?.blocks[0]?.id} -> beta`].sort())
  await undoes()

  await dragTo(group(page, 'Gamma'), await edgeMiddle())
  expect(ends(await flow())).toEqual(['a2 -> gamma', 'begin -> alpha', 'c1 -> beta'])
  await undoes()

  await dragTo(block(page, 'Delta', 'Text').nth(1), await edgeMiddle())
  const out = (await flow()).groups.find(({ blocks }) => blocks.length === 1 && blocks[0]?.id === 'd2')
  expect(ends(await flow())).toEqual([`a2 -> ${out?.id}`, 'begin -> alpha', 'd2 -> beta'].sort())
  await undoes()
})

it('inserts a block by the plus on an edge, and takes the edge off by a key', async () => {
  const middle = await edgeMiddle()
  await page.mouse.move(middle.x, middle.y)
  await page.getByRole('button', { name: 'Insert a block here' }).click()
  await page
    .getByRole('dialog', { name: 'What comes next?' })
    .getByRole('button', { name: 'Text', exact: true })
    .click()
  const added = (await flow()).groups.find(({ id }) => !(id in places(before)))
  expect(ends(await flow())).toContain(`${added?.blocks[0]?.id} -> beta`)
  expect(ends(await flow())).toContain(`a2 -> ${added?.id}`)
  await undoes()

  // beside its buttons
  const at = await page
    .locator('.react-flow__edge[data-id^="a2/"] path')
    .first()
    .evaluate((path: SVGPathElement) => {
      const point = path.getPointAtLength(path.getTotalLength() * 0.2).matrixTransform(path.getScreenCTM() ?? undefined)
      return { x: point.x, y: point.y }
    })
  await page.mouse.click(at.x, at.y)
  await page.keyboard.press('Delete')
  expect(ends(await flow())).toEqual(['begin -> alpha'])
  await undoes()
})

it('aligns, distributes and tidies the selected groups, by key and by the bar', async () => {
  await marquee('Gamma', 'Delta')
  await selected(2)
  await page.keyboard.press('Alt+a')
  const left = places(await flow())
  expect([left.gamma?.x, left.delta?.x]).toEqual([408, 408])
  await undoes()

  await marquee('Gamma', 'Delta')
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Tidy into a row' }).click()
  const row = places(await flow())
  expect([row.gamma, row.delta]).toEqual([
    { x: 408, y: 280 },
    { x: 768, y: 280 },
  ])
  await undoes()
})

it('moves the selected groups by the arrow keys, quick ones as one step', async () => {
  await marquee('Gamma', 'Delta')
  await selected(2)
  for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown']) await page.keyboard.press(key)
  expect(places(await flow())).toMatchObject({ gamma: { x: 424, y: 320 }, delta: { x: 1016, y: 328 } })
  await leave()
  while (JSON.stringify(places(await flow())) !== JSON.stringify(places(before))) await page.keyboard.press('Control+z')
})

it('pans while the space bar is held, and zooms by the wheel of a mouse', async () => {
  const stood = await grip('Gamma')
  const empty = await edgeMiddle()
  await page.mouse.move(empty.x, empty.y + 300)
  await page.keyboard.down('Space')
  await page.locator('[data-tool="hand"]').waitFor()
  await page.mouse.down()
  await page.mouse.move(empty.x + 60, empty.y + 340, { steps: 4 })
  await page.mouse.up()
  await page.keyboard.up('Space')
  const moved = async () => {
    const { x, y } = await grip('Gamma')
    return [Math.round(x - stood.x), Math.round(y - stood.y)]
  }
  await expect.poll(moved).toEqual([60, 40])

  const unit = await scale()
  await page.getByRole('button', { name: 'Trackpad: scroll to pan' }).click()
  await canvas().hover()
  await page.mouse.wheel(0, -200)
  await expect.poll(scale).toBeGreaterThan(unit)
  await page.getByRole('button', { name: 'Mouse: scroll to zoom' }).click()
  const zoomed = await scale()
  const before = await grip('Gamma')
  await canvas().hover()
  await page.mouse.wheel(0, 40)
  await expect.poll(async () => (await grip('Gamma')).y).toBeLessThan(before.y)
  expect(await scale()).toBe(zoomed)
  await leave()
})

it('loses nothing when somebody else deletes the group that one drags', async () => {
  const bob = await ada.context.newPage()
  await bob.goto(page.url())
  await ready(bob)
  await showAll(bob)
  await page.bringToFront()
  await take('Gamma', 40, 60)
  await group(bob, 'Gamma').click({ position: { x: 60, y: 8 } })
  await bob.keyboard.press('Delete')
  await group(page, 'Gamma').waitFor({ state: 'detached' })
  // the drag ends by itself, since nothing is left of it
  await page.mouse.move(900, 500)
  await page.locator('html:not([data-dragging])').waitFor()
  await page.mouse.up()
  await group(bob, 'Gamma').waitFor({ state: 'detached' })
  await bob.keyboard.press('Control+z')
  await group(page, 'Gamma').waitFor()
  await bob.close()
  await ready(page)
  expect(await flow()).toEqual(before)
})

it('on a phone pans with a finger, and opens a menu by a long press', async () => {
  const phone = await launchBrowser({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  try {
    const { page: small } = phone
    await logIn(small, app.url)
    await small.goto(page.url())
    await ready(small)
    const title = group(small, 'Start')
    await title.hover({ trial: true, force: true })
    const box = await title.boundingBox()
    if (!box) throw new Error('Start is not in sight')
    const touch = await phone.context.newCDPSession(small)
    const finger = (type: string, points: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: points })
    const at = { x: Math.max(box.x, 0) + 60, y: box.y + 20 }
    await finger('touchStart', [at])
    for (const step of [10, 30, 60]) await finger('touchMove', [{ x: at.x, y: at.y + step }])
    await finger('touchEnd', [])
    await expect.poll(async () => (await title.boundingBox())?.y).toBeGreaterThan(box.y + 30)

    const moved = await block(small, 'Start', 'Start').boundingBox()
    if (!moved) throw new Error('The block is not in sight')
    const held = { x: Math.max(moved.x, 0) + 60, y: moved.y + 14 }
    await finger('touchStart', [held])
    await small.getByRole('menuitem', { name: /^Copy/ }).waitFor()
    await finger('touchEnd', [])
  } finally {
    await phone.close()
  }
})
