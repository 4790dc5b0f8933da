import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InputRequest } from '../../engine/flow/conversation'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type ScriptedBots, startScriptedBots } from '../support/chatBots'
import { buildChatPage, type ChatPage } from '../support/chatPage'

/** What a visitor writes in, on a phone whose bot takes its time. */
let chatPage: ChatPage
let bots: ScriptedBots
let phone: TestBrowser
beforeAll(async () => {
  chatPage = await buildChatPage()
  const handheld = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
  ;[bots, phone] = await Promise.all([
    startScriptedBots(chatPage.folder),
    launchBrowser({ ...handheld, reducedMotion: 'no-preference' }),
  ])
})
afterAll(() => Promise.all([phone.close(), bots.server.close(), chatPage.remove()]))

const line = { placeholder: '', required: true } as const
const short: InputRequest = { input: 'text', ...line, long: false, maxLength: 100 }
const choice: InputRequest = {
  input: 'choice',
  multiple: false,
  typing: false,
  placeholder: '',
  options: [{ id: 'a', label: 'Prices' }],
}
const LONG = 'It takes a while to write this. '.repeat(4)
const SHOTS = process.env.SHOTS

const enabled = (page: Page) => page.getByRole('textbox', { disabled: false })
const isFocused = (page: Page) => page.evaluate(() => document.activeElement?.matches('input, textarea') === true)
async function shoot(page: Page, name: string) {
  if (!SHOTS) return
  await mkdir(SHOTS, { recursive: true })
  await page.screenshot({ path: `${SHOTS}/${name}.png` })
}

/** The bot's pauses last until the function that this gives is called: a machine that is slow is not too late for them. */
async function holdPauses(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { setTimeout } = window
    const held: (() => void)[] = []
    const hold = (act: () => void, wait = 0) => (wait < 200 ? setTimeout(act, wait) : held.push(act))
    Object.assign(window, { setTimeout: hold })
    window.addEventListener('letgo', () => {
      Object.assign(window, { setTimeout })
      for (const act of held) act()
    })
  })
  return () => page.evaluate(() => void window.dispatchEvent(new Event('letgo')))
}

it('keeps its line while the bot writes, and the keyboard from answer to answer', async () => {
  const { page } = phone
  const { url } = await bots.publish([
    'Hello',
    short,
    LONG,
    LONG,
    { input: 'email', ...line },
    LONG,
    { ...short, long: true },
    LONG,
    choice,
  ])
  await page.goto(url)
  await enabled(page).fill('Hi')
  await page.evaluate(() => {
    const field = document.querySelector('input')
    field?.setAttribute('data-mark', 'first')
    Object.assign(window, { left: 0 })
    // whatever takes the cursor out of what one writes in closes the keyboard
    field?.addEventListener('blur', () => Object.assign(window, { left: 1 }))
  })
  const letGo = await holdPauses(page)
  await page.getByRole('button', { name: 'Send' }).tap()
  const waiting = page.locator('input[data-mark][aria-disabled]')
  await waiting.waitFor()
  expect(await isFocused(page)).toBe(true)
  await page.keyboard.type('too early')
  expect(await waiting.inputValue()).toBe('')
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  await shoot(page, 'writing')
  await letGo()

  const email = page.locator('input[data-mark][type="email"]:not([aria-disabled])')
  await email.waitFor()
  expect([await isFocused(page), await page.evaluate(() => Reflect.get(window, 'left'))]).toEqual([true, 0])
  await page.keyboard.type('ada@example.com')
  await page.keyboard.press('Enter')
  await page.locator('textarea:not([aria-disabled])').waitFor()
  expect(await isFocused(page)).toBe(true)
  await page.keyboard.type('Several lines')
  await page.getByRole('button', { name: 'Send' }).tap()

  // where there is nothing to type, there is no line
  await page.getByRole('button', { name: 'Prices' }).waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
  await expectAccessible(page, 'a question after others')
  expect(phone.errors.splice(0)).toEqual([])
})

it('is written in the font of the preview, which comes with the page', async () => {
  const { page } = phone
  const { url } = await bots.publish(['Hello', short])
  await page.goto(url)
  await page.getByText('Hello').waitFor()
  const fonts = () =>
    page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')),
    )
  await expect.poll(fonts).toContain('Inter Variable')
  expect(await page.getByText('Hello').evaluate((words) => getComputedStyle(words).fontFamily)).toMatch(
    /^"Inter Variable"/,
  )
})

it.each([
  [390, 'light', 'en'],
  [320, 'dark', 'en'],
  [320, 'light', 'de'],
  [390, 'dark', 'ta'],
] as const)(
  'asks whether to start again on lines of its own, %i px wide, %s, in %s',
  async (width, colorScheme, locale) => {
    const small = await launchBrowser({ viewport: { width, height: 844 }, colorScheme, locale, hasTouch: true })
    try {
      const { page } = small
      const { url } = await bots.publish(['Hello', short])
      await page.goto(url)
      const opener = page.locator('header button')
      await opener.click()
      const question = page.getByRole('alertdialog')
      const cancel = question.getByRole('button').first()
      await expect.poll(() => cancel.evaluate((button) => button === document.activeElement)).toBe(true)
      const lines = await question.getByRole('button').evaluateAll((buttons) =>
        buttons.map((button) => {
          const words = document.createRange()
          words.selectNodeContents(button)
          return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size
        }),
      )
      expect(lines).toEqual([1, 1])
      const boxes = await question
        .getByRole('button')
        .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top))
      expect(new Set(boxes).size).toBe(1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      await expectAccessible(page, 'start again')
      await shoot(page, `restart-${width}-${colorScheme}-${locale}`)
      await page.keyboard.press('Escape')
      await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
    } finally {
      await small.close()
    }
  },
)

it.each([
  ['mail', 'ada@example.com', 'Sent to the team. They answer by mail at ada@example.com'],
  ['mail', undefined, 'Sent to the team. You gave no email address for an answer.'],
  ['kept', 'ada@example.com', 'Saved for the team. They aren’t notified, so an answer may take a while.'],
] as const)('says what became of what is written to people: %s %s', async (delivery, email, says) => {
  const { page } = phone
  const toTeam = { delivery, ...(email && { email }) }
  const { url } = await bots.publish(['Our team reads this.', { ...short, long: true, toTeam }])
  await page.goto(url)
  await page.getByRole('log').getByText(says).waitFor()
  await enabled(page).waitFor()
  expect(await page.getByText('The conversation has ended').count()).toBe(0)
  await shoot(page, `team-${delivery}-${email ? 'mail' : 'none'}`)
})
