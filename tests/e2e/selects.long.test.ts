import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { expectAccessible, showIn } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { startTestServer, type TestServer } from '../support/server'
import { ready, settings } from './steps'

/** Lists of options, as the one component of the app opens them. */
let server: TestServer
let ada: TestBrowser

beforeAll(async () => {
  ensureBuilt()
  ;[server, ada] = await Promise.all([startTestServer(), launchBrowser()])
  const owner = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  const place = await makeChatbot(owner)
  const { context, page } = ada
  await context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  await page.goto(`${server.url}/projects/${place.pgid}/chatbots/${place.cgid}/builder`)
  await ready(page)
  await page.getByRole('complementary', { name: 'Blocks' }).getByRole('button', { name: 'Condition' }).click()
})
afterAll(() => Promise.all([ada?.close(), server?.close()]))

const comparison = () => settings(ada.page).getByRole('combobox', { name: 'Comparison', exact: true })

it('shows all fourteen comparisons at once, in groups', async () => {
  const { page } = ada
  await comparison().click()
  const list = page.getByRole('listbox', { name: 'Comparison' })
  await list.waitFor()
  const options = list.getByRole('option')
  expect(await options.count()).toBe(14)
  await expect
    .poll(() =>
      list.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        const inside = (option: Element) => {
          const box = option.getBoundingClientRect()
          return box.top >= top - 1 && box.bottom <= bottom + 1 && box.bottom <= window.innerHeight
        }
        return [...element.querySelectorAll('[role="option"]')].filter(inside).length
      }),
    )
    .toBe(14)
  expect(await list.getByRole('group').count()).toBe(4)
})

it('finds one of many by typing', async () => {
  const { page } = ada
  await page.keyboard.type('greater')
  await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['is greater than'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => comparison().inputValue()).toBe('is greater than')
})

it('has a scroll bar that shows where the window is too low', async () => {
  const { page } = ada
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 520 })
  await comparison().scrollIntoViewIfNeeded()
  await comparison().click()
  const list = page.getByRole('listbox', { name: 'Comparison' })
  await list.waitFor()
  await list.locator('[data-orientation="vertical"][data-state="visible"]').waitFor()
  const inside = () =>
    list.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= window.innerHeight
    })
  await expect.poll(inside).toBe(true)
  expect(ada.errors).toEqual([])
})

it('has a name on each control of the form, the list open and closed, in both looks', async () => {
  const { page } = ada
  const list = page.getByRole('listbox', { name: 'Comparison' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  for (const look of ['dark', 'light'] as const) {
    await showIn(page, look)
    await expectAccessible(page, `the settings of Condition, ${look}`)
  }
  await comparison().click()
  for (const look of ['light', 'dark'] as const) {
    await showIn(page, look)
    await list.waitFor()
    await expectAccessible(page, `the settings of Condition, ${look}, with its list`)
  }
})
