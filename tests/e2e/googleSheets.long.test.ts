import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { sheetRowDefaults } from '../../blocks/sheet-row/schema'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { startGoogle } from '../support/vendors/google/startGoogle'
import { block, chat, createFromFile, publish, ready, registerOwner, settings } from './steps'

/** Google Sheets, from connecting an account to the row that a visitor's answer becomes. Each test goes on. */
let google: Awaited<ReturnType<typeof startGoogle>>
let app: BuiltApp
let ada: TestBrowser
let folder: string
let sheet: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-sheets-'))
  google = await startGoogle({ clock: () => new Date() })
  sheet = google.addSpreadsheet({
    title: 'Orders',
    picked: true,
    tabs: {
      Archive: [['Old']],
      Open: [
        ['Name', 'Amount'],
        ['Bob', 3],
      ],
    },
  }).id
  ;[app, ada] = await Promise.all([
    startBuiltApp({
      GOOGLE_CLIENT_ID: google.client.id,
      GOOGLE_CLIENT_SECRET: google.client.secret,
      GOOGLE_ACCOUNTS_URL: google.origin,
      GOOGLE_TOKEN_URL: google.origin,
      GOOGLE_SHEETS_URL: google.origin,
      GOOGLE_DRIVE_URL: google.origin,
    }),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await ada?.close()
  await app?.stop()
  await google?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A picture of what is there, in both looks and sizes, for who asks for one. */
const shot = async (name: string) => {
  if (!process.env.SHOTS) return
  const { page } = ada
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height })
      await page.evaluate(() => new Promise(requestAnimationFrame))
      await page.screenshot({ path: join(process.env.SHOTS, `${name}-${width}-${colorScheme}.png`) })
    }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

const made = (id: string, kind: string, data: object): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})

/** Asks for a name, and has a spreadsheet's block that is still to be set up. */
const flow: Flow = {
  ...emptyFlow(),
  variables: [{ id: 'who', name: 'who', value: null }],
  groups: [
    { id: 'g0', title: 'Start', position: { x: 0, y: 0 }, blocks: [made('start', 'start', {})] },
    {
      id: 'g1',
      title: 'Order',
      position: { x: 320, y: 0 },
      blocks: [
        made('ask', 'text-input', { prompt: plainRichText('Who are you?'), saveTo: 'who' }),
        made('row', 'sheet-row', sheetRowDefaults()),
        made('said', 'text', { content: plainRichText('Noted.') }),
      ],
    },
  ],
  edges: [
    { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'g1' } },
    { from: { blockId: 'row', portId: 'success' }, to: { groupId: 'g1', blockId: 'said' } },
  ],
}

test('an owner connects a Google account, and sees it', async () => {
  const { page } = ada
  await registerOwner(page, app)
  await page.goto(`${page.url()}/integrations`)
  const card = page.locator('section').filter({ hasText: 'Google Sheets' })
  await card.getByText('No account is connected.').waitFor()
  await shot('1-none')
  await expectAccessible(page, 'integrations without a connection')
  await card.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Continue to Google Sheets' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('Nothing was connected.').waitFor()
  await card.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Continue to Google Sheets' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await card.getByText(google.people[0]?.email ?? '', { exact: true }).waitFor()
  await card.getByText('Connected', { exact: true }).waitFor()
  await card.getByText('Not used').waitFor()
  await shot('2-connected')
  await expectAccessible(page, 'integrations with a connection')
})

