import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainRichText } from '../../engine/values/richText'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { readChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { objections, showIn } from '../support/accessibility'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { flowAround } from '../support/conversations'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** Webhooks as an owner sets them up, and as what they send is seen; each test goes on from the one before. */
let server: TestServer
let browser: TestBrowser
let receiver: OutsideServer
let ada: Registered
let home: string
let slug: string
let isDown = false

beforeAll(async () => {
  ensureBuilt()
  receiver = await startOutsideServer((_, response) =>
    isDown ? response.writeHead(500).end('Out of order') : response.writeHead(200).end('Thank you'),
  )
  ;[server, browser] = await Promise.all([
    startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.1/32') } }),
    launchBrowser(),
  ])
  ada = await server.register()
  const { cgid, fid } = await makeChatbot(ada)
  const params = { pgid: ada.pgid, cgid, fid }
  const flow = flowAround('text', { content: plainRichText('Welcome to the shop') })
  await ada.call(importFlow, { params, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await ada.call(publishFlow, { params })
  slug = (await ada.call(readChatbot, { params })).chatbot.slug
  home = `${server.url}/projects/${ada.pgid}/settings/project/webhooks`
})
afterAll(() => Promise.all([browser?.close(), server?.close(), receiver?.close()]))

async function enterAs(person: Registered, address: string): Promise<Page> {
  const { page } = browser
  await actAs(browser, person, server.url)
  await page.goto(address)
  return page
}

/** In both sizes and schemes: nothing for axe to find, nothing wider than the window. */
async function looksWell(page: Page, name: string, part = 'html'): Promise<void> {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const scheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await showIn(page, scheme)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} ${width}`).toBe(
        true,
      )
      // a dialog's head and the bar of small screens are two banners to axe, although one is inert
      if (part === 'html' || width > 390) expect(await objections(page, part), `${name} ${width} ${scheme}`).toEqual([])
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${scheme}.png`, fullPage: true })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
  await showIn(page, 'light')
}

it('an owner adds one, and is shown its secret once', async () => {
  const page = await enterAs(ada, home)
  await page.getByText('No webhooks yet').waitFor()
  await looksWell(page, 'webhooks-none')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add webhook' })
  await dialog.getByRole('textbox', { name: 'URL' }).fill('http://10.1.2.3/hook')
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await dialog.getByText('Choose at least one event').waitFor()
  await dialog.getByRole('checkbox', { name: /New messages/ }).check()
  await dialog.getByRole('checkbox', { name: /Conversation started/ }).check()
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await dialog.getByText(/10\.1\.2\.3 is an address of a private network/).waitFor()
  await looksWell(page, 'webhooks-new', '[role="dialog"]')
  await dialog.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/hook`)
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Shop system')
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  const made = page.getByRole('dialog', { name: 'Copy the signing secret' })
  expect(await made.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/)
  await made.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('heading', { name: 'Shop system', level: 1 }).waitFor()
  expect(await page.getByText('whsec_').count()).toBe(0)
})

it('a test says what the receiver answered', async () => {
  const { page } = browser
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByRole('status').getByText('Status 200').waitFor()
  await page.getByRole('status').getByText('Thank you').waitFor()
  expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({ type: 'conversation.started', test: true })
})

it('a visitor’s chat is delivered, seen in the log, and sent again with its id', async () => {
  const { page } = browser
  receiver.received.length = 0
  const visitor = await browser.context.newPage()
  await visitor.goto(`${server.url}/c/${slug}`)
  await visitor.getByText('Welcome to the shop').waitFor()
  await visitor.close()
  const log = page.getByRole('list', { name: 'Deliveries' })
  await log.getByRole('button', { name: 'New messages' }).waitFor()
  await log.getByRole('button', { name: 'Conversation started' }).first().waitFor()
  await log.getByRole('button', { name: 'New messages' }).click()
  const dialog = page.getByRole('dialog', { name: 'New messages' })
  await dialog.getByText('Welcome to the shop').waitFor()
  await dialog.getByText('Status 200').waitFor()
  await looksWell(page, 'webhooks-message', '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => dialog.getByText('Status 200').count()).toBe(2)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const said = receiver.received.filter(({ body }) => body.includes('message.created'))
  expect(said).toHaveLength(2)
  expect(said[1]?.headers['webhook-id']).toBe(said[0]?.headers['webhook-id'])
})

it('failures are told with their remedy, and sent again all at once', async () => {
  const { page } = browser
  isDown = true
  const guest = await server.guest()
  await guest.send('POST', `/api/chat/${slug}/conversations`, { client_id: 'another-0001' })
  const log = page.getByRole('list', { name: 'Deliveries' })
  await log.getByText('The receiver answered 500 instead of 2xx.').first().waitFor()
  await page.getByText(/The last (\d+ )?attempts? failed/).waitFor()
  await looksWell(page, 'webhooks-failing')
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Off', { exact: true }).waitFor()
  isDown = false
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('On', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send messages again' })
  await dialog.waitFor()
  await looksWell(page, 'webhooks-replay', '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByText(/messages? (is|are) being sent again/).waitFor()
  await log.getByText('The receiver answered 500 instead of 2xx.').first().waitFor({ state: 'detached' })
})

it('its secret is replaced, and it is deleted, each after a question', async () => {
  const { page } = browser
  await page.getByRole('button', { name: 'Replace secret' }).click()
  const ask = page.getByRole('dialog', { name: 'Replace secret' })
  await ask.getByRole('button', { name: 'Replace secret' }).click()
  await page.getByText(/messages are signed with the previous secret as well/).waitFor()
  await looksWell(page, 'webhooks-one')
  const editor = await server.register()
  await addMember(server, ada.pgid, editor, [Role.EDITOR])
  const address = page.url()
  await enterAs(editor, address)
  await page.getByText('Only owners and admins can change webhooks.').waitFor()
  expect(
    await page
      .getByRole('main')
      .getByRole('button', { name: /Save|Switch|Send|Delete|Replace/ })
      .count(),
  ).toBe(0)
  await looksWell(page, 'webhooks-editor')
  await enterAs(ada, address)
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('dialog', { name: 'Delete webhook' }).getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByText('No webhooks yet').waitFor()
  // what was refused on purpose
  expect(browser.errors.filter((error) => !error.includes('422'))).toEqual([])
})
