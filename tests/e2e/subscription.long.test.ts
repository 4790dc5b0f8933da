import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { createChatbot } from '../../server/contracts/chatbots'
import { publishFlow } from '../../server/contracts/flows'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createRunningClock } from '../support/clock'
import type { Registered, TestServer } from '../support/server'
import { type SellingServer, startSellingServer } from '../support/vendors/stripe/sellingServer'
import { createBillingScreens } from './billingScreens'

/** What `paying.long.test.ts` leaves out: a declined card, what a smaller plan leaves to be read, credits beyond the plan. */
let selling: SellingServer
let stripe: SellingServer['stripe']
let server: TestServer
let ada: TestBrowser
let owner: Registered
let billing: string
let screens: ReturnType<typeof createBillingScreens>

beforeAll(async () => {
  ensureBuilt()
  ;[selling, ada] = await Promise.all([startSellingServer({ clock: createRunningClock() }), launchBrowser()])
  ;({ server, stripe } = selling)
  // the address where Stripe leads back to
  server.context.config.publicUrl = server.url
  owner = await server.register()
  billing = `${server.url}/projects/${owner.pgid}/settings/billing`
  screens = createBillingScreens(ada.page, billing)
  await ada.context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([ada?.close(), selling?.close()]))
beforeEach(() => expect(stripe.broken).toEqual([]))

const settle = () => selling.settle()
/** A month by Stripe's time, of which Parley has heard then. */
async function passMonth() {
  stripe.pass(32 * 86_400)
  await settle()
  await screens.open('subscription')
}
async function expectFits() {
  const { page } = ada
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
}

it('subscribes by the year on Stripe’s page: a card is declined, the next one is confirmed at its bank', async () => {
  const { page } = ada
  await screens.open('plans')
  const plans = page.getByRole('list', { name: 'Plans', exact: true }).locator(':scope > li')
  await page.getByRole('button', { name: 'Subscribe to Starter' }).waitFor()
  expect(await plans.count()).toBe(4)
  await expectAccessible(page, 'plans')
  await page.getByRole('button', { name: 'By the year' }).click()
  await page.getByText('$278.40 a year').waitFor()
  await page.getByRole('button', { name: 'By the month' }).click()
  await page.getByRole('button', { name: 'Subscribe to Starter' }).click()
  await page.getByRole('heading', { name: 'Subscribe' }).waitFor()
  await expectAccessible(page, 'the stand-in of Checkout')
  await page.getByLabel('A card that is declined').check()
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('Your card was declined').waitFor()
  await page.getByLabel(/whose bank asks/).check()
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Thank you. The plan holds from now on.').waitFor()
  await screens.sees('Name', 'Starter')
  await page.getByRole('row', { name: /SANDBOX-0001 .* \$29 Paid/ }).waitFor()
  await expectAccessible(page, 'subscription')
  await expectFits()
})

it('adds seats at once for what was shown, once the bank has confirmed', async () => {
  const { page } = ada
  await screens.open('addons')
  await page.getByRole('textbox', { name: 'Quantity of Seat' }).fill('2')
  await page.getByRole('button', { name: 'Change the quantity of Seat' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change to 2 × Seat' })
  await dialog.getByText('It holds at once').waitFor()
  await expectAccessible(page, 'a preview')
  await dialog.getByRole('button', { name: /^Pay \$/ }).click()
  await dialog.getByText('your bank may want you to confirm').waitFor()
  await dialog.getByRole('button', { name: 'Pay now' }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('paid').first().waitFor()
  await settle()
  await screens.open('subscription')
  await screens.sees('Add-ons', '2 × Seat')
  await screens.open('addons')
  await page.getByRole('row', { name: 'Seats 3 2 5' }).waitFor()
  await expectFits()
})

it('upgrades with another card, which the portal takes', async () => {
  const { page } = ada
  await screens.open('subscription')
  await page.getByRole('button', { name: 'Card and invoices' }).click()
  await page.getByLabel('A card that works', { exact: true }).check()
  await page.getByRole('button', { name: 'Use this card' }).click()
  await page.getByRole('link', { name: 'Back to Parley' }).click()
  await page.getByRole('link', { name: 'Change the plan' }).click()
  await page.getByRole('button', { name: 'Upgrade to Growth' }).click()
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await page.getByText('The subscription was changed.').waitFor()
  const growth = page.locator('li').filter({ has: page.getByRole('heading', { name: 'Growth' }) })
  await growth.getByText('This project’s').waitFor()
})

it('plans a smaller plan, undoes it, plans it again, and has it when the period is over', async () => {
  const { page } = ada
  await screens.planSmaller('Starter')
  expect(await page.getByRole('button', { name: 'Upgrade to Business' }).isDisabled()).toBe(true)
  await screens.open('subscription')
  await page.getByRole('button', { name: 'Undo the planned change' }).click()
  await page.getByRole('button', { name: 'Undo the planned change' }).waitFor({ state: 'detached' })
  await screens.planSmaller('Starter')
  await page.goto(`${stripe.origin}/sandbox/subscriptions`)
  await page.getByRole('button', { name: 'Move time to the next period' }).first().click()
  await settle()
  await screens.open('subscription')
  await screens.sees('Name', 'Starter')
})

it('names what is read-only then, keeps it so on every screen, and has an owner choose what stays', async () => {
  const { page } = ada
  const { pgid } = owner
  const home = `${server.url}/projects/${pgid}`
  const made: string[] = []
  for (const name of ['Sales', 'Support', 'Jobs']) {
    const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name } })
    await owner.call(publishFlow, { params: { pgid, cgid: chatbot.gid, fid: chatbot.fid }, body: {} })
    made.push(chatbot.gid)
  }
  await screens.open('subscription')
  await screens.cancel()
  await screens.open('usage')
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Chatbots that stay' }) })
  await card.getByText(/the Free plan has 1\. Over the limit will be: Support, Jobs\./).waitFor()
  stripe.pass(32 * 86_400)
  await settle()
  await page.reload()
  await card.getByText('The Free plan has 1, and there are 3.').waitFor()
  expect(await card.getByText('Read-only', { exact: true }).count()).toBe(2)
  await card.getByLabel('Sales').uncheck()
  await card.getByLabel('Jobs').check()
  expect(await card.getByLabel('Support').isDisabled()).toBe(true)
  await expectAccessible(page, 'the choice of what stays')
  await screens.picture('what-stays')
  await card.getByRole('button', { name: 'Keep these' }).click()
  await page.getByText('What stays was changed.').first().waitFor()
  await expectFits()

  const banner = page.getByRole('region', { name: 'Over the plan’s limits' })
  await page.goto(`${home}/chatbots`)
  await banner.getByText('Read-only chatbots: Sales and Support.').waitFor()
  await expectAccessible(page, 'the list with what is read-only')
  await screens.picture('over-list')
  await page.goto(`${home}/chatbots/${made[0]}/builder`)
  await banner.getByText('“Sales” is over the limit of the Free plan').waitFor()
  await page.getByText('Read-only', { exact: true }).first().waitFor()
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0)
  await screens.picture('over-builder')
  await expectFits()
  await page.goto(`${home}/chatbots/${made[0]}/instructions`)
  await banner.waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await banner.getByRole('button', { name: 'Unpublish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click()
  await banner.getByRole('button', { name: 'Unpublish' }).waitFor({ state: 'detached' })
  await page.goto(`${home}/chatbots/${made[2]}/builder`)
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
  expect(await banner.count()).toBe(0)

  // a larger plan, and all is as it was
  await page.goto(`${home}/chatbots`)
  await banner.getByRole('link', { name: 'Upgrade' }).click()
  await page.getByRole('button', { name: 'Subscribe to Starter' }).click()
  await page.getByLabel('A card that works', { exact: true }).check()
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('Thank you. The plan holds from now on.').waitFor()
  await settle()
  await page.goto(`${home}/chatbots/${made[0]}/builder`)
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
  expect(await banner.count()).toBe(0)
})

it('tells of a renewal that failed, and is paid from there', async () => {
  const { page } = ada
  const [customer] = stripe.state.customers
  if (customer) customer.card = 'fails_later'
  await passMonth()
  await page.getByText('The last payment failed.').waitFor()
  await expectAccessible(page, 'a failed payment')
  if (customer) customer.card = 'works'
  await page.getByRole('button', { name: 'Pay now' }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await settle()
  await screens.open('subscription')
  await screens.sees('Status', 'Active')
  expect(await page.getByText('The last payment failed.').count()).toBe(0)
})

it('allows AI credits beyond the plan up to a sum, and none any more', async () => {
  const { page } = ada
  await screens.open('usage')
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'AI credits beyond the plan' }) })
  const sum = card.getByLabel('At most a month (USD)')
  await sum.fill('0.5')
  await card.getByText('Enter a sum from 1 to 100,000').waitFor()
  expect(await card.getByRole('button', { name: 'Allow' }).isDisabled()).toBe(true)
  await sum.fill('5')
  await card.getByRole('button', { name: 'Allow' }).click()
  await card.getByText('0 of 250').waitFor()
  await expectAccessible(page, 'credits beyond the plan')
  await expectFits()
  await settle()
  await page.reload()
  await card.getByText('0 of 250').waitFor()
  await card.getByRole('button', { name: 'Don’t allow any more' }).click()
  await card.getByRole('button', { name: 'Allow' }).waitFor()
  await screens.open('subscription')
})

it('cancels, resumes, cancels again, and has the free plan in the end', async () => {
  const { page } = ada
  await screens.cancel()
  await screens.sees('Cancelled for', /\d/)
  await page.getByRole('button', { name: 'Resume' }).click()
  await screens.cancel()
  await passMonth()
  await page.getByText('The subscription has ended.').waitFor()
  await screens.sees('Status', 'Ended')
  await page.getByText('This plan costs nothing.').waitFor()
  await expectAccessible(page, 'an ended subscription')
  // the page of Checkout, when the card was declined
  expect(ada.errors.filter((error) => !/402 .*\/pay\//.test(error))).toEqual([])
})
