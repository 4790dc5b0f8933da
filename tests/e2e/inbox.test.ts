import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { readChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import * as contract from '../../server/contracts/inbox'
import { removeMember } from '../../server/contracts/members'
import { officeSchema } from '../../server/contracts/office'
import { objections } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { flowAround } from '../support/conversations'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** A person and a visitor in two browsers: hand-off, take over, saved reply, note, give back. */
let server: TestServer
let ada: Registered
let desk: TestBrowser
let visitor: TestBrowser
let home: string
let chat: string

const still = (value: string) => ({ type: 'static', value })
const words = (text: string) => [{ type: 'paragraph', children: [{ text }] }]

/** Asks what is wanted, and hands over to the team. */
function handingFlow() {
  const data = { team: still('Sales'), to: [], note: still(''), emailId: null, prompt: words(''), message: words('') }
  const flow = flowAround('hand-off', { ...data, prompt: words('Your email?') }, {})
  const question = {
    id: 'question',
    kind: 'text-input',
    version: registry.get('text-input').migrations.length,
    data: { ...(registry.get('text-input').defaults(() => 'q') as object), prompt: words('What do you need?') },
  }
  const groups = flow.groups.map((group) => ({ ...group, blocks: group.blocks.toSpliced(1, 0, question as never) }))
  return { ...flow, groups }
}

beforeAll(async () => {
  ensureBuilt()
  ;[server, desk, visitor] = await Promise.all([startTestServer(), launchBrowser(), launchBrowser()])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  const flow = await makeChatbot(ada)
  const { pgid, cgid } = flow
  await ada.call(importFlow, { params: flow, body: { source: JSON.stringify(handingFlow()), mode: 'replace' } })
  await ada.call(publishFlow, { params: flow })
  const { chatbot } = await ada.call(readChatbot, { params: { pgid, cgid } })
  chat = `${server.url}/c/${chatbot.slug}`
  home = `${server.url}/projects/${pgid}/conversations`
  const body = { shortcut: 'hello', body: 'Hello {{visitor}}, this is **{{name}}**.' }
  await ada.call(contract.addSavedReply, { params: { pgid }, body })
  await ada.call(contract.addLabel, { params: { pgid }, body: { name: 'Orders', colour: 'blue' } })
  const cookies = [...ada.cookies].map(([name, value]) => ({ name, value, url: server.url }))
  await desk.context.addCookies(cookies)
})
afterAll(() => Promise.all([desk?.close(), visitor?.close(), server?.close()]))

const say = async (page: Page, text: string) => {
  const field = page.getByRole('textbox').last()
  await field.fill(text)
  await field.press('Enter')
}
const list = () => desk.page.getByRole('region', { name: 'Conversations' })
const thread = () => desk.page.getByRole('region', { name: 'Conversation', exact: true })
const log = () => thread().getByRole('log')
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}

it('a hand-off is taken over, answered with a saved reply, noted, and given back', async () => {
  await desk.page.goto(home)
  await list().getByText('No open conversations').waitFor()
  // a filter is chosen from a list within a list
  await desk.page.getByRole('button', { name: 'Filters' }).click()
  await desk.page.getByRole('combobox', { name: 'Where' }).click()
  await desk.page.getByRole('option', { name: 'On a site' }).click()
  await expect.poll(() => new URL(desk.page.url()).searchParams.get('environment')).toBe('production')
  await desk.page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => new URL(desk.page.url()).search).toBe('')
  await desk.page.getByRole('combobox', { name: 'Where' }).waitFor({ state: 'detached' })

  await visitor.page.goto(chat)
  await visitor.page.getByText('What do you need?').waitFor()
  await say(visitor.page, 'Where is my order?')
  await visitor.page.getByText('Your email?').waitFor()
  await say(visitor.page, 'grace@example.com')
  // it comes in without a reload
  const row = list().getByRole('button', { name: /grace@example\.com/ })
  await row.waitFor()
  await row.click()
  await log().getByText('Where is my order?').waitFor()
  await shot(desk.page, 'waiting')
  await visitor.page.getByText('You are next').waitFor()
  await thread().getByRole('button', { name: 'Take over' }).click()
  await log().getByText('Ada Lovelace took over').waitFor()

  const reply = thread().getByRole('textbox', { name: 'Your reply' })
  await reply.click()
  await desk.page.keyboard.type('/hel')
  await thread().getByRole('list', { name: 'Saved replies' }).waitFor()
  await desk.page.keyboard.press('Enter')
  await expect.poll(() => reply.textContent()).toContain('this is Ada Lovelace.')
  await thread().getByRole('button', { name: 'Send', exact: true }).click()
  await log().getByText('Sending in 5 seconds').waitFor()
  await shot(desk.page, 'sending')
  await visitor.page.getByText('this is Ada Lovelace.').waitFor()
  await log().getByText('Sending in 5 seconds').waitFor({ state: 'detached' })
  await visitor.page.getByRole('log').getByText('Ada', { exact: true }).waitFor()
  expect(await visitor.page.getByText('You are next').count()).toBe(0)

  await thread().getByRole('button', { name: 'Note', exact: true }).click()
  const note = thread().getByRole('textbox', { name: 'Your note' })
  await note.fill('Looks like a lost parcel')
  await thread().getByRole('button', { name: 'Add note' }).click()
  await log().getByText('Looks like a lost parcel').waitFor()
  expect(await visitor.page.getByText('Looks like a lost parcel').count()).toBe(0)
  await shot(desk.page, 'note')
  expect(await objections(desk.page)).toEqual([])

  await thread().getByRole('button', { name: 'Give back to the bot' }).click()
  await log().getByText('Ada Lovelace gave this back to the bot').waitFor()
  await visitor.page.getByText('What do you need?').nth(1).waitFor()
  await shot(visitor.page, 'visitor')
  expect(desk.errors).toEqual([])
})

