import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { serialiseFlow } from '../../engine/flow/canonical'
import { type Block, emptyFlow } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'
import { register } from '../../server/contracts/auth'
import { createChatbot } from '../../server/contracts/chatbots'
import { importFlow } from '../../server/contracts/flows'
import { acceptAsNew } from '../../server/contracts/invitations'
import { inviteMembers } from '../../server/contracts/members'
import { listProjects } from '../../server/contracts/projects'
import { expectAccessible } from '../support/accessibility'
import { actAs } from '../support/actAs'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { createClient, type TestClient } from '../support/client'
import { tokenOf } from '../support/people'
import { block, group, showAll } from './steps'

/** A flow in the browsers of two who may comment, and of a viewer; each test goes on where the one before it ended. */
let app: BuiltApp
let ada: TestBrowser
let ben: TestBrowser
let viewer: TestClient
let builder: string

beforeAll(async () => {
  ;[app, ada, ben] = await Promise.all([startBuiltApp(), launchBrowser(), launchBrowser()])
  const owner = await createClient(app.url)
  const password = 'correct horse battery'
  const setup_token = new URL(app.ownerLink).searchParams.get('setup_token') ?? undefined
  await owner.call(register, {
    body: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', password, setup_token },
  })
  const pgid = (await owner.call(listProjects)).projects[0]?.gid ?? ''
  const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Shop' } })
  const params = { pgid, cgid: chatbot.gid, fid: chatbot.fid }
  await owner.call(importFlow, { params, body: { source: serialiseFlow(flow()), mode: 'replace' } })
  const invite = async (first_name: string, last_name: string, role: 3 | 6) => {
    const email = `${first_name.toLowerCase()}@example.com`
    const { invited } = await owner.call(inviteMembers, { params: { pgid }, body: { emails: [email], roles: [role] } })
    const person = await createClient(app.url)
    const token = tokenOf(invited[0]?.link ?? '')
    await person.call(acceptAsNew, { body: { token, first_name, last_name, password } })
    return person
  }
  const editor = await invite('Ben', 'Cook', 3)
  viewer = await invite('Vi', 'Ewer', 6)
  builder = `${app.url}/projects/${pgid}/chatbots/${chatbot.gid}/builder`
  for (const [browser, client] of [
    [ada, owner],
    [ben, editor],
  ] as const) {
    await enter(browser, client, builder)
    await showAll(browser.page)
  }
})
afterAll(async () => {
  await Promise.all([ada?.close(), ben?.close()])
  await app?.stop()
})

function flow() {
  const made = (id: string, kind: string, data: object = {}): Block => ({
    id,
    kind,
    version: registry.find(kind)?.migrations.length ?? 0,
    data: { ...(registry.find(kind)?.defaults(() => `${id}-item`) as object), ...data } as Block['data'],
  })
  const says = (id: string, text: string) => made(id, 'text', { content: plainRichText(text) })
  return {
    ...emptyFlow(),
    groups: [
      {
        id: 'g1',
        title: 'Greeting',
        position: { x: 0, y: 0 },
        blocks: [made('start', 'start'), says('hello', 'Good day')],
      },
      { id: 'g2', title: 'Goodbye', position: { x: 420, y: 60 }, blocks: [says('bye', 'Come again')] },
    ],
    edges: [{ id: 'e', from: { blockId: 'hello', portId: 'next' }, to: { groupId: 'g2' } }],
  }
}

/** As that person, in front of the builder. */
async function enter(browser: TestBrowser, client: TestClient, address: string): Promise<void> {
  const { page } = browser
  await actAs(browser, client, app.url)
  await page.goto(address)
  await page.getByRole('application', { name: 'Flow', exact: true }).waitFor()
}

const card = (page: Page): Locator => page.getByRole('dialog', { name: 'Comments on Greeting · Text', exact: true })
const pin = (page: Page, state: string): Locator =>
  page.getByRole('button', { name: `Comment thread by Ada Lovelace on Greeting · Text${state}`, exact: true })
const panelButton = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name, exact: true })
const said = (page: Page, text: string): Locator => card(page).getByRole('listitem').filter({ hasText: text })
const replyField = (page: Page): Locator => card(page).getByRole('textbox', { name: 'Reply', exact: true })

/** Nothing that waits for the next frame comes before the function that this gives is called. */
async function holdFrames(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const [request, held] = [window.requestAnimationFrame, [] as FrameRequestCallback[]]
    window.requestAnimationFrame = (run) => held.push(run)
    window.addEventListener('draw', () => {
      window.requestAnimationFrame = request
      for (const run of held) request(run)
    })
  })
  return () => page.evaluate(() => void window.dispatchEvent(new Event('draw')))
}

