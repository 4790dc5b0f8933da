import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainRichText } from '../../engine/values/richText'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { createChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import { changeConversations, listInbox } from '../../server/contracts/inbox'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { flowAround } from '../support/conversations'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { look } from './look'

/** What a person shows of themselves, and what they do with many conversations at once. */
let server: TestServer
let ada: Registered
let desk: TestBrowser
let phone: TestBrowser
let slug: string
beforeAll(async () => {
  ensureBuilt()
  ;[server, desk, phone] = await Promise.all([
    startTestServer(),
    launchBrowser({ timezoneId: 'America/New_York' }),
    launchBrowser({ viewport: { width: 390, height: 844 } }),
  ])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  const { pgid } = ada
  const { chatbot } = await ada.call(createChatbot, { params: { pgid }, body: { name: 'Bot' } })
  slug = chatbot.slug
  const place = { params: { pgid, cgid: chatbot.gid, fid: chatbot.fid } }
  const texts = { prompt: plainRichText('Your email?'), message: plainRichText('') }
  const [team, note] = ['Sales', ''].map((value) => ({ type: 'static', value }))
  const source = JSON.stringify(flowAround('hand-off', { team, note, to: [], emailId: null, ...texts }))
  await ada.call(importFlow, { ...place, body: { source, mode: 'replace' } })
  await ada.call(publishFlow, place)
  await desk.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([desk?.close(), phone?.close(), server?.close()]))

const thread = () => desk.page.getByRole('region', { name: 'Conversation', exact: true })
const list = () => desk.page.getByRole('region', { name: 'Conversations', exact: true })

/** A picture that browsers really show, wider than high. */
async function picture(): Promise<Buffer> {
  const page = await phone.context.newPage()
  await page.setViewportSize({ width: 900, height: 500 })
  await page.setContent('<body style="margin:0;background:linear-gradient(90deg,teal,orange)">')
  const bytes = await page.screenshot()
  await page.close()
  return bytes
}

async function writes(email: string) {
  const { page } = phone
  // somebody else: the browser keeps nothing of the conversation before
  await page.goto(`${server.url}/login`)
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${server.url}/c/${slug}`)
  await page.getByText('Your email?').waitFor()
  const field = page.getByRole('textbox').last()
  await field.fill(email)
  await field.press('Enter')
  await page.getByText(/are next|Before you/).waitFor()
}

it('a picture is cut to a square where it is chosen, and shown to colleagues and to the visitor who is answered', async () => {
  const { page } = desk
  await page.goto(`${server.url}/projects/${ada.pgid}/settings/account`)
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Picture', exact: true }) })
  const choose = async (name: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
    const chooser = page.waitForEvent('filechooser')
    await card.getByRole('button', { name }).click()
    await (await chooser).setFiles(file)
  }
  await choose('Upload a picture', { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('<svg></svg>') })
  await card
    .getByRole('alert')
    .getByText(/me\.png can’t be read/)
    .waitFor()
  await choose('Upload a picture', { name: 'me.png', mimeType: 'image/png', buffer: await picture() })
  await card.getByRole('button', { name: 'Choose another one' }).waitFor()
  const shown = card.locator('img')
  await expect
    .poll(() => shown.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
    .toEqual([256, 256])
  expect(await card.getByRole('alert').count()).toBe(0)
  await look(page, 'picture')
  await page.getByRole('button', { name: 'Account menu' }).locator('img').waitFor()

  await writes('grace@example.com')
  await page.goto(`${server.url}/projects/${ada.pgid}/conversations`)
  await list()
    .getByRole('button', { name: /grace@example\.com/ })
    .click()
  // the keys go between a reply and a note, whichever is shown
  await thread().getByRole('textbox', { name: 'Your reply' }).waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('Seems to be in a hurry')
  const note = thread().getByRole('textbox', { name: 'Your note' })
  await expect.poll(() => note.inputValue()).toBe('Seems to be in a hurry')
  await page.keyboard.press('Enter')
  await thread().getByRole('log').getByText('Seems to be in a hurry').waitFor()
  await note.blur()
  await page.keyboard.press('r')
  await page.keyboard.type('Hello, how can I help?')
  await page.keyboard.press('Enter')
  const said = phone.page.getByText('Hello, how can I help?')
  await said.waitFor()
  const face = phone.page.locator('img[src^="/files/people/"]')
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256)
  await look(phone.page, 'picture-visitor')
  await thread().getByRole('log').locator('img[src^="/files/people/"]').first().waitFor()
  await look(page, 'picture-thread')
  await thread().getByRole('button', { name: 'Assign' }).click()
  await page
    .getByRole('menuitem', { name: /Ada Lovelace/ })
    .locator('img')
    .waitFor()
  await page.keyboard.press('Escape')
})

it('a time of one’s own is asked for by the clock of who snoozes; what is past is said at the field', async () => {
  const { page } = desk
  await thread().getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: 'Choose date and time…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Snooze this conversation' })
  await dialog.getByText('America/New York').waitFor()
  const field = dialog.getByLabel('Until')
  await field.fill('2020-01-01T09:00')
  await dialog.getByRole('button', { name: 'Snooze' }).click()
  await dialog.getByText('This is in the past. Choose a later time.').waitFor()
  await look(page, 'snooze-own')
  const year = new Date().getFullYear() + (new Date().getMonth() < 6 ? 0 : 1)
  await field.fill(`${year}-06-15T09:30`)
  await dialog.getByRole('button', { name: 'Snooze' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { conversations } = await ada.call(listInbox, { params: { pgid: ada.pgid }, query: { view: 'snoozed' } })
  expect(conversations.map(({ snoozed_until }) => snoozed_until)).toEqual([`${year}-06-15T13:30:00.000Z`])
  const change = { conversations: conversations.map(({ gid }) => gid), change: { snoozed_until: null } }
  await ada.call(changeConversations, { params: { pgid: ada.pgid }, body: change })
})

it('several are snoozed, closed and opened again at once', async () => {
  const { page } = desk
  const { pgid } = ada
  for (const name of ['one', 'two']) await writes(`${name}@example.com`)
  const view = async (name: string) => {
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click()
    await list().getByRole('checkbox').first().waitFor()
  }
  const gids = async (wanted: 'all' | 'snoozed' | 'closed') =>
    (await ada.call(listInbox, { params: { pgid }, query: { view: wanted } })).conversations.map(({ gid }) => gid)
  const all = await gids('all')
  expect(all).toHaveLength(3)
  const chooseAll = async () => {
    await list().getByRole('checkbox').first().check()
    await list().getByRole('button', { name: 'Choose all' }).click()
    await list().getByText('3 chosen').waitFor()
  }
  await view('All open')
  await expect.poll(() => list().getByRole('checkbox').count()).toBe(3)
  await chooseAll()
  await look(page, 'bulk')
  const bar = page.getByRole('toolbar', { name: 'Chosen conversations' })
  await bar.getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: 'Choose date and time…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Snooze 3 conversations' })
  await dialog.getByRole('button', { name: 'Snooze' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await gids('snoozed')).toSorted()).toEqual(all.toSorted())
  await view('Snoozed')
  await chooseAll()
  await bar.getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: 'Wake now' }).click()
  await expect.poll(() => gids('snoozed')).toEqual([])
  await view('All open')
  await chooseAll()
  await bar.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => gids('all')).toEqual([])
  await view('Closed')
  await chooseAll()
  expect(await bar.getByRole('button', { name: 'Close', exact: true }).count()).toBe(0)
  await bar.getByRole('button', { name: 'Reopen' }).click()
  await expect.poll(async () => (await gids('all')).toSorted()).toEqual(all.toSorted())
  expect(desk.errors).toEqual([])
})
