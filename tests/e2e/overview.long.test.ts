import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { largeFlow } from '../support/largeFlow'
import { block, createFromFile, openBuilder, ready, registerOwner, settings, showAll } from './steps'

/** A flow so large that all of it can only be seen as a picture; each test goes on from the one before. */
let app: BuiltApp
let ada: TestBrowser
let folder: string
beforeAll(async () => {
  ;[app, ada, folder] = await Promise.all([
    startBuiltApp(),
    launchBrowser(),
    mkdtemp(join(tmpdir(), 'parley-overview-')),
  ])
  const flow = largeFlow(80)
  const groups = flow.groups.map((group, at) => ({
    ...group,
    position: { x: (at % 10) * 480, y: Math.floor(at / 10) * 800 },
  }))
  await writeFile(join(folder, 'large.json'), JSON.stringify({ ...flow, groups }))
})
afterAll(() => Promise.all([ada.close(), app.stop(), rm(folder, { recursive: true })]))

const overview = () => ada.page.locator('[data-overview]:not([hidden]) canvas').first()
const title = () => settings(ada.page).getByRole('textbox', { name: 'Title' })

/** Where a point of the flow is on the screen now. */
const onScreen = (x: number, y: number) =>
  ada.page.evaluate(
    ([left = 0, top = 0]) => {
      const viewport = document.querySelector('.react-flow__viewport') as HTMLElement
      const matrix = new DOMMatrix(getComputedStyle(viewport).transform)
      const pane = document.querySelector('.react-flow')?.getBoundingClientRect() ?? new DOMRect()
      return { x: pane.left + matrix.e + left * matrix.a, y: pane.top + matrix.f + top * matrix.a }
    },
    [x, y],
  )
const viewportNow = () => ada.page.locator('.react-flow__viewport').getAttribute('style')
/** In the body of the group that stood at this column and row. */
const inGroup = (column: number, row: number) => onScreen(column * 480 + 130, row * 800 + 90)
const press = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
  const { mouse } = ada.page
  await mouse.move(from.x, from.y)
  await mouse.down()
  await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
  await mouse.move(to.x, to.y, { steps: 4 })
  await mouse.up()
}
const leave = async () => {
  await ada.page.keyboard.press('Escape')
  await settings(ada.page).waitFor({ state: 'detached' })
}

it('shows the whole of a large flow as one picture, in which a click selects', async () => {
  const { page } = ada
  await registerOwner(page, app)
  await createFromFile(page, join(folder, 'large.json'), 'Large')
  await openBuilder(page)
  await overview().waitFor()
  await expect.poll(() => page.locator('.react-flow__node').count()).toBeLessThan(8)
  const at = await inGroup(3, 2)
  await page.mouse.click(at.x, at.y)
  await title().waitFor()
  await expect.poll(() => title().inputValue()).toBe('Group 23')
  await expectAccessible(page, 'the flow from afar')
  await leave()
})

it('drags groups in the picture, and stores where they were let go', async () => {
  const { page } = ada
  await showAll(page)
  await overview().waitFor()
  await press(await inGroup(3, 2), await onScreen(3 * 480 + 130, 2 * 800 + 640))
  await ready(page)
  const at = await onScreen(3 * 480 + 130, 2 * 800 + 640)
  await page.mouse.click(at.x, at.y)
  await title().waitFor()
  await expect.poll(() => title().inputValue()).toBe('Group 23')
  await leave()
})

it('lies in nothing that is scaled while a group is dragged: a browser would put it together at its full size first', async () => {
  const { page } = ada
  await showAll(page)
  await overview().waitFor()
  const [from, to] = [await inGroup(6, 3), await inGroup(7, 3)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  const layers = page.locator('[data-overview] canvas')
  await layers.nth(1).waitFor()
  const scales = await layers.evaluateAll((canvases) =>
    canvases.map((canvas) => {
      let scale = 1
      for (let element = canvas.parentElement; element; element = element.parentElement)
        scale *= new DOMMatrix(getComputedStyle(element).transform).a
      return scale
    }),
  )
  const moving = await page.evaluate(
    () =>
      document.getAnimations().filter(({ effect }) => {
        const target = effect instanceof KeyframeEffect && effect.target
        return target instanceof Element && target.closest('.react-flow__viewport') !== null
      }).length,
  )
  await page.keyboard.press('Escape')
  await page.mouse.up()
  expect(scales).toEqual([1, 1])
  // with less motion asked for, what is dragged is no animation
  expect(moving).toBe(0)
})

it('selects what a box around it touches', async () => {
  const { page } = ada
  await showAll(page)
  await press(await onScreen(-100, -120), await onScreen(2 * 480 + 60, 300))
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('3 selected').waitFor()
  await page.keyboard.press('Escape')
})

it('goes nearer on a double click, where groups are there with their blocks', async () => {
  const { page } = ada
  await showAll(page)
  await overview().waitFor()
  const at = await inGroup(5, 5)
  await page.mouse.dblclick(at.x, at.y)
  await block(page, 'Group 55', 'Text').first().waitFor()
  await overview().waitFor({ state: 'detached' })
})

it('pans by the map, which M hides', async () => {
  const { page } = ada
  const map = page.getByLabel('Map of the flow')
  await leave().catch(() => undefined)
  const before = await viewportNow()
  await map.click({ position: { x: 24, y: 20 } })
  await expect.poll(viewportNow).not.toBe(before)
  await page.keyboard.press('m')
  await map.waitFor({ state: 'detached' })
  await page.keyboard.press('m')
  await map.waitFor()
  expect(ada.errors).toEqual([])
})
