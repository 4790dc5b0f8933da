import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultLook, type Look } from '../../server/contracts/web/look'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type ScriptedBots, startScriptedBots } from '../support/chatBots'
import { buildChatPage, type ChatPage } from '../support/chatPage'

/** What visitors do with messages that are there: say whether one helped, copy it, enlarge a picture, go back in a long conversation. */
let chatPage: ChatPage
let bots: ScriptedBots
let desk: TestBrowser
beforeAll(async () => {
  chatPage = await buildChatPage()
  ;[bots, desk] = await Promise.all([
    startScriptedBots(chatPage.folder),
    launchBrowser({ permissions: ['clipboard-read', 'clipboard-write'] }),
  ])
})
afterAll(() => Promise.all([desk?.close(), bots?.server.close(), chatPage?.remove()]))

const words = (text: string) => [{ type: 'paragraph' as const, children: [{ text }] }]
const answer = {
  kind: 'answer',
  text: [
    ...words('Two sizes:'),
    ...words('| Size | Price |'),
    ...words('| --- | --- |').slice(1),
    ...words('| S | 10 |'),
  ],
  sources: [{ title: 'Price list', url: 'https://example.com/prices' }],
}
const image = { kind: 'image', url: 'https://example.com/shoe.png', alt: 'A shoe' }

/** A visitor's page with a conversation in which so much was said, drawn by a look. */
async function open(said: object[], parts: Partial<Look['parts']> = {}): Promise<Page> {
  const { page } = desk
  const { url } = await bots.publish([
    'Hello',
    { input: 'text', placeholder: '', required: true, long: false, maxLength: 100 },
  ])
  const { db } = bots.server.context
  await page.goto(url)
  await page.getByText('Hello', { exact: true }).waitFor()
  const conversation = await db
    .selectFrom('conversations')
    .select(['id', 'project_id', 'chatbot_id', 'last_seq'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const { id, project_id, chatbot_id, last_seq } = conversation
  const rows = said.map((content, index) => ({
    conversation_id: id,
    project_id,
    seq: last_seq + index + 1,
    author: 1 as const,
    content: JSON.stringify(content),
    block_id: null,
    client_id: null,
    created_at: new Date(),
  }))
  await db.insertInto('messages').values(rows).execute()
  await db
    .updateTable('conversations')
    .set({ last_seq: last_seq + rows.length })
    .where('id', '=', id)
    .execute()
  const look = JSON.stringify({ ...defaultLook, parts: { ...defaultLook.parts, ...parts } })
  await db
    .insertInto('web_chats')
    .values({ chatbot_id, project_id, look_published: look, updated_at: new Date() })
    .execute()
  await page.reload()
  return page
}

it('a table is a table, an answer is rated and copied, a picture opens and closes', async () => {
  const page = await open([answer, image])
  const table = page.getByRole('table')
  await table.waitFor()
  expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Size', 'Price'])
  expect(await table.getByRole('cell').allTextContents()).toEqual(['S', '10'])

  const yes = page.getByRole('button', { name: 'Yes', exact: true })
  await yes.click()
  await expect.poll(() => yes.getAttribute('aria-pressed')).toBe('true')
  const rated = () => bots.server.context.db.selectFrom('messages').select('seq').where('helpful', '=', true).execute()
  await expect.poll(rated).toHaveLength(1)
  await page.reload()
  await expect.poll(() => yes.getAttribute('aria-pressed')).toBe('true')

  await page.getByRole('button', { name: 'Copy', exact: true }).last().click()
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('| S | 10 |')

  await expectAccessible(page, 'messages')
  await page.getByRole('button', { name: 'Enlarge the image: A shoe', exact: true }).click()
  const large = page.getByRole('dialog', { name: 'A shoe', exact: true })
  await large.waitFor()
  await page.keyboard.press('Escape')
  await large.waitFor({ state: 'hidden' })
})

it('messages that follow each other lie close together, and each is copied from its side', async () => {
  const page = await open(['First', 'Second', 'Third'].map((text) => ({ kind: 'text', text: words(text) })))
  const first = page.getByText('First', { exact: true })
  const [above, below] = [await first.boundingBox(), await page.getByText('Second', { exact: true }).boundingBox()]
  const between = (below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0))
  // the padding of both bubbles and the gap, but no line of buttons
  expect(between).toBeLessThan(28)
  await first.hover()
  const copy = page.getByRole('button', { name: 'Copy', exact: true })
  // 'Hello' is the first of the group
  await copy.nth(1).click()
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('First')
})

it('a long conversation opens at its end, and earlier messages come in above what is read', async () => {
  const page = await open(
    Array.from({ length: 120 }, (_, index) => ({ kind: 'text', text: words(`Line ${index + 1}`) })),
  )
  await page.getByText('Line 120', { exact: true }).waitFor()
  expect(await page.getByText('Line 1', { exact: true }).count()).toBe(0)
  const more = page.getByRole('button', { name: 'Load more', exact: true })
  expect((await more.boundingBox())?.width).toBe(165)
  await more.click()
  await page.getByText('Line 30', { exact: true }).waitFor()
  // what was at the top of the log stands where it stood
  await page.getByText('Line 71', { exact: true }).waitFor()
  await more.click()
  await page.getByText('Line 1', { exact: true }).waitFor()
  await more.waitFor({ state: 'detached' })
})

it('a conversation is mailed where the look offers that', async () => {
  const page = await open([answer], { transcript: true })
  await page.getByRole('button', { name: 'Send me this conversation by email', exact: true }).click()
  await page.getByRole('textbox', { name: 'Your email address', exact: true }).fill('nobody')
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Cancel', exact: true }) })
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await form.getByRole('alert').waitFor()
  await page.getByRole('textbox', { name: 'Your email address', exact: true }).fill('ada@example.com')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Sent to ada@example.com', { exact: true }).waitFor()
})
