import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import { staticValue } from '../../engine/values/dynamicValue'
import { plainRichText } from '../../engine/values/richText'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { keysOf, startWhatsapp } from '../support/vendors/whatsapp/startWhatsapp'
import { look } from './look'
import { createFromFile, publish, ready, registerOwner, settings } from './steps'

/** A number at WhatsApp, from connecting it to a person on a phone whom a person of the team answers. Each test goes on. */
let whatsapp: Awaited<ReturnType<typeof startWhatsapp>>
let app: BuiltApp
let ada: TestBrowser
let ben: TestBrowser
let folder: string
/** the number's settings */
let screen: string
/** the chatbot's page on the web */
let shared: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-whatsapp-'))
  whatsapp = await startWhatsapp({ clock: () => new Date() })
  whatsapp.phones.add('Ben', '447700900123')
  const { app_id, app_secret, business_id, token, pin } = keysOf(whatsapp)
  const numberIds = whatsapp.state.numbers.map(({ id }) => id)
  const example = { appId: app_id, appSecret: app_secret, businessId: business_id, numberIds, token, pin }
  ;[app, ada, ben] = await Promise.all([
    startBuiltApp({
      ...{ WHATSAPP_API_URL: whatsapp.origin, WHATSAPP_EXAMPLE: JSON.stringify(example) },
      ...{ WHATSAPP_DIALOG_URL: whatsapp.origin, WHATSAPP_CLIENT_ID: app_id, WHATSAPP_CLIENT_SECRET: app_secret },
      WHATSAPP_SIGNUP_CONFIG: whatsapp.state.configuration,
    }),
    launchBrowser(),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await Promise.all([ada?.close(), ben?.close()])
  await app?.stop()
  await whatsapp?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A picture of what is there, for who asks for one. */
async function shot({ page }: TestBrowser, name: string) {
  if (!process.env.SHOTS) return
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height })
      await page.screenshot({ path: join(process.env.SHOTS, `${name}-${width}-${colorScheme}.png`) })
    }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const block = (id: string, kind: string, data: object): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})
/** Says where it is and who it is, offers two services, asks for a place, then hands over to a person. */
const flow: Flow = {
  ...emptyFlow(),
  groups: [
    {
      ...{ id: 'g', title: 'Workshop', position: { x: 0, y: 0 } },
      blocks: [
        block('start', 'start', {}),
        block('hello', 'text', { content: plainRichText('Welcome to the workshop') }),
        block('place', 'location', {
          ...{ latitude: staticValue('51.5074'), longitude: staticValue('-0.1278') },
          ...{ name: staticValue('The workshop'), address: staticValue('1 High Street, London') },
        }),
        block('prices', 'document', {
          url: staticValue('https://a.example/prices.pdf'),
          name: staticValue('Prices.pdf'),
        }),
        block('card', 'contact-card', { name: staticValue('Ada Lovelace'), phone: staticValue('+44 20 7946 0958') }),
        block('choose', 'buttons', {
          prompt: plainRichText('What is it about?'),
          options: ['Repair', 'Buy'].map((label) => ({ id: label.toLowerCase(), label: staticValue(label) })),
        }),
        block('where', 'location-input', { prompt: plainRichText('Where is it?') }),
        block('person', 'hand-off', {}),
      ],
    },
    {
      ...{ id: 'spring', title: 'Spring', position: { x: 0, y: 900 } },
      blocks: [
        block('link', 'link-opened', { text: 'Spring check' }),
        block('offer', 'text', { content: plainRichText('It takes a day') }),
      ],
    },
  ],
}

