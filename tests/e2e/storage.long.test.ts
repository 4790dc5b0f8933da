import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { startConversation } from '../../server/contracts/chat'
import { readChatbot } from '../../server/contracts/chatbots'
import { publishFlow } from '../../server/contracts/flows'
import { expectAccessible, showIn } from '../support/accessibility'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** An owner sees what the project keeps, has traces deleted, closes it for other networks, and deletes a conversation. */
let server: TestServer
let browser: TestBrowser
let page: Page
let ada: Registered
let conversation: string
beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer(), launchBrowser()])
  page = browser.page
  ada = await server.register()
  const place = await makeChatbot(ada)
  await ada.call(publishFlow, { params: place })
  const { slug } = (await ada.call(readChatbot, { params: place })).chatbot
  const guest = await server.guest()
  const started = await guest.call(startConversation, { params: { slug }, body: { client_id: 'start-0001' } })
  conversation = started.conversation.id
  await actAs(browser, ada, server.url)
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

it('enters after how many days traces are deleted', async () => {
  await page.goto(`${server.url}/projects/${ada.pgid}/settings/project/general`)
  const storage = page.getByRole('table').filter({ hasText: 'Conversations of visitors' })
  await storage.getByRole('row', { name: /^Conversations of visitors, with messages \d/ }).waitFor()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await showIn(page, colorScheme)
      await storage.scrollIntoViewIfNeeded()
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/storage-${width}-${colorScheme}.png` })
    }
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await expectAccessible(page, `project settings, ${width} wide`)
  }
  await showIn(page, 'light')
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByLabel('Delete tests of drafts after days').fill('30')
  await page.getByLabel('Delete emails after days').fill('7')
  await page.getByText('At least 30').waitFor()
  await page.getByLabel('Delete emails after days').fill('')
  const card = page.locator('form').filter({ has: storage })
  await card.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete by these rules?' })
  await expectAccessible(page, 'the question before traces are deleted')
  await dialog.getByRole('button', { name: 'Save and delete' }).click()
  await page.getByText('Storage rules saved.').waitFor()
  await page.reload()
  expect(await page.getByLabel('Delete tests of drafts after days').inputValue()).toBe('30')
})

it('enters from where the project is open', async () => {
  await page.goto(`${server.url}/projects/${ada.pgid}/settings/project/security`)
  const network = page.locator('form').filter({ hasText: 'Access by network' })
  await network.getByRole('textbox').fill('198.51.100.0/24')
  await network.getByRole('button', { name: 'Save' }).click()
  await network.getByText('you would lock yourself out').waitFor()
  await network.getByRole('textbox').fill('198.51.100.0/24, 127.0.0.1')
  await network.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Access by network saved.').waitFor()
  await page.getByRole('link', { name: 'Open the audit log' }).click()
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
})

it('deletes a conversation from the inbox after a question', async () => {
  await page.goto(`${server.url}/projects/${ada.pgid}/conversations/${conversation}`)
  await page.getByRole('button', { name: 'Delete conversation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this conversation?' })
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/delete-conversation.png` })
  await expectAccessible(page, 'deleting a conversation')
  await dialog.getByRole('button', { name: 'Delete conversation' }).click()
  await page.getByText('Conversation deleted.').waitFor()
  expect(await server.context.db.selectFrom('conversations').select('id').execute()).toEqual([])
})
