import { afterAll, beforeAll, expect, test } from 'vitest'
import { register } from '../../server/contracts/auth'
import { createChatbot } from '../../server/contracts/chatbots'
import { listCspReports } from '../../server/contracts/cspReports'
import { listProjects } from '../../server/contracts/projects'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createClient, type TestClient } from '../support/client'
import { registerOwner } from './steps'

/** Who runs the installation sees all of it, and what they do with it; others find no such page. */
let app: BuiltApp
let ada: TestBrowser
let grace: TestClient
let pgid: string

beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp({ REGISTRATION: 'open' }), launchBrowser()])
  await registerOwner(ada.page, app)
  grace = await createClient(app.url)
  await grace.call(register, {
    body: { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', password: 'correct horse battery' },
  })
  const { projects } = await grace.call(listProjects)
  pgid = projects[0]?.gid ?? ''
  await grace.call(createChatbot, { params: { pgid }, body: { name: 'Compiler desk' } })
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

const tab = (name: string) => ada.page.getByRole('tab', { name, exact: true })
const rowOf = (text: string) => ada.page.getByRole('listitem').filter({ hasText: text })

test('the menu of the account leads to it, and an announcement stands above each screen until it is taken away', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Run this installation' }).click()
  await page.waitForURL('**/admin')
  await page.getByText('AI message credits this month').waitFor()
  await expectAccessible(page, 'the installation')
  await page.getByLabel('Text', { exact: true }).fill('Back at nine')
  await page.getByRole('button', { name: 'Announce' }).click()
  const banner = page.getByRole('region', { name: 'Announcement' })
  await banner.getByText('Back at nine').waitFor()
  await page.getByRole('button', { name: 'Take away' }).click()
  await banner.waitFor({ state: 'detached' })
})

test('a project gets credits by hand, is suspended with a reason, and opened again', async () => {
  const { page } = ada
  await tab('Projects').click()
  await page.getByLabel('Name, id or owner’s email').fill('grace@')
  const row = rowOf('grace@example.com')
  await expect.poll(() => page.getByRole('list', { name: 'Projects' }).getByRole('listitem').count()).toBe(1)
  await row.getByRole('button', { name: 'Plan and credits' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Bonus AI credits').fill('many')
  await expect.poll(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Bonus AI credits').fill('250')
  await expectAccessible(page, 'plan and credits', '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByLabel('Reason').fill('spam')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await row.getByText('Suspended: spam').waitFor()
  expect((await grace.send('GET', `/api/projects/${pgid}/chatbots`)).status).toBe(403)
  await expectAccessible(page, 'projects')
  await row.getByRole('button', { name: 'End the suspension' }).click()
  await row.getByText('Suspended: spam').waitFor({ state: 'detached' })
  expect((await grace.send('GET', `/api/projects/${pgid}/chatbots`)).status).toBe(200)
})

test('Parley is seen as somebody else, with a banner, until that is stopped; all of it stands in the log', async () => {
  const { page } = ada
  await tab('People').click()
  await rowOf('grace@example.com').getByRole('button', { name: 'See as this person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('ticket 7')
  await dialog.getByRole('button', { name: 'See as this person' }).click()
  const banner = page.getByRole('region', { name: 'Seen as somebody else' })
  await banner.getByText('grace@example.com').waitFor()
  await page.getByText('Compiler desk').first().waitFor()
  await banner.getByRole('button', { name: 'Stop' }).click()
  await page.waitForURL('**/admin')
  await tab('Log').click()
  await rowOf('Saw Parley as a person').getByText('grace@example.com: ticket 7').waitFor()
  await rowOf('Suspended a project').getByText(/spam/).waitFor()
  await expectAccessible(page, 'the log')
})

test('a script that the policy stopped is reported by the browser, and stands there until it is cleared', async () => {
  const { page } = ada
  await page.goto(app.url)
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
  const ran = await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "stolen"'
    document.head.append(script)
    return document.title === 'stolen'
  })
  expect(ran).toBe(false)
  const path = listCspReports.path
  await expect.poll(() => page.evaluate(async (url) => (await fetch(url)).text(), path)).toContain('inline')
  await page.goto(`${app.url}/admin`)
  await rowOf('script-src-elem · inline').waitFor()
  await expectAccessible(page, 'reports of the policy')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No browser has reported a violation.').waitFor()
})

test('on a phone nothing is cut off', async () => {
  const { page } = ada
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['Overview', 'Failed jobs', 'Projects', 'People', 'Log']) {
    await tab(name).click()
    await page.getByRole('tabpanel').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(390)
  }
})