test('an owner connects a number with the sandbox’s values, and is told at its field what is wrong', async () => {
  const { page } = ada
  await registerOwner(page, app)
  const file = join(folder, 'workshop.json')
  await writeFile(file, JSON.stringify(flow))
  await page.goto(`${page.url()}/chatbots`)
  await createFromFile(page, file, 'Workshop')
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  shared = await publish(page)
  screen = page.url().replace(/\/builder.*$/, '/settings/whatsapp')
  await page.goto(screen)
  await page.getByRole('button', { name: 'Fill in the sandbox’s values' }).click()
  await page.getByLabel('App secret').fill('another')
  await page.getByRole('button', { name: 'Check: Your app' }).click()
  await page.getByText('The app’s id and its secret do not belong together.').waitFor()
  await page.getByRole('button', { name: 'Fill in the sandbox’s values' }).click()
  await page.getByRole('button', { name: 'Check: Your app' }).click()
  await page.getByText('WhatsApp knows it: Parley (sandbox)').waitFor()
  await page.getByRole('button', { name: 'Check: Your number' }).click()
  await page.getByText('WhatsApp knows it: +44 20 7946 0958 · Workshop (sandbox)').waitFor()
  await page.getByRole('button', { name: 'Check: Registration' }).click()
  await page.getByText('WhatsApp has registered +44 20 7946 0958').waitFor()
  await page.getByLabel('PIN').fill('654321')
  await page.getByRole('button', { name: 'Check: Registration' }).click()
  await page.getByText('The PIN is not the one that was set before.').waitFor()
  await page.getByLabel('PIN').fill('12')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Enter the six digits of the two-step verification PIN').waitFor()
  await shot(ada, 'whatsapp-1-form')
  await expectAccessible(page, 'the form of WhatsApp')
  await page.getByLabel('PIN').fill('123456')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('heading', { name: '+44 20 7946 0958' }).waitFor()
  await page.getByLabel('About').fill('We repair bicycles')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('WhatsApp shows it now').waitFor()
  expect(whatsapp.state.profile).toMatchObject({ about: 'We repair bicycles' })
  await page.getByText(/May write first to 1,000 people a day/).waitFor()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add a picture' }).click(),
  ])
  await chooser.setFiles({ name: 'shop.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') })
  await page.getByRole('img', { name: 'Picture' }).waitFor()
  expect(whatsapp.state.profile.profile_picture_url).toMatch(/^http:\/\/127/)
  const starts = page.getByRole('combobox', { name: 'Starts at' })
  await starts.click()
  await page.getByRole('option', { name: 'Spring check' }).click()
  expect(await page.getByLabel('Link', { exact: true }).inputValue()).toMatch(
    /^https:\/\/wa\.me\/\d+\?text=Spring%20check$/,
  )
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download SVG' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('whatsapp.svg')
  await shot(ada, 'whatsapp-2-connected')
  await expectAccessible(page, 'WhatsApp connected')
})

test('an owner gives a template to WhatsApp, and sees what WhatsApp decides', async () => {
  const { page } = ada
  await page.getByText('There is no template yet.').waitFor()
  await page.getByRole('button', { name: 'New template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('repair_ready')
  await dialog.getByLabel('Text', { exact: true }).fill('{{1}}, it is ready.')
  await dialog.getByLabel('Example of {{1}}').fill('Ben')
  await dialog.getByRole('button', { name: 'Submit to WhatsApp' }).click()
  await dialog.getByText('Put words before the first variable and after the last one').waitFor()
  await dialog.getByLabel('Text', { exact: true }).fill('Hello {{1}}, it is ready.')
  await dialog.getByLabel('Button 1 (optional)').fill('On my way')
  await dialog.getByText('Hello Ben, it is ready.').waitFor()
  await expectAccessible(page, 'a new template')
  await shot(ada, 'whatsapp-6-new-template')
  await dialog.getByRole('button', { name: 'Submit to WhatsApp' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'repair_ready' })
  await row.getByText('Pending').waitFor()
  for (const template of whatsapp.state.templates)
    whatsapp.phones.judge(template, { status: 'APPROVED', quality: 'GREEN' })
  await page.getByRole('button', { name: 'Fetch from WhatsApp' }).click()
  await row.getByText('Approved').waitFor()
  await row.getByText('repair_ready').click()
  await row.getByText('Hello {{1}}, it is ready.').waitFor()
  await expectAccessible(page, 'templates')
  await shot(ada, 'whatsapp-7-templates')
})

test('a template’s heading is a picture, whose example goes along', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'New template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('with_picture')
  await dialog.getByRole('combobox', { name: 'Heading' }).click()
  await page.getByRole('option', { name: 'A picture' }).click()
  await dialog.getByLabel('Text', { exact: true }).fill('Your bicycle is ready.')
  await dialog.getByRole('button', { name: 'Submit to WhatsApp' }).click()
  await dialog.getByRole('alert').first().waitFor()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: 'Choose a file' }).click(),
  ])
  await chooser.setFiles({ name: 'bike.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') })
  await dialog.getByText('bike.png').waitFor()
  await look(page, 'whatsapp-18-heading')
  await dialog.getByRole('button', { name: 'Submit to WhatsApp' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('listitem').filter({ hasText: 'with_picture' }).getByText('Pending').waitFor()
  const made = whatsapp.state.templates.find(({ name }) => name === 'with_picture')
  expect(JSON.stringify(made?.components)).toContain('"format":"IMAGE","example":{"header_handle":["4::')
})

