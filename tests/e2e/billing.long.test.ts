import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { reserveCredits, settleCredits } from '../../server/modules/billing/credits'
import { takeCredits } from '../../server/modules/billing/monthlyCredits'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { inviteMember } from '../support/people'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { createBillingScreens } from './billingScreens'

/** What a project's members see of its plan and of what it uses. */
let server: TestServer
let ada: TestBrowser
let owner: Registered
let billing: string
let cgid: string

beforeAll(async () => {
  ensureBuilt()
  ;[server, ada] = await Promise.all([startTestServer({ config: { billing: true } }), launchBrowser()])
  owner = await server.register()
  ;({ cgid } = await makeChatbot(owner))
  const { db } = server.context
  const chatbot = await db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
  const answer = { projectId: chatbot.project_id, key: 'answer', amount: 12.5, at: new Date() }
  await reserveCredits(db, { ...answer, chatbotId: chatbot.id, visitor: 'grace' })
  await settleCredits(db, answer)
  // eleven months before it, and something of each other meter
  for (let back = 1; back < 12; back++) {
    const at = new Date(Date.UTC(answer.at.getUTCFullYear(), answer.at.getUTCMonth() - back, 10))
    const past = { ...answer, key: `answer-${back}`, amount: 40 * (12 - back), at }
    await db.updateTable('projects').set({ plan_id: 'growth' }).where('id', '=', chatbot.project_id).execute()
    await reserveCredits(db, { ...past, chatbotId: chatbot.id, visitor: back % 2 ? 'grace' : null })
    await settleCredits(db, past)
    for (const credit of ['email_credits', 'resync_credits', 'training_credits', 'speech_to_text_seconds'] as const)
      await takeCredits(db, { ...past, credit, key: `by-hand-${back}`, amount: 10 + back })
  }
  const now = { projectId: chatbot.project_id, at: answer.at, key: 'by-hand' }
  await takeCredits(db, { ...now, credit: 'resync_credits', amount: 7 })
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
  const syncs = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Syncs of sources' }) })
  expect(await syncs.getByRole('row').last().textContent()).toContain('By hand or over the API7100%')
  await createBillingScreens(page, billing).picture('usage')
  await page.setViewportSize({ width: 390, height: 844 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(ada.errors).toEqual([])
})

it('compares the plans, in as many columns as there is room for, and leads back to the chatbot', async () => {
  const { page } = ada
  await page.goto(`${server.url}/projects/${owner.pgid}/chatbots/${cgid}/settings/domain`)
  // the add-on gives it as well
  await page.getByRole('link', { name: 'See the add-ons' }).click()
  await page.waitForURL((url) => url.pathname.endsWith('/billing/addons') && url.search.includes(cgid))
  await page.goBack()
  await page.getByRole('link', { name: 'Upgrade', exact: true }).click()
  const plans = page.getByRole('list', { name: 'Plans', exact: true }).locator(':scope > li')
  await plans.first().waitFor()
  const columns = () =>
    plans.evaluateAll((items) => new Set(items.map((item) => item.getBoundingClientRect().left)).size)
  expect(await plans.count()).toBe(5)
  expect(await columns()).toBe(5)
  const starter = plans.filter({ has: page.getByRole('heading', { name: 'Starter' }) })
  await starter.getByText('This project’s').waitFor()
  expect(await starter.getByLabel(/than now/).count()).toBe(0)
  const growth = plans.filter({ has: page.getByRole('heading', { name: 'Growth' }) })
  await growth.getByText('99 a month').waitFor()
  expect(await growth.getByLabel('More than now').count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'By the year' }).click()
  await growth.getByText('$950.40 a year').waitFor()
  await page.getByText(`npx parley plan ${owner.pgid}`).waitFor()
  await expectAccessible(page, 'plans')
  await page.setViewportSize({ width: 1200, height: 900 })
  expect(await columns()).toBe(2)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'Back to Bot' }).click()
  await page.waitForURL((url) => url.pathname.includes(`/chatbots/${cgid}`))
  expect(ada.errors).toEqual([])
})

it('adds up plan and add-ons, and tells of bonus credits', async () => {
  const { page } = ada
  const addons = JSON.stringify({ 3: 2 })
  await server.context.db.updateTable('projects').set({ addons }).where('gid', '=', owner.pgid).execute()
  await page.goto(`${billing}/addons`)
  await page.getByRole('row', { name: 'Seats 3 2 5' }).waitFor()
  await page.getByRole('row', { name: /^Seat Seats: \+1 \$8 a month 2$/ }).waitFor()
  await expectAccessible(page, 'add-ons')
  await page.getByRole('navigation', { name: 'Plan and usage' }).getByRole('link', { name: 'Bonus credits' }).click()
  await page.getByText('No bonus credits').waitFor()
  await expectAccessible(page, 'bonus credits')
  await server.context.db.updateTable('projects').set({ plan_id: 'free' }).where('gid', '=', owner.pgid).execute()
  await page.goto(`${billing}/bonus-credits`)
  await page.getByText('0 of 50').waitFor()
  expect(ada.errors).toEqual([])
})

it('brings who looks after billing to the subscription, and to nothing of the chatbots', async () => {
  const { page } = ada
  const payer = await inviteMember(server, owner, 5)
  // they have no project of their own, where they would be an owner
  const { db } = server.context
  const theirs = db.selectFrom('projects').select('id').where('gid', '=', payer.pgid)
  await db.deleteFrom('project_members').where('project_id', 'in', theirs).execute()
  await ada.context.clearCookies()
  await enter(payer)
  await page.goto(server.url)
  await page.waitForURL(`${billing}/subscription`)
  await page.getByRole('heading', { name: 'Subscription', level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'Bot' }).count()).toBe(0)
  await createBillingScreens(page, billing).picture('landing-billing')
  await ada.context.clearCookies()
  await enter(owner)
  expect(ada.errors).toEqual([])
})

it('shows nothing of plans but the usage where billing is off, and names a limit without a way to plans', async () => {
  const { page } = ada
  const self = await startTestServer({ beside: server })
  try {
    const home = `${self.url}/projects/${owner.pgid}`
    await page.goto(`${home}/settings/billing/usage`)
    await page.getByRole('heading', { name: 'Seconds of speech' }).waitFor()
    const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(links.filter((href) => href.includes('/billing/'))).toEqual([
      `/projects/${owner.pgid}/settings/billing/usage`,
    ])
    expect(await page.getByRole('navigation', { name: 'Plan and usage' }).count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Usage')
    await page
      .getByRole('option', { name: /^Usage/ })
      .first()
      .waitFor()
    await page.goto(`${home}/chatbots/${cgid}/settings/domain`)
    await page.getByRole('note').getByText('not available on your current plan').waitFor()
    expect(await page.getByRole('link', { name: /See the|^Upgrade$/ }).count()).toBe(0)
    expect(ada.errors).toEqual([])
    for (const slug of ['subscription', 'plans', 'addons', 'bonus-credits']) {
      const answer = await page.goto(`${home}/settings/billing/${slug}`)
      expect(answer?.status(), slug).toBe(404)
      await page.getByRole('main').getByText('404').waitFor()
    }
  } finally {
    await self.close()
  }
})
