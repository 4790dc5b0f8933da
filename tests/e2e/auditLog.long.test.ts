import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { updateChatbot } from '../../server/contracts/chatbots'
import { expectAccessible, showIn } from '../support/accessibility'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { inviteMember } from '../support/people'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** An owner reads who changed what, looks at the values, and checks that nothing was altered. */
let server: TestServer
let browser: TestBrowser
let page: Page
let ada: Registered
beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer(), launchBrowser({ acceptDownloads: true })])
  page = browser.page
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  const place = await makeChatbot(ada)
  await ada.call(updateChatbot, { params: place, body: { name: 'Lamps', business_name: 'Lamp shop' } })
  await inviteMember(server, ada, Role.VIEWER)
  await server.app.modules.consumers.runDue()
  await actAs(browser, ada, server.url)
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

const picture = async (name: string) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await showIn(page, colorScheme)
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png` })
    }
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await expectAccessible(page, `${name}, ${width} wide`)
  }
  await showIn(page, 'light')
  await page.setViewportSize({ width: 1440, height: 900 })
}

it('shows what members changed, the values before and after, and that nothing was altered', async () => {
  await page.goto(`${server.url}/projects/${ada.pgid}/settings/project/audit-log`)
  const rows = page.getByRole('list', { name: 'Audit log' })
  await rows.getByText('Member: joined').waitFor()
  await picture('audit-log')

  await rows.getByRole('button', { name: 'Chatbot: changed Lamps' }).click()
  const entry = page.getByRole('dialog', { name: 'Chatbot: changed' })
  await entry.getByRole('row', { name: 'business_name – Lamp shop' }).waitFor()
  await entry.getByText('127.0.0.1').waitFor()
  await picture('audit-entry')
  await entry.getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('button', { name: 'Check integrity' }).click()
  const check = page.getByRole('dialog', { name: 'Integrity of the log' })
  await check.getByText(/All \d+ entries are unaltered/).waitFor()
  await picture('audit-check')
  await check.getByRole('button', { name: 'Close' }).last().click()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  expect((await download).suggestedFilename()).toBe('audit-log.jsonl')

  await page.getByLabel('To', { exact: true }).fill('2001-01-01')
  await page.getByText('No entries match').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await rows.getByText('Member: joined').waitFor()
})
