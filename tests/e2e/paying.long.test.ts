import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltApp, startSandboxApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createBillingScreens } from './billingScreens'
import { createFromFile, openBuilder, registerOwner, typebotFile } from './steps'

/**
 * From free to paid to an add-on to cancelled, by somebody new in the sandbox of `npm start -- --sandbox`, whose Stripe
 * is a stand-in with pages: there its time is moved on, and its mails are read. Each test goes on.
 */
let app: BuiltApp & { vendors: string }
let ada: TestBrowser
let screens: ReturnType<typeof createBillingScreens>
let project: string
let stripe: string
let sendgrid: string

beforeAll(async () => {
  // a trial that ends so soon is told of at once
  ;[app, ada] = await Promise.all([startSandboxApp({ BILLING: 'on', BILLING_TRIAL_DAYS: '2' }), launchBrowser()])
  const { page } = ada
  await page.goto(app.vendors)
  const pageOf = async (vendor: string) =>
    (await page.getByRole('link', { name: vendor, exact: true }).getAttribute('href')) ?? ''
  stripe = await pageOf('Stripe')
  sendgrid = await pageOf('SendGrid')
  await registerOwner(page, app)
  project = page.url()
  screens = createBillingScreens(page, `${project}/settings/billing`)
})
afterAll(async () => {
  await ada?.close()
  await app?.stop()
})

/** Lets Stripe's time go by, as its page does, until Parley has heard of it. */
async function moveOn(button: 'to the next period' | 'on by a week', until: () => Promise<unknown>): Promise<void> {
  const { page } = ada
  await page.goto(`${stripe}/subscriptions`)
  await page
    .getByRole('button', { name: `Move time ${button}` })
    .first()
    .click()
  await page.goto(`${project}/settings/billing/subscription`)
  // nobody waits for Stripe's webhooks: what it has now is read at a press
  await page.getByRole('button', { name: 'Look again' }).click()
  await until()
}
/** One mail, however many events told of its occasion. */
async function expectMail(subject: string): Promise<void> {
  const { page } = ada
  await expect
    .poll(async () => {
      await page.goto(`${sendgrid}/mails`)
      return page.getByText(subject).count()
    })
    .toBe(1)
}

it('meets what the free plan lacks, and is led to the plans with the way back', async () => {
  const { page } = ada
  await createFromFile(page, typebotFile('questions'), 'Helper')
  await openBuilder(page)
  const chatbot = page.url().replace(/\/builder.*/, '')
  await page.goto(`${chatbot}/analytics`)
  await page.getByText('This feature is not available on your current plan').first().waitFor()
  await screens.picture('analytics-locked')
  await page.getByRole('link', { name: 'Upgrade', exact: true }).first().click()
  await page.waitForURL((url) => url.pathname.endsWith('/billing/plans') && url.searchParams.has('chatbot_gid'))
  await page.getByRole('link', { name: 'Back to Helper' }).waitFor()
  await screens.picture('plans-free')
  await screens.open('subscription')
  await screens.sees('Name', 'Free')
  await screens.picture('subscription-free')
})

it('begins a trial with a code, a tax id and a card whose bank asks', async () => {
  const { page } = ada
  await screens.open('plans')
  await page.getByRole('button', { name: 'Subscribe to Starter' }).click()
  await page.getByRole('heading', { name: 'Subscribe' }).waitFor()
  await page.getByText('nothing is charged before').waitFor()
  await page.getByLabel(/whose bank asks/).check()
  await page.getByLabel('Promotion code').fill('NOPE')
  await screens.picture('checkout')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('is no code that is taken').waitFor()
  await page.getByLabel('Promotion code').fill('welcome20')
  await page.getByLabel('Tax id').fill('DE123456789')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await screens.picture('bank')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Thank you. The plan holds from now on.').waitFor()
  await screens.sees('Status', 'On trial')
  await screens.sees('Trial until', /\d/)
  await screens.picture('subscription-trial')
  await page.goto(`${stripe}/customers`)
  await page.getByText('DE123456789').waitFor()
  await expectMail('My project: the trial ends soon')
  await screens.picture('mails')
})

