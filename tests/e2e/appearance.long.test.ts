import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { createChatbot } from '../../server/contracts/chatbots'
import { publishFlow } from '../../server/contracts/flows'
import { publishLook, readLook, saveLook } from '../../server/contracts/web'
import { defaultLook } from '../../server/contracts/web/look'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** An editor changes how the chat looks, sees it live, publishes it, and a visitor sees it. */
let server: TestServer
let browser: TestBrowser
let visitor: TestBrowser
let ada: Registered
beforeAll(async () => {
  ensureBuilt()
  ;[server, browser, visitor] = await Promise.all([startTestServer(), launchBrowser(), launchBrowser()])
  ada = await server.register()
  await browser.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  if (process.env.SHOTS) await mkdir(process.env.SHOTS, { recursive: true })
})
afterAll(() => Promise.all([browser?.close(), visitor?.close(), server?.close()]))

const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
async function open() {
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Bot' } })
  const { gid: cgid, fid, slug } = chatbot
  const { pgid } = ada
  const params = { pgid, cgid }
  await ada.call(publishFlow, { params: { ...params, fid }, body: {} })
  const { page } = browser
  await page.goto(`${server.url}/projects/${pgid}/chatbots/${cgid}/editor`)
  await page.getByRole('heading', { name: 'Appearance', exact: true }).waitFor()
  await page.getByRole('region', { name: 'Preview', exact: true }).getByRole('log').waitFor()
  return { page, params, slug }
}
const accentOf = (page: Page) =>
  page.getByRole('log').evaluate((log) =>
    getComputedStyle(log.parentElement as Element)
      .getPropertyValue('--accent')
      .trim(),
  )

it('a colour is seen at once, saved by itself, and shown to visitors once it is published', async () => {
  const { page, params, slug } = await open()
  await shot(page, 'editor')
  expect(await accentOf(page)).toBe('#0f766e')
  await page.getByRole('textbox', { name: 'Accent', exact: true }).fill('rgba(109, 40, 217, 1)')
  await expect.poll(() => accentOf(page)).toBe('#6d28d9')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Lea')
  await page.getByRole('region', { name: 'Preview', exact: true }).getByRole('heading', { name: 'Lea' }).waitFor()
  await page.getByText('Draft changed').waitFor()
  await expectAccessible(page, 'appearance editor')

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish the appearance', exact: true })
  await dialog.getByText('Colors · Light · Accent').waitFor()
  await dialog.getByText('Colors · Light · Visitor messages').waitFor()
  await shot(page, 'publish')
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Published', { exact: true }).waitFor()
  expect((await ada.call(readLook, { params })).published?.colours.light.accent).toBe('rgba(109, 40, 217, 1)')

  await visitor.page.goto(`${server.url}/c/${slug}`)
  await visitor.page.getByRole('heading', { name: 'Lea', exact: true }).waitFor()
  expect(await accentOf(visitor.page)).toBe('#6d28d9')
  expect(visitor.errors).toEqual([])
  expect(browser.errors).toEqual([])
})

it('steps are undone and redone, a theme is one of them, and items are moved by the keyboard', async () => {
  const { page, params } = await open()
  await page.getByRole('button', { name: 'Theme: Parley', exact: true }).click()
  const gallery = page.getByRole('dialog', { name: 'Themes', exact: true })
  await gallery.getByRole('button', { name: 'Iris', exact: true }).waitFor()
  expect(await gallery.locator('[aria-pressed]').count()).toBe(12)
  await shot(page, 'themes')
  await gallery.getByRole('button', { name: 'Iris', exact: true }).click()
  await expect.poll(() => accentOf(page)).toBe('#6d28d9')
  await page.keyboard.press('Control+z')
  await expect.poll(() => accentOf(page)).toBe('#0f766e')
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(() => accentOf(page)).toBe('#6d28d9')

  await page.getByText('Suggested questions', { exact: true }).click()
  for (const text of ['Opening hours', 'Prices']) {
    await page.getByRole('button', { name: 'Add question', exact: true }).click()
    const field = page.getByRole('textbox', { name: 'Button text', exact: true }).last()
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    await field.fill(text)
  }
  const grip = page.getByRole('button', { name: /^Question 2 of 2\./ })
  await grip.focus()
  await page.keyboard.press('ArrowUp')
  await page.getByText('Moved to place 1 of 2').waitFor({ state: 'attached' })
  await expect
    .poll(async () => (await ada.call(readLook, { params })).draft.texts.queries.map(({ label }) => label))
    .toEqual(['Prices', 'Opening hours'])
  await page.getByRole('button', { name: 'Remove Question 2', exact: true }).click()
  await expect.poll(async () => (await ada.call(readLook, { params })).draft.texts.queries).toHaveLength(1)
  expect(browser.errors).toEqual([])
})

