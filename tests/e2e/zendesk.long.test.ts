import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { startZendesk } from '../support/vendors/zendesk/startZendesk'
import { block, chat, createFromFile, publish, ready, registerOwner, settings } from './steps'

/** Zendesk, from connecting an account to a visitor's ticket. Each test goes on. */
let zendesk: Awaited<ReturnType<typeof startZendesk>>
let app: BuiltApp
let ada: TestBrowser
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-zendesk-'))
  zendesk = await startZendesk({ clock: () => new Date() })
  zendesk.state.groups.push({ id: 52, name: 'Billing', deleted: false })
  ;[app, ada] = await Promise.all([
    startBuiltApp({
      ZENDESK_CLIENT_ID: zendesk.client.id,
      ZENDESK_CLIENT_SECRET: zendesk.client.secret,
      ZENDESK_URL: zendesk.origin,
    }),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await ada?.close()
  await app?.stop()
  await zendesk?.close()
  await rm(folder, { recursive: true, force: true })
})

const shot = async (name: string) => {
  if (process.env.SHOTS) await ada.page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) })
}

const made = (id: string, kind: string, data: object): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})

/** Asks what is wrong, and has a block of Zendesk that is still to be set up. */
const flow: Flow = {
  ...emptyFlow(),
  variables: [{ id: 'wrong', name: 'wrong', value: null }],
  groups: [
    { id: 'g0', title: 'Start', position: { x: 0, y: 0 }, blocks: [made('start', 'start', {})] },
    {
      id: 'g1',
      title: 'Help',
      position: { x: 320, y: 0 },
      blocks: [
        made('ask', 'text-input', { prompt: plainRichText('What is wrong?'), saveTo: 'wrong' }),
        made('ticket', 'zendesk-ticket', {
          body: { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'wrong' }] },
        }),
        made('said', 'text', { content: plainRichText('We look into it.') }),
      ],
    },
  ],
  edges: [
    { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'g1' } },
    { from: { blockId: 'ticket', portId: 'success' }, to: { groupId: 'g1', blockId: 'said' } },
  ],
}

test('an owner connects a Zendesk account, whose sub-domain is checked first, and an editor chooses it', async () => {
  const { page } = ada
  await registerOwner(page, app)
  await page.goto(`${page.url()}/integrations`)
  const card = page.locator('section').filter({ hasText: 'Zendesk' })
  await card.getByRole('button', { name: 'Connect', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Zendesk' })
  await dialog.getByRole('textbox', { name: 'Sub-domain' }).fill('evil.example/')
  await dialog.getByRole('button', { name: 'Continue to Zendesk' }).click()
  await dialog.getByText('“evil.example/” is not a sub-domain').waitFor()
  await shot('zendesk-1-refused')
  await expectAccessible(page, 'the dialog to connect Zendesk')
  await dialog.getByRole('textbox', { name: 'Sub-domain' }).fill('acme')
  await dialog.getByRole('button', { name: 'Continue to Zendesk' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await card.getByText('ada@example.com (acme.zendesk.com)').waitFor()

  const file = join(folder, 'help.json')
  await writeFile(file, JSON.stringify(flow))
  await page.goto(page.url().replace(/\/integrations$/, '/chatbots'))
  await createFromFile(page, file, 'Help')
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  const panel = settings(page)
  await expect
    .poll(() =>
      block(page, 'Help', 'Zendesk ticket')
        .click()
        .then(() => panel.isVisible()),
    )
    .toBe(true)
  await panel.getByRole('combobox', { name: 'Zendesk account', exact: true }).click()
  await page.getByRole('option', { name: 'ada@example.com (acme.zendesk.com)', exact: true }).click()
  await panel.getByText('Details', { exact: true }).click()
  await panel.getByRole('combobox', { name: 'Group', exact: true }).click()
  await page.getByRole('option', { name: 'Billing', exact: true }).click()
  await panel.getByRole('combobox', { name: 'Brand', exact: true }).click()
  await page.getByRole('option', { name: 'Acme', exact: true }).click()
  await ready(page)
  await shot('zendesk-2-form')
  await expectAccessible(page, 'the form of Zendesk’s block', 'aside[aria-label="Settings"]')
})

test('a visitor’s words become one ticket, which the sandbox’s page shows', async () => {
  const link = await publish(ada.page)
  const visitor = await launchBrowser()
  await visitor.page.goto(link)
  const talk = chat(visitor.page)
  await talk.hears('What is wrong?')
  await talk.writes('My bike rattles')
  await talk.hears('We look into it.')
  await visitor.close()
  expect(zendesk.tickets().map(({ comments }) => comments.map(({ body }) => body))).toEqual([['My bike rattles']])
  expect(zendesk.tickets()[0]?.groupId).toBe(52)
  expect(zendesk.broken).toEqual([])
  await ada.page.goto(`${zendesk.origin}/sandbox/tickets`)
  await shot('zendesk-3-sandbox')
})
