import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RichText } from '../../engine/values/richText'
import { richTextToString } from '../../engine/values/richText'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { exportFlow, importFlow } from '../../server/contracts/flows'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { block, chat, editText, group, ready, settings, showAll, typebotFile, typeVariable } from './steps'

/** Texts as an editor writes them, and as a visitor reads them; each test goes on where the one before it ended. */
let server: TestServer
let ada: TestBrowser
let grace: TestBrowser
let owner: Registered
let place: { pgid: string; cgid: string; fid: string }

beforeAll(async () => {
  ensureBuilt()
  ;[server, ada, grace] = await Promise.all([startTestServer(), launchBrowser(), launchBrowser()])
  owner = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  place = await makeChatbot(owner)
  const source = await readFile(typebotFile('lead-generation'), 'utf8')
  await owner.call(importFlow, { params: place, body: { source, mode: 'replace' } })
  await enterAs(owner, ada)
})
afterAll(() => Promise.all([ada?.close(), grace?.close(), server?.close()]))

async function enterAs(person: Registered, { context, page }: TestBrowser): Promise<void> {
  await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  await page.goto(`${server.url}/projects/${place.pgid}/chatbots/${place.cgid}/builder`)
  await group(page, 'Name').waitFor()
  await ready(page)
  await showAll(page)
}

const message = (page: Page) => block(page, 'Name', 'Text')
const field = (page: Page) => settings(page).getByRole('textbox', { name: 'Message' })
const bar = (page: Page, name: string) => settings(page).getByRole('button', { name, exact: true })

/** Empties the text and leaves the cursor in it. */
async function startOver(page: Page): Promise<void> {
  await editText(page, message(page))
  // the browser tells of a selection a little later, and the editor deletes what it knows to be selected
  const selected = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        document.addEventListener('selectionchange', function told() {
          if (document.getSelection()?.isCollapsed !== false) return
          document.removeEventListener('selectionchange', told)
          resolve()
        })
      }),
  )
  await page.keyboard.press('Control+a')
  await selected
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
  const flow = await owner.call(exportFlow, { params: place })
  if (!('groups' in flow)) throw new Error('it has one flow')
  const [first] = flow.groups.find(({ title }) => title === 'Name')?.blocks ?? []
  const content = (first?.data.content ?? []) as unknown as RichText
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

it('leaves the focus with the variable picker, however late the browser gets to its timers', async () => {
  const { page } = ada
  await startOver(page)
  // a busy browser: what Slate puts off for an instant waits until the picker has been open for a while
  await page.evaluate(() => {
    const { setTimeout } = window
    const held: (() => void)[] = []
    const hold = (act: () => void, delay?: number, ...rest: unknown[]) =>
      delay ? setTimeout(act, delay, ...rest) : held.push(act)
    Object.assign(window, {
      setTimeout: hold,
      release: () => {
        window.setTimeout = setTimeout
        for (const act of held) act()
      },
    })
  })
  // a sign that is no letter has the editor set the cursor itself
  await page.keyboard.type('orders/{')
  const filter = page.getByRole('combobox', { name: 'Find a variable' })
  await filter.waitFor()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.keyboard.type('Na')
  expect(await filter.inputValue()).toBe('Na')
  await page.evaluate('release()')
  await page.keyboard.press('Enter')
  await filter.waitFor({ state: 'detached' })
  await field(page).and(page.locator('[data-slate-editor]:focus')).waitFor()
  await page.keyboard.type('!')
  expect(await stored(page)).toBe('orders/<variable>!')
})

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
  const typing = address.and(page.locator('[data-slate-editor]:focus'))
  await typing.waitFor()
  await page.keyboard.type('javascript:x')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Enter a valid address (must start with https://').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('https://example.org')
  await page.keyboard.press('Enter')
  await address.waitFor({ state: 'detached' })
  expect(await stored(page)).toMatch(/2\. \[\*\*wait\*\*\]\(https:\/\/example\.org\)$/)
  await editText(page, message(page))
  await page.keyboard.press('Control+k')
  await page.getByRole('link', { name: 'Open' }).and(page.locator('[href="https://example.org"]')).waitFor()
  await page.keyboard.press('Escape')
  await address.waitFor({ state: 'detached' })
  await expectAccessible(page, 'a text with lists', 'aside[aria-label="Settings"]')
})

