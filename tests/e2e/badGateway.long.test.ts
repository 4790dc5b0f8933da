import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { InputRequest, Reply } from '../../engine/flow/conversation'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type ScriptedBots, startScriptedBots } from '../support/chatBots'
import { buildChatPage, type ChatPage } from '../support/chatPage'
import { type ReverseProxy, startReverseProxy } from '../support/reverseProxy'

/** An open chat page behind a proxy whose server goes away and comes back. */
let chatPage: ChatPage
let bots: ScriptedBots
let proxy: ReverseProxy
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  chatPage = await buildChatPage()
  ;[bots, browser] = await Promise.all([startScriptedBots(chatPage.folder), launchBrowser()])
  page = browser.page
})
beforeEach(async () => {
  proxy = await startReverseProxy(bots.server.url)
})
afterEach(() => {
  proxy.close()
  // the browser prints every answer that is none
  browser.errors.splice(0)
})
afterAll(() => Promise.all([browser.close(), bots.server.close(), chatPage.remove()]))

const question: InputRequest = { input: 'text', placeholder: '', required: true, long: false, maxLength: 100 }
const log = () => page.getByRole('log')
const answered = (what: RegExp) => () => proxy.answers.filter((answer) => what.test(answer)).length

async function open(): Promise<{ replies: Reply[]; slug: string }> {
  const bot = await bots.publish(['Hello', question, 'And then?', question, 'Thank you', question])
  const { pathname } = new URL(bot.url)
  await page.goto(`${proxy.url}${pathname}`)
  await log().getByText('Hello').waitFor()
  await expect.poll(answered(/events 200/)).toBe(1)
  return { replies: bot.replies, slug: pathname.slice('/c/'.length) }
}
async function say(text: string): Promise<void> {
  await page.getByRole('textbox').fill(text)
  await page.keyboard.press('Enter')
}

/** Another tab of the same visitor says something: this one hears of it by its stream alone. */
async function sayElsewhere(slug: string, text: string): Promise<void> {
  const status = await page.evaluate(
    async ([key, url, words]) => {
      const { id, token } = JSON.parse(localStorage.getItem(key ?? '') ?? '{}')
      const response = await fetch(`${url}/api/chat/${key?.slice('parley:'.length)}/conversations/${id}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ client_id: 'elsewhere-1', reply: { type: 'text', text: words } }),
      })
      return response.status
    },
    [`parley:${slug}`, proxy.url, text],
  )
  expect(status).toBe(200)
}

describe('an open chat page', () => {
  it('goes on hearing what is new after its stream was refused, each message once, without being loaded again', async () => {
    const { slug } = await open()
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    proxy.down(502)
    await page.getByText('No connection. Your messages are kept here.').waitFor()
    await expect.poll(answered(/events 502/)).toBeGreaterThan(1)
    proxy.up()
    await page.getByText('No connection.').waitFor({ state: 'detached' })
    await sayElsewhere(slug, 'Ada')
    await log().getByText('And then?').waitFor()
    await expect.poll(() => log().getByText('Ada', { exact: true }).count()).toBe(1)
    await expect.poll(() => log().getByText('Hello', { exact: true }).count()).toBe(1)
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
  })

  it('sends what did not arrive by itself, in sight, and it is one message', async () => {
    const { replies } = await open()
    proxy.down(502)
    await say('Ada')
    await log().getByText('Not sent yet, trying again.').waitFor()
    await expect.poll(answered(/messages 502/)).toBeGreaterThan(1)
    expect(replies).toEqual([])
    proxy.up()
    await log().getByText('And then?').waitFor()
    expect(await log().getByText('Not sent yet').count()).toBe(0)
    await expect.poll(() => log().getByText('Ada', { exact: true }).count()).toBe(1)
    expect(replies.filter(Boolean)).toEqual([{ type: 'text', text: 'Ada' }])
  })

  it('has said once what arrived although its answer was lost', async () => {
    const { replies } = await open()
    proxy.loseAnswer('POST')
    await say('Ada')
    await log().getByText('And then?').waitFor()
    await say('Lovelace')
    await log().getByText('Thank you').waitFor()
    expect(replies.filter(Boolean)).toEqual([
      { type: 'text', text: 'Ada' },
      { type: 'text', text: 'Lovelace' },
    ])
  })

  it('sends after a reload what the page before had not brought there', async () => {
    const { replies } = await open()
    await page.route('**/messages', (route) => route.abort())
    await say('Ada')
    await log().getByText('Not sent yet, trying again.').waitFor()
    await page.unroute('**/messages')
    await page.reload()
    await log().getByText('And then?').waitFor()
    expect(replies.filter(Boolean)).toEqual([{ type: 'text', text: 'Ada' }])
    await page.reload()
    await log().getByText('And then?').waitFor()
    expect(replies.filter(Boolean)).toHaveLength(1)
  })
})
