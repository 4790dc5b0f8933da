import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { readChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import {
  publishLook,
  readLook,
  saveLanguage,
  saveLook,
  saveShare,
  saveSurvey,
  saveVisibility,
} from '../../server/contracts/web'
import { languageSchema, shareSchema, surveySchema, visibilitySchema } from '../../server/contracts/web/settings'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createTestClock, type TestClock } from '../support/clock'
import { makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** What an editor sets on the screens of visibility, share and survey, and what a visitor meets then; each test goes on from the one before. */
let server: TestServer
let clock: TestClock
let owner: Registered
let ada: TestBrowser
let visitor: TestBrowser
let place: { pgid: string; cgid: string }
let slug: string

/** Asks for a name, and for more, thanks for it, and ends. */
function flowOf(...more: string[]): Flow {
  const block = (id: string, kind: string, data: object = {}): Block => {
    const { migrations, defaults } = registry.get(kind)
    return {
      id,
      kind,
      version: migrations.length,
      data: { ...(defaults(() => `${id}-item`) as object), ...data } as Block['data'],
    }
  }
  const blocks = [
    block('start', 'start'),
    block('name', 'text-input', { prompt: plainRichText('Who are you?') }),
    ...more.map((text, at) => block(`more-${at}`, 'text-input', { prompt: plainRichText(text) })),
    block('thanks', 'text', { content: plainRichText('Thank you') }),
  ]
  return { ...emptyFlow(), groups: [{ id: 'g', title: '', position: { x: 0, y: 0 }, blocks }] }
}

beforeAll(async () => {
  ensureBuilt()
  // a Sunday, eleven in the morning in Berlin
  clock = createTestClock('2026-01-04T10:00:00Z')
  server = await startTestServer({ clock })
  server.context.config.publicUrl = server.url
  owner = await server.register()
  const flow = await makeChatbot(owner)
  place = { pgid: flow.pgid, cgid: flow.cgid }
  const params = { ...place, fid: flow.fid }
  await owner.call(importFlow, { params, body: { source: JSON.stringify(flowOf()), mode: 'replace' } })
  await owner.call(publishFlow, { params })
  slug = (await owner.call(readChatbot, { params: place })).chatbot.slug
  const options = { timezoneId: 'Europe/Berlin', locale: 'en-GB' }
  ;[ada, visitor] = await Promise.all([launchBrowser(options), launchBrowser(options)])
  await ada.context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([ada?.close(), visitor?.close(), server?.close()]))

const open = (screen: string) => ada.page.goto(`${server.url}/projects/${place.pgid}/chatbots/${place.cgid}/${screen}`)
const visit = () => visitor.page.goto(`${server.url}/c/${slug}`)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
async function save(page: Page): Promise<void> {
  await button(page, 'Save').click()
  await button(page, 'Save').waitFor({ state: 'detached' })
}

test('opening hours are set with one switch, and overlapping ones are refused at their day', async () => {
  const { page } = ada
  await open('settings/visibility')
  await page.getByRole('switch', { name: 'Use opening hours' }).click({ force: true })
  expect(await page.getByLabel('Monday, from').inputValue()).toBe('09:00')
  expect(await page.getByLabel('Time zone').first().inputValue()).toBe('Europe/Berlin')
  await button(page, 'Add hours on Monday').click()
  await page.getByLabel('Monday, from').nth(1).fill('16:00')
  await page.getByLabel('Monday, to').nth(1).fill('20:00')
  await button(page, 'Save').click()
  await page.getByText('Overlaps with other hours of this day').waitFor()
  await button(page, 'Remove 16:00 to 20:00 on Monday').click()
  await button(page, 'Message and form').click()
  await page.getByLabel('Message', { exact: true }).fill('We are at lunch.')
  await expectAccessible(page, 'visibility')
  await save(page)
})

test('a visitor outside of the hours reads when it opens, and leaves a message that the team gets', async () => {
  const { page } = visitor
  const { draft, revision } = await owner.call(readLook, { params: place })
  draft.colours.light.accent = '#6d28d9'
  await owner.call(saveLook, { params: place, body: { look: draft, revision } })
  await owner.call(publishLook, { params: place, body: { revision: revision + 1 } })
  await visit()
  await page.getByRole('heading', { name: 'We’re closed at the moment' }).waitFor()
  // it looks as the chat does
  const colour = () => button(page, 'Send').evaluate((send) => getComputedStyle(send).backgroundColor)
  await expect.poll(colour).toBe('rgb(109, 40, 217)')
  await page.getByText('We are at lunch.').waitFor()
  await page.getByText('Open again: Monday').waitFor()
  await button(page, 'Send').click()
  await page.getByText('Required').first().waitFor()
  await page.getByLabel('Your name').fill('Grace')
  await page.getByLabel('Your email address').fill('grace@example.org')
  await page.getByLabel('Your message').fill('Are you open tomorrow?')
  await expectAccessible(page, 'closed page')
  await button(page, 'Send').click()
  await page.getByText('Thank you. We’ll answer at grace@example.org').waitFor()
  const subjects = () => server.context.db.selectFrom('mails').select('subject').execute()
  await expect.poll(subjects, { timeout: 20_000 }).toEqual([{ subject: 'Grace left a message with Bot' }])
})

test('on Monday it is open; when it closes, what was said stays readable and nothing can be written', async () => {
  const { page } = visitor
  clock.pass(24 * 3_600)
  await visit()
  await page.getByText('Who are you?').waitFor()
  await page.getByLabel('Your message').fill('Grace')
  await button(page, 'Send').click()
  await page.getByText('The conversation has ended').waitFor()
  clock.pass(12 * 3_600)
  await page.reload()
  await page.getByRole('heading', { name: 'We’re closed at the moment' }).waitFor()
  await page.getByRole('log').getByText('Grace', { exact: true }).waitFor()
  await owner.call(saveVisibility, { params: place, body: { settings: visibilitySchema.parse({}) } })
  await page.reload()
  await page.getByRole('log').getByText('Grace', { exact: true }).waitFor()
  expect(await page.getByRole('heading', { name: 'We’re closed at the moment' }).count()).toBe(0)
})

test('a password is set on the share screen; the page asks for it, and then shows the conversation', async () => {
  await open('integrations/share')
  await ada.page.getByRole('img', { name: `QR code of ${server.url}/c/${slug}` }).waitFor()
  await ada.page.getByLabel('Password', { exact: true }).fill('open sesame')
  await button(ada.page, 'Set password').click()
  await ada.page.getByText('The page asks for this password now.').waitFor()
  const png = async (width: number, height: number) => {
    const url = await ada.page.evaluate(
      ([w = 0, h = 0]) => Object.assign(document.createElement('canvas'), { width: w, height: h }).toDataURL(),
      [width, height],
    )
    return { name: 'card.png', mimeType: 'image/png', buffer: Buffer.from(url.split(',')[1] ?? '', 'base64') }
  }
  const image = ada.page.locator('input[type="file"]')
  await image.setInputFiles(await png(120, 80))
  await ada.page.getByText('This image is 120 × 80 pixels. Choose one of at least 200 × 200.').waitFor()
  await image.setInputFiles(await png(2_400, 1_260))
  // what the card shows is what was uploaded: scaled down
  const shown = ada.page.getByRole('figure', { name: 'How the link looks elsewhere' }).locator('img')
  await expect.poll(() => shown.evaluate((card) => (card as HTMLImageElement).naturalWidth)).toBe(1_200)
  // the first saves the address
  await button(ada.page, 'Save').nth(1).click()
  await button(ada.page, 'Save').nth(1).waitFor({ state: 'detached' })
  const uploaded = await shown.getAttribute('src')
  expect(await (await fetch(`${server.url}/c/${slug}`)).text()).toContain(
    `<meta property="og:image" content="${new URL(uploaded ?? '', server.url).href}" />`,
  )
  await expectAccessible(ada.page, 'share')
  const { page } = visitor
  await visit()
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('open barley')
  await button(page, 'Open the chat').click()
  await page.getByText('Wrong password').waitFor()
  await expectAccessible(page, 'locked page')
  await field.fill('open sesame')
  await button(page, 'Open the chat').click()
  await page.getByRole('log').getByText('Grace', { exact: true }).waitFor()
  // on paper: the whole conversation, and nothing to press
  await page.setViewportSize({ width: 400, height: 200 })
  await page.emulateMedia({ media: 'print' })
  const cut = () => page.getByRole('log').evaluate((log) => log.scrollHeight - log.clientHeight)
  await expect.poll(cut).toBe(0)
  expect(await page.getByRole('button').count()).toBe(0)
  await page.emulateMedia({ media: null })
  await expect.poll(cut).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.reload()
  await page.getByRole('log').getByText('Grace', { exact: true }).waitFor()
  await button(ada.page, 'Remove password').click()
  await ada.page.getByText('Password removed. The page is open.').waitFor()
})

test('the line for a site is chosen and copied, who may show it is checked and saved, and a QR code leads to the page', async () => {
  const { page } = ada
  const { egid } = (await owner.call(readChatbot, { params: place })).chatbot
  await open('integrations/embed')
  const code = (text: string) => page.locator('pre', { hasText: text }).waitFor()
  await code(`${server.url}/embed.js?chatbot=${egid}"`)
  await button(page, 'Popup').click()
  await code('data-parley-open')
  await page.getByRole('img', { name: `QR code of ${server.url}/c/${slug}` }).waitFor()
  const picture = page.waitForEvent('download')
  await button(page, 'Download PNG').click()
  expect((await picture).suggestedFilename()).toBe(`${slug}.png`)
  const domains = page.getByLabel('Allowed domains')
  await domains.fill('shop.example\nnot a domain')
  await page.getByText('Enter a valid domain (such as example.com)').waitFor()
  expect(await button(page, 'Save').isDisabled()).toBe(true)
  await domains.fill('https://Shop.example/lamps\n*.shop.example')
  await save(page)
  expect(await domains.inputValue()).toBe('shop.example\n*.shop.example')
  await page.getByLabel('Address of the page').fill('http://127.0.0.1:1/')
  await button(page, 'Check').click()
  await page.getByText(/is an address of a private network/).waitFor()
  await button(page, 'Create secret').click()
  const secret = page.getByRole('textbox', { name: 'Secret', exact: true })
  expect((await secret.inputValue()).length).toBeGreaterThan(20)
  await expectAccessible(page, 'embed')
  await page.reload()
  await button(page, 'Replace secret').waitFor()
  expect(await secret.count()).toBe(0)
  await domains.fill('')
  await save(page)
})

test('a page for members leads to the log-in and back', async () => {
  await owner.call(saveShare, {
    params: place,
    body: { settings: { ...shareSchema.parse({}), auth_enabled: true } },
  })
  const { page } = visitor
  // what the password opened is forgotten while no chat is open: an open one loads anew by itself, once it is refused
  await page.goto(`${server.url}/login`)
  await page.evaluate(() => sessionStorage.clear())
  await visitor.context.clearCookies()
  await visit()
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('Email').fill(owner.user.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await button(page, 'Log in').click()
  await page.getByRole('log').waitFor()
  expect(page.url()).toBe(`${server.url}/c/${slug}`)
  await owner.call(saveShare, { params: place, body: { settings: shareSchema.parse({}) } })
})

test('a survey is asked at the end, and its answer stands on the screen and in the conversation', async () => {
  await open('settings/survey')
  await ada.page.getByRole('switch', { name: 'Ask visitors for a rating' }).click({ force: true })
  await ada.page.getByRole('switch', { name: 'Ask: Was your question answered?' }).click({ force: true })
  await ada.page.getByRole('switch', { name: 'Required: Was your question answered?' }).click({ force: true })
  await ada.page.getByRole('switch', { name: 'Ask: Anything to add?' }).click({ force: true })
  await expectAccessible(ada.page, 'survey')
  await save(ada.page)
  const { page } = visitor
  await visit()
  await page.getByRole('heading', { name: 'How was this conversation?' }).waitFor()
  await expectAccessible(page, 'survey of a visitor')
  await page.getByRole('radio', { name: 'Good', exact: true }).click()
  await page.getByLabel('Anything to add?').fill('Quick and kind')
  await button(page, 'Send').click()
  await page.getByText('Required', { exact: true }).waitFor()
  await button(page, 'Yes').click()
  await button(page, 'Send').click()
  await page.getByText('Thank you for your feedback').waitFor()
  await page.reload()
  await page.getByText('The conversation has ended').waitFor()
  expect(await page.getByRole('heading', { name: 'How was this conversation?' }).count()).toBe(0)
  await open('settings/survey')
  const answers = ada.page.getByRole('list', { name: 'Answers of visitors' })
  await answers.getByText('Quick and kind').waitFor()
  await answers.getByRole('link').click()
  await ada.page.getByRole('heading', { name: 'The visitor’s feedback' }).waitFor()
  await ada.page.getByText('4 of 5: good').waitFor()
})

test('the chat speaks the language chosen for it, with the words written for it', async () => {
  const { page } = ada
  await open('settings/language')
  await page.getByRole('combobox', { name: 'Language of the chat' }).click()
  await page.getByRole('option', { name: 'German (Deutsch)' }).click()
  await page.getByRole('textbox', { name: 'Neu beginnen', exact: true }).waitFor()
  await page.getByLabel('Search texts').fill('email')
  const sent = page.getByRole('textbox', { name: 'Gesendet an {email}', exact: true })
  await sent.fill('Ist unterwegs')
  await button(page, 'Save').click()
  await page.getByText('Must contain {email}').waitFor()
  await sent.fill('')
  await page.getByLabel('Search texts').fill('')
  await page.getByRole('textbox', { name: 'Neu beginnen', exact: true }).fill('Von vorn, bitte')
  await expectAccessible(page, 'chat language')
  await save(page)
  await visit()
  // a conversation that has ended offers it at its end too
  await button(visitor.page, 'Von vorn, bitte').first().waitFor()
  expect(await visitor.page.locator('html').getAttribute('lang')).toBe('de')
  await owner.call(saveLanguage, { params: place, body: { settings: languageSchema.parse({}) } })
})

test('a survey is asked after minutes of silence, and who writes too much reads the limit in its own words', async () => {
  const flow = await makeChatbot(owner)
  const [params, talks] = [{ ...flow }, { pgid: flow.pgid, cgid: flow.cgid }]
  const source = JSON.stringify(flowOf('Where are you?', 'What do you need?'))
  await owner.call(importFlow, { params, body: { source, mode: 'replace' } })
  await owner.call(publishFlow, { params })
  await owner.call(saveSurvey, {
    params: talks,
    body: { settings: { ...surveySchema.parse({}), enabled: true, after_minutes: 5 } },
  })
  // the beginning counts as one
  const limits = { by_visitor: 2, by_address: 0, by_chatbot: 0, message: 'One at a time, please.' }
  await owner.call(saveVisibility, {
    params: talks,
    body: { settings: { ...visibilitySchema.parse({}), limits } },
  })
  const { chatbot } = await owner.call(readChatbot, { params: talks })
  const page = await visitor.context.newPage()
  await page.clock.install()
  await page.goto(`${server.url}/c/${chatbot.slug}`)
  const asks = (text: string) => page.getByRole('log').getByText(text, { exact: true }).waitFor()
  const writes = async (text: string) => {
    await page.getByLabel('Your message').fill(text)
    await button(page, 'Send').click()
  }
  const survey = page.getByRole('heading', { name: 'How was this conversation?' })
  await asks('Who are you?')
  await writes('Grace')
  await asks('Where are you?')
  await writes('At the harbour')
  await page.getByText('One at a time, please.').waitFor()
  clock.pass(61)
  await button(page, 'Send').click()
  await asks('What do you need?')
  // each message begins the time anew
  await page.clock.fastForward('04:30')
  expect(await survey.count()).toBe(0)
  // the time begins once the page has drawn the message
  const asked = async () => {
    await page.clock.fastForward('05:00')
    return survey.count()
  }
  await expect.poll(asked).toBe(1)
  await page.getByRole('radio', { name: 'Very good', exact: true }).click()
  await page.getByText('Thank you for your feedback').waitFor()
  // asked once: the conversation goes on
  clock.pass(61)
  await writes('A lamp')
  await asks('Thank you')
  await page.clock.fastForward('30:00')
  expect(await survey.count()).toBe(0)
  await page.close()
})

test('consent: what an open chat has kept goes once it is asked for, and nothing is kept before the visitor agrees', async () => {
  const { page } = visitor
  const asked = page.getByRole('region', { name: /May this browser keep/ })
  const kept = () => page.evaluate(() => localStorage.length + sessionStorage.length)
  await visit()
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.reload()
  await page.getByText('Who are you?').waitFor()
  await expect.poll(kept).toBeGreaterThan(0)
  await owner.call(saveVisibility, {
    params: place,
    body: { settings: { ...visibilitySchema.parse({}), consent: true } },
  })
  await asked.waitFor()
  expect(await kept()).toBe(0)
  await page.getByText('Who are you?').waitFor()
  await page.reload()
  await asked.waitFor()
  await page.getByText('Who are you?').waitFor()
  expect(await kept()).toBe(0)
  const question = 'May this browser keep your conversation, so that you can come back to it?'
  const { db } = server.context
  const said = (...answers: boolean[]) =>
    expect
      .poll(() => db.selectFrom('consents').select(['given', 'question']).orderBy('id').execute())
      .toEqual(answers.map((given) => ({ given, question })))
  await button(page, 'No, thanks').click()
  await said(false)
  // who changes their mind asks again
  await button(page, question).click()
  await button(page, 'Allow').click()
  await said(false, true)
  expect(await kept()).toBeGreaterThan(2)
  await page.reload()
  await page.getByText('Who are you?').waitFor()
  const again = button(page, question)
  await again.waitFor()
  expect(await asked.count()).toBe(0)
  await again.click()
  // what is counted is said apart
  const counts = page.getByRole('checkbox', { name: 'Count this visit in the statistics' })
  expect(await counts.isChecked()).toBe(true)
  await counts.uncheck()
  const isCounted = async () =>
    (await db.selectFrom('conversations').select('analytics').orderBy('id', 'desc').executeTakeFirst())?.analytics
  await expect.poll(isCounted).toBe(false)
  await said(false, true)
  await page.reload()
  await again.click()
  expect(await counts.isChecked()).toBe(false)
  await expectAccessible(page, 'consent')
  await button(page, 'No, thanks').click()
  await said(false, true, false)
  expect(await kept()).toBe(0)
  await page.reload()
  await asked.waitFor()
})

test('the overview says what is missing, and each line leads to its screen', async () => {
  const { page } = ada
  await open('settings/overview')
  await page.getByRole('heading', { name: 'Visitors can talk to it' }).waitFor()
  await expectAccessible(page, 'overview')
  await page.getByRole('link', { name: 'Answers by mail On' }).waitFor()
  await page.getByRole('link', { name: 'Domain None' }).waitFor()
  await page.getByRole('link', { name: 'Chat language Automatic' }).click()
  await page.getByRole('heading', { name: 'Chat language', level: 1 }).waitFor()
  await open('settings/overview')
  await owner.call(saveVisibility, {
    params: place,
    body: { settings: { ...visibilitySchema.parse({}), visibility: 'off' } },
  })
  await page.reload()
  await page.getByRole('heading', { name: 'Visitors can’t talk to it now' }).waitFor()
  await page.getByRole('link', { name: /Visible/ }).click()
  await page.getByRole('heading', { name: 'Visibility', level: 1 }).waitFor()
  const gone = await visit()
  expect(gone?.status()).toBe(404)
  await visitor.page.getByRole('heading', { name: 'This chatbot is not available' }).waitFor()
})
