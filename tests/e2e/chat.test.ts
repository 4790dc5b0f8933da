import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { BotMessage, InputRequest, Reply } from '../../engine/flow/conversation'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type ScriptedBots, startScriptedBots } from '../support/chatBots'
import { buildChatPage, type ChatPage } from '../support/chatPage'

/** Every message and every question on the visitor's page, in a browser, with the real server behind it. */
let chatPage: ChatPage
let bots: ScriptedBots
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  chatPage = await buildChatPage()
  ;[bots, browser] = await Promise.all([startScriptedBots(chatPage.folder), launchBrowser()])
  page = browser.page
})
afterAll(() => Promise.all([browser.close(), bots.server.close(), chatPage.remove()]))
afterEach(() => expect(browser.errors.splice(0)).toEqual([]))

type Steps = Parameters<ScriptedBots['publish']>[0]

async function open(...steps: Steps): Promise<{ url: string; replies: Reply[] }> {
  const bot = await bots.publish(steps)
  await page.goto(bot.url)
  await page.getByRole('log').waitFor()
  return bot
}
const log = () => page.getByRole('log')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const ended = () => page.getByText('The conversation has ended').waitFor()

const line = { placeholder: '', required: true } as const
const question: InputRequest = { input: 'text', ...line, long: false, maxLength: 100 }
const options = (...labels: string[]) => labels.map((label, index) => ({ id: `o${index + 1}`, label }))
const cards = (count: number): BotMessage => ({
  kind: 'carousel',
  items: Array.from({ length: count }, (_, index) => ({
    id: `c${index}`,
    title: `Card ${index + 1}`,
    description: 'What it is about',
    image: 'https://pictures.example/card.png',
    buttons: [{ id: `b${index}`, label: `Take ${index + 1}` }],
  })),
})

describe('a message', () => {
  it('is drawn, whatever its kind, and nothing of it is a barrier', async () => {
    await open(
      'Hello',
      { kind: 'image', url: 'https://pictures.example/a.png', alt: 'A picture' },
      { kind: 'video', url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', caption: 'A film' },
      { kind: 'embed', url: 'https://maps.example/here', title: 'A map', height: 200 },
      {
        kind: 'answer',
        text: [{ type: 'paragraph', children: [{ text: 'Open till five [1].' }] }],
        sources: [{ title: 'Hours', url: 'https://site.example/hours' }, { title: 'Handbook' }],
      },
      cards(4),
      question,
    )
    const film = page.getByTitle('A film')
    await expect
      .poll(() => film.getAttribute('src'))
      .toMatch(/^https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ/)
    const map = page.getByTitle('A map')
    await expect.poll(() => map.getAttribute('sandbox')).toContain('allow-same-origin')
    await page.getByRole('list', { name: 'Sources' }).getByRole('link', { name: '1 Hours' }).waitFor()
    await page.getByText('Handbook').waitFor()
    await expectAccessible(page, 'messages')
    // on paper: the picture, though it is a button, and each card of a row that is else moved along
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('img', { name: 'A picture' }).waitFor()
    const row = page.getByRole('list', { name: 'Cards' })
    await expect.poll(() => row.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0)
    expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0)
    await page.emulateMedia({ media: null })
  })

  it('keeps a page of our own in a sandbox without our origin', async () => {
    await open({ kind: 'embed', url: `${bots.server.url}/c/none`, title: 'Ours', height: 100 }, question)
    await expect.poll(() => page.getByTitle('Ours').getAttribute('sandbox')).not.toContain('allow-same-origin')
    await page.getByTitle('Ours').evaluate((frame) => frame.remove())
    // what the framed page can't do for want of an origin it says so
    browser.errors.splice(0)
  })

  it('moves along its cards by arrow and by key, and is answered on one', async () => {
    const { replies } = await open(cards(6), {
      input: 'choice',
      multiple: false,
      typing: false,
      placeholder: '',
      options: Array.from({ length: 6 }, (_, index) => ({ id: `b${index}`, label: `Take ${index + 1}` })),
      shown: 'cards',
    })
    const row = page.getByRole('list', { name: 'Cards' })
    const left = () => row.evaluate((element) => element.scrollLeft)
    await expect.poll(() => button('Previous').isDisabled()).toBe(true)
    await button('Next').click()
    await expect.poll(left).toBeGreaterThan(100)
    await row.focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(left).toBe(0)
    await expectAccessible(page, 'cards')
    await button('Take 2').click()
    await ended()
    expect(replies[1]).toEqual({ type: 'choice', optionIds: ['b1'] })
    await log().getByText('Take 2').last().waitFor()
    await expect.poll(() => button('Take 3').isDisabled()).toBe(true)
  })

  it('leads elsewhere once, as it arrives, and not again when the conversation is read later', async () => {
    const target = 'https://elsewhere.example/there'
    const { url } = await open(question, { kind: 'redirect', url: target, newTab: false })
    await page.getByRole('textbox').fill('Go')
    await page.keyboard.press('Enter')
    await page.waitForURL(target)
    await page.goto(url)
    const link = page.getByRole('link', { name: 'elsewhere.example/there' })
    await link.waitFor()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(page.url()).toBe(url)
    await expect.poll(() => link.getAttribute('href')).toBe(target)
  })

  it('leads nowhere but to the web', async () => {
    const { url } = await open({ kind: 'redirect', url: 'javascript:alert(1)', newTab: false }, question)
    await page.getByText('javascript:alert(1)').waitFor()
    expect(await log().getByRole('link').count()).toBe(0)
    expect(page.url()).toBe(url)
  })
})

