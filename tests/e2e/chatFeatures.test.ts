import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { BotMessage, InputRequest } from '../../engine/flow/conversation'
import { uploadFile } from '../../server/contracts/files'
import { defaultLook, type Look } from '../../server/contracts/web/look'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { buildChatPage, type ChatPage } from '../support/chatPage'
import { type EmbeddedBots, openShadows, startEmbeddedBots, startSite } from '../support/embeddedBots'
import { type MailServer, startMailServer } from '../support/mailServer'

/** What browsers and mail servers have a part in: a voice that is taken down, tones, the shape of a recording, what was missed, sizes, a transcript. */
let chatPage: ChatPage
let mails: MailServer
let bots: EmbeddedBots
let site: Awaited<ReturnType<typeof startSite>>
let desk: TestBrowser
let page: Page

beforeAll(async () => {
  ;[chatPage, mails] = await Promise.all([buildChatPage(), startMailServer()])
  ;[bots, desk, site] = await Promise.all([
    startEmbeddedBots(chatPage.folder, {
      smtpUrl: `smtp://127.0.0.1:${mails.port}`,
      mailFrom: { name: 'Harbour', address: 'bot@example.com' },
    }),
    launchBrowser(),
    startSite(),
  ])
  page = desk.page
  await openShadows(desk.context)
})
afterAll(() => Promise.all([desk?.close(), bots?.server.close(), mails?.close(), chatPage?.remove(), site?.close()]))
afterEach(() => expect(desk.errors.splice(0)).toEqual([]))

type Steps = readonly (BotMessage | InputRequest | string)[]
const question = { input: 'text', placeholder: '', required: true, long: false, maxLength: 100 } as const
const minute = { input: 'wait', timeout: 60 } as const
const words = (text: string) => [{ type: 'paragraph' as const, children: [{ text }] }]

/** A chatbot with parts of its look switched; its shared page's address, and its external id. */
function publish(steps: Steps, parts: Partial<Look['parts']> = {}) {
  return bots.embed(steps, {}, { ...defaultLook, parts: { ...defaultLook.parts, ...parts } })
}
const log = () => page.getByRole('log', { name: 'Conversation' })
const hears = (text: string) => log().getByText(text, { exact: true }).last().waitFor()
const field = () => page.getByRole('textbox', { name: 'Your message' })
async function writes(text: string): Promise<void> {
  await field().fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await hears(text)
}

/** A recogniser as browsers have one, which hears what the test says. */
const withRecogniser = () => {
  class Recogniser extends EventTarget {
    lang = ''
    interimResults = false
    start() {
      Object.assign(window, { recogniser: this })
    }
    stop() {
      this.dispatchEvent(new Event('end'))
    }
    abort() {
      this.stop()
    }
    hear(...parts: string[]) {
      const results = parts.map((transcript) => [{ transcript }])
      this.dispatchEvent(Object.assign(new Event('result'), { results }))
    }
  }
  Object.assign(window, { SpeechRecognition: Recogniser })
}
const hear = (...parts: string[]) =>
  page.evaluate(
    (said) => (window as unknown as { recogniser: { hear: (...p: string[]) => void } }).recogniser.hear(...said),
    parts,
  )

it('takes down what is said, to be looked over before it is sent, and has no button where the browser hears nothing', async () => {
  const { url, replies } = await publish(['Hello', question, 'Thank you'], { voice: true })
  const voice = page.getByRole('button', { name: 'Speak', exact: true })
  const deaf = await desk.context.newPage()
  await deaf.addInitScript(() =>
    Object.assign(window, { SpeechRecognition: undefined, webkitSpeechRecognition: undefined }),
  )
  await deaf.goto(url)
  await deaf.getByRole('textbox', { name: 'Your message' }).waitFor()
  expect(await deaf.getByRole('button', { name: 'Speak', exact: true }).count()).toBe(0)
  await deaf.close()

  await page.addInitScript(withRecogniser)
  await page.goto(url)
  await hears('Hello')
  await voice.click()
  const listening = page.getByRole('button', { name: 'Listening…', exact: true })
  await listening.and(page.locator('[aria-pressed="true"]')).waitFor()
  await hear('two lam')
  await expect.poll(() => field().inputValue()).toBe('two lam')
  // what it heard first it has understood better since
  await hear('two lamps ', 'for a boat')
  await expect.poll(() => field().inputValue()).toBe('two lamps for a boat')
  await listening.click()
  await voice.waitFor()
  expect(replies[1]).toBeUndefined()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await hears('Thank you')
  expect(replies[1]).toEqual({ type: 'text', text: 'two lamps for a boat' })
})