it('pays after the trial once the bank has confirmed, for less by the code', async () => {
  const { page } = ada
  await moveOn('to the next period', () => page.getByText('The last payment failed.').waitFor())
  await screens.sees('Status', 'A payment is missing')
  await screens.picture('subscription-failed')
  await expectMail('My project: a payment failed')
  await screens.open('subscription')
  await page.getByRole('button', { name: 'Pay now' }).click()
  await page.getByText('Discount').waitFor()
  await screens.picture('invoice-open')
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('paid', { exact: true }).waitFor()
  await screens.open('subscription')
  await page.getByRole('button', { name: 'Look again' }).click()
  await screens.sees('Status', 'Active')
  await page.getByRole('row', { name: /\$23\.20 Paid/ }).waitFor()
  await screens.picture('subscription-active')
})

it('takes another card in the portal, and buys seats for what was shown', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Card and invoices' }).click()
  await page.getByLabel('A card that works', { exact: true }).check()
  await screens.picture('portal')
  await page.getByRole('button', { name: 'Use this card' }).click()
  await page.getByRole('link', { name: 'Back to Parley' }).click()
  await screens.open('addons')
  await screens.picture('addons')
  await page.getByRole('textbox', { name: 'Quantity of Seat' }).fill('2')
  await page.getByRole('button', { name: 'Change the quantity of Seat' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change to 2 × Seat' })
  await dialog.getByText('It holds at once').waitFor()
  await dialog.getByRole('row', { name: /^Discount -\$/ }).waitFor()
  await screens.picture('preview-seats')
  const pay = dialog.getByRole('button', { name: /^Pay \$/ })
  const amount = /\$[\d.,]+/.exec((await pay.textContent()) ?? '')?.[0] ?? 'nothing'
  await pay.click()
  await page.getByText('The subscription was changed.').waitFor()
  await page.getByRole('row', { name: 'Seats 3 2 5' }).waitFor()
  await screens.open('subscription')
  await screens.sees('Add-ons', '2 × Seat')
  // what was shown is what was charged
  await page
    .getByRole('row', { name: new RegExp(`${amount.replace(/[$.]/g, '\\$&')} Paid`) })
    .first()
    .waitFor()
})

it('upgrades at once, and plans a smaller plan, which is undone and planned again', async () => {
  const { page } = ada
  await screens.open('plans')
  await screens.picture('plans-paid')
  await page.getByRole('button', { name: 'Upgrade to Growth' }).click()
  await page.getByText('It holds at once').waitFor()
  await screens.picture('preview-upgrade')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await page.getByText('The subscription was changed.').waitFor()
  await screens.planSmaller('Starter', () => screens.picture('preview-smaller'))
  await screens.picture('plans-planned')
  await screens.open('subscription')
  await page.getByRole('button', { name: 'Undo the planned change' }).click()
  await page.getByRole('button', { name: 'Undo the planned change' }).waitFor({ state: 'detached' })
  await screens.planSmaller('Starter')
  await screens.open('subscription')
  await screens.picture('subscription-planned')
  await moveOn('to the next period', () => screens.sees('Name', 'Starter'))
  await screens.sees('Add-ons', '2 × Seat')
})

it('cancels, resumes, cancels again, and has the free plan at the period’s end with all its invoices', async () => {
  const { page } = ada
  await screens.cancel(() => screens.picture('cancelling'))
  await screens.picture('subscription-cancelled')
  await page.getByRole('button', { name: 'Resume' }).click()
  await screens.cancel()
  await moveOn('to the next period', () => page.getByText('The subscription has ended.').waitFor())
  await screens.sees('Status', 'Ended')
  await page.getByText('This plan costs nothing.').waitFor()
  await screens.picture('subscription-ended')
  const invoices = page.locator('section', { has: page.getByRole('heading', { name: 'Invoices' }) })
  // of the trial, its renewal, the seats, the upgrade, and a period of the smaller plan
  expect(await invoices.getByRole('row').count()).toBe(1 + 5)
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    invoices.getByRole('link', { name: 'SANDBOX-0005', exact: true }).click(),
  ])
  await opened.getByRole('heading', { name: 'Invoice SANDBOX-0005' }).waitFor()
  await opened.close()
  await invoices.getByRole('link', { name: 'SANDBOX-0005 as a PDF' }).waitFor()
  // Checkout's page, when the code was refused
  expect(ada.errors.filter((error) => !/402 .*\/pay\//.test(error))).toEqual([])
})
