import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { publishFlow } from '../../server/contracts/flows'
import { domains } from '../../server/modules/domains/module'
import { parseConfig } from '../../server/platform/config/config'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { type Pebble, settledPort, startPebble, startTestDns, type TestDns } from '../support/pebble'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** Somebody gives a chatbot an address of its own, from the first field to the page under it by TLS, and takes it away again. */
const hostname = 'chat.lamps.example'
let dns: TestDns
let pebble: Pebble
let server: TestServer
let browser: TestBrowser
let owner: Registered
let https: number
let screen: string
beforeAll(async () => {
  ensureBuilt()
  dns = await startTestDns()
  const http = await settledPort()
  https = await settledPort()
  pebble = await startPebble({ dns, httpPort: http, tlsPort: https })
  const settings = { TLS_MODE: 'builtin', DNS_SERVERS: dns.server, ACME_DIRECTORY: pebble.directory }
  const reach = { http, https, ca: pebble.ca }
  const ports = { httpPort: http, httpsPort: https }
  server = await startTestServer({
    config: {
      outboundAllow: parseNetworks('127.0.0.0/8'),
      domains: { ...parseConfig(settings).domains, ...ports, reach },
    },
  })
  server.context.config.publicUrl = server.url
  await server.app.modules.provided(domains).listeners?.open(server.app)
  owner = await server.register()
  const place = await makeChatbot(owner)
  await owner.call(publishFlow, { params: place })
  screen = `${server.url}/projects/${place.pgid}/chatbots/${place.cgid}/settings/domain`
  // its authority is one of this test alone
  browser = await launchBrowser({ hostHere: hostname, ignoreHTTPSErrors: true })
  await browser.context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await pebble?.close()
  await dns?.close()
})

const address = () => `https://${hostname}:${https}`

it('what is no domain is said beside the field', async () => {
  const { page } = browser
  await page.goto(screen)
  const field = page.getByRole('textbox', { name: 'Domain', exact: true })
  await field.fill('not a domain')
  await page.getByRole('button', { name: 'Add domain', exact: true }).click()
  await page.getByText('Enter a valid domain (such as chat.example.com)', { exact: true }).waitFor()
  await expectAccessible(page, 'adding a domain', 'main')
})

it('the records to create are shown, and what is missing is said with what puts it right', async () => {
  const { page } = browser
  await page.getByRole('textbox', { name: 'Domain', exact: true }).fill(`https://${hostname}/`)
  await page.getByRole('button', { name: 'Add domain', exact: true }).click()
  await page.getByRole('heading', { name: hostname, exact: true }).waitFor()
  await page.getByText('The TXT record was not found.', { exact: true }).waitFor()
  const record = page.getByRole('group', { name: 'TXT record', exact: true })
  const read = (name: string) => record.getByRole('textbox', { name, exact: true }).inputValue()
  expect(await read('Name')).toBe(`_parley-challenge.${hostname}`)
  await expectAccessible(page, 'a domain')
  await dns.setText(await read('Name'), await read('Value'))
  await page.getByRole('button', { name: 'Check again', exact: true }).click()
  await page.getByText(`${hostname} has no address yet.`, { exact: true }).waitFor()
})

it('once they are there it gets its certificate, and visitors talk to the chatbot there', async () => {
  const { page } = browser
  await dns.lead(hostname, true)
  await page.getByRole('button', { name: 'Check again', exact: true }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  await page.getByText(/^Certificate valid until /).waitFor()
  const visitor = await browser.context.newPage()
  const opened = await visitor.goto(`${address()}/`)
  expect(opened?.status()).toBe(200)
  await expect.poll(() => visitor.title()).toBe('Bot')
  expect((await visitor.goto(`${address()}/login`))?.status()).toBe(404)
  await visitor.close()
})

it('removed, it is served no more', async () => {
  const { page } = browser
  await page.getByRole('button', { name: 'Remove domain', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Remove ${hostname}?` })
  await dialog.getByRole('button', { name: 'Remove domain', exact: true }).click()
  await page.getByRole('button', { name: 'Add domain', exact: true }).waitFor()
  const visitor = await browser.context.newPage()
  // on the connection that the browser has kept it is told so; a new one is refused
  const answer = await visitor.goto(`${address()}/`).catch(() => null)
  expect([undefined, 404]).toContain(answer?.status())
  await visitor.close()
})