it('plays one tone for messages that come together, and none by setting, for history, or where effects are reduced', async () => {
  await page.addInitScript(() => {
    const { createOscillator } = AudioContext.prototype
    Object.assign(window, { tones: 0 })
    AudioContext.prototype.createOscillator = function () {
      ;(window as unknown as { tones: number }).tones++
      return createOscillator.call(this)
    }
  })
  const tones = () => page.evaluate(() => (window as unknown as { tones: number }).tones)
  const steps = ['Hello', question, 'A moment', minute, 'One', 'Two', question]
  async function talk(reducedMotion: 'reduce' | 'no-preference', sounds: boolean): Promise<void> {
    const { url } = await publish(steps, { sounds })
    await page.emulateMedia({ reducedMotion })
    await page.goto(url)
    await hears('Hello')
    await writes('Ahoy')
    // from here on the server waits
    await hears('A moment')
    await bots.pass(61)
    await hears('Two')
  }
  await talk('no-preference', true)
  // of the moment, and of the two
  await expect.poll(tones).toBe(2)
  await page.reload()
  await hears('Two')
  expect(await tones()).toBe(0)
  await talk('no-preference', false)
  expect(await tones()).toBe(0)
  await talk('reduce', true)
  expect(await tones()).toBe(0)
})

/** A second of sound: silence, then a tone. */
function recording(): Buffer {
  const [rate, header] = [8_000, Buffer.alloc(44)]
  const samples = Buffer.alloc(rate * 2)
  for (let at = rate / 2; at < rate; at++) samples.writeInt16LE(Math.round(20_000 * Math.sin(at / 3)), at * 2)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

it('draws a recording as it sounds, and is gone through by the keyboard', async () => {
  const editor = await bots.server.register()
  const answer = await fetch(
    `${bots.server.url}${uploadFile.path.replace(':pgid', editor.pgid)}?name=tone.wav&medium=audio`,
    {
      method: 'POST',
      headers: {
        cookie: [...editor.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
        'x-xsrf-token': editor.cookies.get('XSRF-TOKEN') ?? '',
        'content-type': 'application/octet-stream',
      },
      body: new Uint8Array(recording()),
    },
  )
  const { data } = (await answer.json()) as { data: { file: { url: string } } }
  const url = new URL(data.file.url, bots.server.url).pathname
  await page.goto((await publish(['Listen', { kind: 'audio', url, caption: 'The horn' }, question])).url)
  const slider = page.getByRole('slider', { name: 'The horn', exact: true })
  await slider.waitFor()
  const heights = () =>
    page.locator('rect').evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))))
  await expect.poll(async () => Math.max(...(await heights()))).toBeGreaterThan(25)
  const drawn = await heights()
  const half = drawn.length / 2
  expect(Math.max(...drawn.slice(0, half - 1))).toBeLessThan(5)
  expect(Math.min(...drawn.slice(half + 1))).toBeGreaterThan(20)
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('0:00 / 0:01')
  await slider.focus()
  await page.keyboard.press('End')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('0:01 / 0:01')
})

it('marks where what was missed begins, and counts it at the launcher', async () => {
  const { url, line } = await publish(['Hello', question, 'A moment', minute, 'One', 'Two', question])
  const look = (state: 'hidden' | 'visible') =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await page.goto(url)
  await hears('Hello')
  await writes('Ahoy')
  await hears('A moment')
  await look('hidden')
  await bots.pass(61)
  await hears('Two')
  await look('visible')
  const divider = log().getByText('New', { exact: true })
  await divider.waitFor()
  const lines = (await log().allInnerTexts())
    .join('\n')
    .split('\n')
    .filter((text) => /^(A moment|New|One|Two)$/.test(text))
  expect(lines).toEqual(['A moment', 'New', 'One', 'Two'])
  await writes('Thanks')
  await divider.waitFor({ state: 'detached' })

  site.pages['/'] = { head: line() }
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Open the chat' }).click()
  const chat = page.frameLocator('iframe')
  await chat.getByRole('log').getByText('Hello', { exact: true }).waitFor()
  await chat.getByRole('textbox', { name: 'Your message' }).fill('Ahoy')
  await chat.getByRole('button', { name: 'Send' }).click()
  await chat.getByRole('log').getByText('A moment', { exact: true }).waitFor()
  await page.locator('button.launcher').click()
  await page.getByRole('button', { name: 'Open the chat', exact: true }).waitFor()
  await bots.pass(61)
  const badged = page.getByRole('button', { name: 'Open the chat (2)', exact: true })
  await badged.waitFor()
  await badged.click()
  await chat.getByRole('log').getByText('Two', { exact: true }).waitFor()
  await page.locator('button.launcher').click()
  await page.getByRole('button', { name: 'Open the chat', exact: true }).waitFor()
})

