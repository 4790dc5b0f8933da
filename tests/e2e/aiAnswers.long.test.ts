import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateAiSettings } from '../../server/contracts/ai'
import { createChatbot } from '../../server/contracts/chatbots'
import { publishFlow } from '../../server/contracts/flows'
import { addFaq, listSources } from '../../server/contracts/sources'
import { ENVIRONMENT_MODEL } from '../../server/modules/models/providers/catalogue'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { buildChatPage, type ChatPage } from '../support/chatPage'
import { type ModelServer, startModelServer } from '../support/modelServer'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { chat } from './steps'

/** From a source to an answer on the visitor's page: first with no model at all, then with one that streams. */
let chatPage: ChatPage
let models: ModelServer
let server: TestServer
let browser: TestBrowser
let page: Page
let owner: Registered
let params: { pgid: string; cgid: string }

beforeAll(async () => {
  chatPage = await buildChatPage()
  models = await startModelServer()
  ;[server, browser] = await Promise.all([
    startTestServer({ clientDir: chatPage.folder, config: { ai: models.settings } }),
    launchBrowser(),
  ])
  page = browser.page
})
afterAll(() => Promise.all([browser?.close(), server?.close(), models?.close(), chatPage?.remove()]))

const chips = () => page.getByRole('list', { name: 'Sources' }).last()

test('a chatbot from a template is trained on an entry and published', async () => {
  owner = await server.register()
  const { pgid } = owner
  const { chatbot } = await owner.call(createChatbot, {
    params: { pgid },
    body: { name: 'Shop', template: 'answers-from-sources' },
  })
  params = { pgid, cgid: chatbot.gid }
  const question = 'How long do parcels to islands take?'
  const answer = 'Parcels to islands take a week. They are sent on Mondays and cost nothing more.'
  await owner.call(addFaq, { params, body: { question, answer, phrasings: [] } })
  await expect
    .poll(async () => (await owner.call(listSources, { params, query: {} as never })).training.by_status.ready)
    .toBe(1)
  await owner.call(publishFlow, { params: { ...params, fid: chatbot.fid }, body: {} as never })
  await page.goto(`${server.url}/c/${chatbot.slug}`)
})

test('without a model an answer is cited from its source, and what is not there is not known', async () => {
  const visitor = chat(page)
  await visitor.hears('What would you like to know?')
  await visitor.writes('How long do parcels to islands take?')
  await visitor.hears(/^Parcels to islands take a week\..*\[1\]$/)
  await chips().getByText('How long do parcels to islands take?', { exact: true }).waitFor()
  await visitor.hears('Is there anything else you’d like to know?')
  await visitor.writes('Thank you!')
  await visitor.hears('You’re welcome!')
  await visitor.writes('Who painted the ceiling of the chapel?')
  await visitor.hears('I have no answer to that.')
  expect(models.calls).toEqual([])
})

test('with a model it stands there while it is written, and stays as it was when it is complete', async () => {
  await owner.call(updateAiSettings, { params, body: { model_id: ENVIRONMENT_MODEL } })
  let finish = () => {}
  models.answers('How long do parcels to islands take?', (response, _call, { protocol }) => {
    const events = protocol.events({
      text: 'It takes **a week** [1], and then some [7]. ![x](https://evil.example/a.png)',
    })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const half = 8
    response.write(events.pieces.slice(0, half).join(''))
    finish = () => void response.end([...events.pieces.slice(half), ...events.end].join(''))
  })
  const visitor = chat(page)
  await visitor.writes('How long do parcels to islands take?')
  await visitor.hears(/^It takes/)
  expect(await page.getByText('and then some').count()).toBe(0)
  finish()
  await visitor.hears(/^It takes a week \[1\], and then some\.$/)
  await chips().getByText('How long do parcels to islands take?', { exact: true }).waitFor()
  await expect.poll(() => page.getByText(/^It takes/).count()).toBe(1)
  await expect.poll(() => visitor.log.locator('strong').getByText('a week').count()).toBe(1)
  expect(await visitor.log.locator('img').count()).toBe(0)
  await visitor.hears('Is there anything else you’d like to know?')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/chat.png` })
  await expectAccessible(page, 'chat page with answers')
  expect(browser.errors).toEqual([])
})

test('the chat speaks the language that is set, from its own side of the page', async () => {
  await owner.call(updateAiSettings, { params, body: { language: 'Arabic', model_id: 1 } })
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await page.getByRole('textbox', { name: 'رسالتك' }).fill('شكرا')
  await page.getByRole('button', { name: 'إرسال', exact: true }).click()
  await page.getByRole('log', { name: 'المحادثة' }).getByText('على الرحب والسعة!').waitFor()
  expect(await page.evaluate(() => [document.documentElement.lang, document.dir])).toEqual(['ar', 'rtl'])
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/rtl.png` })
  await expectAccessible(page, 'a chat from right to left')
})
