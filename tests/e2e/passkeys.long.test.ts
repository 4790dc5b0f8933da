import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { look } from './look'

/** A person adds a passkey, logs in with it and removes it: with Chromium's own device of software. */
let server: TestServer
let browser: TestBrowser
let devtools: CDPSession
let authenticatorId: string
let ada: Registered
/** an address of numbers can have no passkeys */
let url: string

beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer(), launchBrowser()])
  url = server.url.replace('127.0.0.1', 'localhost')
  server.context.config.publicUrl = url
  ada = await server.register()
  devtools = await browser.context.newCDPSession(browser.page)
  await devtools.send('WebAuthn.enable')
  ;({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...({ protocol: 'ctap2', transport: 'internal' } as const),
      ...{ hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  }))
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

const logOut = () => browser.context.clearCookies({ name: 'parley_session' })
const card = () =>
  browser.page.locator('section').filter({ has: browser.page.getByRole('heading', { name: 'Passkeys' }) })
const dialog = () => browser.page.getByRole('dialog')
const passkeyButton = () => browser.page.getByRole('button', { name: 'Sign in with a passkey' })

async function add(name: string) {
  await card().getByRole('button', { name: 'Add passkey' }).click()
  await dialog().getByLabel('Name').fill(name)
  await dialog().getByLabel('Current password').fill(ada.password)
  await dialog().getByRole('button', { name: 'Add passkey' }).click()
}

it('adds a passkey in the account, by the keyboard, with what is wrong beside it', async () => {
  const { page } = browser
  await page.goto(`${url}/login`)
  await page.getByLabel('Email', { exact: true }).fill(ada.user.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(/projects/)
  await page.goto(`${url}/account`)
  await card().getByRole('button', { name: 'Add passkey' }).focus()
  await page.keyboard.press('Enter')
  await dialog().getByLabel('Current password').fill('not mine')
  await look(page, 'passkeys-add')
  await page.keyboard.press('Enter')
  await dialog().getByText('This is not your password').waitFor()
  await dialog().getByLabel('Current password').fill(ada.password)
  await page.keyboard.press('Enter')
  await page.getByText('The passkey was added.').waitFor()
  await card().getByText('not used yet').scrollIntoViewIfNeeded()
  await look(page, 'passkeys-card')
  expect((await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1)

  // the same device has one for this account
  await add('Again')
  await dialog().getByText('This device has a passkey for your account already.').waitFor()
  await look(page, 'passkeys-already')
  await dialog().getByRole('button', { name: 'Cancel' }).click()
})

it('names it', async () => {
  await card()
    .getByRole('button', { name: /^Rename: / })
    .click()
  await dialog().getByLabel('Name').fill('Work laptop')
  await dialog().getByRole('button', { name: 'Save name' }).click()
  await card().getByText('Work laptop').waitFor()
})

it('logs in by it, and says so where the device refuses', async () => {
  const { page } = browser
  await logOut()
  await page.goto(`${url}/login`)
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await passkeyButton().click()
  await page.getByText('You were not logged in: it was cancelled').waitFor()
  await look(page, 'passkeys-cancelled')
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await passkeyButton().click()
  await page.waitForURL(/projects/)
  await page.goto(`${url}/account`)
  await card().getByText('last used').waitFor()
})

it('removes it, and it opens nothing any more', async () => {
  const { page } = browser
  await card().getByRole('button', { name: 'Remove: Work laptop' }).click()
  await dialog().getByLabel('Current password').fill(ada.password)
  await look(page, 'passkeys-remove')
  await dialog().getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The passkey was removed.').waitFor()
  await logOut()
  await page.goto(`${url}/login`)
  await passkeyButton().click()
  await page.getByText('This passkey opens no account here.').waitFor()
  await look(page, 'passkeys-login')
})

it('says where a browser or an address can have none', async () => {
  const { page } = browser
  await page.goto(`${server.url}/login`)
  await passkeyButton().click()
  await page.getByText('This browser can’t use passkeys here.').waitFor()
})
