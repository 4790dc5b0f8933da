import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { plainRichText } from '../../engine/values/richText'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startInstallation } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { startSendgrid } from '../support/vendors/sendgrid/startSendgrid'
import { chat, createFromFile, openBuilder, publish, registerOwner } from './steps'

/** Every vendor of the sandbox, turned on in the settings, in one conversation. Each test goes on. */
let sendgrid: Awaited<ReturnType<typeof startSendgrid>>
let app: BuiltApp
let ada: TestBrowser
let folder: string
let project: string
let sandbox: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-sandbox-'))
  sendgrid = await startSendgrid({ clock: () => new Date() })
  sendgrid.state.senders.push('@sandbox.example')
  // with a database of its own: what several processes may share has no stand-ins
  ;[app, ada] = await Promise.all([
    startInstallation({
      SENDGRID_API_KEY: sendgrid.key,
      SENDGRID_API_URL: sendgrid.origin,
      MAIL_FROM: 'Parley <parley@sandbox.example>',
    }),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await ada?.close()
  await app?.stop()
  await sendgrid?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A picture of what is there, in both looks and sizes, for who asks for one. */
const shot = async (name: string) => {
  if (!process.env.SHOTS) return
  const { page } = ada
  for (const colorScheme of ['dark', 'light'] as const)
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height })
      await page.evaluate(() => new Promise(requestAnimationFrame))
      await page.screenshot({ path: join(process.env.SHOTS, `${name}-${width}-${colorScheme}.png`) })
    }
}

const card = (title: string) => ada.page.locator('section').filter({ hasText: title })

test('an owner turns the sandbox on, and connects each vendor by its stand-in’s page', async () => {
  const { page } = ada
  await registerOwner(page, app)
  project = page.url()
  await page.goto(`${project}/settings/project/general`)
  await card('Sandbox').getByRole('button', { name: 'Turn on' }).click()
  sandbox = (await card('Sandbox').getByRole('link', { name: 'View their data' }).getAttribute('href')) ?? ''
  await expectAccessible(page, 'project settings with the sandbox')
  await card('Sandbox').scrollIntoViewIfNeeded()
  await shot('sandbox-1-settings')
  await page.goto(`${project}/integrations`)
  await page.getByText('The sandbox is on').waitFor()
  for (const vendor of ['Google Sheets', 'HubSpot', 'Salesforce', 'Zendesk', 'Calendly']) {
    await card(vendor).getByRole('button', { name: 'Connect', exact: true }).click()
    if (vendor === 'Zendesk') await page.getByRole('textbox', { name: 'Sub-domain' }).fill('acme')
    if (vendor !== 'Salesforce') await page.getByRole('button', { name: `Continue to ${vendor}` }).click()
    await page.getByText('This is not').first().waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await card(vendor).getByText('Connected', { exact: true }).waitFor()
    await card(vendor).getByText('Sandbox', { exact: true }).waitFor()
  }
  await expectAccessible(page, 'integrations of the sandbox')
  await shot('sandbox-2-integrations')
})

/** What a route of the project answers to the page. */
const ask = (path: string, body?: object) =>
  ada.page.evaluate(
    async ([url, sent]) => {
      const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
      const headers = { 'content-type': 'application/json', 'x-xsrf-token': decodeURIComponent(token) }
      const answer = await fetch(url, sent === null ? {} : { method: 'POST', headers, body: sent })
      return (await answer.json()).data
    },
    [`/api${new URL(project).pathname}${path}`, body ? JSON.stringify(body) : null] as const,
  )

const made = (id: string, kind: string, data: object): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})
const mail: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'mail' }] }
const still = (value: string): DynamicValue => ({ type: 'static', value })
const field = (name: string, value: DynamicValue) => ({ id: name, property: { name, label: name }, value })