it('takes a variable in the address of a link, which leads to its value', async () => {
  const { page } = ada
  await editText(page, block(page, 'Email', 'Text').first())
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Control+ArrowLeft')
  await page.keyboard.press('Control+k')
  const address = page.getByRole('textbox', { name: 'Link address' })
  await address.and(page.locator('[data-slate-editor]:focus')).waitFor()
  await page.keyboard.type('https://example.org/')
  await typeVariable(page, 'Name')
  await address.getByText('Name').waitFor()
  await page.keyboard.press('Control+z')
  await address.getByText('Name').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+y')
  await address.getByText('Name').waitFor()
  await page.keyboard.press('Enter')
  await address.waitFor({ state: 'detached' })
  await field(page).locator('[title="https://example.org/{Name}"]').first().waitFor()
  await ready(page)
})

it('shows lists to visitors as lists, numbered on over what is inside', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const { log, chooses, writes } = chat(page)
  await chooses('Hello!')
  const lists = log.getByRole('list')
  await lists.filter({ hasText: 'knock' }).waitFor()
  expect(
    await lists.filter({ hasText: 'bread' }).first().getByRole('list').getByRole('listitem').allInnerTexts(),
  ).toEqual(['white', 'brown'])
  await writes('Ada L')
  await log.locator('a[href="https://example.org/Ada%20L"]').waitFor()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
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

/** To those who see it, and to those who hear it. */
const said = (page: Page, text: string) => settings(page).getByRole('status').getByText(text).waitFor()

it('cuts a huge paste at the cap and says so, keeps and marks what is typed beyond it', async () => {
  const { page } = ada
  await startOver(page)
  await paste(page, { 'text/plain': 'lorem ipsum '.repeat(8_334).slice(0, 100_000) })
  await said(page, '80,000 of 100,000 pasted characters were cut: the limit is 20,000.')
  await settings(page).getByText('20000 / 20000').waitFor()
  await page.keyboard.type('!')
  await settings(page).getByText('20001 / 20000').waitFor()
  await page.locator('[data-slate-editor]:focus').blur()
  await settings(page).getByText('Must not exceed 20000 characters', { exact: true }).waitFor()
})

it('says in a field of one line too what was cut', async () => {
  const { page } = ada
  await block(page, 'Name', 'Text input').click()
  const placeholder = settings(page).getByRole('textbox', { name: 'Placeholder' })
  await placeholder.focus()
  await placeholder.and(page.locator('[data-slate-editor]:focus')).waitFor()
  await page.keyboard.press('Control+a')
  await paste(page, { 'text/plain': 'x'.repeat(6_000) })
  await said(page, '5,970 of 6,000 pasted characters were cut: the limit is 30.')
})

it('shows each of two people where the other’s caret is, and that they are there', async () => {
  await startOver(ada.page)
  await ada.page.keyboard.type('Together')
  await ready(ada.page)
  const editor = await server.register({ first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' })
  await addMember(server, place.pgid, editor, [Role.EDITOR])
  await enterAs(editor, grace)
  await message(grace.page).filter({ hasText: 'Together' }).click()
  await settings(grace.page).getByText('Ada Lovelace is editing this').waitFor()
  await editText(grace.page, message(grace.page))
  const caret = (page: Page) => settings(page).locator('[data-caret]')
  for (const { page } of [ada, grace]) await caret(page).waitFor()
  await expect.poll(() => caret(ada.page).getAttribute('data-caret')).toBe('Grace Hopper')
  await expect.poll(() => caret(grace.page).getAttribute('data-caret')).toBe('Ada Lovelace')
  // both stand at the end; one goes to the start, and types there: the other's caret is moved along
  const end = (await caret(grace.page).boundingBox())?.x ?? 0
  await ada.page.keyboard.press('Home')
  await expect.poll(async () => (await caret(grace.page).boundingBox())?.x ?? end).toBeLessThan(end)
  const before = (await caret(ada.page).boundingBox())?.x ?? 0
  await ada.page.keyboard.type('All ')
  await field(grace.page).getByText('All Together').waitFor()
  await expect.poll(async () => (await caret(ada.page).boundingBox())?.x ?? 0).toBeGreaterThan(before)
  await grace.page.keyboard.type('!')
  await field(ada.page).getByText('All Together!').waitFor()
  await settings(grace.page).getByRole('button', { name: 'Close' }).click()
  await caret(ada.page).waitFor({ state: 'detached' })
})

it('leaves no error in either browser', () => {
  // the handler in what was pasted, which the page's policy refuses before we drop it
  const others = [...ada.errors, ...grace.errors].filter((error) => !error.startsWith('Executing inline event handler'))
  expect(others).toEqual([])
})
