import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { dashboard } from '../../server/contracts/account'
import { createChatbot } from '../../server/contracts/chatbots'
import { saveVariable } from '../../server/contracts/variables'
import { expectAccessible } from '../support/accessibility'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { inviteMember } from '../support/people'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** What people are told of once, and where a chatbot of version 1 leads. */
let server: TestServer
let browser: TestBrowser
let ada: Registered

beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer(), launchBrowser()])
  ada = await server.register()
  await enter(ada)
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

const enter = (person: Registered) => actAs(browser, person, server.url)
const button = (name: string) => browser.page.getByRole('button', { name, exact: true })
const news = () => browser.page.getByRole('region', { name: 'Upgrade to an agent' })

test('an upgrade is announced until it is put away, and opens the builder', async () => {
  const { page } = browser
  await page.goto(`${server.url}/projects/${ada.pgid}/chatbots/new`)
  await page.getByLabel('Chatbot name').fill('Lamps')
  await page.getByText('Answers from your sources').click()
  await button('Create chatbot').click()
  // it wants sources first
  await page.waitForURL(/data-sources/)
  await news().waitFor()
  await expectAccessible(page, 'announcement')
  const { chatbots } = (await ada.call(dashboard, { body: { pgid: ada.pgid } })).user
  const home = `${server.url}/projects/${ada.pgid}/chatbots/${chatbots[0]?.gid}`
  // what others build is tried here
  await page.goto(home)
  await page.waitForURL(/playground/)
  await page.goto(`${home}/builder`)
  await page.waitForURL(/playground/)
  expect(await page.getByRole('link', { name: 'Builder' }).count()).toBe(0)

  const viewer = await inviteMember(server, ada, 6)
  await enter(viewer)
  await page.goto(`${server.url}/?project=${ada.pgid}`)
  await page.waitForURL(/playground/)
  expect(await news().count()).toBe(0)

  await enter(ada)
  await page.goto(home)
  await news().getByRole('button', { name: 'Not now' }).click()
  await news().waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('heading', { name: 'Playground' }).waitFor()
  expect(await news().count()).toBe(0)
  await page.goto(`${home}/settings/language`)
  await page.getByRole('combobox', { name: 'Language of the chat' }).click()
  await page.getByRole('option', { name: /^German/ }).waitFor()
  expect(await page.getByRole('option', { name: 'Automatic' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.goto(`${home}/settings/general`)
  await button('Upgrade to an agent').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade to an agent' }).click()
  await page.waitForURL(/builder/)
  await page.getByRole('link', { name: 'Builder' }).first().waitFor()
})

test('variables that are named like built-in ones are announced, and shown', async () => {
  const { page } = browser
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Own' } })
  const at = { pgid: ada.pgid, cgid: chatbot.gid, fid: chatbot.fid }
  await ada.call(saveVariable, { body: { ...at, name: 'contact_email', type: 'new' } })
  await page.goto(`${server.url}/projects/${ada.pgid}/chatbots/${chatbot.gid}/builder`)
  const told = page.getByRole('region', { name: 'Contact variables are built in' })
  await told.waitFor()
  expect(await told.textContent()).toContain('contact_email')
  await expectAccessible(page, 'contact variables')
  await told.getByRole('button', { name: 'Show variables' }).click()
  await page.getByRole('complementary').getByText('contact_email').first().waitFor()
  await told.waitFor({ state: 'hidden' })
  const { settings } = (await ada.call(dashboard, { body: { pgid: ada.pgid } })).user
  expect(settings.hide_contact_variables_deprecation_popup).toBe(true)
})