/** Asks for an email, and passes it on to each vendor in turn. */
async function flowOfAll(): Promise<Flow> {
  const { connections } = await ask('/connections')
  const of = (vendor: string): string => connections.find((each: { vendor: string }) => each.vendor === vendor).gid
  const choices = async (vendor: string, list: string, ...within: string[]) =>
    (await ask(`/connections/${of(vendor)}/choices`, { list, within, search: '', reload: true })).choices
  const sheet = (await choices('google-sheets', 'spreadsheets')).find(({ label }: { label: string }) =>
    label.startsWith('Leads'),
  )
  const [tab] = await choices('google-sheets', 'tabs', sheet.id)
  const [eventType] = await choices('calendly', 'event-types')
  const blocks = [
    made('sheet', 'sheet-row', {
      connection: of('google-sheets'),
      spreadsheet: { id: sheet.id, name: sheet.label },
      tab: { id: Number(tab.id), title: tab.label },
      cells: [{ id: 'cell', column: 'Email', value: mail }],
    }),
    made('hubspot', 'hubspot-record', { connection: of('hubspot'), findValue: mail }),
    made('salesforce', 'salesforce-record', {
      connection: of('salesforce'),
      findValue: mail,
      fields: [field('LastName', still('Visitor'))],
    }),
    made('zendesk', 'zendesk-ticket', { connection: of('zendesk'), subject: mail, body: still('Hello') }),
    made('mail', 'send-email', {
      to: [{ id: 'to', address: mail }],
      subject: still('Welcome'),
      body: plainRichText('Thank you.'),
    }),
    made('calendly', 'calendly-booking', {
      connection: of('calendly'),
      eventType: { id: eventType.id, name: eventType.label },
      name: still('Eve'),
      email: mail,
    }),
    made('said', 'text', { content: plainRichText('All done.') }),
  ]
  return {
    ...emptyFlow(),
    variables: [{ id: 'mail', name: 'mail', value: null }],
    groups: [
      {
        id: 'g',
        title: 'All',
        position: { x: 0, y: 0 },
        blocks: [
          made('start', 'start', {}),
          made('ask', 'email-input', { prompt: plainRichText('Your email?'), saveTo: 'mail' }),
          ...blocks,
        ],
      },
    ],
    edges: blocks.slice(0, -1).map(({ id }, at) => ({
      from: { blockId: id, portId: 'success' },
      to: { groupId: 'g', blockId: blocks[at + 1]?.id ?? '' },
    })),
  }
}

test('a visitor’s email becomes one row, record, ticket, booking and mail, which each vendor’s page shows', async () => {
  const { page } = ada
  const file = join(folder, 'all.json')
  await writeFile(file, JSON.stringify(await flowOfAll()))
  await page.goto(`${project}/chatbots`)
  await createFromFile(page, file, 'All vendors')
  await openBuilder(page)
  const link = await publish(page)
  const visitor = await launchBrowser()
  await visitor.page.goto(link)
  const talk = chat(visitor.page)
  await talk.hears('Your email?')
  await talk.writes('eve@example.com', 'Your email address')
  await talk.hears('When would you like to meet?')
  await visitor.page
    .getByRole('button', { name: /\d:\d\d/ })
    .first()
    .click()
  await talk.hears('All done.')
  expect(visitor.errors).toEqual([])
  await visitor.close()

  const pages: [vendor: string, link: RegExp][] = [
    ['Google', /Leads/],
    ['HubSpot', /Contacts/],
    ['Salesforce', /Contact/],
    ['Zendesk', /Tickets/],
    ['Calendly', /Bookings/],
  ]
  for (const [vendor, list] of pages) {
    await page.goto(sandbox)
    await page.getByRole('link', { name: vendor, exact: true }).click()
    await page.getByRole('link', { name: list }).first().click()
    await page.getByText(`This is not ${vendor}.`).waitFor()
    expect((await page.content()).split('eve@example.com').length - 1, vendor).toBeGreaterThanOrEqual(1)
  }
  await page.goto(`${sendgrid.origin}/sandbox`)
  await page.getByRole('link', { name: /Mails/ }).first().click()
  expect(await page.content()).toContain('eve@example.com')
  expect(sendgrid.broken).toEqual([])
})

test('turning it off says which accounts go, and leaves none', async () => {
  const { page } = ada
  await page.goto(`${project}/settings/project/general`)
  await card('Sandbox').getByRole('button', { name: 'Turn off' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn off the sandbox' })
  await dialog.getByText('5 accounts at stand-ins are disconnected').waitFor()
  await expectAccessible(page, 'the dialog that turns the sandbox off')
  await shot('sandbox-3-off')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await card('Sandbox').getByRole('button', { name: 'Turn on' }).waitFor()
  await page.goto(`${project}/integrations`)
  await card('HubSpot').getByText('No account is connected.').waitFor()
  expect(await page.getByText('Sandbox', { exact: true }).count()).toBe(0)
  expect(ada.errors).toEqual([])
})