it('keeps images within 500 by 350, and sources within 250, or 400 where one stands alone', async () => {
  const title = 'What a lamp costs, and how long its guarantee lasts in each of our harbours '.repeat(3)
  const sources = (count: number) => Array.from({ length: count }, (_, at) => ({ title: `${title} ${at}` }))
  const picture = (width: number, height: number) =>
    ({ kind: 'image', url: `https://example.com/${width}x${height}.svg`, alt: `${width} by ${height}` }) as const
  await page.route('https://example.com/*.svg', (route) => {
    const [, width, height] = /(\d+)x(\d+)/.exec(route.request().url()) ?? []
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/></svg>`
    return route.fulfill({ contentType: 'image/svg+xml', body })
  })
  const { url } = await publish([
    picture(2_000, 100),
    picture(100, 2_000),
    picture(80, 60),
    { kind: 'answer', text: words('From one.'), sources: sources(1) },
    { kind: 'answer', text: words('From several.'), sources: sources(3) },
    question,
  ])
  await page.goto(url)
  const sizeOf = async (alt: string) => {
    const image = page.getByRole('img', { name: alt, exact: true }).first()
    await image.scrollIntoViewIfNeeded()
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).complete)).toBe(true)
    const box = await image.boundingBox()
    return [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]
  }
  const [wide = 0, low = 0] = await sizeOf('2000 by 100')
  expect([wide, low]).toEqual([500, 25])
  expect((await sizeOf('100 by 2000'))[1]).toBe(350)
  expect(await sizeOf('80 by 60')).toEqual([80, 60])
  const widths = () =>
    page
      .getByRole('list', { name: 'Sources' })
      .evaluateAll((lists) =>
        lists.map((list) =>
          [...list.querySelectorAll('[title]')].map((chip) => Math.round(chip.getBoundingClientRect().width)),
        ),
      )
  await expect.poll(widths).toEqual([[400], [250, 250, 250]])
})

it('says whether an answer helped: yes, no, taken back, and as before where the server refuses', async () => {
  const { url } = await publish(['Hello', { kind: 'answer', text: words('Five years.'), sources: [] }, question], {
    ratings: true,
  })
  await page.goto(url)
  await hears('Five years.')
  const [yes, no] = ['Yes', 'No'].map((name) => page.getByRole('button', { name, exact: true }).last())
  const state = () => Promise.all([yes, no].map((button) => button?.getAttribute('aria-pressed')))
  const rated = () =>
    bots.server.context.db.selectFrom('messages').select('helpful').where('helpful', 'is not', null).execute()
  await yes?.click()
  await expect.poll(state).toEqual(['true', 'false'])
  await no?.click()
  await expect.poll(state).toEqual(['false', 'true'])
  await expect.poll(rated).toEqual([{ helpful: false }])
  await no?.click()
  await expect.poll(state).toEqual(['false', 'false'])
  await expect.poll(rated).toEqual([])
  await page.route('**/rating', (route) =>
    route.fulfill({ status: 500, json: { success: false, data: 'Failed', code: 'internal' } }),
  )
  const refused = page.waitForResponse('**/rating')
  await yes?.click()
  await refused
  await expect.poll(state).toEqual(['false', 'false'])
  await page.unroute('**/rating')
  expect(desk.errors.splice(0).filter((error) => !error.includes('500'))).toEqual([])
})

it('mails a conversation through the mail server: to the visitor alone, with what both said', async () => {
  const { url } = await publish(['Hello', question, 'Five years.', question], { transcript: true })
  await page.goto(url)
  await hears('Hello')
  await writes('How long is the guarantee?')
  await hears('Five years.')
  await page.getByRole('button', { name: 'Send me this conversation by email', exact: true }).click()
  await page.getByRole('textbox', { name: 'Your email address', exact: true }).fill('grace@example.org')
  await page.locator('form').getByRole('button', { name: 'Send', exact: true }).first().click()
  await page.getByText('Sent to grace@example.org', { exact: true }).waitFor()
  await bots.pass(1)
  await expect.poll(() => mails.envelopes.map(({ to }) => to)).toEqual([['grace@example.org']])
  const [mail] = mails.mails
  expect(mail?.from?.value[0]?.address).toBe('bot@example.com')
  for (const said of ['Hello', 'How long is the guarantee?', 'Five years.']) expect(mail?.text).toContain(said)
})