test('an editor chooses a template in a flow, and sees what it says once its places are filled', async () => {
  const { page } = ada
  await page.goto(page.url().replace(/\/settings.*$/, '/builder'))
  await ready(page)
  await page
    .getByRole('region', { name: 'Blocks' })
    .getByRole('button', { name: 'WhatsApp template', exact: true })
    .click()
  const form = settings(page)
  await form.getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name: 'repair_ready (en)' }).click()
  await form.getByRole('textbox', { name: 'Value of {{1}}' }).click()
  await page.keyboard.type('Ben')
  await form.getByText('Hello Ben, it is ready.').waitFor()
  await page.getByRole('button', { name: /^On my way of WhatsApp template/ }).waitFor()
  await expectAccessible(page, 'a template in a flow')
  await shot(ada, 'whatsapp-10-template-block')
})

test('somebody writes on a phone and presses a button, and a person answers from the inbox', async () => {
  const phone = ben.page
  await phone.goto(`${whatsapp.origin}/phones/1`)
  await phone.getByLabel('Message', { exact: true }).fill('Hello')
  await phone.getByRole('button', { name: 'Send' }).click()
  await phone.locator('.theirs .bubble').getByText('Welcome to the workshop').waitFor()
  await phone.locator('.theirs .bubble').getByText('Place: The workshop').waitFor()
  await phone.locator('.theirs .bubble').getByRole('link', { name: 'Prices.pdf' }).waitFor()
  await phone.locator('.theirs .bubble').getByText('Ada Lovelace').waitFor()
  await phone.getByRole('button', { name: 'Repair' }).click()
  await phone.locator('.mine .bubble').getByText('Repair').waitFor()
  await phone.locator('.theirs .bubble').getByText('Where is it?').waitFor()
  await phone.getByRole('button', { name: 'Location' }).click()
  await phone.locator('.mine .bubble').getByText('Place: London').waitFor()
  await shot(ben, 'whatsapp-3-phone')

  const { page } = ada
  await page.goto(page.url().replace(/\/chatbots\/.*$/, '/conversations'))
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: /Ben/ }).click()
  const thread = page.getByRole('region', { name: 'Conversation', exact: true })
  await thread.getByRole('button', { name: 'Take over' }).click()
  const reply = thread.getByRole('textbox', { name: 'Your reply' })
  await reply.click()
  await page.keyboard.type('I will look at it tomorrow')
  await expect.poll(() => reply.textContent()).toBe('I will look at it tomorrow')
  await thread.getByRole('button', { name: 'Send', exact: true }).click()
  await phone.locator('.theirs .bubble').getByText('I will look at it tomorrow').waitFor()
  // the phone shows it, and its page marks it as read: the inbox hears of it by itself
  await thread.locator('[data-delivery="read"]').last().getByText('Read').waitFor()
  await thread.getByText('23 hr left to answer').waitFor()
  await expectAccessible(page, 'answering on WhatsApp')
  await shot(ada, 'whatsapp-4-inbox')
  expect(whatsapp.broken).toEqual([])
})

test('what a person does beside writing is seen in the inbox: a reaction, a deleted message, a poll, a new number', async () => {
  const phone = ben.page
  const { page } = ada
  const thread = page.getByRole('region', { name: 'Conversation', exact: true })
  const answer = phone.locator('.theirs').filter({ hasText: 'I will look at it tomorrow' })
  await answer.getByRole('button', { name: 'React 👍' }).click()
  await thread.getByRole('img', { name: '👍 from the visitor' }).waitFor()
  await phone.getByRole('button', { name: 'Poll' }).click()
  await thread.getByText('The visitor sent something that the channel does not pass on (poll)').waitFor()
  await phone.getByLabel('Message', { exact: true }).fill('Never mind')
  await phone.getByRole('button', { name: 'Send' }).click()
  await thread.getByText('Never mind').waitFor()
  await phone.locator('.mine').filter({ hasText: 'Never mind' }).getByRole('button', { name: 'Delete' }).click()
  await thread.getByText('Deleted by the visitor').waitFor()
  await phone.getByLabel('Go on with a new number').fill('447700900124')
  await phone.getByRole('button', { name: 'Change the number' }).click()
  await thread.getByText('The visitor has a new number: what is written here goes to it').waitFor()
  await look(page, 'whatsapp-19-asides')
  await shot(ben, 'whatsapp-20-phone')
  // the list is told of all that comes, and another number of the business is a chat of its own
  await phone
    .getByRole('list', { name: 'Chats' })
    .getByRole('link', { name: /Bicycle school/ })
    .click()
  await phone.getByText('Nothing was said yet. Write to the business below.').waitFor()
  await phone
    .getByRole('list', { name: 'Chats' })
    .getByRole('link', { name: /Workshop/ })
    .click()
})