it('pins a comment to a block, with a mention, by keyboard; the other sees it at once and unread', async () => {
  const { page } = ada
  await page.keyboard.press('t')
  await page.getByText('Click a group, a block or the canvas to comment').waitFor()
  await block(page, 'Greeting', 'Text').click()
  const begun = page.getByRole('dialog', { name: 'New comment on Greeting · Text', exact: true })
  const field = begun.getByRole('textbox', { name: 'Comment', exact: true })
  await field.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Is this polite, @be')
  await begun.getByRole('option', { name: 'Ben Cook', exact: true }).waitFor()
  // a machine that is busy draws its next frame only after one has typed on
  const draw = await holdFrames(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('do')
  await draw()
  await page.keyboard.type(' you think?')
  await page.keyboard.press('Enter')
  await said(page, 'Is this polite, @Ben Cook do you think?').waitFor()
  // neither selected nor dragged
  await page.getByRole('complementary', { name: 'Settings' }).waitFor({ state: 'detached' })
  await pin(ben.page, ', unread').waitFor()
  await panelButton(ben.page, 'Comments: 1 unread thread').waitFor()
})

it('is read by opening it, answered with Enter, and the answer is there live', async () => {
  const { page } = ben
  await pin(page, ', unread').click()
  await said(page, 'Is this polite').waitFor()
  await pin(page, '').waitFor()
  await panelButton(page, 'Comments').waitFor()
  await replyField(page).fill('Very.')
  await replyField(page).press('Shift+Enter')
  await page.keyboard.type('Quite!')
  await replyField(page).press('Enter')
  await said(page, 'Very.').waitFor()
  await said(ada.page, 'Quite!').waitFor()
  await expect.poll(() => replyField(page).inputValue()).toBe('')
})

it('keeps a reply whose answer was lost and sends it again once, and keeps what was not sent when the card is closed', async () => {
  const { page } = ben
  const lost = '**/threads/*/comments'
  await page.route(lost, async (route) => {
    // it has arrived, and its answer is lost
    await route.fetch()
    await route.abort()
  })
  await replyField(page).fill('One more thing')
  await replyField(page).press('Enter')
  await card(page).getByRole('alert').waitFor()
  await expect.poll(() => replyField(page).inputValue()).toBe('One more thing')
  await page.unroute(lost)
  await card(page).getByRole('button', { name: 'Try again', exact: true }).click()
  await card(page).getByRole('alert').waitFor({ state: 'detached' })
  await expect.poll(() => replyField(page).inputValue()).toBe('')
  await expect.poll(() => said(page, 'One more thing').count()).toBe(1)
  await replyField(page).fill('Not sent')
  await page.keyboard.press('Escape')
  await card(page).waitFor({ state: 'detached' })
  await pin(page, ', 2 replies').click()
  await replyField(page).and(page.locator(':focus')).waitFor()
  await expect.poll(() => replyField(page).inputValue()).toBe('Not sent')
  await replyField(page).fill('')
})

it('is settled by one and opened again by the other', async () => {
  await card(ada.page).getByRole('button', { name: 'Resolve', exact: true }).click()
  await card(ben.page).getByText('Resolved by Ada Lovelace', { exact: true }).waitFor()
  await ada.page.keyboard.press('Escape')
  await ada.page.locator('[data-pin]').waitFor({ state: 'detached' })
  await card(ben.page).getByRole('button', { name: 'Reopen', exact: true }).click()
  await pin(ada.page, ', 2 replies').waitFor()
})

it('talks about a spot from the context menu and about a group by key, and lists what mentions one', async () => {
  const { page } = ada
  await page
    .getByRole('application', { name: 'Flow', exact: true })
    .click({ button: 'right', position: { x: 200, y: 120 } })
  await page.getByRole('menuitem', { name: 'Comment here', exact: true }).click()
  const spot = page.getByRole('dialog', { name: 'New comment on the canvas', exact: true })
  await spot.getByRole('textbox', { name: 'Comment', exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Room for a menu')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Comments on the canvas', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await group(page, 'Goodbye').getByText('Goodbye', { exact: true }).click()
  await page.keyboard.press('Shift+T')
  await page.getByRole('dialog', { name: 'New comment on Goodbye', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await panelButton(ben.page, 'Comments: 1 unread thread').click()
  const panel = ben.page.getByRole('complementary', { name: 'Comments', exact: true })
  await panel.getByRole('button', { name: /Room for a menu/ }).waitFor()
  await panel.getByRole('button', { name: 'Mentions me', exact: true }).click()
  await panel.getByRole('button', { name: /Room for a menu/ }).waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: /Is this polite/ }).waitFor()
  await panel.getByRole('button', { name: 'More', exact: true }).click()
  await ben.page.getByRole('menuitem', { name: 'Mark all as read', exact: true }).click()
  await panelButton(ben.page, 'Comments').waitFor()
})

it('stays readable when its block is deleted, and stands on it again after undo', async () => {
  const { page } = ada
  await block(page, 'Greeting', 'Text').click()
  await page.keyboard.press('Delete')
  await pin(page, ', 2 replies').waitFor({ state: 'detached' })
  await panelButton(page, 'Comments').click()
  const panel = page.getByRole('complementary', { name: 'Comments', exact: true })
  await panel.getByText('Its block was deleted').waitFor()
  await panel.getByRole('button', { name: /Is this polite/ }).click()
  await said(page, 'Quite!').waitFor()
  await card(page).getByText('Its block was deleted', { exact: true }).waitFor()
  await expectAccessible(page, 'a thread and the panel of comments', 'body')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await pin(page, ', 2 replies').waitFor()
})

it('opens by the link of a mail for a viewer, who reads and can’t write', async () => {
  const thread = await pin(ada.page, ', 2 replies').getAttribute('data-pin')
  await enter(ben, viewer, `${builder}?thread=${thread}`)
  const { page } = ben
  await said(page, 'Quite!').waitFor()
  await card(page).getByText('Viewers can read comments.', { exact: true }).waitFor()
  expect(await replyField(page).count()).toBe(0)
  expect(
    await page
      .getByRole('toolbar', { name: 'Canvas tools' })
      .getByRole('button', { name: 'Comment', exact: true })
      .count(),
  ).toBe(0)
  expect(new URL(page.url()).search).toBe('')
  expect([...ada.errors, ...ben.errors].filter((error) => !error.includes('ERR_FAILED'))).toEqual([])
})
