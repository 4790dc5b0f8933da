import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { type MailServer, startMailServer } from '../support/mailServer'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** An owner and somebody new, each in a browser of their own: invited by mail, in, raised, removed; and a password forgotten. */
let server: TestServer
let mails: MailServer
let owners: TestBrowser
let graces: TestBrowser
let ada: Registered
let place: { pgid: string; cgid: string; fid: string }
const grace = 'grace@example.org'
beforeAll(async () => {
  ensureBuilt()
  mails = await startMailServer()
  const mailFrom = { name: 'Parley', address: 'bot@example.com' }
  ;[server, owners, graces] = await Promise.all([
    startTestServer({ config: { smtpUrl: `smtp://127.0.0.1:${mails.port}`, mailFrom, registration: 'closed' } }),
    launchBrowser(),
    launchBrowser(),
  ])
  server.context.config.publicUrl = server.url
  ada = await server.register({ last_name: 'Lovelace', email: 'ada@example.com' })
  place = await makeChatbot(ada)
  await owners.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([owners?.close(), graces?.close(), server?.close(), mails?.close()]))

/** The link in the newest mail that somebody got. */
const linkTo = async (email: string): Promise<string> => {
  const found = () => mails.mails.filter((_, at) => mails.envelopes[at]?.to.includes(email)).at(-1)
  await expect.poll(found).toBeDefined()
  return /http:\S+\/(?:accept-invite|reset)\S+/.exec(found()?.text ?? '')?.[0] ?? ''
}

it('an owner invites somebody by mail, after mending what is wrong', async () => {
  const { page } = owners
  await page.goto(`${server.url}/projects/${ada.pgid}/settings/members`)
  await page.waitForURL(/\/projects\/\w+\/members$/)
  await page.getByText('1 seat taken, unlimited').waitFor()
  await page.getByText('You are the only member so far.').waitFor()
  await page.getByRole('button', { name: 'Invite people', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  const emails = dialog.getByRole('textbox', { name: 'Email addresses', exact: true })
  await emails.fill(`Grace Hopper <${grace}>, ada@example.com`)
  await dialog.getByRole('checkbox', { name: /^Editor/ }).uncheck()
  await dialog.getByText('Choose at least one role', { exact: true }).waitFor()
  await dialog.getByRole('checkbox', { name: /^Viewer/ }).check()
  await dialog.getByRole('button', { name: 'Send 2 invitations', exact: true }).click()
  await dialog.getByText('ada@example.com is a member already: change the roles in the list of members').waitFor()
  await dialog.getByRole('button', { name: 'Remove these', exact: true }).click()
  await expect.poll(() => emails.inputValue()).toBe(grace)
  await expectAccessible(page, 'invite', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Send invitation', exact: true }).click()
  const sent = page.getByRole('dialog', { name: 'Invited', exact: true })
  await sent.getByText('Email sent', { exact: true }).waitFor()
  const shown = await sent.getByRole('textbox', { name: `Link for ${grace}`, exact: true }).inputValue()
  expect(await linkTo(grace)).toBe(shown)
  await sent.getByRole('button', { name: 'Done', exact: true }).click()
  await page.getByRole('table', { name: 'Invitations' }).getByRole('rowheader', { name: grace }).waitFor()
  await page.getByText('2 seats taken, unlimited').waitFor()
  await expectAccessible(page, 'members')
  expect(owners.errors).toEqual([expect.stringContaining('status of 422 (Unprocessable Entity)')])
  owners.errors.length = 0
})

it('who is logged in as somebody else is told so', async () => {
  const { page } = owners
  await page.goto(await linkTo(grace))
  await page.getByText(`This invitation is for ${grace}, and you are logged in as ada@example.com.`).waitFor()
  await page.getByRole('link', { name: 'Stay logged in as ada@example.com', exact: true }).click()
  await page.waitForURL(`**/projects/${ada.pgid}`)
})

it('somebody new accepts and lands in the builder, to look', async () => {
  const { page } = graces
  await page.goto(await linkTo(grace))
  await page.getByRole('heading', { name: 'Join My project', exact: true }).waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(grace)
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Last name').fill('Hopper')
  await page.getByLabel('Password', { exact: true }).fill('nanoseconds')
  await expectAccessible(page, 'accept an invitation')
  await page.getByRole('button', { name: 'Create account and accept', exact: true }).click()
  await page.waitForURL(`**/chatbots/${place.cgid}/builder`)
  await page.getByText('Read-only', { exact: true }).first().waitFor()
  // nothing that the role has no use for is offered, and what is opened by hand is closed
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('aria-label')))).toEqual([
    'My project',
    'Chatbots',
    'Builder',
    'Playground',
    'Evaluations',
  ])
  await page.goto(`${server.url}/projects/${ada.pgid}/members`)
  await page.getByRole('heading', { name: 'Unauthorized', exact: true }).waitFor()
  await page.getByText('Sorry, you are not authorized to view this page.', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Back to the home page', exact: true }).click()
  await page.waitForURL(`**/chatbots/${place.cgid}/builder`)
})

it('an editor may write, and who is removed is cut from an open builder at once', async () => {
  const { page } = owners
  await page.goto(`${server.url}/projects/${ada.pgid}/members`)
  const actions = page.getByRole('button', { name: 'Actions for Grace Hopper', exact: true })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Change roles', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Roles of Grace Hopper', exact: true })
  await dialog.getByRole('checkbox', { name: /^Editor/ }).check()
  await dialog.getByRole('checkbox', { name: /^Viewer/ }).uncheck()
  await dialog.getByRole('button', { name: 'Save roles', exact: true }).click()
  await page
    .getByRole('row', { name: /Grace Hopper/ })
    .getByText('Editor', { exact: true })
    .waitFor()

  // the builder that she has open goes from reading to writing by itself
  const builder = graces.page
  await builder.getByRole('button', { name: 'Publish', exact: true }).waitFor()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Remove from the project', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Remove Grace Hopper?' })
    .getByRole('button', { name: 'Remove', exact: true })
    .click()
  await builder.getByRole('heading', { name: 'This flow is no longer available', exact: true }).waitFor()
  await page.getByText('1 seat taken, unlimited').waitFor()
  await builder.getByRole('button', { name: 'Back to the home page', exact: true }).click()
  await builder.waitForURL('**/projects')
  expect(owners.errors).toEqual([])
})

