import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import type { Json } from '../../engine/values/json'
import { plainRichText } from '../../engine/values/richText'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { buildChatPage, type ChatPage } from '../support/chatPage'
import { insertPublishedFlow } from '../support/publishedFlow'
import { startTestServer, type TestServer } from '../support/server'

/** The real kinds, as they come from the palette, on the visitor's page. */
let chatPage: ChatPage
let server: TestServer
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  ensureBuilt()
  chatPage = await buildChatPage()
  ;[server, browser] = await Promise.all([startTestServer({ clientDir: chatPage.folder }), launchBrowser()])
  page = browser.page
})
afterAll(() => Promise.all([browser.close(), server.close(), chatPage.remove()]))

/** One group of blocks, each with its kind's defaults but for what is said. */
function flowOf(...kinds: [kind: string, change?: Record<string, Json>][]): Flow {
  let count = 0
  const blocks = kinds.map(([kind, change], index) => {
    const definition = registry.get(kind)
    const data = { ...definition.defaults(() => `id${++count}`), ...change } as Record<string, Json>
    return { id: `b${index}`, kind, version: definition.migrations.length, data }
  })
  return { ...emptyFlow(), groups: [{ id: 'g', title: '', position: { x: 0, y: 0 }, blocks }] }
}
const prompt = (words: string) => plainRichText(words) as unknown as Json
const button = (name: string) => page.getByRole('button', { name, exact: true })

it('goes through cards, a rating, a form and files to the end', async () => {
  const flow = flowOf(
    ['start'],
    ['carousel'],
    ['satisfaction'],
    ['form', { prompt: prompt('Who are you?') }],
    ['file-upload', { prompt: prompt('Show us') }],
    ['text', { content: prompt('Thank you') }],
  )
  await insertPublishedFlow(server.context.db, flow, 'all-kinds')
  await page.goto(`${server.url}/c/all-kinds`)
  await button('Choose').nth(1).click()
  await page.getByRole('radio', { name: 'Very good' }).click()

  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill('ada@nowhere')
  await button('Submit').click()
  await page.getByText('Enter a valid email address').waitFor()
  await page.getByLabel('Email').fill('ada@example.com')
  await button('Submit').click()
  await page.getByText('Email: ada@example.com').waitFor()

  const file = { name: 'cat.txt', mimeType: 'text/plain', buffer: Buffer.from('meow') }
  await page.getByLabel('choose a file').setInputFiles(file)
  await button('Send').click()
  await page.getByText('Thank you').waitFor()
  await page.getByText('The conversation has ended').waitFor()
  const said = await page.getByRole('log').textContent()
  expect(said).toMatch(/Choose.*Very good.*Name: Ada.*cat\.txt.*Thank you/)
  expect(browser.errors.splice(0)).toEqual([])
})

it('shows what a page begins as a teaser, and the chat once it is opened', async () => {
  const pages = [{ id: 'p', rule: 'contains', url: '/c/teased' }]
  await insertPublishedFlow(
    server.context.db,
    flowOf(['page-opened', { pages }], ['text', { content: prompt('Need a hand?') }], ['text-input']),
    'teased',
  )
  await page.goto(`${server.url}/c/teased`)
  await page.getByText('Need a hand?').waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
  await expectAccessible(page, 'a teaser')
  await button('Open the chat').click()
  await page.getByRole('textbox').waitFor()
  await page.reload()
  await page.getByRole('textbox').waitFor()
})

it('knows a visitor who comes back in another tab', async () => {
  const returning = flowOf(
    ['returning-user', { days: 0 }],
    ['text', { content: prompt('Welcome back') }],
    ['text-input'],
  )
  const first = flowOf(['start'], ['text', { content: prompt('Welcome') }], ['text-input'])
  const moved = first.groups.map((group) => ({
    ...group,
    id: 'h',
    blocks: group.blocks.map((block) => ({ ...block, id: `h${block.id}` })),
  }))
  await insertPublishedFlow(server.context.db, { ...returning, groups: [...returning.groups, ...moved] }, 'returns')
  await page.goto(`${server.url}/c/returns`)
  await page.getByText('Welcome', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Welcome', { exact: true }).waitFor()
  const later = await browser.context.newPage()
  await later.goto(`${server.url}/c/returns`)
  await later.getByText('Welcome back').waitFor()
  await later.close()
})
