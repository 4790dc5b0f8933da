import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRichText } from '../../engine/values/richText'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { startConversation } from '../../server/contracts/chat'
import { readChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { flowAround } from '../support/conversations'
import { createPushReceiver } from '../support/openPush'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { look } from './look'

/** A member is told of a visitor who asks for a person; each test goes on from the one before. */
let server: TestServer
let owner: Registered
let ada: TestBrowser
let push: OutsideServer
let home = ''
let slug = ''

beforeAll(async () => {
  ensureBuilt()
  push = await startOutsideServer((_, response) => response.writeHead(201).end())
  server = await startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.1/32') } })
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
afterAll(() => Promise.all([ada?.close(), server?.close(), push?.close()]))

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

test('who works in another window is called by the sound of a hidden page', async () => {
  const page = await ada.context.newPage()
  await page.addInitScript(() => {
    const counted = Object.assign(window, { sounds: 0 })
    const Real = AudioContext
    window.AudioContext = class extends Real {
      constructor() {
        super()
        counted.sounds++
      }
    }
  })
  await ada.page.goto('about:blank')
  await page.goto(`${home}/chatbots`)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await askForPerson()
  await page.getByRole('button', { name: 'Notifications, 1 new' }).waitFor()
  await expect.poll(() => page.evaluate(() => (window as unknown as { sounds: number }).sounds)).toBe(1)
  await page.close()
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

test('a push for this browser is switched on, comes encrypted once quiet hours are over, and is switched off', async () => {
  const { context } = ada
  const receiver = createPushReceiver()
  await context.grantPermissions(['notifications'], { origin: server.url })
  // the browser's own push service is not on this machine: in its place stands one that the test runs
  await context.addInitScript((keys) => {
    const endpoint = 'https://push.example.org/ada'
    const subscription = {
      ...{ endpoint, toJSON: () => ({ endpoint, keys }) },
      unsubscribe: async () => localStorage.removeItem('subscribed-with') ?? true,
    }
    PushManager.prototype.subscribe = async (options) => {
      localStorage.setItem('subscribed-with', String(options?.applicationServerKey))
      return subscription as unknown as PushSubscription
    }
    PushManager.prototype.getSubscription = async () =>
      localStorage.getItem('subscribed-with') ? (subscription as unknown as PushSubscription) : null
  }, receiver.keys)
  const page = await context.newPage()
  await page.goto(`${home}/notification-settings`)
  await page.getByText('This browser does not show notifications yet.').waitFor()
  await look(page, 'push-off')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('This browser shows notifications, even while Parley is closed.').waitFor()
  await look(page, 'push-on')
  // the test before has turned them on, and it may be night
  await page.getByRole('switch', { name: 'Quiet hours' }).click({ force: true })
  await page.getByRole('switch', { name: 'A visitor asks for a person: Browser' }).click({ force: true })
  const subscriptions = () => server.context.db.selectFrom('push_subscriptions').select('endpoint').execute()
  await expect.poll(subscriptions).toEqual([{ endpoint: 'https://push.example.org/ada' }])
  await server.context.db
    .updateTable('push_subscriptions')
    .set({ endpoint: `${push.url}/ada` })
    .execute()
  const key = await page.evaluate(() => localStorage.getItem('subscribed-with'))

  const conversation = await askForPerson()
  await expect.poll(() => push.received.length).toBeGreaterThan(0)
  const [sent] = push.received
  expect(sent?.headers.authorization).toContain(`k=${key}`)
  const data = receiver.open(sent?.bytes ?? Buffer.alloc(0))
  expect(JSON.parse(data)).toMatchObject({ link: expect.stringContaining(conversation) })

  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('This browser does not show notifications yet.').waitFor()
  await page.close()
})
