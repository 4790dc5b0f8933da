import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { dashboard, updateSettings } from '../../server/contracts/account'
import { createChatbot } from '../../server/contracts/chatbots'
import { readAccountData } from '../../server/contracts/profile'
import { addFaq } from '../../server/contracts/sources'
import { expectAccessible, showIn } from '../support/accessibility'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { inviteMember } from '../support/people'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { ready } from './steps'

/** What is asked and shown to somebody at the beginning: the survey, the list of first steps, the tour, the vote. */
let server: TestServer
let browser: TestBrowser
let ada: Registered
let cgid: string
let now = new Date('2030-01-01T00:00:00Z')

beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer({ clock: () => now }), launchBrowser()])
  ada = await server.register()
  await ada.call(updateSettings, { body: { hide_builder_tutorial_video_popup: false } })
  await enter(ada)
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

const enter = (person: Registered) => actAs(browser, person, server.url)
const home = () => browser.page.goto(`${server.url}/projects/${ada.pgid}`)
const button = (name: string) => browser.page.getByRole('button', { name, exact: true })
const focused = () => browser.page.evaluate(() => document.activeElement?.textContent)

test('the welcome survey is answered by keyboard alone, and leads to a template that fits', async () => {
  const { page } = browser
  await home()
  const first = page.getByRole('group', { name: 'What do you want to build?' })
  await first.waitFor()
  await expectAccessible(page, 'survey')
  await first.getByRole('radio').first().focus()
  for (let at = 0; at < 2; at++) await page.keyboard.press('ArrowDown')
  expect(await first.getByRole('radio', { name: 'Booking appointments' }).isChecked()).toBe(true)
  await page.keyboard.press('Enter')
  const second = page.getByRole('group', { name: 'What do you work as?' })
  await second.waitFor()
  expect(await focused()).toContain('What do you work as?')
  // left out
  await button('Next').click()
  await page.getByRole('radio', { name: '2 to 10' }).check()
  await button('Finish').click()
  const template = page.getByRole('link', { name: 'Start with a matching template' })
  expect(await template.getAttribute('href')).toContain('template=appointment-booking')
  expect((await ada.call(readAccountData)).survey).toEqual({ purpose: 'appointments', team: 'few' })
  await page.reload()
  await page.getByRole('heading', { name: 'Train on my website' }).waitFor()
  expect(await page.getByText('What do you want to build?').count()).toBe(0)
})

test('the first steps are listed with what is done of them, lead to their screens, and are dismissed', async () => {
  const { page } = browser
  const params = { pgid: ada.pgid }
  cgid = (await ada.call(createChatbot, { params, body: { name: 'Lamps' } })).chatbot.gid
  await ada.call(addFaq, { params: { ...params, cgid }, body: { question: 'Open?', answer: 'Always.', phrasings: [] } })
  await home()
  await page.getByText('1 of 6 done, with “Lamps”.').waitFor()
  await expectAccessible(page, 'first steps')
  await page.getByRole('link', { name: 'Done: Add a data source' }).waitFor()
  await page.getByRole('link', { name: 'To do: Ask it a question' }).click()
  await page.waitForURL(`**/chatbots/${cgid}/playground`)
  await home()
  await button('Dismiss for everyone').click()
  await page.getByText('1 of 6 done').waitFor({ state: 'detached' })
  const { onboarding_checklist } = (await ada.call(dashboard, { body: params })).user
  expect(onboarding_checklist.agent.dismissed).toBe(true)
})

