import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RichText } from '../../engine/values/richText'
import { richTextToString } from '../../engine/values/richText'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import {
  block,
  chat,
  createFromFile,
  editText,
  exportFlow,
  logIn,
  openBuilder,
  ready,
  registerOwner,
  settings,
  showAll,
  typebotFile,
} from './steps'

/** Texts as an editor writes them, and as a visitor reads them; each test goes on where the one before it ended. */
let app: BuiltApp
let ada: TestBrowser
let bob: TestBrowser

beforeAll(async () => {
  ;[app, ada, bob] = await Promise.all([startBuiltApp(), launchBrowser(), launchBrowser()])
  await registerOwner(ada.page, app)
  await createFromFile(ada.page, typebotFile('template__lead-gen'), 'Lead generation')
  await openBuilder(ada.page)
})
afterAll(async () => {
  await Promise.all([ada.close(), bob.close()])
  await app.stop()
})

const message = (page: Page) => block(page, 'Name', 'Text')
const field = (page: Page) => settings(page).getByRole('textbox', { name: 'Message' })
const bar = (page: Page, name: string) => settings(page).getByRole('button', { name, exact: true })

/** Empties the text and leaves the cursor in it. */
async function startOver(page: Page): Promise<void> {
  await editText(page, message(page))
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await field(page).getByText('Write a message').waitFor()
}

/** Puts HTML on the clipboard as another program does, and pastes it where the cursor is. */
const paste = (page: Page, formats: Record<string, string>) =>
  page.evaluate((held) => {
    const data = new DataTransfer()
    for (const [format, text] of Object.entries(held)) data.setData(format, text)
    const how = { inputType: 'insertFromPaste', dataTransfer: data, bubbles: true, cancelable: true }
    document.activeElement?.dispatchEvent(new InputEvent('beforeinput', how))
  }, formats)

/** The text as it is stored: marks as **, _, __ and [](), lists as plain text. */
async function stored(page: Page): Promise<string> {
  await ready(page)
  const flow = JSON.parse((await exportFlow(page)).text) as { groups: { title: string; blocks: { data: unknown }[] }[] }
  const data = flow.groups.find(({ title }) => title === 'Name')?.blocks[0]?.data
  const { content } = data as { content: RichText }
  const written = content.map((paragraph) => ({
    ...paragraph,
    children: paragraph.children.map((child) => {
      if (child.text === '') return child
      let text: string = child.text
      if (child.bold) text = `**${text}**`
      if (child.italic) text = `_${text}_`
      if (child.underline) text = `__${text}__`
      if (child.link) text = `[${text}](${child.link})`
      return { text }
    }),
  }))
  return richTextToString(written, () => '<variable>')
}

it('writes lists by their signs, keys and buttons, and shows what the cursor stands in', async () => {
  const { page } = ada
  await startOver(page)
  await page.keyboard.type('Bring:\n- bread\n')
  await page.keyboard.press('Tab')
  await page.keyboard.type('white\nbrown\n\n')
  await page.keyboard.type('\nThen\n1. knock')
  await bar(page, 'Numbered list').and(page.locator('[aria-pressed=true]')).waitFor()
  await page.keyboard.press('Control+Shift+Digit8')
  await bar(page, 'Bulleted list').and(page.locator('[aria-pressed=true]')).waitFor()
  await bar(page, 'Numbered list').click()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('wait')
  expect(await stored(page)).toBe('Bring:\n• bread\n  • white\n  • brown\nThen\n1. knock\n2. **wait**')
})

it('makes, opens and takes away a link by Ctrl-K, and says what is no address', async () => {
  const { page } = ada
  await editText(page, message(page))
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.keyboard.press('Control+k')
  const address = page.getByRole('textbox', { name: 'Link address' })
  await address.fill('example.org')
  await address.press('Enter')
  await page.getByText('Enter a valid URL (must start with https:// or http://)').waitFor()
  await address.fill('https://example.org')
  await address.press('Enter')
  await address.waitFor({ state: 'detached' })
  expect(await stored(page)).toMatch(/2\. \[\*\*wait\*\*\]\(https:\/\/example\.org\)$/)
  await editText(page, message(page))
  await page.keyboard.press('Control+k')
  await page.getByRole('link', { name: 'Open' }).and(page.locator('[href="https://example.org"]')).waitFor()
  await page.keyboard.press('Escape')
  await address.waitFor({ state: 'detached' })
  await expectAccessible(page, 'a text with lists', 'aside[aria-label="Settings"]')
})