test('what is longer than WhatsApp takes is counted, and goes once it is shorter', async () => {
  const { page } = ada
  const thread = page.getByRole('region', { name: 'Conversation', exact: true })
  const reply = thread.getByRole('textbox', { name: 'Your reply' })
  const send = thread.getByRole('button', { name: 'Send', exact: true })
  await reply.click()
  await page.keyboard.insertText('é'.repeat(4_097))
  await thread.getByText('This channel takes at most 4,096 characters.').waitFor()
  expect(await send.isDisabled()).toBe(true)
  await look(page, 'whatsapp-limit')
  await reply.click()
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await thread.getByText('This channel takes at most 4,096 characters.').waitFor({ state: 'detached' })
  await send.click()
  await ben.page
    .locator('.theirs .bubble')
    .getByText(/^é{4096}/)
    .waitFor()
})

test('after 24 hours an answer is kept, and may go once the person has written again', async () => {
  const phone = ben.page
  await phone.getByLabel(/Hours that count as passed/).fill('25')
  await phone.getByRole('button', { name: 'Set', exact: true }).click()
  const { page } = ada
  const thread = page.getByRole('region', { name: 'Conversation', exact: true })
  const reply = thread.getByRole('textbox', { name: 'Your reply' })
  const send = thread.getByRole('button', { name: 'Send', exact: true })
  await reply.click()
  await page.keyboard.type('It is ready')
  await send.click()
  await thread.getByText(/^Not delivered: /).waitFor()
  await thread.getByText(/The 24 hours since the last message are over: .* once Ben writes/).waitFor()
  await reply.click()
  await page.keyboard.type('Later')
  expect(await send.isDisabled()).toBe(true)
  await expectAccessible(page, 'the 24 hours are over')
  await shot(ada, 'whatsapp-5-over')

  await thread.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Value of {{1}}').fill('Ben')
  await dialog.getByText('Hello Ben, it is ready.').waitFor()
  await expectAccessible(page, 'answering with a template')
  await shot(ada, 'whatsapp-8-template-reply')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await thread.getByText('Hello Ben, it is ready.').waitFor()
  await phone.locator('.theirs .bubble').getByText('Hello Ben, it is ready.').waitFor()
  await shot(ben, 'whatsapp-9-phone-template')
  await phone.getByRole('button', { name: 'On my way' }).click()
  await thread.getByText('23 hr left to answer').waitFor()
  expect(await reply.textContent()).toBe('Later')
  await send.click()
  await phone.locator('.theirs .bubble').getByText('Later').waitFor()
  expect(whatsapp.broken).toEqual([])
})