test('the tour is offered, shows the parts of the builder by keyboard, and is found again among the help', async () => {
  const { page } = browser
  await page.goto(`${server.url}/projects/${ada.pgid}/chatbots/${cgid}/builder`)
  await ready(page)
  const offer = page.getByRole('region', { name: 'New here?' })
  await expectAccessible(page, 'the offer of the tour')
  await offer.getByRole('button', { name: 'Take the tour' }).click()
  const step = (name: string) => page.getByRole('dialog', { name, exact: true })
  const beside = async (name: string) => {
    const [card, part] = [await step('Blocks').boundingBox(), await page.locator(`[data-tour="${name}"]`).boundingBox()]
    return (card?.x ?? 0) >= (part?.x ?? 0) + (part?.width ?? 0)
  }
  await step('Blocks').waitFor()
  await expect.poll(() => beside('palette')).toBe(true)
  await expectAccessible(page, 'tour')
  await page.keyboard.press('ArrowRight')
  await step('The flow').waitFor()
  await page.keyboard.press('ArrowLeft')
  await step('Blocks').waitFor()
  // the keys are the tour's: nothing behind it is reached
  for (let at = 0; at < 6; at++) await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true)
  for (const name of ['The flow', 'Settings of a block', 'Preview', 'Publish', 'More']) {
    await page.keyboard.press('ArrowRight')
    await step(name).waitFor()
    if (name === 'Settings of a block') await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  }
  await page.keyboard.press('ArrowRight')
  await step('More').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('More')
  // what was selected for it is so no more
  await page.getByRole('complementary', { name: 'Settings' }).waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await ada.call(dashboard, { body: {} })).user.settings.hide_builder_tutorial_video_popup)
    .toBe(true)
  await page.reload()
  await ready(page)
  expect(await offer.count()).toBe(0)
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Take the tour' }).click()
  await step('Blocks').waitFor()
  await page.keyboard.press('Escape')
  await step('Blocks').waitFor({ state: 'detached' })
})

test('on a phone and in the dark, each step of the tour is within the window', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 390, height: 780 })
  await showIn(page, 'dark')
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Take the tour' }).click()
  const card = page.getByRole('dialog')
  for (let at = 1; at <= 6; at++) {
    await card.getByText(`Step ${at} of 6`).waitFor()
    await expect.poll(async () => within(await card.boundingBox())).toBe(true)
    if (at === 3) await expectAccessible(page, 'tour, 390, dark')
    await page.keyboard.press('ArrowRight')
  }
  await card.waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await showIn(page, 'light')
})

const within = (box: { x: number; y: number; width: number; height: number } | null) =>
  box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= 390 && box.y + box.height <= 780

test('viewers are offered no tour, neither at first nor among the help', async () => {
  const { page } = browser
  const viewer = await inviteMember(server, ada, 6)
  await viewer.call(updateSettings, { body: { hide_builder_tutorial_video_popup: false } })
  await enter(viewer)
  await page.goto(`${server.url}/projects/${ada.pgid}/chatbots/${cgid}/builder`)
  await page.getByText('Read-only').first().waitFor()
  expect(await page.getByRole('region', { name: 'New here?' }).count()).toBe(0)
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Take the tour' }).count()).toBe(0)
})

test('after a week, one is asked once what should come next', async () => {
  const { page } = browser
  await enter(ada)
  now = new Date(now.getTime() + 7 * 24 * 60 * 60_000)
  await home()
  await page.getByRole('heading', { name: 'What should come next?' }).waitFor()
  await button('Vote').click()
  await page.getByText('Choose one').waitFor()
  await page.getByRole('radio', { name: 'Phone and voice' }).check()
  await button('Vote').click()
  await page.getByText('Counts are shown once enough people have voted.').waitFor()
  await expectAccessible(page, 'vote')
  await page.reload()
  await page.getByRole('heading', { name: 'Train on my website' }).waitFor()
  expect(await page.getByText('What should come next?').count()).toBe(0)
  expect(browser.errors).toEqual([])
})

test('a chatbot that is opened first stands first, for its person alone', async () => {
  const { page } = browser
  const other = (await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Newer' } })).chatbot
  await home()
  const rows = page.getByRole('region', { name: 'All chatbots' }).getByRole('listitem')
  expect(await rows.first().textContent()).toContain('Newer')
  await rows.filter({ hasText: 'Lamps' }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Make it my default' }).click()
  await expect.poll(() => rows.first().textContent()).toContain('Lamps')
  await rows.first().getByLabel('My default').waitFor()
  const settings = (await ada.call(dashboard, { body: {} })).user.settings
  expect([settings.default_chatbot_id, settings.default_chatbot_id === other.gid]).toEqual([cgid, false])
})
