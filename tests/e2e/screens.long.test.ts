import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import {
  block,
  chat,
  closeSettings,
  createFromFile,
  fillAccount,
  group,
  openBuilder,
  owner,
  publish,
  ready,
  registerOwner,
  settings,
  showAll,
  typebotFile,
} from './steps'

/** The builder and the chat page for everybody who looks, and the ways between screens; each test goes on from the one before. */
let app: BuiltApp
let ada: TestBrowser
let stranger: TestBrowser
/** addresses that Ada saw on her way */
let project: string
let builder: string
let link: string

beforeAll(async () => {
  ;[app, ada, stranger] = await Promise.all([
    startBuiltApp({ REGISTRATION: 'open', BILLING: 'on' }),
    launchBrowser(),
    launchBrowser(),
  ])
})
afterAll(() => Promise.all([ada.close(), stranger.close(), app.stop()]))

const SETTINGS = 'aside[aria-label="Settings"]'

it('opens without an error for somebody who has no account yet', async () => {
  const { page } = ada
  await page.goto(app.url)
  await page.getByRole('heading', { name: 'Almost there' }).waitFor()
  await page.goto(app.ownerLink)
  await page.getByRole('heading', { name: 'Create the owner account' }).waitFor()
  await expectAccessible(page, 'register')
  await registerOwner(page, app)
  project = page.url()
  expect(ada.errors).toEqual([])
})

it('shows an empty builder that says how to begin', async () => {
  const { page } = ada
  await page.goto(`${project}/chatbots/new`)
  await page.getByLabel('Chatbot name').fill('Empty')
  await page.getByRole('button', { name: 'Create chatbot' }).click()
  await ready(page)
  await expectAccessible(page, 'empty builder')
})

it('shows a flow, its forms, the test and its dialogs', async () => {
  const { page } = ada
  await page.goto(project)
  await createFromFile(page, typebotFile('lead-generation'), 'Lead generation')
  await expectAccessible(page, 'import report')
  await openBuilder(page)
  builder = page.url()
  await group(page, 'Email').waitFor()
  await expectAccessible(page, 'builder')
  for (const kind of ['Text', 'Email input']) {
    await block(page, 'Email', kind).first().click()
    await settings(page).getByRole('textbox').first().waitFor()
    await expectAccessible(page, `form of ${kind}`, SETTINGS)
  }
  await block(page, 'Services', 'Buttons').click()
  await settings(page).getByRole('textbox').first().waitFor()
  await expectAccessible(page, 'form of Buttons', SETTINGS)
  await closeSettings(page)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.getByRole('button', { name: 'Hello!', exact: true }).waitFor()
  await expectAccessible(page, 'preview')
  await page.getByRole('button', { name: 'Close preview' }).click()
  link = await publish(page)
  await expectAccessible(page, 'publish')
  await page.keyboard.press('Escape')
})

it('lets the Tab key walk the canvas in reading order, each stop by its name', async () => {
  const { page } = ada
  await page.keyboard.press('Escape')
  await showAll(page)
  await group(page, 'Bye').waitFor()
  await group(page, 'Start').focus()
  const names: string[] = []
  for (let stops = 0; stops < 60 && !names.at(-1)?.startsWith('Group Bye'); stops++) {
    const here = await page.evaluateHandle(() => document.activeElement)
    names.push((await here.evaluate((element) => element?.getAttribute('aria-label'))) ?? 'nameless')
    await page.keyboard.press('Tab')
    // what is not drawn yet is brought into sight first
    await page.waitForFunction((before) => document.activeElement !== before, here)
  }
  expect(names.filter((name) => name.startsWith('Group')).map((name) => name.split(':')[0])).toEqual(
    ['Start', 'Welcome', 'Name', 'Email', 'Services', 'Additional information', 'Bye'].map((title) => `Group ${title}`),
  )
  expect(names).not.toContain('nameless')
  expect(names.slice(names.indexOf('Group Name: Text, Text input'))).toEqual(
    expect.arrayContaining(['Text block', 'Text input block', 'Next of Text input, connected: choose what comes next']),
  )
})

