import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { staticValue } from '../../engine/values/dynamicValue'
import { plainRichText } from '../../engine/values/richText'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { importFlow } from '../../server/contracts/flows'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { expectAccessible, settled } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { type MailServer, startMailServer } from '../support/mailServer'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** A draft that writes a mail, makes a contact and sends an order, tried beside the canvas; each test goes on from the one before. */
let server: TestServer
let mails: MailServer
let outside: OutsideServer
let browser: TestBrowser
let viewing: TestBrowser
let ada: Registered
let home: string
const block = (id: string, kind: string, data: object = {}) => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data },
})

beforeAll(async () => {
  ensureBuilt()
  mails = await startMailServer()
  outside = await startOutsideServer((_, response) => response.writeHead(200).end('{}'))
  ;[server, browser, viewing] = await Promise.all([
    startTestServer({
      config: { outboundAllow: parseNetworks('127.0.0.1'), smtpUrl: `smtp://127.0.0.1:${mails.port}` },
    }),
    launchBrowser({ colorScheme: 'light' }),
    launchBrowser({ colorScheme: 'light' }),
  ])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  const viewer = await server.register()
  await addMember(server, ada.pgid, viewer, [Role.VIEWER])
  const chatbot = await makeChatbot(ada)
  home = `${server.url}/projects/${chatbot.pgid}/chatbots/${chatbot.cgid}`
  const to = [{ id: 'r', address: staticValue('grace@example.com') }]
  const fields = [{ id: 'f', field: 'name', name: staticValue(''), value: staticValue('Grace') }]
  const flow: Flow = {
    ...emptyFlow(),
    groups: [
      {
        id: 'g1',
        title: 'Order',
        position: { x: 0, y: 0 },
        blocks: [
          block('s', 'start'),
          block('hi', 'text', { content: plainRichText('What would you like?') }),
          block('ask', 'text-input'),
          block('order', 'http-request', {
            method: 'POST',
            url: staticValue(`${outside.url}/orders`),
            bodyType: 'json',
            body: staticValue('{"lamp":1}'),
          }),
          block('thanks', 'text', { content: plainRichText('It is ordered.') }),
          block('mail', 'send-email', { to, subject: staticValue('Your order'), body: plainRichText('On its way.') }),
          block('person', 'contact', { action: 'create', keyValue: staticValue('grace@example.com'), fields }),
          block('more', 'text-input'),
        ] as Flow['groups'][0]['blocks'],
      },
    ],
  }
  await ada.call(importFlow, { params: chatbot, body: { source: JSON.stringify(flow), mode: 'replace' } })
  for (const [who, where] of [[ada, browser] as const, [viewer, viewing] as const])
    await where.context.addCookies([...who.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(async () => {
  outside?.close()
  await Promise.all([browser?.close(), viewing?.close(), server?.close(), mails?.close()])
})

/** Pictures to look at, for who asks for them: as wide as a desk and as a phone, light and dark. */
async function shots(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const [size, width, height] of [
      ['wide', 1440, 900],
      ['phone', 390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await settled(page)
      await page.screenshot({ path: join(process.env.SHOTS, `${name}-${size}-${colorScheme}.png`) })
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const log = (page: Page) => preview(page).getByRole('log', { name: 'Conversation' })
const say = async (page: Page, text: string) => {
  await log(page).getByText('What would you like?').waitFor()
  await preview(page).getByRole('textbox').first().fill(text)
  await page.keyboard.press('Enter')
}
const contacts = () => server.context.db.selectFrom('contacts').select(['email', 'test']).execute()
const open = async (page: Page) => {
  await page.goto(`${home}/builder`)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
}

it('shows in the conversation what a test would have done, where it would have, and does nothing', async () => {
  const { page } = browser
  await open(page)
  await say(page, 'A lamp')
  const mail = log(page).getByText('Would send an email to grace@example.com')
  await mail.waitFor()
  const lines = await log(page).locator('summary, p').allInnerTexts()
  const order = lines.filter((line) => /^(Would|It is ordered|A lamp)/.test(line))
  expect(order).toEqual([
    'A lamp',
    `Would send POST ${outside.url}/orders`,
    'It is ordered.',
    'Would send an email to grace@example.com',
    'Would create the contact grace@example.com',
  ])
  await log(page).getByText('Would send POST').click()
  await log(page).getByText('{"lamp":1}').waitFor()
  await shots(page, 'would')
  await expectAccessible(page, 'a test that shows what it would have done')
  await mail.click()
  await log(page).getByRole('button', { name: 'Show email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your order' })
  await dialog.frameLocator('iframe').getByText('On its way.').waitFor()
  await shots(page, 'would-mail')
  await page.keyboard.press('Escape')
  await preview(page).getByRole('tab', { name: 'Path' }).click()
  await preview(page)
    .getByRole('button', { name: /Go to Send email/ })
    .getByText('Would send an email to')
    .waitFor()
  await preview(page).getByRole('button', { name: 'Details of Send email' }).click()
  await preview(page).getByText('simulated: nothing was sent').waitFor()
  expect([mails.mails.length, outside.received.length, await contacts()]).toEqual([0, 0, []])
})

it('acts for real for an editor who says so, until the next beginning, and marks what lands', async () => {
  const { page } = browser
  await preview(page).getByRole('button', { name: 'Restart' }).first().click()
  await log(page).getByText('What would you like?').waitFor()
  await preview(page).getByRole('button', { name: 'Live mode' }).click()
  await preview(page).getByText('Live mode is on').waitFor()
  await say(page, 'A lamp')
  await log(page).getByText('Sent an email to grace@example.com, marked as a test').waitFor()
  await shots(page, 'for-real')
  await expectAccessible(page, 'a test that acts for real')
  expect(mails.mails.map(({ subject }) => subject)).toEqual(['[Test] Your order'])
  expect(outside.received.map(({ headers }) => headers['x-parley-test'])).toEqual(['1'])
  expect(await contacts()).toEqual([{ email: 'grace@example.com', test: true }])
  await preview(page).getByRole('button', { name: 'Restart in live mode' }).click()
  await say(page, 'Another one')
  await log(page).getByText('Sent an email to grace@example.com, marked as a test').waitFor()
  expect(mails.mails).toHaveLength(2)
  await preview(page).getByRole('button', { name: 'Restart', exact: true }).first().click()
  await log(page).getByText('What would you like?').waitFor()
  await expect
    .poll(() => preview(page).getByRole('button', { name: 'Live mode' }).getAttribute('aria-pressed'))
    .toBe('false')
})

it('tells contacts and mails of tests apart', async () => {
  const { page } = browser
  await page.goto(`${home.replace(/\/chatbots\/.*$/, '')}/contacts`)
  const row = page.getByRole('row', { name: /grace@example.com/ })
  await row.getByText('Test', { exact: true }).waitFor()
  await shots(page, 'contacts')
  await page.getByRole('button', { name: 'Without tests' }).click()
  await page.getByText('No contacts yet').waitFor()
  await page.getByRole('button', { name: 'Tests', exact: true }).click()
  await row.waitFor()
  await expectAccessible(page, 'contacts of tests')
})

it('gives a viewer no switch, and changes nothing for one', async () => {
  const { page } = viewing
  const before = [mails.mails.length, outside.received.length, (await contacts()).length]
  await open(page)
  await say(page, 'A lamp')
  await log(page).getByText('Would change the contact grace@example.com').waitFor()
  expect(await preview(page).getByRole('button', { name: 'Live mode' }).count()).toBe(0)
  expect([mails.mails.length, outside.received.length, (await contacts()).length]).toEqual(before)
})