it('a forgotten password is reset by mail, and every session of before is over', async () => {
  const { page } = graces
  await page.getByRole('button', { name: 'Account menu', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Log out', exact: true }).click()
  await page.waitForURL('**/login')
  await page.getByRole('link', { name: 'Forgot your password?', exact: true }).click()
  await page.getByRole('heading', { name: 'Reset your password', exact: true }).waitFor()
  await page.getByLabel('Email').fill('ada@example.com')
  await expectAccessible(page, 'reset')
  await page.getByRole('button', { name: 'Send reset link', exact: true }).click()
  await page.getByRole('heading', { name: 'Check your email', exact: true }).waitFor()
  const link = await linkTo('ada@example.com')
  await page.goto(link)
  await page.getByText('For ada@example.com.').waitFor()
  await page.getByLabel('New password', { exact: true }).fill('difference engine')
  await expectAccessible(page, 'new password')
  await page.getByRole('button', { name: 'Save new password', exact: true }).click()
  await page.waitForURL('**/login')
  await page.getByText('Your new password is saved. Log in with it.', { exact: true }).waitFor()
  expect((await ada.send('GET', '/api/user')).status).toBe(401)
  await page.goto(link)
  await page.getByRole('heading', { name: 'This link has already been used', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Send a new link', exact: true }).click()
  await page.waitForURL('**/reset')
})
