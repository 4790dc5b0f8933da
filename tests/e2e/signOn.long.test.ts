import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { parseConfig } from '../../server/platform/config/config'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createRunningClock } from '../support/clock'
import { type IdentityProvider, startIdentityProvider } from '../support/identityProvider'
import { startTestDns, type TestDns } from '../support/pebble'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { look } from './look'

/** An owner sets up the organisation's provider; a colleague comes in by it, and nobody of theirs by a password. */
let server: TestServer
let browser: TestBrowser
let page: Page
let dns: TestDns
let idp: IdentityProvider
let owner: Registered
beforeAll(async () => {
  ensureBuilt()
  dns = await startTestDns()
  ;[server, browser] = await Promise.all([
    startTestServer({
      clock: createRunningClock(),
      config: {
        outboundAllow: parseNetworks('127.0.0.0/8'),
        domains: parseConfig({ DNS_SERVERS: dns.server }).domains,
      },
    }),
    launchBrowser(),
  ])
  server.context.config.publicUrl = server.url
  page = browser.page
  owner = await server.register({ email: 'boss@acme.example' })
  idp = await startIdentityProvider([`${server.url}/api/sign-on/${owner.pgid}/callback`])
  await actAs(browser, owner, server.url)
})
afterAll(() => Promise.all([browser?.close(), server?.close(), dns?.close(), idp?.close()]))

const card = () => page.locator('#single-sign-on')

it('sets up the provider, with its own words at the field that is wrong', async () => {
  await page.goto(`${server.url}/projects/${owner.pgid}/settings/project/security`)
  await card().getByText('Not set up').waitFor()
  await card().scrollIntoViewIfNeeded()
  await look(page, 'sign-on-none')
  await card().getByLabel('Issuer address').fill(idp.issuer)
  await card().getByLabel('Client ID').fill(idp.client.id)
  await card().getByLabel('Client secret').fill('wrong')
  await card().getByLabel('Claim with groups').fill('groups')
  await card().getByRole('button', { name: 'Add group' }).click()
  await card().getByLabel('Group 1', { exact: true }).fill('editors')
  await card().getByRole('combobox', { name: 'Role of group 1' }).click()
  await page.getByRole('option', { name: 'Editor' }).click()
  await card().getByRole('button', { name: 'Check and connect' }).click()
  await card().getByText('The provider refuses this client (invalid_client').waitFor()
  await card().getByLabel('Client secret').scrollIntoViewIfNeeded()
  await look(page, 'sign-on-wrong')
  await card().getByLabel('Client secret').fill(idp.client.secret)
  await card().getByRole('button', { name: 'Check and connect' }).click()
  await card().getByText('Waiting for a domain').waitFor()
})

it('proves a domain by a TXT record', async () => {
  await card().getByRole('textbox', { name: 'Email domain' }).fill('acme.example')
  await card().getByRole('button', { name: 'Add domain' }).click()
  const domain = card().getByRole('listitem').filter({ hasText: 'acme.example' })
  await domain.getByRole('button', { name: 'Check' }).click()
  await domain.getByText('The TXT record was not found').waitFor()
  await domain.scrollIntoViewIfNeeded()
  await look(page, 'sign-on-domain')
  const shown = (label: string) => domain.getByRole('textbox', { name: label }).inputValue()
  await dns.setText(await shown('Name of the TXT record'), await shown('Value of the TXT record'))
  await domain.getByRole('button', { name: 'Check' }).click()
  await domain.getByText('Proven', { exact: true }).waitFor()
  await card().getByText('Connected').waitFor()
  await card().scrollIntoViewIfNeeded()
  await look(page, 'sign-on-connected')
})

it('gives the directory a token, shown once', async () => {
  await card().getByRole('button', { name: 'Create token' }).click()
  const token = card().getByRole('textbox', { name: 'Token', exact: true })
  await expect.poll(() => token.inputValue()).toMatch(/^parley_scim_/)
  await token.scrollIntoViewIfNeeded()
  await look(page, 'sign-on-directory')
  await page.reload()
  await card().getByText('Not used yet.').waitFor()
  expect(await token.count()).toBe(0)
})

it('asks whoever registers with an address of the domain to come in by the provider', async () => {
  await card().getByRole('combobox', { name: 'When people of your domains create an account' }).click()
  await page.getByRole('option', { name: 'Ask them to join' }).click()
  await page.getByText('Saved.').waitFor()
  await page.context().clearCookies()
  idp.directory.joe = { email: 'joe@acme.example', email_verified: true }
  idp.who = 'joe'
  await page.goto(`${server.url}/register`)
  await page.getByLabel('First name').fill('Joe')
  await page.getByLabel('Last name').fill('Doe')
  await page.getByLabel('Email').fill('joe@acme.example')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Your organisation is here' }).waitFor()
  await look(page, 'sign-on-join')
  await page.getByRole('button', { name: 'Sign in with your organisation' }).click()
  await page.waitForURL(new RegExp(`/projects/${owner.pgid}`))
})

it('lets the owner and a colleague in from the log-in page, and nobody of theirs by a password', async () => {
  await page.context().clearCookies()
  idp.directory.boss = { email: 'boss@acme.example', email_verified: true }
  idp.who = 'boss'
  await page.goto(`${server.url}/login`)
  await look(page, 'sign-on-login')
  await page.getByRole('link', { name: 'Sign in with your organisation' }).click()
  await page.getByLabel('Work email').fill('boss@nowhere.example')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('No organisation signs in here with this address').waitFor()
  await look(page, 'sign-on-address')
  await page.getByLabel('Work email').fill('boss@acme.example')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(new RegExp(`/projects/${owner.pgid}`))

  await page.goto(`${server.url}/projects/${owner.pgid}/settings/project/security`)
  await card().getByLabel('Only with the provider').click({ force: true })
  await page.getByRole('button', { name: 'Require it' }).click()
  await page.getByText('Members of your domains now need the provider.').waitFor()

  // the password still logs in to the account, and does not open the project
  await page.context().clearCookies()
  await actAs(browser, owner, server.url)
  await page.goto(`${server.url}/projects/${owner.pgid}/chatbots`)
  await page.getByRole('heading', { name: 'This project needs your organisation’s sign-in' }).waitFor()
  await look(page, 'sign-on-required')
  idp.directory.ann = { email: 'ann@acme.example', email_verified: true, given_name: 'Ann', groups: ['editors'] }
  idp.who = 'ann'
  await page.getByRole('link', { name: 'Sign in with your organisation' }).click()
  await page.getByLabel('Work email').fill('ann@acme.example')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${server.url}/projects/${owner.pgid}/chatbots`)
  expect(idp.who).toBe('ann')
})