it('shows lists to visitors as lists, numbered on over what is inside', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const { log, chooses } = chat(page)
  await chooses('Hi!')
  const lists = log.getByRole('list')
  await lists.filter({ hasText: 'knock' }).waitFor()
  expect(
    await lists.filter({ hasText: 'bread' }).first().getByRole('list').getByRole('listitem').allInnerTexts(),
  ).toEqual(['white', 'brown'])
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await log.waitFor({ state: 'detached' })
})

it.each([
  [
    'word',
    '**Opening hours** of _our_ __shop__, <variable>:\n• Weekdays\n  • until six\n1. Ring\n\nSee [the page](https://example.org/hours)',
  ],
  ['docs', 'Plain, **bold** and [a link](https://example.org/)\n1. _first_\n  • inside\n2. second\n\nEnd'],
  [
    'page',
    '**Delivery**\nParcels go out **daily**.\nAsk us!\n• Letters\n  1. small\n  2. large\n• Boxes\nPrice 3 €\nTime 2 days\nkeep   this\nas is',
  ],
])('takes from the clipboard of %s what a text can hold, and nothing else', async (name, expected) => {
  const { page } = ada
  const html = await readFile(new URL(`clipboard/${name}.html`, import.meta.url), 'utf8')
  await startOver(page)
  await paste(page, { 'text/html': html, 'text/plain': 'not this' })
  expect(await stored(page)).toBe(expected)
  expect(await page.evaluate('window.hacked')).toBeUndefined()
})

it('cuts a huge paste at the cap and says so, keeps and marks what is typed beyond it', async () => {
  const { page } = ada
  await startOver(page)
  await paste(page, { 'text/plain': 'lorem ipsum '.repeat(8_334).slice(0, 100_000) })
  await settings(page).getByText('Only the first 20,000 of the 100,000 pasted characters fit.').waitFor()
  await settings(page).getByText('20000 / 20000').waitFor()
  await page.keyboard.type('!')
  await settings(page).getByText('Must not exceed 20000 characters').waitFor()
  await settings(page).getByText('20001 / 20000').waitFor()
})

it('shows each of two people where the other’s caret is, and that they are there', async () => {
  await startOver(ada.page)
  await ada.page.keyboard.type('Together')
  await ready(ada.page)
  await logIn(bob.page, app.url)
  await bob.page.goto(ada.page.url())
  await ready(bob.page)
  await showAll(bob.page)
  await message(bob.page).filter({ hasText: 'Together' }).click()
  await settings(bob.page).getByText('Ada Lovelace is typing here').waitFor()
  await editText(bob.page, message(bob.page))
  const caret = (page: Page) => settings(page).locator('[data-caret="Ada Lovelace"]')
  for (const { page } of [ada, bob]) await caret(page).waitFor()
  // both stand at the end; one goes to the start, and types there: the other's caret is moved along
  const end = (await caret(bob.page).boundingBox())?.x ?? 0
  await ada.page.keyboard.press('Home')
  await expect.poll(async () => (await caret(bob.page).boundingBox())?.x ?? end).toBeLessThan(end)
  const before = (await caret(ada.page).boundingBox())?.x ?? 0
  await ada.page.keyboard.type('All ')
  await field(bob.page).getByText('All Together').waitFor()
  await expect.poll(async () => (await caret(ada.page).boundingBox())?.x ?? 0).toBeGreaterThan(before)
  await bob.page.keyboard.type('!')
  await field(ada.page).getByText('All Together!').waitFor()
  await settings(bob.page).getByRole('button', { name: 'Close' }).click()
  await caret(ada.page).waitFor({ state: 'detached' })
})

it('leaves no error in either browser', () => {
  expect([...ada.errors, ...bob.errors]).toEqual([])
})
