import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aiAnswerDefaults } from '../../blocks/ai-answer/schema'
import { textInput } from '../../blocks/text-input/block'
import { createCountingIds } from '../../engine/flow/ids'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { sendMessage, startConversation } from '../../server/contracts/chat'
import { readChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import { addFaq, addText } from '../../server/contracts/sources'
import { expectAccessible, showIn } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { flowAround } from '../support/conversations'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** What visitors asked in vain is mended from one screen, and answered from then on. */
let server: TestServer
let browser: TestBrowser
let page: Page
let ada: Registered
let place: { pgid: string; cgid: string; fid: string }
let slug: string
let chatbot: string
beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer({ config: { chatStartsPerMinute: 0 } }), launchBrowser()])
  page = browser.page
  ada = await server.register()
  place = await makeChatbot(ada)
  slug = (await ada.call(readChatbot, { params: { pgid: place.pgid, cgid: place.cgid } })).chatbot.slug
  chatbot = `${server.url}/projects/${place.pgid}/chatbots/${place.cgid}`
  const flow = flowAround('text-input', textInput.defaults(createCountingIds('i')))
  flow.groups[0]?.blocks.push({ id: 'answer', kind: 'ai-answer', version: 0, data: aiAnswerDefaults() as never })
  await ada.call(importFlow, { params: place, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await ada.call(publishFlow, { params: place })
  const entry = { question: 'Where can I park?', answer: 'Behind the house, for two hours.', phrasings: [] }
  await ada.call(addFaq, { params: place, body: entry })
  const markdown =
    '# Our café\n\nThe café by the mill serves breakfast until eleven. Dogs are welcome on the terrace. Groups of more than eight book a table a day ahead.'
  await ada.call(addText, { params: place, body: { title: 'Our café', markdown } })
  await server.context.jobs.runDue()
  for (const question of [
    'Do you repair electric bicycles?',
    'can you repair an electric bicycle',
    'do you repair electric bicycles',
    'any spot for my vehicle while I shop',
    'Is the mayor nice?',
  ])
    await ask(question)
  expect(await ask('what does breakfast cost')).toContain('this may help')
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

let count = 0
/** A visitor asks, in a conversation of its own. @returns what the chatbot says then */
async function ask(text: string): Promise<string> {
  const guest = await server.guest()
  const { token, conversation } = await guest.call(startConversation, {
    params: { slug },
    body: { client_id: `start-${++count}-0000`, visitor: `v${String(count).padStart(19, '0')}` },
  })
  const path = sendMessage.path.replace(':slug', slug).replace(':conversation', conversation.id)
  const body = { client_id: `message-${count}`, reply: { type: 'text', text } }
  const { status, body: answer } = await guest.send('POST', path, body, { authorization: `Bearer ${token}` })
  expect(status).toBe(200)
  return JSON.stringify(answer)
}

it('shows alike questions together with what comes nearest, wide and narrow, light and dark', async () => {
  await page.context().addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  await page.goto(`${chatbot}/unanswered`)
  const first = page.getByRole('listitem').filter({ hasText: 'Asked 3 times' })
  await first.getByRole('heading', { name: 'do you repair electric bicycles' }).waitFor()
  await first.getByText('1 more wording').click()
  await first.getByText('can you repair an electric bicycle').waitFor()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await showIn(page, colorScheme)
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/unanswered-${width}-${colorScheme}.png` })
    }
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await expectAccessible(page, `unanswered, ${width} wide`)
  }
  await showIn(page, 'light')
  await page.setViewportSize({ width: 1440, height: 900 })
})

it('adds a wording to the entry that it means, which answers it from then on', async () => {
  const parking = page.getByRole('listitem').filter({ hasText: 'any spot for my vehicle' })
  await parking.getByRole('button', { name: 'Same as this entry' }).click()
  await parking.waitFor({ state: 'detached' })
  const asked = async () => {
    await server.context.jobs.runDue()
    return ask('any spot for my vehicle while I shop')
  }
  await expect.poll(asked).toContain('Behind the house')
})

it('takes an answer to a group, with all its wordings, and visitors get it from then on', async () => {
  const group = page.getByRole('listitem').filter({ hasText: 'Asked 3 times' })
  await group.getByRole('button', { name: 'Answer', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Answer this question' })
  await dialog.getByRole('button', { name: 'Add answer' }).click()
  await dialog.getByText('Enter an answer').waitFor()
  await dialog.getByLabel('Answer', { exact: true }).fill('Yes, every Tuesday.')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/unanswered-answer.png` })
  await dialog.getByRole('button', { name: 'Add answer' }).click()
  await group.waitFor({ state: 'detached' })
  await server.context.jobs.runDue()
  expect(await ask('can you repair an electric bicycle')).toContain('every Tuesday')
})

it('shows what was answered uncertainly, and takes the answer once it is confirmed', async () => {
  await page.getByRole('button', { name: 'Uncertain answers' }).click()
  const doubtful = page.getByRole('listitem').filter({ hasText: 'what does breakfast cost' })
  await doubtful.getByText('The chatbot said').waitFor()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await showIn(page, colorScheme)
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/uncertain-${width}-${colorScheme}.png` })
    }
    await expectAccessible(page, `uncertain answers, ${width} wide`)
  }
  await showIn(page, 'light')
  await page.setViewportSize({ width: 1440, height: 900 })
  await doubtful.getByRole('button', { name: 'Confirm or correct' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm or correct this answer' })
  expect(await dialog.getByLabel('Answer', { exact: true }).inputValue()).toContain('breakfast until eleven')
  await dialog.getByLabel('Answer', { exact: true }).fill('Breakfast costs 12 euros, until eleven.')
  await dialog.getByRole('button', { name: 'Add answer' }).click()
  await page.getByText('No answer was uncertain').waitFor()
  await server.context.jobs.runDue()
  expect(await ask('what does breakfast cost')).toContain('12 euros')
  await page.getByRole('button', { name: 'Without an answer' }).click()
})

it('puts aside what needs no answer, which can be undone', async () => {
  const mayor = page.getByRole('listitem').filter({ hasText: 'Is the mayor nice?' })
  await mayor.getByRole('button', { name: 'Put aside' }).click()
  await page.getByText('Nothing is left unanswered').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await mayor.waitFor()
})
