import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { setupLink } from '../../server/modules/accounts/auth/setup'
import { objections, showIn } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { startTestServer, type TestServer } from '../support/server'
import { typebotFile } from './steps'

/** The shell as people meet it: one story in a real Chromium, from the setup link to logging out. */
let server: TestServer
let browser: TestBrowser
let page: Page
let pgid: string

beforeAll(async () => {
  ensureBuilt()
  server = await startTestServer({})
  browser = await launchBrowser()
  page = browser.page
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const open = (path: string) => page.goto(server.url + path)
const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const says = (text: string) => page.getByText(text, { exact: true }).first().waitFor()

test('without an owner, every way in says where the setup link is', async () => {
  for (const path of ['/', '/login', '/register']) {
    await open(path)
    await heading('Almost there')
  }
  expect(await objections(page)).toEqual([])
})

test('the setup link makes the owner, field by field', async () => {
  const link = new URL((await setupLink(server.context)) ?? '')
  await open(link.pathname + link.search)
  await heading('Create the owner account')
  await button('Create account').click()
  await says('Enter a valid email address')
  await says('Must be at least 8 characters')
  expect(await objections(page)).toEqual([])

  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Okafor')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await button('Show or hide password').click()
  await expect.poll(() => page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')
  await button('Create account').click()
  await heading('Train on my website')
  pgid = new URL(page.url()).pathname.split('/')[2] ?? ''
})

test('who is logged in is sent from guest pages to the landing screen', async () => {
  await open('/login')
  await page.waitForURL(`**/projects/${pgid}`)
})

test('a chatbot is made, renamed, copied, and deleted by typing its name', async () => {
  await open(`/projects/${pgid}/chatbots/new`)
  await page.getByLabel('Chatbot name').fill('Support')
  await button('Create chatbot').click()
  await page.waitForURL('**/builder')
  await open(`/projects/${pgid}/chatbots`)

  await button('Actions for Support').click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Chatbot name').fill('Help desk')
  await button('Rename').click()
  await button('Actions for Help desk').click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByRole('main').getByRole('listitem').nth(1).waitFor()

  await button('Actions for Help desk').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const confirm = button('Delete chatbot')
  await page.getByLabel('Type Help desk to confirm').fill('Help des')
  await expect.poll(() => confirm.isDisabled()).toBe(true)
  await page.getByLabel('Type Help desk to confirm').fill('Help desk')
  await confirm.click()
  await says('Chatbot deleted.')
  await button('Actions for Help desk').waitFor({ state: 'detached' })
})

test('a file that is no flow makes no chatbot; one that is shows its report', async () => {
  await open(`/projects/${pgid}/chatbots/new?from=file`)
  const choose = (name: string, text: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  await choose('broken.json', '{')
  await says('This file is neither JSON nor YAML.')
  await choose('other.json', '{"a":1}')
  await button('Create and import').click()
  await page.getByRole('alert').waitFor()
  await open(`/projects/${pgid}/chatbots`)
  await button('Actions for Help desk copy')
    .or(page.getByRole('button', { name: /Actions for/ }))
    .first()
    .waitFor()
  await expect.poll(() => page.getByRole('button', { name: /Actions for/ }).count()).toBe(1)

  await open(`/projects/${pgid}/chatbots/new?from=file`)
  await page.locator('input[type=file]').setInputFiles(typebotFile('lead-generation'))
  await button('Create and import').click()
  await page.getByRole('dialog', { name: 'Import report' }).waitFor()
  await says('Imported')
  await page.getByRole('button', { name: 'Open builder' }).click()
  await page.waitForURL('**/builder')
})

test('the shared page’s address shows as it is typed, and a bad one is refused', async () => {
  const { pathname } = new URL(page.url())
  await open(pathname.replace('builder', 'integrations/share'))
  const address = page.getByLabel('Address')
  await address.fill('My page')
  await page.getByText(/\/c\/my-page$/).waitFor()
  await address.fill('-a-')
  await says('Use lowercase letters, digits and single hyphens')
})

test('axe finds nothing on any screen, light or dark, wide or narrow', async () => {
  const chatbot = new URL(page.url()).pathname.replace('/integrations/share', '')
  const screens: [path: string, shown: string][] = [
    ['/projects', 'New project'],
    [`/projects/${pgid}`, 'Your chatbots'],
    [`/projects/${pgid}/settings/account`, 'Account'],
    [`/projects/${pgid}/chatbots`, 'Import'],
    [`/projects/${pgid}/chatbots/new`, 'Create chatbot'],
    [`/projects/${pgid}/settings/project/general`, 'Delete this project'],
    [`/projects/${pgid}/settings/project/security`, 'Access by network'],
    [`/projects/${pgid}/settings/project/api-keys`, 'Connect an assistant'],
    [`/projects/${pgid}/settings/project/api-keys/reference`, 'Find an operation'],
    [`${chatbot}/settings/general`, 'Delete this chatbot'],
    [`${chatbot}/settings/overview`, 'Before it goes live'],
    [`${chatbot}/settings/visibility`, 'Opening hours'],
    [`${chatbot}/settings/survey`, 'Satisfaction survey'],
    [`${chatbot}/settings/whatsapp`, 'Connect a number'],
    [`${chatbot}/settings/answers-by-mail`, 'Mail answers to visitors who have left'],
    [`${chatbot}/settings/language`, 'Your own words'],
    [`${chatbot}/integrations/share`, 'QR code'],
    ['/nowhere', 'This page could not be found'],
  ]
  // the long course looks at all of it in the dark too
  const looks = (process.env.FULL ? (['light', 'dark'] as const) : (['light'] as const)).flatMap((colorScheme) =>
    [1440, 390].map((width) => ({ colorScheme, width })),
  )
  for (const [path, shown] of screens) {
    await open(path)
    for (const { colorScheme, width } of looks) {
      await page.setViewportSize({ width, height: 844 })
      await says(shown)
      await showIn(page, colorScheme)
      expect(await objections(page, 'html', colorScheme === 'dark'), `${path}, ${colorScheme}, ${width}`).toEqual([])
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      await expect.poll(overflow, { message: `${path} scrolls sideways at ${width}` }).toBeLessThanOrEqual(0)
    }
  }
})

test('an API key is made, shown once, listed by its ends, and deleted', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await open(`/projects/${pgid}/settings/project/api-keys`)
  await says('No API keys yet')
  await page.getByRole('button', { name: 'Create key', exact: true }).click()
  await page.getByRole('textbox', { name: 'What is it for?' }).fill('Assistant')
  await page.getByRole('dialog').getByText('Read only', { exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key', exact: true }).click()
  const made = page.getByRole('dialog', { name: 'Your new key' })
  const key = await made.getByRole('textbox', { name: 'API key' }).inputValue()
  expect(key).toMatch(/^parley_[\w-]{43}$/)
  await made.getByRole('button', { name: 'Done', exact: true }).click()
  const row = page.getByRole('row', { name: /^Assistant/ })
  // neither used nor to end
  await expect.poll(() => row.getByText('Never', { exact: true }).count()).toBe(2)
  await row.getByText('Read only', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(key)

  // the reference makes a call with it, which may not write
  await page.getByRole('link', { name: 'Read the reference and try calls' }).click()
  await page.getByLabel('API key for trying calls').fill(key)
  await page.getByLabel('Find an operation').fill('post contacts')
  await page.getByRole('button', { name: /Create a contact$/ }).click()
  const trial = page.getByRole('form', { name: 'Try: Create a contact' })
  await trial.getByLabel('Body').fill('{"fields": {"name": "Eve"')
  await trial.getByText('This is not valid JSON').waitFor()
  await trial.getByLabel('Body').fill('{"fields": {"name": "Eve"}}')
  await trial.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await trial.getByText('This API key may only read').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.getByLabel('Find an operation').fill('list contacts')
  await page.getByRole('button', { name: /List contacts$/ }).click()
  await page.getByRole('form', { name: 'Try: List contacts' }).getByRole('button', { name: 'Send' }).click()
  await page.getByText('"next_cursor": null').waitFor()
  await page.getByRole('link', { name: 'API keys', exact: true }).last().click()
  await row.getByRole('button', { name: 'Delete Assistant', exact: true }).click()
  await page.getByRole('button', { name: 'Delete key', exact: true }).click()
  await says('No API keys yet')
})

test('a viewer is told what he may not see, and what he may only read', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const member = () => server.context.db.updateTable('project_members')
  await member()
    .set({ roles: [6] })
    .execute()
  await open(`/projects/${pgid}`)
  await heading('Unauthorized')
  await says('Sorry, you are not authorized to view this page.')
  await open(`/projects/${pgid}/settings/project/general`)
  await says('Only owners and admins can change these settings.')
  await expect.poll(() => page.getByLabel('Project name').getAttribute('readonly')).not.toBeNull()
  await member()
    .set({ roles: [1] })
    .execute()
})

test('somebody else’s project is not there', async () => {
  await open('/projects/0000000000000000')
  await heading('This page could not be found')
})

test('a log out that fails says so; one that works leads to the login page', async () => {
  await open(`/projects/${pgid}`)
  await page.route('**/api/auth/logout', (route) => route.abort())
  await button('Account menu').click()
  await page.getByRole('menuitem', { name: 'Log out', exact: true }).click()
  await says('There was a problem signing out, please retry.')
  await page.unroute('**/api/auth/logout')
  await button('Account menu').click()
  await page.getByRole('menuitem', { name: 'Log out', exact: true }).click()
  await page.waitForURL('**/login')
})

test('a wrong password says so, a right one leads back to the page that was asked for', async () => {
  await open(`/projects/${pgid}/chatbots`)
  await page.waitForURL('**/login?next=*')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong horse')
  await button('Log in').click()
  await says('Wrong email or password.')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await button('Log in').click()
  await page.waitForURL(`**/projects/${pgid}/chatbots`)
})

test('a session that ended elsewhere is said, and leads to the login page', async () => {
  await page
    .getByRole('main')
    .getByRole('button', { name: /Actions for/ })
    .first()
    .waitFor()
  await server.context.db.deleteFrom('sessions').execute()
  await page
    .getByRole('main')
    .getByRole('button', { name: /Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await says('You are not authenticated. Please login.')
  await page.waitForURL('**/login?next=*')
})

test('no page threw an exception', () => {
  expect(browser.errors.filter((error) => !error.startsWith('Failed to load resource'))).toEqual([])
})