it('shows visitors a chat that all can use, from choices to its end', async () => {
  const { page } = stranger
  const { hears, chooses, writes } = chat(page)
  await page.goto(link)
  await hears('Welcome to Lantern (a small studio)')
  await page.getByRole('button', { name: 'Hello!', exact: true }).waitFor()
  await expectAccessible(page, 'chat with choices')
  await chooses('Hello!')
  await page.getByRole('textbox', { name: 'Your message' }).waitFor()
  await expectAccessible(page, 'chat with a text')
  await writes('Grace')
  await writes('grace@example.com', 'Your email address')
  await chooses('A newsletter')
  await writes('A compiler.')
  await hears('The conversation has ended')
  await expectAccessible(page, 'chat at its end')
  expect(stranger.errors).toEqual([])
})

it('keeps the dark look that was chosen', async () => {
  const { page } = ada
  const scheme = (name: string) => page.locator(`html[data-mantine-color-scheme="${name}"]`).waitFor()
  for (const [name, look] of [
    ['Dark', 'dark'],
    ['Light', 'light'],
    // as the other tests have it
    ['System', 'light'],
  ] as const) {
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitemradio', { name }).click()
    await scheme(look)
    await page.reload()
    await ready(page)
    await scheme(look)
  }
})

it('finds the way on a small screen', async () => {
  const { page } = ada
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(project)
  await page.getByRole('button', { name: 'Open menu' }).click()
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expectAccessible(page, 'navigation on a small screen')
  await menu.getByRole('link', { name: 'Chatbots', exact: true }).click()
  await page.getByRole('heading', { name: 'Chatbots', level: 1 }).waitFor()
  const subscription = `${project}/settings/billing/subscription`
  const scrolled = () => page.evaluate(() => window.scrollY)
  await page.goto(`${project}/notification-settings`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.evaluate(() => window.scrollTo(0, 400)).then(scrolled)).toBe(400)
  // another page in the same tab begins at its top
  await page.goto(subscription)
  await page.getByRole('heading', { name: 'Included' }).waitFor()
  expect(await scrolled()).toBe(0)
  await page.goto(builder)
  await ready(page)
  await expectAccessible(page, 'builder on a small screen')
  await page.setViewportSize({ width: 1440, height: 900 })
})

it('renames, copies and deletes a project, once its name is typed', async () => {
  const { page } = ada
  await page.goto(`${project}/settings/project/general`)
  await page.getByLabel('Project name').fill('Agency')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await page.getByRole('button', { name: 'Switch project' }).filter({ hasText: 'Agency' }).waitFor()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await page.waitForURL((url) => /\/projects\/\w+$/.test(url.pathname) && url.href !== project)
  await page.goto(`${page.url()}/settings/project/general`)
  const name = await page.getByLabel('Project name').inputValue()
  await page.getByRole('button', { name: 'Delete project' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete project' })
  await dialog.getByRole('textbox').fill(name.slice(0, -1))
  await expect.poll(() => confirm.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill(name)
  await confirm.click()
  await page.waitForURL((url) => url.href === project)
  expect(ada.errors).toEqual([])
})

it("tells nobody of somebody else's project", async () => {
  const { page } = stranger
  await page.goto(`${app.url}/register`)
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  await expectAccessible(page, 'register, open to all')
  await fillAccount(page, { ...owner, email: 'mallory@example.com' })
  for (const address of [project, builder, `${app.url}/nowhere`]) {
    await page.goto(address)
    await page.getByRole('heading', { name: 'This page could not be found' }).waitFor()
    await expectAccessible(page, 'not found')
  }
  await page.getByRole('link', { name: 'Back to the home page' }).click()
  await page.waitForURL(/\/projects\/\w+$/)
  expect(page.url()).not.toBe(project)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out', exact: true }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await expectAccessible(page, 'login')
})