it('what is taken back is in the editor again, and a closed conversation is opened by its visitor', async () => {
  await thread().getByRole('button', { name: 'Take over' }).click()
  await thread().getByRole('button', { name: 'Reply', exact: true }).click()
  const reply = thread().getByRole('textbox', { name: 'Your reply' })
  await reply.click()
  await desk.page.keyboard.type('Too early')
  await expect.poll(() => reply.textContent()).toBe('Too early')
  // a look at the other editor leaves both as they are
  await thread().getByRole('button', { name: 'Note', exact: true }).click()
  const note = thread().getByRole('textbox', { name: 'Your note' })
  await note.fill('Half a note')
  await thread().getByRole('button', { name: 'Reply', exact: true }).click()
  await expect.poll(() => reply.textContent()).toBe('Too early')
  await desk.page.reload()
  await thread().getByRole('button', { name: 'Note', exact: true }).click()
  await expect.poll(() => note.inputValue()).toBe('Half a note')
  await note.fill('')
  await thread().getByRole('button', { name: 'Reply', exact: true }).click()
  await expect.poll(() => reply.textContent()).toBe('Too early')
  // an emoji goes where the cursor is
  await reply.click()
  await desk.page.keyboard.press('Home')
  await thread().getByRole('button', { name: 'Emoji' }).click()
  await desk.page.getByRole('button', { name: '⏳' }).click()
  await expect.poll(() => reply.textContent()).toBe('⏳Too early')
  await expect.poll(() => reply.evaluate((field) => field === document.activeElement)).toBe(true)
  await desk.page.keyboard.press('Backspace')
  await expect.poll(() => reply.textContent()).toBe('Too early')
  await desk.page.keyboard.press('Enter')
  await log().getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => reply.textContent()).toBe('Too early')
  expect(await visitor.page.getByText('Too early').count()).toBe(0)
  await desk.page.keyboard.type(', but now')
  await expect.poll(() => reply.textContent()).toContain('but now')
  await thread().getByRole('button', { name: 'Send and close' }).click()
  await log().getByText('The conversation has ended').waitFor()
  await visitor.page.getByText('The conversation has ended').waitFor()
  await say(visitor.page, 'And one more thing')
  await log().getByText('And one more thing').waitFor()
  await log().getByText('Opened again').waitFor()
})

