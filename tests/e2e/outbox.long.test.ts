import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { plainRichText } from '../../engine/values/richText'
import { objections } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { flowAround } from '../support/conversations'
import { block, chat, createFromFile, openBuilder, publish, registerOwner, settings } from './steps'

/** Mails of a flow without a mail server: the block says where they go, and there they are. */
let app: BuiltApp
let ada: TestBrowser
let project: string

beforeAll(async () => {
  ;[app, ada] = await Promise.all([startBuiltApp(), launchBrowser()])
})
afterAll(() => Promise.all([ada.close(), app.stop()]))

const still = (value: string) => ({ type: 'static', value })

/** Mails what the visitor writes, knows the visitor by the address, asks for a person. */
async function flowFile(): Promise<string> {
  const flow = flowAround('email-input', {}, { email: null })
  const data = {
    fromName: still('Acme'),
    to: [{ id: 'r1', address: { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'email' }] } }],
    cc: [],
    bcc: [],
    replyTo: [{ id: 'r2', address: still('support@example.com') }],
    subject: still('Your order'),
    body: [
      { type: 'paragraph', children: [{ text: 'Thank you, ' }, { text: '', variable: true, variable_id: 'email' }] },
    ],
  }
  const key = data.to[0]?.address
  const contact = {
    action: 'create',
    key: 'email',
    keyValue: key,
    onDuplicate: 'update',
    fields: [{ id: 'f1', field: 'name', name: still(''), value: still('Grace') }],
    outputs: [],
    saveIdTo: null,
  }
  const told = [
    {
      type: 'paragraph',
      children: [{ text: 'Hello ' }, { text: '', variable: true, variable_id: 'sys_contact_name' }],
    },
  ]
  const asks = registry.get('text-input')
  const blocks = [
    { id: 'start', kind: 'start', version: 0, data: {} },
    {
      id: 'ask',
      kind: 'text-input',
      version: asks.migrations.length,
      data: { ...asks.defaults(() => ''), prompt: plainRichText('Your email?'), saveTo: 'email' },
    },
    { id: 'mail', kind: 'send-email', version: 0, data },
    { id: 'contact', kind: 'contact', version: 0, data: contact },
    { id: 'hello', kind: 'text', version: 0, data: { content: told } },
    {
      id: 'person',
      kind: 'hand-off',
      version: 0,
      data: { team: still('Sales'), note: still(''), message: plainRichText('Somebody comes.') },
    },
  ]
  const [group] = flow.groups
  const next = (from: string, portId: string, to: string) => ({
    from: { blockId: from, portId },
    to: { groupId: 'g', blockId: to },
  })
  const edges = [next('mail', 'success', 'contact'), next('contact', 'success', 'hello')]
  const path = join(tmpdir(), `outbox-${process.pid}.json`)
  await writeFile(path, JSON.stringify({ ...flow, groups: [{ ...group, title: 'Order', blocks }], edges }))
  return path
}

it('says in the editor that mails land in the outbox, and what is wrong with an address', async () => {
  const { page } = ada
  await registerOwner(page, app)
  project = page.url()
  await page.goto(`${project}/settings/project/outbox`)
  await page.getByText('No emails yet').waitFor()
  await page.goto(project)
  await createFromFile(page, await flowFile(), 'Orders')
  await openBuilder(page)
  await block(page, 'Order', 'Send email').click()
  await settings(page).getByText('No mail server is set up: emails go to this project’s outbox').waitFor()
  await settings(page).getByRole('button', { name: 'Add a recipient' }).click()
  // what was added has the focus
  await settings(page).getByRole('textbox', { name: 'Recipient' }).nth(1).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('nobody')
  // what is wrong is said once the field is left
  await page.keyboard.press('Tab')
  await settings(page).getByText('Enter a valid email address', { exact: true }).waitFor()
  await settings(page).getByRole('button', { name: 'Remove' }).nth(1).click()
  await settings(page).getByRole('button', { name: 'Add a recipient' }).and(page.locator(':focus')).waitFor()
  expect(ada.errors).toEqual([])
})

