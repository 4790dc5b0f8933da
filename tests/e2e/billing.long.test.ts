import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { reserveCredits, settleCredits } from '../../server/modules/billing/credits'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** What a project's members see of its plan and of what it uses. */
let server: TestServer
let ada: TestBrowser
let owner: Registered
let billing: string

beforeAll(async () => {
  ensureBuilt()
  ;[server, ada] = await Promise.all([startTestServer(), launchBrowser()])
  owner = await server.register()
  const { cgid } = await makeChatbot(owner)
  const { db } = server.context
  const chatbot = await db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
  const answer = { projectId: chatbot.project_id, key: 'answer', amount: 12.5, at: new Date() }
  await reserveCredits(db, { ...answer, chatbotId: chatbot.id, visitor: 'grace' })
  await settleCredits(db, answer)
  await db.updateTable('projects').set({ plan_id: 'starter' }).where('gid', '=', owner.pgid).execute()
  billing = `${server.url}/projects/${owner.pgid}/settings/billing`
  await enter(owner)
})
afterAll(() => Promise.all([ada?.close(), server?.close()]))

async function enter(person: Registered): Promise<void> {
  await ada.context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: server.url })))
}

it('shows what was used, by the month and by chatbot, on a wide screen and on a small one', async () => {
  const { page } = ada
  await page.goto(`${billing}/usage`)
  const answers = page.locator('section').filter({ has: page.getByRole('heading', { name: 'AI message credits' }) })
  await answers.getByText('12.5 of 2,000').waitFor()
  expect(await answers.getByRole('row').last().textContent()).toContain('12.5100%')
  expect(await answers.getByRole('listitem').count()).toBe(12)
  await answers.getByText('12.5 for visitors, 0 for tests by members.').waitFor()
  await expectAccessible(page, 'usage')
  await page.setViewportSize({ width: 390, height: 844 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(ada.errors).toEqual([])
})