it('files go with an answer; hours and targets are set, and what is due is counted down', async () => {
  const { page } = desk
  const files = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('Size 42') })
  const chosen = page.locator('input[type="file"]')
  await chosen.setInputFiles([files('sizes.txt'), files('wrong.txt')])
  const list = thread().getByRole('list', { name: 'Files of your reply' })
  await list.getByText('0.1 KB').nth(1).waitFor()
  await list.getByRole('button', { name: 'Remove wrong.txt' }).click()
  await shot(page, 'files')
  await thread().getByRole('button', { name: 'Send', exact: true }).click()
  await list.waitFor({ state: 'detached' })
  await visitor.page.getByRole('link', { name: /sizes\.txt/ }).waitFor()
  await log()
    .getByRole('link', { name: /sizes\.txt/ })
    .waitFor()
  expect(await visitor.page.getByText('wrong.txt').count()).toBe(0)

  await page.getByRole('button', { name: 'Replies, labels, teams' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Hours', { exact: true }).click()
  await dialog.getByRole('switch', { name: 'Office hours' }).click()
  await dialog.getByText('Open now').or(dialog.getByText('Closed now')).first().waitFor()
  await dialog.getByLabel('Minutes to close').fill('20160')
  await page.getByRole('dialog').getByLabel('Minutes to close').scrollIntoViewIfNeeded()
  await shot(page, 'hours')
  expect(await objections(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Hours saved').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Due next/ }).waitFor()
  await page.getByRole('switch', { name: 'Available' }).click()
  await page.getByText('You are given no new conversations').waitFor()
  await page.getByRole('switch', { name: 'Away' }).click()
  await page.getByText('You are given new conversations').waitFor()

  // who waits outside of the hours is told so, while they last
  const hours = { time_zone: 'UTC', week: Array.from({ length: 7 }, () => []), exceptions: [] }
  const closed = officeSchema.parse({ hours, away_message: 'Back after the holidays', resolution_minutes: 60 })
  await ada.call(contract.setOffice, { params: { pgid: ada.pgid }, body: { team: null, office: closed } })
  await say(visitor.page, 'Are you there?')
  await visitor.page.getByText('Back after the holidays').waitFor()
  await shot(visitor.page, 'away')

  // what is done with the conversation is in the palette as well
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox', { name: 'Find anything' })
  await expect.poll(() => palette.evaluate((field) => field === document.activeElement)).toBe(true)
  await palette.fill('label orders')
  await page.getByRole('option', { name: /Add the label Orders/ }).waitFor()
  await shot(page, 'palette')
  await page.keyboard.press('Enter')
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByText('Orders', { exact: true }).first().waitFor()
  await palette.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next conversation').waitFor()
  await page.keyboard.press('Escape')
})

it('one pane at a time on a phone, in the dark, and the keys of the desk', async () => {
  const { page } = desk
  await page.goto(home)
  const row = list().getByRole('button', { name: /grace@example\.com/ })
  await row.waitFor()
  await page.getByRole('heading', { name: 'Choose a conversation' }).waitFor()
  await page.keyboard.press('j')
  await log().getByText('And one more thing').waitFor()
  await page.keyboard.press('/')
  const search = page.getByRole('textbox', { name: 'Search messages' })
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true)
  await search.fill('ord where')
  await list().getByText('No messages found').waitFor()
  await search.fill('where ord')
  await list().getByText('No messages found').waitFor({ state: 'detached' })
  await search.fill('x'.repeat(201))
  await list().getByText('Search for at most 200 characters').waitFor()
  await search.fill('')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'dark')
  await page.setViewportSize({ width: 390, height: 844 })
  await log().getByText('And one more thing').waitFor()
  await shot(page, 'phone-thread')
  expect(await objections(page)).toEqual([])
  await thread().getByRole('button', { name: 'Details' }).click()
  await page.getByRole('complementary', { name: 'Details' }).getByText('grace@example.com').first().waitFor()
  await shot(page, 'phone-details')
  await page.getByRole('button', { name: 'Close details' }).click()
  await thread().getByRole('button', { name: 'Back to the list' }).click()
  await row.waitFor()
  await shot(page, 'phone-list')
  expect(await objections(page)).toEqual([])
})

it('who is removed while writing is told so, and keeps what was written', async () => {
  const { page } = desk
  await page.setViewportSize({ width: 1440, height: 900 })
  await list()
    .getByRole('button', { name: /grace@example\.com/ })
    .click()
  const reply = thread().getByRole('textbox', { name: 'Your reply' })
  await reply.click()
  await page.keyboard.type('I was about to say')
  const ben = await server.register()
  await addMember(server, ada.pgid, ben, [Role.OWNER])
  await ben.call(removeMember, { params: { pgid: ada.pgid, gid: ada.user.ui } })
  await thread()
    .getByText(/^You are no longer a member of this project/)
    .waitFor()
  expect(await reply.textContent()).toContain('I was about to say')
  await shot(page, 'removed')
})
