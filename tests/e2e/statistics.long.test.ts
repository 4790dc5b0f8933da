import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { sendMessage, startConversation } from '../../server/contracts/chat'
import { readChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import { expectAccessible } from '../support/accessibility'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { block, chat, group, settings, showAll } from './steps'

/** Where visitors leave, as an owner sees it; and the same builder as a viewer sees it, who may change nothing. */
let server: TestServer
let browser: TestBrowser
let ada: Registered
let vera: Registered
let place: { pgid: string; cgid: string; fid: string }
let slug: string
/** minutes that the server's clock is ahead */
let ahead = 0
beforeAll(async () => {
  ensureBuilt()
  const clock = () => new Date(Date.now() + ahead * 60_000)
  ;[server, browser] = await Promise.all([
    startTestServer({ clock, config: { chatStartsPerMinute: 0 } }),
    launchBrowser(),
  ])
  ada = await server.register({ last_name: 'Lovelace', email: 'ada@example.com' })
  vera = await server.register({ first_name: 'Vera', last_name: 'Viewer', email: 'vera@example.com' })
  place = await makeChatbot(ada)
  slug = (await ada.call(readChatbot, { params: { pgid: place.pgid, cgid: place.cgid } })).chatbot.slug
  await addMember(server, place.pgid, vera, [Role.VIEWER])
  await ada.call(importFlow, { params: place, body: { source: JSON.stringify(twoQuestions()), mode: 'replace' } })
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

/** Start and a first question; a second question; thanks. */
function twoQuestions(): Flow {
  const make = (id: string, kind: string, data: object = {}) => {
    const { defaults, migrations } = registry.find(kind) ?? {}
    return {
      id,
      kind,
      version: migrations?.length ?? 0,
      data: { ...(defaults?.(() => `${id}-item`) as object), ...data },
    }
  }
  const words = (text: string) => ({ content: plainRichText(text) })
  return {
    ...emptyFlow(),
    groups: [
      {
        id: 'welcome',
        title: 'Welcome',
        position: { x: 0, y: 0 },
        blocks: [
          make('start', 'start'),
          make('hello', 'text', words('Hello there')),
          make('name', 'text-input', { prompt: plainRichText('What is your name?') }),
        ],
      },
      {
        id: 'reach',
        title: 'How to reach you',
        position: { x: 420, y: 40 },
        blocks: [make('email', 'email-input', { prompt: plainRichText('And your email?') })],
      },
      {
        id: 'thanks',
        title: 'Thanks',
        position: { x: 840, y: 80 },
        blocks: [make('bye', 'text', words('Thank you, we will write'))],
      },
    ],
    edges: [
      { from: { blockId: 'name', portId: 'next' }, to: { groupId: 'reach' } },
      { from: { blockId: 'email', portId: 'next' }, to: { groupId: 'thanks' } },
    ],
  }
}

/** Visitors who give these answers, one after the other, and then say no more. */
async function visit(...answers: string[]): Promise<void> {
  const guest = await server.guest()
  const message = () => `message-${++count}`
  const { token, conversation } = await guest.call(startConversation, {
    params: { slug },
    body: { client_id: message() },
  })
  const path = sendMessage.path.replace(':slug', slug).replace(':conversation', conversation.id)
  for (const text of answers) {
    const body = { client_id: message(), reply: { type: 'text', text } }
    expect((await guest.send('POST', path, body, { authorization: `Bearer ${token}` })).status).toBe(200)
  }
}
let count = 0

async function enterAs(person: Registered): Promise<void> {
  await actAs(browser, person, server.url)
  await browser.page.goto(`${server.url}/projects/${place.pgid}/chatbots/${place.cgid}/builder`)
  await group(browser.page, 'Welcome').waitFor()
}
const panel = () => browser.page.getByRole('complementary', { name: 'Statistics' })
const shot = async (name: string) => {
  if (!process.env.SHOTS) return
  await browser.page.waitForTimeout(800)
  await browser.page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}

it('says that there are no conversations before the first one', async () => {
  const { page } = browser
  await enterAs(ada)
  await page.getByRole('button', { name: 'Statistics', exact: true }).click()
  await panel().getByRole('heading', { name: 'No conversations yet' }).waitFor()
  await shot('empty')
})

it('shows in numbers and on the canvas where visitors leave', async () => {
  const { page } = browser
  await ada.call(publishFlow, { params: place })
  for (let n = 0; n < 4; n++) await visit()
  for (let n = 0; n < 3; n++) await visit('Bob')
  for (let n = 0; n < 3; n++) await visit('Cleo', 'cleo@example.com')
  ahead = 31
  await enterAs(ada)
  await showAll(page)
  await page.getByRole('button', { name: 'Statistics', exact: true }).click()
  const table = panel().getByRole('table')
  await table.getByRole('row', { name: /^Welcome 10 4\s*40\s?%$/ }).waitFor()
  await shot('numbers')
  expect(await table.getByRole('row').allInnerTexts()).toHaveLength(4)
  await expectAccessible(page, 'statistics', 'aside[aria-label="Statistics"]')
})

it('keeps them on the canvas when the panel closes, where one wants that', async () => {
  const { page } = browser
  const marked = page
    .getByRole('group', { name: /40\s?% dropped off here/ })
    .or(page.getByLabel(/40\s?% dropped off here/))
    .first()
  await marked.waitFor()
  await panel().getByRole('button', { name: 'Keep on the canvas when this closes' }).click()
  await panel().getByRole('button', { name: 'Close the statistics' }).click()
  await panel().waitFor({ state: 'detached' })
  await marked.waitFor()
  await page.getByRole('button', { name: 'Statistics', exact: true }).click()
  await panel().getByRole('switch', { name: 'Show on the canvas' }).press('Space')
  await marked.waitFor({ state: 'detached' })
})

it('lets a viewer read everything and change nothing', async () => {
  const { page } = browser
  await enterAs(vera)
  await page.getByText('Read-only', { exact: true }).waitFor()
  for (const name of ['Publish', 'Undo', 'Show the blocks', 'Hide the blocks']) {
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
  }
  await showAll(page)
  await block(page, 'How to reach you', 'Email input').click()
  const prompt = settings(page).getByRole('textbox').first()
  await prompt.waitFor()
  await expect.poll(() => prompt.textContent()).toContain('And your email?')
  for (const field of await settings(page).locator('input, textarea, [role="textbox"]').all()) {
    const locked = await field.evaluate(
      (element) =>
        (element as HTMLInputElement).disabled ||
        (element as HTMLInputElement).readOnly ||
        element.ariaReadOnly === 'true' ||
        element.getAttribute('contenteditable') === 'false',
    )
    expect(locked, await field.evaluate((element) => element.outerHTML.slice(0, 200))).toBe(true)
  }
  await shot('viewer-settings')
  await expectAccessible(page, 'settings, read-only', 'aside[aria-label="Settings"]')
  // what would delete, move, cut or paste does nothing
  await block(page, 'How to reach you', 'Email input').focus()
  for (const key of ['Delete', 'Backspace', 'Control+X', 'Control+V', 'Control+D', 'Alt+ArrowUp']) {
    await page.keyboard.press(key)
  }
  await block(page, 'How to reach you', 'Email input').waitFor()
  await expect.poll(() => page.getByRole('group', { name: /^Group / }).count()).toBe(3)
  await page.getByRole('button', { name: 'Statistics', exact: true }).click()
  await panel().getByRole('heading', { name: 'Your role can’t see statistics' }).waitFor()
  await shot('viewer-panel')
})

it('offers a viewer only what reads, and a test', async () => {
  const { page } = browser
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Export flow', exact: true }).waitFor()
  const entries = await page.getByRole('menuitem').allInnerTexts()
  expect(entries.filter((text) => /import|undo|redo|insert|template/i.test(text))).toEqual([])
  // also when the focus is back at the button, or still there
  await page.getByRole('button', { name: 'More' }).focus()
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem', { name: 'Export flow', exact: true }).waitFor({ state: 'detached' })
  await group(page, 'Welcome').click({ button: 'right', position: { x: 30, y: 10 } })
  // the other menu may still be going
  const here = page.getByRole('menu', { name: 'Canvas menu' }).getByRole('menuitem')
  await here.first().waitFor()
  const menu = await here.allInnerTexts()
  await shot('viewer-menu')
  expect(menu.filter((text) => /delete|duplicate|\bcut\b|paste|rename|arrange|align/i.test(text))).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await chat(page).hears('Hello there')
})

it('opens and reads on a phone', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await group(page, 'Welcome').waitFor()
  await page.getByText('Read-only', { exact: true }).waitFor()
  await shot('viewer-390')
  await showAll(page)
  await group(page, 'Welcome').click({ position: { x: 20, y: 10 } })
  await settings(page).waitFor()
  await shot('viewer-390-settings')
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await enterAs(ada)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Statistics' }).click()
  await panel().getByRole('table').waitFor()
  await shot('owner-390')
  await panel().getByRole('button', { name: 'Thanks' }).click()
  await panel().waitFor({ state: 'detached' })
  await shot('owner-390-canvas')
  expect(browser.errors).toEqual([])
})
