import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { importFlow } from '../../server/contracts/flows'
import { expectAccessible } from '../support/accessibility'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { largeFlow } from '../support/largeFlow'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { atRest, block, group, ready, settings } from './steps'

/** The builder as those use it who do not see it, who enlarge it, and whom motion troubles. */
let server: TestServer
let browser: TestBrowser
let ada: Registered
let vera: Registered
let builder: string

beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer({}), launchBrowser()])
  ada = await server.register({ email: 'ada@example.com' })
  vera = await server.register({ first_name: 'Vera', last_name: 'Viewer', email: 'vera@example.com' })
  const place = await makeChatbot(ada)
  await addMember(server, place.pgid, vera, [Role.VIEWER])
  await ada.call(importFlow, { params: place, body: { source: JSON.stringify(largeFlow(4)), mode: 'replace' } })
  builder = `${server.url}/projects/${place.pgid}/chatbots/${place.cgid}/builder`
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

async function enterAs(person: Registered): Promise<Page> {
  const { page } = browser
  await actAs(browser, person, server.url)
  await page.goto(builder)
  await group(page, 'Group 0').waitFor()
  await atRest(page)
  return page
}

it('has nothing for axe to find, whatever is selected', async () => {
  const page = await enterAs(ada)
  await ready(page)
  await block(page, 'Group 0', 'Text input').click()
  await settings(page).getByRole('textbox').first().waitFor()
  await expectAccessible(page, 'settings of a block')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+A')
  await page.getByRole('toolbar', { name: 'Selection' }).waitFor()
  await expectAccessible(page, 'several groups')
  await page.keyboard.press('Escape')
  await block(page, 'Group 0', 'Text input').click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  await expectAccessible(page, 'menu of a block', '[role="menu"]')
  expect(browser.errors).toEqual([])
})

it('has nothing for axe to find, whatever is open', async () => {
  const page = await enterAs(ada)
  await ready(page)
  for (const [name, key] of [
    ['Find anything', 'Control+K'],
    ['Keyboard shortcuts', '?'],
  ] as const) {
    await page.keyboard.press(key)
    const dialog = page.getByRole('dialog', { name })
    await dialog.waitFor()
    await expectAccessible(page, name, '[role="dialog"]')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  const rail = page.getByRole('navigation', { name: 'Panels' })
  // translations have a screen of their own
  for (const button of await rail.getByRole('button').filter({ hasNotText: 'Languages' }).all()) {
    // its name stands below it: no tooltip that would lie over the head of what opens
    expect(await button.textContent()).not.toBe('')
    await button.click()
    expect(await page.getByRole('tooltip').count()).toBe(0)
    await page.locator('aside[data-sheet] h2').first().waitFor()
    await expectAccessible(page, `panel ${await button.getAttribute('aria-label')}`, 'aside[data-sheet]')
  }
  expect(browser.errors).toEqual([])
})

it('is as clear to a viewer, and offers nothing that would change the flow', async () => {
  const page = await enterAs(vera)
  await page.getByText('Read-only', { exact: true }).waitFor()
  await expectAccessible(page, 'read-only builder')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Zoom in', { exact: true }).waitFor()
  expect(await page.getByText('Duplicate', { exact: true }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+K')
  const other = page.getByRole('option', { name: /^Next block/ })
  await other.first().waitFor()
  await page.getByRole('combobox', { name: 'Find anything' }).fill('delete')
  // what is listed then is what the search has found
  await other.first().waitFor({ state: 'detached' })
  expect(await page.getByRole('option', { name: /^(Add|Delete|Duplicate)/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
})

it('is reached group by group as one reads, and each says what it is', async () => {
  const page = await enterAs(ada)
  await page.keyboard.press('Alt+Home')
  const order = ['Group 0', 'Group 1', 'Group 2', 'Group 3']
  for (const [at, title] of order.entries()) {
    const here = group(page, title).and(page.locator(':focus'))
    await here.waitFor()
    await expect
      .poll(() => here.getAttribute('aria-description'))
      .toMatch(new RegExp(`^${at + 1} of ${order.length}\\.`))
    await page.keyboard.press('Alt+PageDown')
  }
})

it('moves nothing where less motion is wanted', async () => {
  const page = await enterAs(ada)
  const viewport = () => page.locator('.react-flow__viewport').getAttribute('style')
  const jumps = async (key: string) => {
    const before = await viewport()
    await page.keyboard.press(key)
    const seen = [await viewport()]
    for (let frame = 0; frame < 5; frame++) {
      await page.evaluate(() => new Promise(requestAnimationFrame))
      seen.push(await viewport())
    }
    return { places: new Set(seen.filter((style) => style !== before)).size, moved: seen.at(-1) !== before }
  }
  expect(await jumps('+')).toEqual({ places: 1, moved: true })
  expect(await jumps('Shift+Digit1')).toEqual({ places: 1, moved: true })
  const slow = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((element) =>
        getComputedStyle(element)
          .transitionDuration.split(',')
          .some((duration) => Number.parseFloat(duration) > 0.002),
      ).length,
  )
  expect(slow).toBe(0)
})

/** Controls that one can't get at: out of the window, or under something else. */
const cutOff = (page: Page, inside: string) =>
  page.evaluate((selector) => {
    const wrong: string[] = []
    for (const control of document.querySelectorAll(`${selector} :is(button, input, a[href])`)) {
      if (!(control instanceof HTMLElement) || !control.checkVisibility({ visibilityProperty: true })) continue
      if (control.tabIndex < 0 && !control.matches('[role="option"]')) continue
      control.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const { left, right, top, bottom, width } = control.getBoundingClientRect()
      const name = control.getAttribute('aria-label') ?? control.textContent
      if (width < 2) continue
      if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) wrong.push(`${name} is outside`)
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      if (hit && !control.contains(hit) && !hit.contains(control))
        wrong.push(`${name} is under ${hit.outerHTML.slice(0, 80)}`)
    }
    return wrong
  }, inside)

it('can be used enlarged twice', async () => {
  const { page: wide } = browser
  await wide.setViewportSize({ width: 720, height: 450 })
  const page = await enterAs(ada)
  const shot = async (name: string) => {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/zoom-${name}.png` })
  }
  await shot('builder')
  expect(await cutOff(page, 'header')).toEqual([])
  expect(await cutOff(page, '[role="toolbar"]')).toEqual([])
  await page.keyboard.press('Alt+Home')
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Control+Enter')
  await settings(page).getByRole('textbox').first().waitFor()
  await shot('settings')
  expect(await cutOff(page, 'aside[data-sheet]')).toEqual([])
  await page.keyboard.press('Escape')
  await page.locator('[data-block-id]:focus').waitFor()
  await page.keyboard.press('Escape')
  for (const [name, key] of [
    ['Find anything', 'Control+K'],
    ['Keyboard shortcuts', '?'],
    ['Add a block', 'a'],
  ] as const) {
    await page.keyboard.press(key)
    const dialog = page.getByRole('dialog', { name })
    await dialog.waitFor()
    await shot(name)
    expect(await cutOff(page, '[role="dialog"]'), name).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
})