test('a template goes to all who may get it, and the owner sees before who does not, and after how far it has come', async () => {
  const { page } = ada
  await page.goto(screen)
  await page.getByText('Nothing has been sent to many at once yet.').waitFor()
  await page.getByRole('button', { name: 'New broadcast' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Spring')
  await dialog.getByRole('button', { name: 'Check who gets it' }).click()
  await dialog.getByText('Enter a value').waitFor()
  await dialog.getByRole('combobox', { name: '{{1}} is' }).click()
  await page.getByRole('option', { name: 'Name', exact: true }).click()
  await dialog.getByLabel('Text where it is empty').fill('friend')
  await dialog.getByLabel('Price per message').fill('0.07')
  await dialog.getByRole('button', { name: 'Check who gets it' }).click()
  await dialog.getByText('1 person gets it').waitFor()
  await dialog.getByText('Estimate: 1 message × 0.07 EUR = 0.07 EUR').waitFor()
  await dialog.getByText('Who gets it, and what it says').click()
  await dialog.getByText('Hello Ben, it is ready.').waitFor()
  await expectAccessible(page, 'a new broadcast')
  await shot(ada, 'whatsapp-11-new-broadcast')
  await dialog.getByRole('button', { name: 'Send to 1 person' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Spring' })
  await row.getByText('Done').waitFor()
  await row.getByText('All contacts').waitFor()
  await expectAccessible(page, 'broadcasts')
  await shot(ada, 'whatsapp-12-broadcasts')
  await expect.poll(() => ben.page.locator('.theirs .bubble').getByText('Hello Ben, it is ready.').count()).toBe(2)
})

test('a visitor of the web goes on at WhatsApp by a link of the team, as the same contact', async () => {
  const { page } = ada
  const web = await ben.context.newPage()
  await web.goto(shared)
  await web.getByText('Welcome to the workshop').waitFor()
  await web.getByRole('button', { name: 'Repair' }).click()
  await page.goto(screen.replace(/\/chatbots\/.*$/, '/conversations'))
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button').filter({ hasText: 'Visitor' }).click()
  const thread = page.getByRole('region', { name: 'Conversation', exact: true })
  await thread.getByRole('button', { name: 'Take over' }).click()
  const reply = thread.getByRole('textbox', { name: 'Your reply' })
  await reply.click()
  await page.keyboard.type('Go on here')
  await thread.getByRole('button', { name: /^Continue on WhatsApp/ }).click()
  await expect
    .poll(() => reply.textContent())
    .toMatch(/Go on here.*https:\/\/wa\.me\/\d+\?text=Workshop%20%23[0-9a-f]{32}$/s)
  await expectAccessible(page, 'a link to WhatsApp in a reply')
  await shot(ada, 'whatsapp-13-link')
  const link = new URL(((await reply.textContent()) ?? '').replace(/^.*(?=https:)/s, ''))
  await thread.getByRole('button', { name: 'Send', exact: true }).click()
  await web.getByText(link.href).waitFor()
  await ben.page.getByLabel('Message', { exact: true }).fill(link.searchParams.get('text') ?? '')
  await ben.page.getByRole('button', { name: 'Send' }).click()
  await thread.getByText('The visitor continues on WhatsApp, as the same contact').waitFor()
  await shot(ada, 'whatsapp-14-continued')
  expect(whatsapp.broken).toEqual([])
})

test('somebody at WhatsApp goes on in the web chat by a link of the team, as the same contact', async () => {
  const { page } = ada
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: /Ben/ }).first().click()
  const thread = page.getByRole('region', { name: 'Conversation', exact: true })
  await thread.getByRole('button', { name: /^Continue on the web/ }).click()
  const reply = thread.getByRole('textbox', { name: 'Your reply' })
  await expect.poll(() => reply.textContent()).toMatch(/\/c\/[\w-]+#whatsapp=[0-9a-f]{32}$/)
  await expectAccessible(page, 'a link to the web in a reply')
  const link = ((await reply.textContent()) ?? '').trim()
  await thread.getByRole('button', { name: 'Send', exact: true }).click()
  await ben.page.locator('.theirs .bubble').getByText(link).waitFor()
  const web = await launchBrowser()
  await web.page.goto(link)
  await web.page.getByText('Welcome to the workshop').waitFor()
  expect(new URL(web.page.url()).hash).toBe('')
  await thread.getByText('The visitor continues in the web chat, as the same contact').waitFor()
  await shot(ada, 'whatsapp-15-on-the-web')
  await web.close()
  expect(whatsapp.broken).toEqual([])
})

test('a visitor of the web goes on at WhatsApp by a button of the chat, where the owner has switched it on', async () => {
  const { page } = ada
  await page.goto(screen.replace(/\/settings.*$/, '/editor'))
  await page.getByText('Features', { exact: true }).click()
  await page.getByRole('switch', { name: 'Continue on WhatsApp' }).check({ force: true })
  await page.getByText('Draft changed', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Published', { exact: true }).waitFor()
  await look(page, 'whatsapp-16-appearance')

  const web = await launchBrowser()
  await web.page.goto(shared)
  await web.page.getByText('Welcome to the workshop').waitFor()
  await web.page.getByRole('button', { name: 'Continue on WhatsApp' }).click()
  const open = web.page.getByRole('link', { name: 'Open WhatsApp' })
  await open.waitFor()
  await web.page.getByRole('img', { name: 'Or scan this code with your phone' }).waitFor()
  await look(web.page, 'whatsapp-17-visitor')
  const link = new URL((await open.getAttribute('href')) ?? '')
  const phone = whatsapp.phones.add('Grace', '447700900200')
  whatsapp.phones.write(phone, { type: 'text', text: { body: link.searchParams.get('text') ?? '' } })
  await expect.poll(() => phone.messages.filter(({ from }) => from === 'business').length).toBeGreaterThan(0)
  await page.goto(screen.replace(/\/chatbots\/.*$/, '/conversations'))
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: /Grace/ }).first().click()
  const thread = page.getByRole('region', { name: 'Conversation', exact: true })
  await thread.getByText(/same contact/).waitFor()
  await web.close()
  expect(whatsapp.broken).toEqual([])
})

test('somebody at WhatsApp who writes /web is sent a link by which they go on in the web chat', async () => {
  const phone = ben.page
  await phone.getByLabel('Message', { exact: true }).fill('/web')
  await phone.getByRole('button', { name: 'Send' }).click()
  const answer = phone.locator('.theirs .bubble').filter({ hasText: 'Go on on the web with this link' }).last()
  await answer.waitFor()
  const [link] = /http\S+#whatsapp=[0-9a-f]{32}/.exec((await answer.textContent()) ?? '') ?? ['']
  const web = await launchBrowser()
  await web.page.goto(link)
  await web.page.getByText('Welcome to the workshop').waitFor()
  await look(web.page, 'whatsapp-21-from-the-phone')
  await web.close()
})

test('an owner connects a second chatbot by consent at Meta, with the number that they choose', async () => {
  const { page } = ada
  const file = join(folder, 'workshop.json')
  await page.goto(screen.replace(/\/[^/]+\/settings.*$/, ''))
  await createFromFile(page, file, 'School')
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  await page.goto(page.url().replace(/\/builder.*$/, '/settings/whatsapp'))
  await page.getByRole('heading', { name: 'Connect with Meta' }).waitFor()
  await look(page, 'whatsapp-22-signup')
  // the callback's page while it waits for what Meta has given
  let goOn = () => {}
  const held = new Promise<void>((done) => {
    goOn = done
  })
  await page.route('**/whatsapp/signup/finish', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Continue at Meta' }).click()
  await page.getByRole('button', { name: 'Share this number' }).click()
  await page.getByRole('status', { name: 'Connecting WhatsApp' }).waitFor()
  const address = page.url()
  await look(page, 'whatsapp-23-callback')
  goOn()
  await page.getByRole('heading', { name: 'Connect a shared number' }).waitFor()
  await page.getByRole('combobox', { name: 'Number' }).click()
  await page.getByRole('option', { name: /Bicycle school/ }).click()
  await page.getByLabel('PIN').fill('123456')
  await look(page, 'whatsapp-24-shared')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('heading', { name: '+44 20 7946 0959' }).waitFor()
  // what Meta gave is worth something once
  await page.goto(address)
  await page.getByText('The number could not be connected').waitFor()
  await look(page, 'whatsapp-25-callback-failed')
  expect(whatsapp.broken).toEqual([])
})

test('an owner makes a chatbot for WhatsApp, which is tried and checked for it before it has a number', async () => {
  const { page } = ada
  await page.goto(`${screen.split('/chatbots')[0]}/chatbots/new`)
  await page.getByLabel('Chatbot name').fill('On phones')
  await page.getByRole('group', { name: 'Where people write' }).getByText('WhatsApp', { exact: true }).click()
  await look(page, 'whatsapp-26-new')
  await page.getByRole('button', { name: 'Create chatbot' }).click()
  await ready(page)
  const builder = page.url()
  await page.goto(builder.replace(/\/builder.*$/, '/settings/general'))
  const radio = page.getByRole('radio', { name: /^WhatsApp/ })
  await radio.waitFor()
  expect(await radio.isChecked()).toBe(true)
  await look(page, 'whatsapp-27-platform')
  await page.goto(builder.replace(/\/chatbots\/.*$/, '/chatbots'))
  const row = page.getByRole('listitem').filter({ hasText: 'On phones' })
  await row.getByText('WhatsApp', { exact: true }).waitFor()
  await look(page, 'whatsapp-28-list')
})