it('that the server does not open now says why, and opens when it is tried again', async () => {
  const { url } = await bots.publish(['Hello', question])
  const busy = { success: false, code: 'too_many_requests', data: 'Please retry after one minute.' }
  for (const call of [/\/api\/chat\/[^/]+$/, /\/conversations/]) {
    await page.route(call, (route) => route.fulfill({ status: 429, json: busy }))
    await page.goto(url)
    await page.getByRole('alert').getByText('Please retry after one minute.').waitFor()
    await page.unroute(call)
    await button('Try again').click()
    await log().getByText('Hello').waitFor()
  }
  expect(browser.errors.splice(0).filter((error) => !error.includes('429'))).toEqual([])
})

describe('a question', () => {
  it('for one line sends whatever is typed: it may be an intent, and the block has its own words for the rest', async () => {
    const { replies } = await open(
      { ...question, minLength: 3 },
      { input: 'email', ...line },
      { input: 'phone', ...line },
      { input: 'number', ...line, integer: true, min: 1, max: 9 },
      { input: 'url', ...line },
    )
    const typed: [field: string, text: string][] = [
      ['Your message', 'ab'],
      ['Your email address', 'I want a person'],
      ['Your phone number', 'why?'],
      ['A number', '1.5'],
      ['A web address', 'none'],
    ]
    for (const [field, text] of typed) {
      await page.getByRole('textbox', { name: field }).fill(text)
      await page.keyboard.press('Enter')
      await log().getByText(text, { exact: true }).waitFor()
    }
    await ended()
    expect(replies).toEqual(typed.map(([, text]) => ({ type: 'text', text })))
  })

  it('is answered at a tap, or left out', async () => {
    const { replies } = await open(
      { ...question, required: false, quickReplies: options('Yes, please', 'No') },
      { ...question, required: false },
    )
    await expectAccessible(page, 'quick replies')
    await button('Yes, please').click()
    await log().getByText('Yes, please').waitFor()
    await button('Skip').click()
    await ended()
    await log().getByText('Skipped').waitFor()
    expect(replies).toEqual([{ type: 'text', text: 'Yes, please' }, { type: 'skip' }])
  })

  it('for a date takes a day, a time, or a range, in ISO 8601', async () => {
    const { replies } = await open(
      { input: 'date', ...line, mode: 'date', range: false, min: '2026-01-01', max: '2026-12-31' },
      { input: 'date', ...line, mode: 'date-time', range: true, timeZone: 'Europe/Berlin' },
      { input: 'date', ...line, mode: 'date-time', range: false },
    )
    await page.getByLabel('Date').fill('2027-01-01')
    await button('Send').click()
    await page.getByRole('alert').getByText('Must not be after 2026-12-31').waitFor()
    await page.getByLabel('Date').fill('2026-11-21')
    await button('Send').click()
    await page.getByLabel('From').fill('2026-11-21T10:00')
    await page.getByLabel('To').fill('2026-11-21T09:00')
    await page.getByText('Time in Europe/Berlin').waitFor()
    await button('Send').click()
    await page.getByRole('alert').getByText('The end must not be before the start').waitFor()
    await expectAccessible(page, 'a range of times')
    await page.getByLabel('To').fill('2026-11-21T11:30')
    await button('Send').click()
    await log().getByText('2026-11-21 10:00 – 2026-11-21 11:30').waitFor()
    await page.getByLabel('Date and time').fill('2026-11-22T08:00')
    await button('Send').click()
    await ended()
    expect(replies.map((reply) => (reply.type === 'text' ? reply.text : ''))).toEqual([
      '2026-11-21',
      '2026-11-21T10:00/2026-11-21T11:30',
      expect.stringMatching(/^2026-11-22T08:00[+-]\d\d:\d\d$/),
    ])
  })

  it('on a scale is a radio group: a tap answers, arrow keys only move', async () => {
    const faces = options('Awful', 'Bad', 'Fair', 'Good', 'Great')
    const { replies } = await open(
      { input: 'rating', required: true, scale: 'emoji', options: faces },
      { input: 'rating', required: false, scale: 'stars', options: options('1', '2', '3', '4', '5') },
      { input: 'rating', required: true, scale: 'numbers', options: options(...'0 1 2 3 4 5 6 7 8 9 10'.split(' ')) },
      { input: 'rating', required: true, scale: 'text', options: options('Not at all', 'Very much') },
    )
    const scale = page.getByRole('radiogroup', { name: 'Choose a rating' })
    await scale.getByRole('radio', { name: 'Fair' }).waitFor()
    expect((await scale.boundingBox())?.width).toBeLessThanOrEqual(220)
    await expectAccessible(page, 'a scale')
    await scale.getByRole('radio').first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => scale.getByRole('radio', { name: 'Good' }).getAttribute('aria-checked')).toBe('true')
    expect(replies).toEqual([])
    await page.keyboard.press('Enter')
    await scale.getByRole('radio', { name: '5', exact: true }).click()
    await scale.getByRole('radio', { name: '10' }).click()
    await expectAccessible(page, 'a scale of words')
    await scale.getByRole('radio', { name: 'Very much' }).click()
    await ended()
    expect(replies.map((reply) => (reply.type === 'choice' ? reply.optionIds[0] : ''))).toEqual([
      'o4',
      'o5',
      'o11',
      'o2',
    ])
  })

  it('of many fields says at each what is wrong, and keeps the rest', async () => {
    const fields: Extract<InputRequest, { input: 'form' }>['fields'] = [
      { id: 'name', label: 'Name', type: 'text', required: true, placeholder: '', choices: [] },
      { id: 'mail', label: 'Email', type: 'email', required: true, placeholder: '', choices: [] },
      { id: 'size', label: 'Size', type: 'select', required: false, placeholder: '', choices: ['Small', 'Large'] },
      { id: 'days', label: 'Days', type: 'multiple', required: false, placeholder: '', choices: ['Monday', 'Friday'] },
      { id: 'terms', label: 'I agree', type: 'checkbox', required: true, placeholder: '', choices: [] },
    ]
    const known = fields.map((field) =>
      field.id === 'mail' ? { ...field, value: 'ada@example.com', problem: 'This address is taken' } : field,
    )
    const { replies } = await open(
      { input: 'form', required: true, submitLabel: 'Register', fields },
      { input: 'form', required: true, submitLabel: '', fields: known },
    )
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill('ada@')
    await button('Register').click()
    await page.getByText('Enter a valid email address').waitFor()
    await page.getByText('Required').waitFor()
    await page.getByText('Fix the errors in the form and retry').waitFor()
    expect(await page.getByLabel('Email').evaluate((field) => field === document.activeElement)).toBe(true)
    await expect.poll(() => page.getByText('(Optional)').count()).toBe(2)
    await expectAccessible(page, 'a form')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Size').selectOption('Large')
    await page.getByLabel('Friday').check()
    await page.getByLabel('I agree').check()
    await button('Register').click()
    await page.getByText('This address is taken').waitFor()
    expect(replies[0]).toEqual({
      type: 'form',
      values: { name: 'Ada', mail: 'ada@example.com', size: 'Large', days: ['Friday'], terms: 'true' },
    })
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ada@example.com')
  })

  it('of a lead is checked here first: nothing is sent and no bubble shown before it is right', async () => {
    const field = { required: false, placeholder: '', choices: [] }
    const fields: Extract<InputRequest, { input: 'form' }>['fields'] = [
      { ...field, id: 'name', label: 'Name', type: 'text', required: true, maxLength: 125 },
      { ...field, id: 'email', label: 'Email', type: 'email', maxLength: 320 },
      { ...field, id: 'website', label: 'Website', type: 'url' },
    ]
    const { replies } = await open({ input: 'form', required: true, submitLabel: '', fields })
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    const isFocused = (label: string) =>
      page.getByLabel(label).evaluate((element) => element === document.activeElement)
    const problemOf = async (label: string) => {
      const at = page.getByLabel(label)
      const [invalid, by] = [await at.getAttribute('aria-invalid'), await at.getAttribute('aria-describedby')]
      return invalid === null ? null : page.locator(`[id="${by}"]`).textContent()
    }
    await page.getByLabel('Email').fill('ada@')
    await page.getByLabel('Website').fill('example.com')
    await button('Send').click()
    await page.getByText('Fix the errors in the form and retry').waitFor()
    await expect.poll(() => problemOf('Name')).toBe('Required')
    expect(await problemOf('Email')).toBe('Enter a valid email address')
    expect(await problemOf('Website')).toBe('Enter a valid URL (must start with https:// or http://)')
    await expect.poll(() => isFocused('Name')).toBe(true)

    await page.getByLabel('Name').pressSequentially('x'.repeat(126))
    await expect.poll(() => page.getByLabel('Name').inputValue()).toHaveLength(126)
    await page.getByText('126 / 125').waitFor()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Website').fill('https://example.com')
    await button('Send').click()
    expect(await problemOf('Name')).toBe('Must be less than 126 characters')
    expect([await problemOf('Email'), await isFocused('Name')]).toEqual([null, true])
    await expectAccessible(page, 'a form with a text that is too long')
    expect(sent).toEqual([])
    expect(await log().getByText('ada@example.com').count()).toBe(0)

    await page.getByLabel('Name').fill('x'.repeat(125))
    await button('Send').click()
    await ended()
    expect(replies[0]).toMatchObject({ values: { name: 'x'.repeat(125) } })
  })

  it('for a text takes all that is typed, and says what is too long instead of cutting it', async () => {
    const { replies } = await open({ ...question, maxLength: 125 })
    const field = page.getByRole('textbox')
    await field.pressSequentially('y'.repeat(126))
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Must be less than 126 characters').waitFor()
    expect([await field.inputValue(), replies]).toEqual(['y'.repeat(126), []])
    await expectAccessible(page, 'a text that is too long')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await ended()
    expect(replies).toEqual([{ type: 'text', text: 'y'.repeat(125) }])
  })

  it('for files uploads them, marks those that can’t be sent, and sends the others', async () => {
    const { replies } = await open({
      input: 'file',
      required: true,
      accept: ['.txt', 'image/*'],
      maxSize: 1_000,
      maxCount: 3,
    })
    const file = (name: string, mimeType: string, size: number) => ({ name, mimeType, buffer: Buffer.alloc(size, 'a') })
    await page
      .getByLabel('choose files')
      .setInputFiles([
        file('note.txt', 'text/plain', 20),
        file('big.txt', 'text/plain', 2_000),
        file('fake.png', 'image/png', 30),
      ])
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await row('note.txt').getByText('Uploaded').waitFor()
    await row('big.txt').getByText('Larger than 1 KB').waitFor()
    await row('fake.png').getByText('This file is not one of .txt, image/*.').waitFor()
    expect(browser.errors.splice(0)).toEqual([expect.stringContaining('415')])
    await expectAccessible(page, 'files')
    await button('Remove big.txt').click()
    await button('Remove fake.png').click()
    await page.getByLabel('choose files').waitFor()
    await button('Send').click()
    await ended()
    const sent = replies[0]?.type === 'files' ? replies[0].files : []
    expect(sent).toMatchObject([{ name: 'note.txt', type: 'text/plain', size: 20 }])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      log()
        .getByRole('link', { name: /note\.txt/ })
        .click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toBe('a'.repeat(20))
  })

  it('keeps what was typed when the server refuses it', async () => {
    await open(question)
    const answer = { success: false, data: 'Too much of it', code: 'invalid' }
    await page.route('**/messages', (route) => route.fulfill({ status: 422, json: answer }), { times: 1 })
    const field = page.getByRole('textbox')
    await field.fill('Ada Lovelace')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Too much of it').waitFor()
    await expect.poll(() => field.inputValue()).toBe('Ada Lovelace')
    // the cursor is back in the field a moment later
    await field.press('Enter')
    await ended()
    expect(browser.errors.splice(0)).toHaveLength(1)
  })

  it('keeps what is being typed when it is asked again, and makes way when another is asked', async () => {
    const patient = { ...question, timeout: 600 }
    await open(patient, 'Are you there?', patient, 'Then something else', { ...question, placeholder: 'Else' })
    const field = page.getByRole('textbox')
    await field.fill('Ada Lov')
    await bots.pass(600)
    await log().getByText('Are you there?').waitFor()
    await expect.poll(() => field.inputValue()).toBe('Ada Lov')
    await bots.pass(600)
    await page.getByPlaceholder('Else').waitFor()
    await expect.poll(() => field.inputValue()).toBe('')
  })
})

it('waits in sight: dots, and a line that takes nothing', async () => {
  await open('One moment', { input: 'wait', timeout: 3_600 })
  await page.getByText('is typing').waitFor({ state: 'attached' })
  await page.getByRole('textbox', { disabled: true }).waitFor()
})
