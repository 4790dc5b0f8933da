import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { codeOf } from '../support/codes'
import { inviteMember } from '../support/people'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { look } from './look'

/** Logging in with more than a password, as a person does it. `SHOTS` names a folder for pictures of the screens. */
let server: TestServer
let browser: TestBrowser
let ada: Registered
let bob: Registered
/** of passkeys: an address of numbers can't have any */
let url: string
const see = process.env.SHOTS ? look : async () => undefined

beforeAll(async () => {
  ensureBuilt()
  server = await startTestServer()
  url = server.url.replace('127.0.0.1', 'localhost')
  server.context.config.publicUrl = url
  ada = await server.register()
  bob = await inviteMember(server, ada, 3)
  browser = await launchBrowser()
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

async function enterPassword() {
  const { page } = browser
  await page.goto(`${url}/login`)
  await page.getByLabel('Email', { exact: true }).fill(ada.user.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
const logOut = () => browser.context.clearCookies({ name: 'parley_session' })

test('two-factor sign-in is set up in the account, and asks for a code of the app or a recovery code from then on', async () => {
  const { page } = browser
  await enterPassword()
  await page.waitForURL(/projects/)
  await page.goto(`${url}/account`)
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill(ada.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor()
  await see(page, 'two-factor-scan')
  const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
  await dialog.getByLabel('Code from the app').fill(codeOf(secret, new Date(), -1))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.first().waitFor()
  expect(await codes.count()).toBe(10)
  const recovery = (await codes.first().textContent()) ?? ''
  await see(page, 'two-factor-codes')
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('10 recovery codes left').waitFor()
  await page.getByText('10 recovery codes left').scrollIntoViewIfNeeded()
  await see(page, 'two-factor-on')

  await logOut()
  await enterPassword()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await see(page, 'two-factor-login')
  await page.getByLabel('Code from the app').fill('000000')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByText('This code is wrong, or was used already.').waitFor()
  await page.getByLabel('Code from the app').fill(codeOf(secret, new Date()))
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL(/projects/)

  await logOut()
  await enterPassword()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL(/projects/)
})

test('a project that requires it tells members who have not set it up, and leads them there', async () => {
  const { page } = browser
  await page.goto(`${url}/projects/${ada.pgid}/settings/project/security`)
  await page.getByRole('switch', { name: 'Members must use two-factor sign-in' }).click({ force: true })
  await page.getByText('1 member has not set it up').waitFor()
  await see(page, 'security')
  await page.goto(`${url}/projects/${ada.pgid}/members`)
  await page.getByText('No two-factor sign-in', { exact: true }).waitFor()
  await see(page, 'required-members')
  await actAs(browser, bob, url)
  await page.goto(`${url}/projects/${ada.pgid}/chatbots`)
  await page.getByRole('heading', { name: 'This project needs two-factor sign-in' }).waitFor()
  await see(page, 'required-screen')
  await page.getByRole('link', { name: 'Set it up' }).click()
  await page.getByRole('button', { name: 'Set up', exact: true }).waitFor()
})
