import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { salesforceRecordDefaults } from '../../blocks/salesforce-record/schema'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { startSalesforce } from '../support/vendors/salesforce/startSalesforce'
import { block, chat, createFromFile, publish, ready, registerOwner, settings } from './steps'

/** Salesforce, from connecting an organisation to the contact that a visitor becomes. Each test goes on. */
let salesforce: Awaited<ReturnType<typeof startSalesforce>>
let app: BuiltApp
let ada: TestBrowser
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-salesforce-'))
  salesforce = await startSalesforce({ clock: () => new Date() })
  ;[app, ada] = await Promise.all([
    startBuiltApp({
      SALESFORCE_CLIENT_ID: salesforce.client.id,
      SALESFORCE_CLIENT_SECRET: salesforce.client.secret,
      SALESFORCE_LOGIN_URL: salesforce.origin,
    }),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await ada?.close()
  await app?.stop()
  await salesforce?.close()
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

/** Asks for an email, and has a block of Salesforce that is still to be set up. */
const flow: Flow = {
  ...emptyFlow(),
  variables: [{ id: 'mail', name: 'mail', value: null }],
  groups: [
    { id: 'g0', title: 'Start', position: { x: 0, y: 0 }, blocks: [made('start', 'start', {})] },
    {
      id: 'g1',
      title: 'Order',
      position: { x: 320, y: 0 },
      blocks: [
        made('ask', 'email-input', { prompt: plainRichText('Your email?'), saveTo: 'mail' }),
        made('row', 'salesforce-record', salesforceRecordDefaults()),
        made('said', 'text', { content: plainRichText('Noted.') }),
      ],
    },
  ],
  edges: [
    { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'g1' } },
    { from: { blockId: 'row', portId: 'success' }, to: { groupId: 'g1', blockId: 'said' } },
  ],
}

test('an owner connects a Salesforce account, and an editor chooses what a contact is given', async () => {
  const { page } = ada
  await registerOwner(page, app)
  await page.goto(`${page.url()}/integrations`)
  const card = page.locator('section').filter({ hasText: 'Salesforce' })
  await card.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await card.getByText('Connected', { exact: true }).waitFor()
  await expectAccessible(page, 'integrations with Salesforce')
  await shot('salesforce-1-connected')

  const file = join(folder, 'lead.json')
  await writeFile(file, JSON.stringify(flow))
  await page.goto(page.url().replace(/\/integrations$/, '/chatbots'))
  await createFromFile(page, file, 'Leads')
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  const panel = settings(page)
  await expect
    .poll(() =>
      block(page, 'Order', 'Salesforce')
        .click()
        .then(() => panel.isVisible()),
    )
    .toBe(true)
  const choose = async (field: string, option: string) => {
    await panel.getByRole('combobox', { name: field, exact: true }).last().click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const insert = async (field: string) => {
    await panel.getByRole('textbox', { name: field, exact: true }).click()
    await page.keyboard.type('{')
    await page.getByRole('combobox', { name: 'Find a variable' }).fill('mail')
    await page.getByRole('option', { name: 'mail', exact: true }).click()
  }
  await choose('Salesforce account', 'ada@example.com (127.0.0.1)')
  await insert('Value to find')
  await panel.getByText('A new record also needs: Last Name.').waitFor()
  await panel.getByRole('button', { name: 'Add a field', exact: true }).first().click()
  await choose('Field', 'Last Name')
  await panel.getByText('Values: text, 80 characters at most').waitFor()
  await expect.poll(() => panel.getByText('A new record also needs').count()).toBe(0)
  await panel.getByRole('textbox', { name: 'Value', exact: true }).click()
  await page.keyboard.type('Visitor')
  await ready(page)
  await shot('salesforce-2-form')
  await expectAccessible(page, 'the form of Salesforce’s block', 'aside[aria-label="Settings"]')
  await panel.getByLabel('mail', { exact: true }).fill('try@example.com')
  await panel.getByRole('button', { name: 'Try it now' }).click()
  await panel.getByText('Done: the record').waitFor()
  expect(salesforce.all('Contact').map(({ values }) => values)).toEqual([
    { Email: 'try@example.com', LastName: 'Visitor' },
  ])
})

test('a visitor becomes one contact, however often they come', async () => {
  const link = await publish(ada.page)
  for (const _ of [1, 2]) {
    const visitor = await launchBrowser()
    await visitor.page.goto(link)
    const talk = chat(visitor.page)
    await talk.hears('Your email?')
    await talk.writes('eve@example.com', 'Your email address')
    await talk.hears('Noted.')
    await visitor.close()
  }
  const { page } = ada
  await page.goto(`${salesforce.origin}/sandbox/Contact`)
  expect((await page.content()).split('eve@example.com').length - 1).toBe(1)
  expect(salesforce.broken).toEqual([])
})