test('an editor chooses the spreadsheet, the tab and a column of it, and tries the block', async () => {
  const { page } = ada
  const file = join(folder, 'order.json')
  await writeFile(file, JSON.stringify(flow))
  await page.goto(page.url().replace(/\/integrations$/, '/chatbots'))
  await createFromFile(page, file, 'Orders')
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  const panel = settings(page)
  await expect
    .poll(() =>
      block(page, 'Order', 'Google Sheets')
        .click()
        .then(() => panel.isVisible()),
    )
    .toBe(true)
  const choose = async (field: string, option: string) => {
    await panel.getByRole('combobox', { name: field, exact: true }).last().click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await choose('Google account', google.people[0]?.email ?? '')
  await choose('Spreadsheet', 'Orders')
  await choose('Tab', 'Open')
  await panel.getByRole('button', { name: 'Add a column', exact: true }).click()
  await choose('Column', 'Name')
  await panel.getByRole('textbox', { name: 'Value', exact: true }).click()
  await page.keyboard.type('{')
  await page.getByRole('combobox', { name: 'Find a variable' }).fill('who')
  await page.getByRole('option', { name: 'who', exact: true }).click()
  await shot('3-form')
  await expectAccessible(page, 'the form of a spreadsheet’s block', 'aside[aria-label="Settings"]')
  await panel.getByLabel('who', { exact: true }).fill('Eve')
  await panel.getByRole('button', { name: 'Try it now' }).click()
  await panel.getByText('Added a row.').waitFor()
  expect(google.rowsOf(sheet, 'Open')).toEqual([['Name', 'Amount'], ['Bob', 3], ['Eve']])
  await ready(page)
  await shot('4-tried')
})

test('what a visitor answers becomes a row', async () => {
  const { page } = ada
  const link = await publish(page)
  const visitor = await ada.context.newPage()
  await visitor.goto(link)
  const talk = chat(visitor)
  await talk.hears('Who are you?')
  await talk.writes('=HYPERLINK("https://example.com")')
  await talk.hears('Noted.')
  expect(google.rowsOf(sheet, 'Open').at(-1)).toEqual(['=HYPERLINK("https://example.com")'])
  expect(google.broken).toEqual([])
  await visitor.close()
})

test('a block that sets fifty columns asks once for their names, shows all, and is edited as fluently as any other', async () => {
  const { page } = ada
  const names = Array.from({ length: 50 }, (_, at) => `Column ${at + 1}`)
  const wide = google.addSpreadsheet({ title: 'Wide', tabs: { All: [names] } })
  const project = `/projects/${/(?<=projects\/)\w+/.exec(page.url())?.[0]}`
  const address = `/api${project}/connections`
  const connections = await page.evaluate(async (at) => (await (await fetch(at)).json()).data.connections, address)
  const cells = names.map((column, at) => ({ id: `cell-${at}`, column, value: { type: 'static', value: `${at}` } }))
  const row = made('wide', 'sheet-row', {
    ...{
      connection: connections[0].gid,
      spreadsheet: { id: wide.id, name: 'Wide' },
      tab: { id: 0, title: 'All' },
      cells,
    },
  })
  const file = join(folder, 'wide.json')
  const group = { id: 'g1', title: 'Wide', position: { x: 320, y: 0 }, blocks: [row] }
  await writeFile(file, JSON.stringify({ ...flow, groups: [flow.groups[0], group], edges: [flow.edges[0]] }))
  await page.goto(`${app.url}${project}/chatbots`)
  await createFromFile(page, file, 'Wide')
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/choices') && asked.push(request.postData() ?? ''))
  const panel = settings(page)
  await expect
    .poll(() =>
      block(page, 'Wide', 'Google Sheets')
        .click()
        .then(() => panel.isVisible()),
    )
    .toBe(true)
  const columns = panel.getByRole('combobox', { name: 'Column', exact: true })
  await expect.poll(() => columns.count()).toBe(50)
  await expect.poll(() => columns.nth(49).inputValue()).toBe('Column 50')
  await expect.poll(() => asked.filter((body) => body.includes('"columns"')).length).toBe(1)
  await shot('6-fifty')
  const value = panel.getByRole('textbox', { name: 'Value', exact: true }).nth(49)
  await value.click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and more words')
  await expect.poll(() => value.textContent()).toContain('49 and more words')
  await columns.nth(49).click()
  await page.getByRole('option', { name: 'Column 7', exact: true }).click()
  await shot('7-fifty-last')
  await ready(page)
})

test('who disconnects is told which flows will fail', async () => {
  const { page } = ada
  const [pgid] = /(?<=projects\/)\w+/.exec(page.url()) ?? []
  await page.goto(`${app.url}/projects/${pgid}/integrations`)
  await page.getByText('Used in Orders').waitFor()
  await page.getByRole('button', { name: /^Disconnect / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Those blocks will fail').waitFor()
  await shot('5-disconnect')
  await expectAccessible(page, 'disconnecting', '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  const card = page.locator('section').filter({ hasText: 'Google Sheets' })
  await card.getByText('No account is connected.').waitFor()
  expect(google.grants.all.every(({ revoked }) => revoked)).toBe(true)
})

test('without a session, the way back from a vendor ends at the log-in', async () => {
  const guest = await launchBrowser()
  await guest.page.goto(`${app.url}/oauth/cb/builder/google-sheets?state=x&code=y`)
  await guest.page.waitForURL(`${app.url}/login`)
  await guest.close()
})
