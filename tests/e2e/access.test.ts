import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { login } from '../../server/contracts/auth'
import { publishFlow } from '../../server/contracts/flows'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { inviteMember } from '../support/people'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** Who is kept from where, and gets where instead: a role without a right, a session that ended, an address that leads nowhere. */
let server: TestServer
let browser: TestBrowser
let owner: Registered
let place: { pgid: string; cgid: string; fid: string }

beforeAll(async () => {
  ensureBuilt()
  server = await startTestServer()
  server.context.config.publicUrl = server.url
  owner = await server.register()
  place = await makeChatbot(owner)
  browser = await launchBrowser()
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

const enterAs = (person: Registered) => actAs(browser, person, server.url)
const builder = () => `/projects/${place.pgid}/chatbots/${place.cgid}/builder`

test('a role that sees no chatbots is told so at a chatbot’s address, inside the project, and finds home', async () => {
  const { page } = browser
  await enterAs(await inviteMember(server, owner, 5))
  for (const path of [builder(), builder().replace('/builder', '')]) {
    await page.goto(server.url + path)
    await page.getByRole('heading', { name: 'Unauthorized', exact: true }).waitFor()
    await page.getByText('Sorry, you are not authorized to view this page.').waitFor()
    expect(await page.getByText(/2007|Log in/).count()).toBe(0)
  }
  await page.getByRole('link', { name: 'Back to the home page' }).click()
  await page.waitForURL((url) => !url.pathname.includes('/chatbots/'))
})

test('an address without an id leads home, and one that nobody has says so with status 404', async () => {
  const { page } = browser
  await enterAs(owner)
  for (const path of [builder().replace(place.cgid, 'undefined'), builder().replace(place.cgid, '')]) {
    await page.goto(server.url + path)
    await page.waitForURL(`${server.url}/projects/${place.pgid}`)
  }
  for (const path of ['/%zz', '/no/such/page', '/c/%E0%A4%A']) {
    const response = await page.goto(server.url + path)
    expect(response?.status(), path).toBe(404)
    await page.getByText('This page could not be found').first().waitFor()
  }
})

test('a session that ended leads to the login page and back again, and takes no text along unasked', async () => {
  const { page } = browser
  await enterAs(owner)
  const screen = `/projects/${place.pgid}/chatbots/${place.cgid}/instructions`
  await page.goto(server.url + screen)
  const text = page.getByRole('textbox').first()
  await text.fill('Be kind to everybody.')
  await server.context.db.deleteFrom('sessions').execute()
  await page.getByRole('button', { name: /^Save/ }).first().click()
  // the screen asks before it goes, with the text still there
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await expect.poll(() => text.inputValue()).toBe('Be kind to everybody.')
  await dialog.getByRole('button').last().click()
  await page.waitForURL(`${server.url}/login?next=${encodeURIComponent(screen)}`)
  await page.getByLabel('Email').fill(owner.user.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL(server.url + screen)
})

test('other browsers are logged out from the account’s menu', async () => {
  const { page } = browser
  const elsewhere = await server.guest()
  await elsewhere.call(login, { body: { email: owner.user.email, password: owner.password } })
  await page.goto(`${server.url}/projects/${place.pgid}`)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out of other browsers' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out of other browsers' }).click()
  await page.getByText(/^Logged out of \d+ other browsers?\./).waitFor()
  expect((await elsewhere.send('GET', '/api/user')).status).toBe(401)
  await page.reload()
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
})

test('chat pages live on their own origin, where the builder is not', async () => {
  const { page } = browser
  const ada = await server.register()
  const made = await makeChatbot(ada)
  const chatUrl = server.url.replace('127.0.0.1', 'localhost')
  server.context.config.chatUrl = chatUrl
  const params = { pgid: made.pgid, cgid: made.cgid, fid: made.fid }
  const { url } = await ada.call(publishFlow, { params, body: { notes: '' } })
  expect(url.startsWith(`${chatUrl}/c/`)).toBe(true)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const begun = page.waitForResponse(
    (response) => response.url().startsWith(`${chatUrl}/api/chat/`) && response.request().method() === 'POST',
  )
  await page.goto(url.replace(chatUrl, server.url))
  expect(page.url()).toBe(url)
  // the flow is a start and nothing more, so the log is there, and empty
  expect((await begun).status()).toBe(200)
  await page.getByRole('log').first().waitFor({ state: 'attached' })
  expect(errors).toEqual([])
  expect((await browser.context.cookies(chatUrl)).map(({ name }) => name)).toEqual([])
  const login = await page.goto(`${chatUrl}/login`)
  expect(login?.status()).toBe(404)
  // the builder shows the address that visitors have
  await enterAs(ada)
  await page.goto(`${server.url}/projects/${made.pgid}/chatbots/${made.cgid}/integrations/share`)
  await page.getByText(new RegExp(`^${chatUrl}/c/`)).waitFor()
  server.context.config.chatUrl = null
})