it('keeps the height of a long subject when the focus leaves it, so that what is below stays under the mouse', async () => {
  const { page } = ada
  const subject = settings(page).getByRole('textbox', { name: 'Subject' })
  const below = settings(page).getByRole('textbox', { name: 'Message' })
  await subject.click()
  for (let letters = 0; letters < 60; letters += 4) {
    await page.keyboard.type('abc ')
    const awake = (await below.boundingBox())?.y
    await settings(page).getByRole('button', { name: 'Add a recipient' }).focus()
    await subject.and(page.locator(':not([data-slate-editor])')).waitFor()
    expect((await below.boundingBox())?.y, `${letters} letters`).toBe(awake)
    await subject.focus()
    await subject.and(page.locator('[data-slate-editor]:focus')).waitFor()
  }
})

it('a visitor’s mail is there to read, as HTML and as text, with nothing in it that runs', async () => {
  const { page } = ada
  const link = await publish(page)
  const visitor = await ada.context.newPage()
  await visitor.goto(link)
  const talk = chat(visitor)
  await talk.hears('Your email?')
  await talk.writes('grace@example.org')
  await talk.hears('Hello Grace')
  await talk.hears('Somebody comes.')
  // what is true, and no end: more may be said
  await visitor.getByText('Saved for the team. They aren’t notified').waitFor()
  await talk.writes('Do you ship to Peru?')
  await visitor.getByRole('log').getByText('Do you ship to Peru?').waitFor()
  await visitor.getByText('Saved for the team. They aren’t notified').waitFor()
  expect(await visitor.getByText('The conversation has ended').count()).toBe(0)
  await visitor.close()

  await page.goto(`${project}/settings/project/outbox`)
  await page.getByText('To grace@example.org').waitFor()
  await page.getByText('A visitor of Orders needs an answer').waitFor()
  await page.getByRole('button', { name: 'Your order' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your order' })
  await dialog.frameLocator('iframe').getByText('Thank you, grace@example.org').waitFor()
  await expect.poll(() => dialog.locator('iframe').getAttribute('sandbox')).toBe('')
  await dialog.getByText('support@example.com').waitFor()
  await dialog.getByRole('tab', { name: 'Plain text' }).click()
  await dialog.getByText('Thank you, grace@example.org').waitFor()
  expect(await objections(page)).toEqual([])
  expect(ada.errors).toEqual([])
})

it('the mail of a hand-off leads to the conversation, as it is now', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'A visitor of Orders needs an answer' }).click()
  const dialog = page.getByRole('dialog', { name: 'A visitor of Orders needs an answer' })
  const link = dialog.frameLocator('iframe').getByRole('link', { name: 'Open the conversation' })
  // its address is longer than a line
  await page.setViewportSize({ width: 390, height: 844 })
  const html = dialog.frameLocator('iframe').locator('html')
  await expect.poll(() => html.evaluate((root) => root.scrollWidth <= root.clientWidth)).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  const outbox = page.url()
  await page.goto((await link.getAttribute('href')) ?? '')
  await page.getByRole('heading', { name: 'Handed over to Sales' }).waitFor()
  await page.getByRole('log', { name: 'Messages' }).getByText('Do you ship to Peru?').waitFor()
  expect(await page.getByRole('link', { name: /^Answer by email/ }).getAttribute('href')).toBe(
    'mailto:grace@example.org',
  )
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/transcript-${width}-${scheme}.png` })
    }
    expect(await objections(page)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(outbox)
  expect(ada.errors).toEqual([])
})

it('lists the contact that the flow made', async () => {
  const { page } = ada
  await page.getByRole('link', { name: 'Contacts' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Grace' })
  await row.getByText('grace@example.org').waitFor()
  expect(page.url()).toMatch(/\/contacts$/)
  expect(await objections(page)).toEqual([])
})
