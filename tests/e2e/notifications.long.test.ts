import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRichText } from '../../engine/values/richText'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { startConversation } from '../../server/contracts/chat'
import { readChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { flowAround } from '../support/conversations'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** A member is told of a visitor who asks for a person; each test goes on from the one before. */
let server: TestServer
let owner: Registered
let ada: TestBrowser
let home = ''
let slug = ''

beforeAll(async () => {
  ensureBuilt()
  server = await startTestServer()
  server.context.config.publicUrl = server.url
  owner = await server.register()
  const flow = await makeChatbot(owner)
  const { pgid, cgid } = flow
  const source = JSON.stringify(
    flowAround('hand-off', {
      team: { type: 'static', value: 'Sales' },
      to: [],
      note: { type: 'static', value: '' },
      emailId: null,
      prompt: plainRichText('Your email?'),
      message: plainRichText('We answer soon'),
    }),
  )
  await owner.call(importFlow, { params: flow, body: { source, mode: 'replace' } })
  await owner.call(publishFlow, { params: flow })
  slug = (await owner.call(readChatbot, { params: { pgid, cgid } })).chatbot.slug
  home = `${server.url}/projects/${pgid}`
  ada = await launchBrowser({ locale: 'en-GB', timezoneId: 'Europe/Berlin' })
  await ada.context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([ada?.close(), server?.close()]))

let count = 0
/** A visitor who gives an address, and is handed over. */
async function askForPerson(): Promise<string> {
  const visitor = await server.guest()
  const { token, conversation } = await visitor.call(startConversation, {
    params: { slug },
    body: { client_id: `start-${++count}00000` },
  })
  const path = `/api/chat/${slug}/conversations/${conversation.id}/messages`
  const reply = { client_id: `reply-${count}00000`, reply: { type: 'text', text: 'bob@example.org' } }
  await visitor.send('POST', path, reply, { authorization: `Bearer ${token}` })
  return conversation.id
}

test('a visitor who asks for a person is told at once, wherever the member is, and the list leads there', async () => {
  const { page } = ada
  await page.goto(`${home}/chatbots`)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  const conversation = await askForPerson()
  await page.getByRole('button', { name: 'Notifications, 1 new' }).waitFor()
  await page.getByRole('alert').getByText('asked for a person').waitFor()
  await page.getByRole('button', { name: 'Notifications, 1 new' }).click()
  const list = page.getByRole('region', { name: 'Notifications' })
  const entry = list.getByRole('link', { name: /asked for a person/ })
  await entry.waitFor()
  await expectAccessible(page, 'notifications')
  await entry.click()
  await page.waitForURL(`**/conversations/${conversation}`)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
})

test('all are marked as read at once, by keyboard', async () => {
  const { page } = ada
  await page.goto(`${home}/chatbots`)
  await askForPerson()
  await askForPerson()
  const bell = page.getByRole('button', { name: 'Notifications, 2 new' })
  await bell.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Mark all as read' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
})

test('what a member wants to be told of is saved at once, and a wrong number is said at its field', async () => {
  const { page } = ada
  await page.goto(`${home}/notification-settings`)
  const wanted = page.getByRole('switch', { name: 'Each new conversation: In Parley' })
  await wanted.waitFor()
  const saved = () => page.waitForResponse((response) => response.url().endsWith('/my-notifications/settings'))
  for (const control of [wanted, page.getByRole('switch', { name: 'Quiet hours' })]) {
    const answer = saved()
    await control.click({ force: true })
    await answer
  }
  const answer = saved()
  await page.getByLabel('Quiet until').fill('06:30')
  await answer
  await expectAccessible(page, 'notification settings')
  await page.reload()
  await expect.poll(() => page.getByLabel('Quiet until').inputValue()).toBe('06:30')
  expect(await wanted.isChecked()).toBe(true)
  expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Berlin')
  const minutes = page.getByLabel('Minutes')
  await minutes.fill('0')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Must be at least 1 minute').waitFor()
  await minutes.fill('15')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
})

test('a browser that has a service worker offers to show notifications while Parley is closed', async () => {
  const { page, context } = ada
  await context.grantPermissions(['notifications'], { origin: server.url })
  await page.goto(`${home}/notification-settings`)
  await page.getByText('This browser does not show notifications yet.').waitFor()
  // there is no push service here, so that it stays at the worker
  await page.getByRole('button', { name: 'Turn on' }).click()
  const worker = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.state))
  await expect.poll(worker).toEqual(['activated'])
})
