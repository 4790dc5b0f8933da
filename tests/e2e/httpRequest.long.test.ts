import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpRequestDefaults } from '../../blocks/http-request/schema'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import type { Json } from '../../engine/values/json'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { block, chat, createFromFile, ready, registerOwner, settings } from './steps'

let app: BuiltApp
let browser: TestBrowser
let outside: OutsideServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-http-'))
  outside = await startOutsideServer(({ path }, response) => {
    if (path.startsWith('/silent')) return
    const status = path.startsWith('/missing') ? 404 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ order: { id: 7, 'ship to': 'Lisbon', items: [{ name: 'Lamp' }, { name: 'Desk' }] } }))
  })
  app = await startBuiltApp({ OUTBOUND_ALLOW: '127.0.0.1' })
  browser = await launchBrowser({ colorScheme: 'light' })
})
afterAll(async () => {
  await browser?.close()
  await app?.stop()
  outside?.close()
  await rm(folder, { recursive: true, force: true })
})
const shot = async (name: string) => {
  if (process.env.SHOTS) await browser.page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) })
}

/** Start, the request, a text that says what was saved; the variable of the URL starts with a value. */
function flowOf(url: string): Flow {
  const request = {
    ...httpRequestDefaults(),
    url: {
      type: 'dynamic' as const,
      parts: [
        { type: 'text' as const, text: `${url}/orders/` },
        { type: 'variable' as const, variable_id: 'number' },
      ],
    },
  }
  const said: Json = [{ text: 'It goes to ' }, { variable: true, variable_id: 'city', text: '' }]
  const block = (id: string, kind: string, data: Flow['groups'][number]['blocks'][number]['data']) => ({
    id,
    kind,
    version: 0,
    data,
  })
  return {
    ...emptyFlow(),
    variables: [
      { id: 'number', name: 'Number', value: 'A 1' },
      { id: 'city', name: 'City', value: null },
    ],
    groups: [
      {
        id: 'g1',
        title: 'Order',
        position: { x: 0, y: 0 },
        blocks: [
          block('b1', 'start', {}),
          block('b2', 'http-request', JSON.parse(JSON.stringify(request))),
          block('b3', 'text', { content: [{ type: 'paragraph', children: said }] }),
        ],
      },
    ],
  }
}

test('a request is tried in its form; a click on a value of the answer saves it from then on', async () => {
  const { page } = browser
  const file = join(folder, 'order.json')
  await writeFile(file, JSON.stringify(flowOf(outside.url)))
  await registerOwner(page, app)
  await createFromFile(page, file, 'Orders')
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  const face = block(page, 'Order', 'HTTP request')
  const panel = settings(page)
  // the canvas comes to rest on the flow first
  await expect.poll(() => face.click().then(() => panel.isVisible())).toBe(true)
  const trial = panel.getByRole('region', { name: 'Test request' })
  const send = trial.getByRole('button', { name: 'Send test request' })

  await expect.poll(() => trial.getByLabel('Number').inputValue()).toBe('A 1')
  await shot('1-form')
  await trial.getByLabel('Number').fill('B/2')
  await send.click()
  await trial.getByText('200', { exact: true }).waitFor()
  expect(outside.received.at(-1)).toMatchObject({ method: 'GET', path: '/orders/B%2F2' })
  await trial.getByRole('button', { name: 'Open $.order.items', exact: true }).click()
  await shot('2-answer')

  const saves = async (path: string, value: string, proposed: string, variable: string) => {
    await trial.getByRole('button', { name: `Save ${path}: ${value}`, exact: true }).click()
    // it proposes the name that the value has in the answer, and what is typed takes its place
    const filter = page.getByRole('combobox', { name: 'Find a variable' })
    expect([path, await filter.inputValue()]).toEqual([path, proposed])
    await filter.fill(variable)
    await page.getByRole('option', { name: new RegExp(`^(Create variable “${variable}”|${variable})$`) }).click()
    await trial.getByText(`${path} saved`).waitFor()
  }
  await saves("$.order['ship to']", '"Lisbon"', 'ship to', 'City')
  await saves('$.order.items[1]', '{1}', 'items', 'Item')
  await trial.getByRole('button', { name: 'Headers', exact: true }).click()
  await saves('content-type', '"application/json"', 'content type', 'Type')
  const paths = panel.getByLabel('Path or header name')
  expect(await paths.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))).toEqual([
    "$.order['ship to']",
    '$.order.items[1]',
    'content-type',
  ])
  await panel.getByLabel('Source').first().scrollIntoViewIfNeeded()
  await shot('3-saved')
  for (const name of ['GET', 'City', 'Item', 'Type']) await face.getByText(name, { exact: true }).waitFor()

  await paths.first().fill('order.city')
  await paths.first().blur()
  await panel.getByText('Start with $, such as $.name', { exact: true }).waitFor()
  await shot('4-invalid')
  await paths.first().fill("$.order['ship to']")
  await ready(page)

  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await chat(page).hears('It goes to Lisbon')
  expect(outside.received.at(-1)).toMatchObject({ path: '/orders/A%201' })
  await shot('5-tested')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
})

test('what goes wrong is said; a request that takes too long for somebody is cancelled', async () => {
  const { page } = browser
  const panel = settings(page)
  const trial = panel.getByRole('region', { name: 'Test request' })
  const send = trial.getByRole('button', { name: 'Send test request' })
  const url = panel.getByRole('textbox', { name: 'URL' })
  const enter = async (address: string) => {
    await url.click()
    await url.and(page.locator('[data-slate-editor]:focus')).waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(address)
    await block(page, 'Order', 'HTTP request').getByText(address.replace('http://', '')).waitFor()
  }
  await enter(`${outside.url}/missing`)
  await send.click()
  await trial.getByRole('alert').filter({ hasText: 'The server answered with status 404.' }).waitFor()

  await enter('http://169.254.169.254/latest/meta-data')
  await send.click()
  await trial.getByRole('alert').filter({ hasText: 'Parley never calls it.' }).waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('6-refused-dark')
  await page.emulateMedia({ colorScheme: 'light' })

  await enter(`${outside.url}/silent`)
  await send.click()
  await expect.poll(() => outside.received.at(-1)?.path).toBe('/silent')
  await trial.getByRole('status').filter({ hasText: 'Waiting for the response…' }).waitFor()
  await trial.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(outside.connections).toBe(0)
  expect(await trial.getByRole('alert').count()).toBe(0)
  expect(browser.errors).toEqual([])
})