it('says which field is wrong and what can’t be read, and puts it right', async () => {
  const { page } = await open()
  const text = page.getByRole('textbox', { name: 'Text', exact: true }).first()
  await text.fill('reddish')
  await page.getByText('Enter a colour such as #1f6feb').waitFor()
  await page.getByText('Fix the marked fields').waitFor()
  await text.fill('#dddddd')
  await page.getByText('Hard to read').first().waitFor()
  await page.getByRole('button', { name: 'Make it readable', exact: true }).click()
  await page.getByText('Hard to read').first().waitFor({ state: 'detached' })
  await page.getByText('Draft changed').waitFor()
})

it('the form of one page edits the same draft, with every group open', async () => {
  const { page, params } = await open()
  await page.goto(`${server.url}/projects/${params.pgid}/chatbots/${params.cgid}/editor/indexold`)
  await page.getByRole('textbox', { name: 'Placeholder', exact: true }).fill('Ask away')
  expect(await page.getByRole('region', { name: 'Preview', exact: true }).count()).toBe(0)
  expect(await page.locator('details:not([open])').count()).toBe(0)
  await page.getByText('Draft changed').waitFor()
  await expectAccessible(page, 'appearance form')
  expect((await ada.call(readLook, { params })).draft.texts.placeholder).toBe('Ask away')
  await page.getByRole('link', { name: 'Edit with a preview' }).click()
  await page.getByRole('region', { name: 'Preview', exact: true }).getByRole('log').waitFor()
})

it('somebody else’s save is noticed: theirs is loaded, and undo brings mine back', async () => {
  const { page, params } = await open()
  await ada.call(saveLook, {
    params,
    body: { look: { ...defaultLook, brand: { ...defaultLook.brand, name: 'Theirs' } }, revision: 0 },
  })
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Mine')
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed the appearance', exact: true })
  await dialog.getByRole('button', { name: 'Load theirs', exact: true }).click()
  await expect.poll(() => name.inputValue()).toBe('Theirs')
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await expect.poll(() => name.inputValue()).toBe('Mine')
  await expect.poll(async () => (await ada.call(readLook, { params })).draft.brand.name).toBe('Mine')
  browser.errors.length = 0
})

it('a phone shows one side at a time, and a visitor has the whole look: welcome, messages, queries, footer', async () => {
  const { page, params, slug } = await open()
  const look = {
    ...defaultLook,
    brand: { ...defaultLook.brand, name: 'Ada’s shop' },
    texts: {
      ...defaultLook.texts,
      header_title: 'Ask us anything',
      welcome: 'We answer within a minute.',
      placeholder: 'Write to us',
      footer: 'Ada’s shop, Bern',
      footer_links: [{ label: 'Privacy', url: 'https://example.com/privacy' }],
      initial_messages: ['Hello!', 'How can we help?'],
      queries: [{ label: 'Opening hours', value: 'When are you open?' }],
    },
  }
  await ada.call(saveLook, { params, body: { look, revision: 0 } })
  await ada.call(publishLook, { params, body: { revision: 1 } })
  await page.reload()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.getByRole('region', { name: 'Preview', exact: true }).getByText('We answer within a minute.').waitFor()
  await shot(page, 'phone')
  await expectAccessible(page, 'appearance on a phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  const { page: chat } = visitor
  await chat.goto(`${server.url}/c/${slug}`)
  await chat.getByRole('heading', { name: 'Ask us anything', exact: true }).waitFor()
  for (const text of [
    'We answer within a minute.',
    'Hello!',
    'How can we help?',
    'Ada’s shop, Bern',
    'Made with Parley',
  ])
    await chat.getByText(text, { exact: true }).waitFor()
  expect(await chat.getByRole('link', { name: 'Privacy', exact: true }).getAttribute('href')).toBe(
    'https://example.com/privacy',
  )
  await shot(chat, 'visitor')
  await expectAccessible(chat, 'chat with a look')
})
