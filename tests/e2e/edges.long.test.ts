import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { atRest, createFromFile, group, openBuilder, ready, registerOwner } from './steps'

/** Edges under the mouse, and what is seen of groups from afar and while one is dropped. */
let app: BuiltApp
let ada: TestBrowser
let page: Page

const text = (id: string): Block => {
  const { migrations } = registry.get('text')
  return {
    id,
    kind: 'text',
    version: migrations.length,
    data: { content: [{ type: 'paragraph', children: [{ text: id }] }] },
  } as Block
}

/** Start -> Alpha -> Beta, back from Beta to Alpha, and Wall between the two. */
const sample = (): Flow => {
  const at = (title: string, x: number, y: number, blocks: Block[]) => ({
    id: title.toLowerCase(),
    title,
    position: { x, y },
    blocks,
  })
  const begin = { id: 'begin', kind: 'start', version: registry.get('start').migrations.length, data: {} } as Block
  return {
    ...emptyFlow(),
    groups: [
      at('Start', 0, 0, [begin]),
      at('Alpha', 400, 0, [text('a1')]),
      at('Wall', 800, -60, [text('w1'), text('w2'), text('w3')]),
      at('Beta', 1200, 0, [text('b1')]),
    ],
    edges: [
      { from: { blockId: 'begin', portId: 'next' }, to: { groupId: 'alpha' } },
      { from: { blockId: 'a1', portId: 'next' }, to: { groupId: 'beta' } },
      { from: { blockId: 'b1', portId: 'next' }, to: { groupId: 'alpha' } },
    ],
  }
}

beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser({ viewport: { width: 1700, height: 900 } })])
  page = ada.page
  const file = join(await mkdtemp(join(tmpdir(), 'parley-edges-')), 'flow.json')
  await writeFile(file, JSON.stringify(sample()))
  await registerOwner(page, app)
  await createFromFile(page, file, 'Edges')
  await openBuilder(page)
  await page.getByRole('button', { name: 'Hide blocks' }).click()
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

const edge = (id: string) => page.locator(`.react-flow__edge[data-id="${id}/next"]`)
const line = (id: string) => edge(id).locator('path').first()

/** Half the way along an edge, on the screen. */
const middle = (id: string) =>
  line(id).evaluate((path) => {
    const drawn = path as SVGPathElement
    const { x, y } = drawn.getPointAtLength(drawn.getTotalLength() / 2)
    const { a, d, e, f } = drawn.getScreenCTM() as DOMMatrix
    return { x: a * x + e, y: d * y + f }
  })

const edges = () => page.locator('.react-flow__edge').count()

it('draws an edge around the group that stands in its way, and back around both', async () => {
  await line('a1').waitFor()
  for (const id of ['begin', 'a1', 'b1']) {
    const over = await line(id).evaluate((path) => {
      const drawn = path as SVGPathElement
      const { a, d, e, f } = drawn.getScreenCTM() as DOMMatrix
      const cards = [...document.querySelectorAll('[data-group-id]')].map((card) => card.getBoundingClientRect())
      const points = Array.from({ length: 400 }, (_, n) =>
        drawn.getPointAtLength((drawn.getTotalLength() * n) / 399),
      ).map(({ x, y }) => ({ x: a * x + e, y: d * y + f }))
      return points.filter(({ x, y }) =>
        cards.some((card) => x > card.left + 1 && x < card.right - 1 && y > card.top + 1 && y < card.bottom - 1),
      ).length
    })
    expect(over, id).toBe(0)
  }
})

it('selects an edge by a click in its middle, and takes nothing off', async () => {
  await line('begin').waitFor()
  const at = await middle('begin')
  // as a hand does: it rests there before it presses
  await page.mouse.move(at.x, at.y)
  await page.getByRole('button', { name: 'Remove connection' }).waitFor()
  await page.mouse.click(at.x, at.y)
  await expect.poll(() => edge('begin').getAttribute('class')).toContain('selected')
  expect(await edges()).toBe(3)
})

it('takes an edge off by its cross, and by Delete while it is selected', async () => {
  await page.getByRole('button', { name: 'Remove connection' }).click()
  await expect.poll(edges).toBe(2)
  await page.keyboard.press('Control+z')
  await expect.poll(edges).toBe(3)
  const at = await middle('a1')
  await page.mouse.click(at.x, at.y)
  await expect.poll(() => edge('a1').getAttribute('class')).toContain('selected')
  await page.keyboard.press('Delete')
  await expect.poll(edges).toBe(2)
  await page.keyboard.press('Control+z')
  await expect.poll(edges).toBe(3)
})

it('shows where a block from the list would stand, as large as it will be, and makes room for it', async () => {
  await page.getByRole('button', { name: 'Show blocks' }).click()
  await page.getByRole('button', { name: 'Zoom to fit' }).click()
  await atRest(page)
  const beta = group(page, 'Beta')
  await expect.poll(async () => (await beta.boundingBox())?.x).toBeGreaterThan(0)
  await ready(page)
  const before = await beta.boundingBox()
  const item = await page.getByRole('button', { name: 'Image', exact: true }).boundingBox()
  if (!before || !item) throw new Error('not there')
  await page.mouse.move(item.x + 20, item.y + 10)
  await page.mouse.down()
  // just above Beta
  await page.mouse.move(before.x + 60, before.y - 24, { steps: 5 })
  const preview = page.locator('[data-drop-preview]')
  await preview.waitFor()
  const shown = await preview.boundingBox()
  await expect.poll(async () => (await beta.boundingBox())?.y).toBeGreaterThan(before.y)
  await page.mouse.up()
  const made = group(page, 'Image')
  await made.waitFor()
  const stands = await made.boundingBox()
  expect(stands?.width).toBeCloseTo(shown?.width ?? 0, -0.5)
  expect(stands?.height).toBeCloseTo(shown?.height ?? 0, -0.5)
  // one step back puts both where they were
  await page.keyboard.press('Control+z')
  await expect.poll(() => made.count()).toBe(0)
  await expect.poll(async () => Math.abs(((await beta.boundingBox())?.y ?? 0) - before.y)).toBeLessThan(1)
})

it('draws all groups alike from afar: what the keyboard holds on to has no look of its own', async () => {
  for (let n = 0; n < 8; n++) await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.locator('[data-overview]:not([hidden])').waitFor({ state: 'attached' })
  const start = page.locator('[data-group-id="start"]')
  await expect.poll(() => start.evaluate((card) => card.textContent)).toBe('')
  expect(await start.evaluate((card) => getComputedStyle(card).backgroundColor)).toBe('rgba(0, 0, 0, 0)')
})
