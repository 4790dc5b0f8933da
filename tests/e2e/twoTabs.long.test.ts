import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { expectAccessible } from '../support/accessibility'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type Cable, layCable } from '../support/cable'
import { openPeer, synced } from '../support/collab'
import {
  block,
  closeSettings,
  createFromFile,
  drag,
  editText,
  exportFlow,
  group,
  logIn,
  openBuilder,
  ready,
  registerOwner,
  showAll,
  typebotFile,
} from './steps'

/** One flow in two people's browsers; each test goes on where the one before it ended. */
let app: BuiltApp
let ada: TestBrowser
let bob: TestBrowser
/** Bob's, to the app */
let cable: Cable

beforeAll(async () => {
  ;[app, ada, bob] = await Promise.all([startBuiltApp(), launchBrowser(), launchBrowser()])
  await registerOwner(ada.page, app)
  await createFromFile(ada.page, typebotFile('lead-generation'), 'Lead generation')
  await openBuilder(ada.page)
  cable = await layCable(app.url)
  await logIn(bob.page, cable.url)
  await bob.page.goto(ada.page.url().replace(app.url, cable.url))
  await ready(bob.page)
  await showAll(bob.page)
})
afterAll(async () => {
  await Promise.all([ada.close(), bob.close()])
  cable.close()
  await app.stop()
})

const question = (page: Page) => block(page, 'Name', 'Text')

const top = async (page: Page, title: string) => (await group(page, title).boundingBox())?.y ?? Number.NaN

/** Waits until both show the same words in a block, then compares all the rest. */
async function converge(text: string | RegExp): Promise<void> {
  for (const { page } of [ada, bob]) {
    await question(page).filter({ hasText: text }).waitFor()
    await ready(page)
  }
  const [hers, his] = await Promise.all([exportFlow(ada.page), exportFlow(bob.page)])
  expect(hers.text).toBe(his.text)
}

it('shows in one what is typed in the other, letter by letter', async () => {
  await editText(ada.page, question(ada.page))
  await ada.page.keyboard.type(' Please')
  await question(bob.page).filter({ hasText: 'May we have your name? Please' }).waitFor()
  await ada.page.keyboard.type('.')
  await converge('May we have your name? Please.')
})

it('keeps every letter when both type into one text at once', async () => {
  const [hers, his] = ['abcdefghij', '0123456789']
  for (const { page } of [ada, bob]) await editText(page, question(page))
  await Promise.all([ada.page.keyboard.type(hers), bob.page.keyboard.type(his)])
  for (const { page } of [ada, bob])
    for (const last of [hers, his].map((typed) => typed.at(-1) ?? ''))
      await question(page).filter({ hasText: last }).waitFor()
  await converge(/0.*9/)
  const text = (await question(ada.page).textContent()) ?? ''
  for (const typed of [hers, his])
    expect([...text].filter((letter) => typed.includes(letter)).join('')).toContain(typed)
})

it('lets one move a group while the other edits', async () => {
  const { page } = ada
  await closeSettings(page)
  const below = async () => (await top(bob.page, 'Email')) - (await top(bob.page, 'Welcome'))
  const before = await below()
  await editText(bob.page, question(bob.page))
  await Promise.all([
    drag(page, { on: group(page, 'Email'), y: 8 }, { on: group(page, 'Email'), y: 120 }),
    bob.page.keyboard.type(' while you move'),
  ])
  await converge(/while you move/)
  expect(await below()).toBeGreaterThan(before + 50)
})

it('merges what was done offline', async () => {
  cable.cut()
  await bob.page.getByRole('status').filter({ hasText: 'Offline' }).waitFor()
  await editText(bob.page, question(bob.page))
  await bob.page.keyboard.type(' offline')
  await question(bob.page).filter({ hasText: 'offline' }).waitFor()
  await editText(ada.page, question(ada.page))
  await ada.page.keyboard.press('Home')
  await ada.page.keyboard.type('Meanwhile: ')
  await question(ada.page).filter({ hasText: 'Meanwhile: ' }).waitFor()
  cable.mend()
  await converge(/Meanwhile: .*offline/)
})

it("undoes one's own edits alone", async () => {
  await closeSettings(ada.page)
  await closeSettings(bob.page)
  await block(ada.page, 'Email', 'Text').first().click()
  await ada.page.keyboard.press('Delete')
  await group(bob.page, 'Email').filter({ hasNotText: 'Good to meet' }).waitFor()
  await block(bob.page, 'Services', 'Text').click()
  await bob.page.keyboard.press('Delete')
  await group(ada.page, 'Services').filter({ hasNotText: 'What services' }).waitFor()
  await ada.page.getByRole('button', { name: 'Undo' }).click()
  await group(bob.page, 'Email').filter({ hasText: 'Good to meet' }).waitFor()
  await group(bob.page, 'Services').filter({ hasNotText: 'What services' }).waitFor()
  await bob.page.getByRole('button', { name: 'Undo' }).click()
  await group(ada.page, 'Services').filter({ hasText: 'What services' }).waitFor()
})

it('shows a flow’s new name to whoever has it open', async () => {
  await ada.page.getByRole('button', { name: 'Flow: Main flow' }).click()
  await ada.page.getByRole('menuitem', { name: 'Rename flow' }).click()
  const dialog = ada.page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Welcome')
  await dialog.getByRole('textbox').press('Enter')
  await bob.page.getByRole('button', { name: 'Flow: Welcome' }).waitFor()
})

it('says what the server has put right after a client that broke the flow, and leads there', async () => {
  const [, pgid, cgid] = /projects\/(\w+)\/chatbots\/(\w+)/.exec(ada.page.url()) ?? []
  const answer = await ada.page.request.get(`${app.url}/api/projects/${pgid}/chatbots/${cgid}`)
  const fid: string = (await answer.json()).data.chatbot.fid
  const cookies = await ada.page.context().cookies(app.url)
  const broken = openPeer(app, { cookies: new Map(cookies.map(({ name, value }) => [name, value])) }, fid)
  await synced(broken)
  const { doc } = broken.document
  doc.transact(() =>
    doc.getMap('blocks').set(
      'lost',
      new Y.Map<unknown>([
        ['kind', 'text'],
        ['version', registry.get('text').migrations.length],
      ]),
    ),
  )
  const notice = bob.page.getByRole('alert').filter({ hasText: 'This flow was repaired' })
  await notice.getByText('A block (Text) had no place.', { exact: false }).waitFor()
  await expectAccessible(bob.page, 'notice of a repair', '.mantine-Notification-root')
  if (process.env.SHOTS) await bob.page.screenshot({ path: `${process.env.SHOTS}/repaired.png` })
  await notice.getByRole('button', { name: 'Show: A block (Text)', exact: false }).click()
  await bob.page.locator('[data-block-id="lost"]').waitFor()
  broken.leave()
})

it('leaves no error in a console, but for the connection that was cut', () => {
  const fails = String.raw`Failed to load resource|WebSocket connection to '\S+' failed: Error [\w ]+`
  const cut = new RegExp(
    `^(?:${fails}): net::ERR_(?:CONNECTION_(?:RESET|CLOSED|ABORTED)|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)(?:: \\S+)?$`,
  )
  const closed = /^WebSocket connection to '\S+' failed: Connection closed before receiving a handshake response$/
  // Ada's cable was never cut, and no cut makes an answer of the server
  expect(ada.errors).toEqual([])
  expect(bob.errors.filter((error) => !cut.test(error) && !closed.test(error))).toEqual([])
})
