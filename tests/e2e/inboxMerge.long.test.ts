import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { startConversation } from '../../server/contracts/chat'
import { readChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import { changeConversations, replyToVisitor } from '../../server/contracts/inbox'
import { objections } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { timedFlow, timedRegistry } from '../support/timedFlow'

/** A person makes two conversations of one visitor one, and several again. */
let server: TestServer
let ada: Registered
let desk: TestBrowser
let home: string
let first: string
let second: string

beforeAll(async () => {
  ensureBuilt()
  ;[server, desk] = await Promise.all([startTestServer({ registry: timedRegistry }), launchBrowser()])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  const flow = await makeChatbot(ada)
  const { pgid, cgid } = flow
  const asking = timedFlow({ noReplyAfter: 172_800 })
  const source = JSON.stringify({ ...asking, edges: asking.edges.slice(0, 1) })
  await ada.call(importFlow, { params: flow, body: { source, mode: 'replace' } })
  await ada.call(publishFlow, { params: flow })
  const { slug } = (await ada.call(readChatbot, { params: { pgid, cgid } })).chatbot
  home = `${server.url}/projects/${pgid}/conversations`
  const guest = await server.guest()
  const begin = async (id: string) =>
    (await guest.call(startConversation, { params: { slug }, body: { client_id: id, visitor: 'visitorofboth001' } }))
      .conversation.id
  const answer = (conversation: string, text: string) =>
    ada.call(replyToVisitor, {
      params: { pgid, conversation },
      body: {
        client_id: `reply-${conversation}`,
        text,
        seen: 100,
        file_ids: [],
        anyway: false,
        reopen: false,
        close: false,
      },
    })
  first = await begin('start-0001')
  await answer(first, 'It left our house on Monday')
  await ada.call(changeConversations, {
    params: { pgid },
    body: { conversations: [first], change: { status: 'closed' } },
  })
  second = await begin('start-0002')
  await answer(second, 'Which parcel do you mean?')
  await desk.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([desk?.close(), server?.close()]))

const log = () => desk.page.getByRole('log', { name: 'Messages' })
const dialog = () => desk.page.getByRole('dialog', { name: 'Merge this visitor’s conversations' })
const shot = async (name: string) => {
  if (process.env.SHOTS) await desk.page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}

it('two conversations become one after a look at both, and two again by undo', async () => {
  const { page } = desk
  await page.goto(`${home}/${second}`)
  await log().getByText('Which parcel do you mean?').waitFor()
  await page
    .getByRole('region', { name: 'Conversation', exact: true })
    .getByRole('button', { name: 'Merge conversations' })
    .click()
  await dialog().getByText('It left our house on Monday').waitFor()
  const stays = dialog().getByRole('listitem').filter({ hasText: 'Which parcel' })
  await stays.getByText('Stays').waitFor()
  expect(await objections(page)).toEqual([])
  await shot('merge-preview')
  await dialog().getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByText('The conversations are one now.').waitFor()
  await log().getByText('It left our house on Monday').waitFor()
  await log().getByText('From this conversation').waitFor()
  const texts = await log()
    .getByText(/It left our house|Which parcel/)
    .allTextContents()
  expect(texts).toEqual(['It left our house on Monday', 'Which parcel do you mean?'])
  await log().getByText('Ada Lovelace merged this conversation').waitFor()
  await shot('merge-done')
  expect(await objections(page)).toEqual([])

  // a link to the merged one leads to the survivor
  await page.goto(`${home}/${first}`)
  await page.waitForURL(`${home}/${second}`)
  await log().getByText('It left our house on Monday').waitFor()

  await page.getByRole('button', { name: /^Undo the merge/ }).click()
  await page.getByText('The merge was undone.', { exact: true }).first().waitFor()
  await log().getByText('It left our house on Monday').waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Other conversations' }).getByRole('link').waitFor()
  expect(desk.errors).toEqual([])
})

it('is offered by Ctrl-K as well', async () => {
  const { page } = desk
  await page.keyboard.press('Control+k')
  await page.keyboard.type('merge conv')
  await page.getByRole('option', { name: /Merge conversations/ }).click()
  await dialog().getByRole('checkbox').nth(1).uncheck()
  await dialog().getByText('Choose another conversation').waitFor()
  expect(await dialog().getByRole('button', { name: 'Merge', exact: true }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})
