import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calendlyBookingDefaults } from '../../blocks/calendly-booking/schema'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { plainRichText } from '../../engine/values/richText'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { startCalendly } from '../support/vendors/calendly/startCalendly'
import { block, chat, createFromFile, publish, ready, registerOwner, settings } from './steps'

/** Calendly, from connecting an account to the time that a visitor books. */
let calendly: Awaited<ReturnType<typeof startCalendly>>
let app: BuiltApp
let ada: TestBrowser
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-calendly-'))
  calendly = await startCalendly({ clock: () => new Date() })
  ;[app, ada] = await Promise.all([
    startBuiltApp({
      CALENDLY_CLIENT_ID: calendly.client.id,
      CALENDLY_CLIENT_SECRET: calendly.client.secret,
      CALENDLY_SIGNING_KEY: calendly.state.signingKey,
      CALENDLY_AUTH_URL: calendly.origin,
      CALENDLY_API_URL: calendly.origin,
    }),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await ada?.close()
  await app?.stop()
  await calendly?.close()
  await rm(folder, { recursive: true, force: true })
})

const made = (id: string, kind: string, data: object): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})
const of = (variable: string): DynamicValue => ({
  type: 'dynamic',
  parts: [{ type: 'variable', variable_id: variable }],
})

/** Asks for an email, and has a block of Calendly of which the account and the event type are still to be chosen. */
const flow: Flow = {
  ...emptyFlow(),
  variables: [{ id: 'mail', name: 'mail', value: null }],
  groups: [
    { id: 'g0', title: 'Start', position: { x: 0, y: 0 }, blocks: [made('start', 'start', {})] },
    {
      id: 'g1',
      title: 'Meeting',
      position: { x: 320, y: 0 },
      blocks: [
        made('ask', 'email-input', { prompt: plainRichText('Your email?'), saveTo: 'mail' }),
        made('book', 'calendly-booking', { ...calendlyBookingDefaults(), name: of('mail'), email: of('mail') }),
        made('said', 'text', { content: plainRichText('See you.') }),
      ],
    },
  ],
  edges: [
    { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'g1' } },
    { from: { blockId: 'book', portId: 'success' }, to: { groupId: 'g1', blockId: 'said' } },
  ],
}

test('an owner connects Calendly, chooses what can be booked, and visitors book in the chat and on its page', async () => {
  const { page } = ada
  await registerOwner(page, app)
  await page.goto(`${page.url()}/integrations`)
  const card = page.locator('section').filter({ hasText: 'Calendly' })
  await card.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Continue to Calendly' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await card.getByText('Connected', { exact: true }).waitFor()

  const file = join(folder, 'meeting.json')
  await writeFile(file, JSON.stringify(flow))
  await page.goto(page.url().replace(/\/integrations$/, '/chatbots'))
  await createFromFile(page, file, 'Meetings')
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  const panel = settings(page)
  await expect
    .poll(() =>
      block(page, 'Meeting', 'Calendly')
        .click()
        .then(() => panel.isVisible()),
    )
    .toBe(true)
  const choose = async (field: string, option: string) => {
    await panel.getByRole('combobox', { name: field, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await choose('Calendly account', 'ada@example.com')
  await choose('Event type', 'First call (30 min)')
  await ready(page)
  await expectAccessible(page, 'the form of Calendly’s block', 'aside[aria-label="Settings"]')
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'calendly-form.png') })

  const link = await publish(page)
  await page.keyboard.press('Escape')
  await booksInTheChat(link)

  await choose('How visitors book', 'On Calendly’s page')
  await ready(page)
  await expectAccessible(page, 'the form of Calendly’s block, by its page', 'aside[aria-label="Settings"]')
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'calendly-form-link.png') })
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const published = page.waitForResponse((answer) => answer.url().endsWith('/publish') && answer.ok())
  await page.getByRole('button', { name: 'Publish again' }).click()
  await published
  await booksOnItsPage(link)
  expect(calendly.broken).toEqual([])
})

test('an agent’s appointment is set up with what the account offers, and tried beside its form', async () => {
  const { page } = ada
  const [, chatbot = ''] = /^(.*\/chatbots\/[a-z0-9]+)/.exec(page.url()) ?? []
  await page.goto(`${chatbot}/actions/new/appointment`)
  await page.getByPlaceholder('Book a first call').fill('First call')
  await page.getByLabel('When to use it').fill('When the visitor wants to talk.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Choose an account').waitFor()
  for (const [field, option] of [
    ['Calendly account', 'ada@example.com'],
    ['What is booked', 'First call (30 min)'],
  ] as const) {
    await page.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await page.getByRole('button', { name: 'Run' }).click()
  await page
    .getByText(/\d+ free times/)
    .first()
    .waitFor()
  await expectAccessible(page, 'the form of an appointment', 'main')
  await photograph(page, 'appointment-form')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/actions\/[a-z0-9]{16}$/)
})

/** Light, dark and on a phone, where pictures are wanted. */
async function photograph(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(process.env.SHOTS, `${name}-${colorScheme}.png`), fullPage: true })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: join(process.env.SHOTS, `${name}-phone.png`), fullPage: true })
  await page.setViewportSize({ width: 1440, height: 900 })
}

async function booksInTheChat(link: string): Promise<void> {
  const visitor = await launchBrowser()
  await visitor.page.goto(link)
  const talk = chat(visitor.page)
  await talk.hears('Your email?')
  await talk.writes('eve@example.com', 'Your email address')
  await talk.hears('When would you like to meet?')
  const time = visitor.page.getByRole('button', { name: /\d:\d\d/ }).first()
  await time.waitFor()
  if (process.env.SHOTS) await visitor.page.screenshot({ path: join(process.env.SHOTS, 'calendly-chat.png') })
  await time.click()
  await talk.hears('See you.')
  await visitor.close()
  expect(calendly.state.bookings.map(({ invitee: { email } }) => email)).toEqual(['eve@example.com'])
}

/** The visitor says too early that there is a booking; then Calendly tells of it. */
async function booksOnItsPage(link: string): Promise<void> {
  const visitor = await launchBrowser()
  await visitor.page.goto(link)
  const talk = chat(visitor.page)
  await talk.hears('Your email?')
  await talk.writes('eve@example.com', 'Your email address')
  await talk.hears('Please choose a time on our booking page.')
  await visitor.page.getByRole('button', { name: 'I have booked' }).click()
  await talk.hears('There is no booking yet.')
  if (process.env.SHOTS) await visitor.page.screenshot({ path: join(process.env.SHOTS, 'calendly-chat-link.png') })
  const opened = visitor.page.waitForEvent('popup')
  await visitor.page.getByRole('link', { name: 'Choose a time' }).click()
  const calendar = await opened
  await calendar.getByRole('button', { name: 'Book' }).click()
  await calendar.getByRole('heading', { name: 'You are booked' }).waitFor()
  await talk.hears('See you.')
  await visitor.close()
}
