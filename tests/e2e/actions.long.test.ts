import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { expectAccessible, settled } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { insertSources } from '../support/knowledgeBase'
import { type ModelServer, startModelServer } from '../support/modelServer'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** An agent is given something to do; each test goes on from the one before. */
let models: ModelServer
let outside: OutsideServer
let server: TestServer
let browser: TestBrowser
let ada: Registered
let home: string

beforeAll(async () => {
  ensureBuilt()
  models = await startModelServer()
  outside = await startOutsideServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"state":"on its way"}'),
  )
  const config = { ai: models.settings, outboundAllow: parseNetworks('127.0.0.1') }
  ;[server, browser] = await Promise.all([startTestServer({ config }), launchBrowser({ colorScheme: 'light' })])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  const { pgid, cgid } = await makeChatbot(ada)
  home = `${server.url}/projects/${pgid}/chatbots/${cgid}`
  const { db } = server.context
  const { id: chatbotId, project_id: projectId } = await db
    .updateTable('chatbots')
    .set({ business_name: 'Shop', business_description: 'Sells lamps.' })
    .where('gid', '=', cgid)
    .returning(['id', 'project_id'])
    .executeTakeFirstOrThrow()
  await insertSources(db, { projectId, chatbotId }, [
    { title: 'Returns', texts: ['Lamps can be returned within 30 days.'] },
  ])
  await browser.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(async () => {
  outside?.close()
  await Promise.all([browser?.close(), server?.close(), models?.close()])
})

/** Pictures to look at, for who asks for them. */
async function shots(name: string): Promise<void> {
  if (!process.env.SHOTS) return
  const { page } = browser
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const [size, width, height] of [
      ['wide', 1440, 900],
      ['phone', 390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await settled(page)
      await page.screenshot({ path: join(process.env.SHOTS, `${name}-${size}-${colorScheme}.png`), fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
}

it('explains what agents are, and says when the model can use no actions', async () => {
  const { page } = browser
  await page.goto(`${home}/actions`)
  await page.getByRole('heading', { name: 'Let the chatbot do things', exact: true }).waitFor()
  await page.getByText('The built-in model answers from data sources only', { exact: false }).waitFor()
  await expectAccessible(page, 'actions, none yet')
  await shots('actions-empty')
  await server.context.db.updateTable('chatbots').set({ ai_model_id: 2 }).execute()
  await page.getByRole('link', { name: 'New action', exact: true }).click()
  await page.getByRole('link', { name: 'HTTP request', exact: true }).click()
  await page.getByRole('heading', { name: 'HTTP request', level: 1, exact: true }).waitFor()
})

it('writes an action down, with what is wrong at its field, tries it, and keeps it', async () => {
  const { page } = browser
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Fix 3 fields', { exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Order status')
  await page.getByRole('textbox', { name: 'When to use it', exact: true }).fill('When somebody asks for an order.')
  await page.getByRole('button', { name: 'Add a parameter', exact: true }).click()
  await page.getByRole('textbox', { name: 'Variable name', exact: true }).fill('num-ber')
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://{{number}}.example.com')
  await page.getByText('Write out the host name', { exact: false }).waitFor()
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${outside.url}/orders/{{number}}`)
  await page.getByRole('button', { name: 'Add a header', exact: true }).click()
  await page.getByRole('textbox', { name: 'Header name', exact: true }).fill('X-Key')
  await page.getByRole('textbox', { name: 'Header value', exact: true }).fill('a-very-secret-4321')
  await page.getByRole('textbox', { name: 'Value of number', exact: true }).fill('4711')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const result = page.getByRole('region', { name: 'Test result', exact: true })
  await result.getByText('Succeeded', { exact: true }).waitFor()
  expect(outside.received.at(-1)?.path).toBe('/orders/4711')
  await expectAccessible(page, 'an action, tried out')
  await shots('action-form')
  // unsaved changes ask
  await page.getByRole('link', { name: 'All actions', exact: true }).click()
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?', exact: true })
  await leaving.getByRole('button', { name: 'Cancel', exact: true }).click()
  await leaving.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'Order status', level: 1, exact: true }).waitFor()
  await page.getByText('Hidden. Enter a new value', { exact: false }).waitFor()
  const kept = page.getByRole('textbox', { name: 'Header value', exact: true })
  expect([await kept.inputValue(), await kept.getAttribute('placeholder')]).toEqual(['', '••••••••4321'])
  await page.getByRole('link', { name: 'All actions', exact: true }).click()
  await page.getByRole('link', { name: 'Order status', exact: true }).waitFor()
  await expectAccessible(page, 'actions')
  await shots('actions')
})

it('sees the action used in the playground, and what came of it', async () => {
  const { page } = browser
  models.answers({ tool: { name: 'Order_status', input: { number: '4712' } } }, 'Your order is on its way.')
  await page.goto(`${home}/playground`)
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('Where is my order 4712?')
  await page.keyboard.press('Enter')
  await page.getByText('Your order is on its way.', { exact: true }).first().waitFor()
  expect(outside.received.at(-1)).toMatchObject({ path: '/orders/4712', headers: { 'x-key': 'a-very-secret-4321' } })
  await page.getByRole('button', { name: 'Why this answer', exact: true }).click()
  // what actions did is open at once
  await page.getByText('/orders/4712: status 200', { exact: false }).waitFor()
  await shots('action-used')
})

it('keeps the answer as a test, which has what the action answered and does not use it', async () => {
  const { page } = browser
  const calls = outside.received.length
  await page.getByRole('button', { name: 'Add to evaluations', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Order status', { exact: false }).first().waitFor()
  await expectAccessible(page, 'an answer that is kept', '[role=dialog]')
  await shots('action-kept')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  models.answers({ tool: { name: 'Order_status', input: { number: '4712' } } }, 'Your order is on its way.')
  await page.goto(`${home}/test`)
  await page.getByRole('button', { name: 'Run all', exact: true }).click()
  await page.getByText('1 of 1 passed', { exact: false }).first().waitFor()
  expect(outside.received.length).toBe(calls)
})

it('deletes an action once that is confirmed', async () => {
  const { page } = browser
  await page.goto(`${home}/actions`)
  await page.getByRole('button', { name: 'Delete Order status', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “Order status”?', exact: true })
  await dialog.getByRole('button', { name: 'Delete action', exact: true }).click()
  await page.getByRole('heading', { name: 'Let the chatbot do things', exact: true }).waitFor()
})
