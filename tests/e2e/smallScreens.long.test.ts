import { afterAll, beforeAll, expect, it } from 'vitest'
import { login } from '../../server/contracts/auth'
import { inviteMembers } from '../../server/contracts/members'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createClient } from '../support/client'
import { tokenOf } from '../support/people'
import { createFromFile, openBuilder, owner, registerOwner, typebotFile } from './steps'

/** What screens say and show where something is missing, or little room; each test goes on from the one before. */
let app: BuiltApp
let ada: TestBrowser
let guest: TestBrowser
beforeAll(async () => {
  ;[app, ada, guest] = await Promise.all([startBuiltApp(), launchBrowser(), launchBrowser()])
  await registerOwner(ada.page, app)
})
afterAll(() => Promise.all([ada.close(), guest.close(), app.stop()]))
const pgidOf = () => /projects\/(\w+)/.exec(ada.page.url())?.[1] ?? ''

it('a forgotten password without a mail server: says who has the link, not to look into the mail', async () => {
  const { page } = guest
  await page.goto(`${app.url}/reset`)
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send reset link', exact: true }).click()
  await page.getByRole('heading', { name: 'Ask whoever runs this installation', level: 1 }).waitFor()
  expect(await page.getByText('Check your email').count()).toBe(0)
  expect(await page.title()).toContain('Ask whoever runs this installation')
})

it('the tools of the canvas and its map never lie on one another, however narrow it is', async () => {
  const { page } = ada
  await createFromFile(page, typebotFile('lead-generation'), 'Leads')
  await openBuilder(page)
  const map = page.locator('[data-minimap]')
  if ((await map.count()) === 0) await page.keyboard.press('m')
  // it is there while something is out of sight
  for (let times = 0; times < 4; times++) await page.getByRole('button', { name: 'Zoom in' }).click()
  await map.waitFor()
  const tools = page.getByRole('toolbar', { name: 'Canvas tools' })
  const widths = [1440, 1366, 1300, 1280, 1180, 1100, 1024, 900, 800, 768, 600, 480, 390]
  const lieApart = async (width: number) => {
    await page.setViewportSize({ width, height: 844 })
    const apart = async () => {
      const [a, b] = [await map.boundingBox(), await tools.boundingBox()]
      if (!a || !b) return false
      return a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height
    }
    await expect.poll(apart, { message: `${width}` }).toBe(true)
  }
  for (const width of widths) await lieApart(width)
  await page.setViewportSize({ width: 1440, height: 900 })
  // the tools stand still when a panel takes its part of the canvas
  await page.getByRole('button', { name: 'Hide blocks' }).click()
  await page.getByRole('button', { name: 'Show blocks' }).waitFor()
  await page.getByRole('button', { name: 'Variables', exact: true }).click()
  await page.getByRole('complementary', { name: 'Variables' }).waitFor()
  for (const width of widths.filter((each) => each > 1_000)) await lieApart(width)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Variables', exact: true }).click()
  await page.getByRole('button', { name: 'Show blocks' }).click()
})

it('every screen has one heading, also where what it is about is not there', async () => {
  const { page } = ada
  const chatbot = /projects\/\w+\/chatbots\/\w+/.exec(page.url())?.[0] ?? ''
  const gone = 'a'.repeat(16)
  const paths = [
    ...['actions', `actions/${gone}`, 'actions/new', 'actions/new/none', 'actions/new/lead-form', 'data-sources'],
    ...[`data-sources/${gone}`, 'data-sources/new', 'settings', 'test', 'instructions', 'playground', 'none'],
  ].map((path) => `${chatbot}/${path}`)
  const project = `projects/${pgidOf()}`
  for (const path of [
    ...paths,
    project,
    `${project}/members`,
    `${project}/contacts`,
    'projects',
    `projects/${gone}`,
    'none',
  ]) {
    await page.goto(`${app.url}/${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count(), { message: path }).toBe(1)
  }
  await page.goto(`${app.url}/${chatbot}/actions/${gone}`)
  await page.getByRole('alert').getByRole('heading', { level: 1 }).waitFor()
  ada.errors.splice(0)
})

it('a used invitation leads who is in the project into it', async () => {
  const { page } = ada
  await page.goto(`${app.url}/projects`)
  const client = await createClient(app.url)
  await client.call(login, { body: { email: owner.email, password: owner.password } })
  const pgid = await page.evaluate(async () => (await (await fetch('/api/projects')).json()).data.projects[0].gid)
  const { invited } = await client.call(inviteMembers, {
    params: { pgid },
    body: { emails: ['grace@example.com'], roles: [2] },
  })
  const link = invited[0]?.link ?? ''
  const grace = await createClient(app.url)
  await grace.send('POST', '/api/invitations/accept-as-new', {
    ...{ token: tokenOf(link), first_name: 'Grace', last_name: 'Hopper', password: 'a long password' },
  })
  await page.goto(link)
  await page.getByRole('heading', { name: 'You are already a member', level: 1 }).waitFor()
  await page.getByRole('link', { name: /^Open / }).click()
  await page.waitForURL(new RegExp(`/projects/${pgid}$`))
})
