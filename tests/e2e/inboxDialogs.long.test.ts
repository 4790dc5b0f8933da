import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import * as chat from '../../server/contracts/chat'
import { createChatbot } from '../../server/contracts/chatbots'
import { publishFlow } from '../../server/contracts/flows'
import * as contract from '../../server/contracts/inbox'
import { officeSchema } from '../../server/contracts/office'
import { addFaq, listSources } from '../../server/contracts/sources'
import { objections } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { type ModelServer, startModelServer } from '../support/modelServer'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { look } from './look'

/** What stands beside an answer: why it was given and the right one, its translation, by when it is due, files. */
let models: ModelServer
let server: TestServer
let ada: Registered
let desk: TestBrowser
let cgid: string
let params: { pgid: string; conversation: string }

beforeAll(async () => {
  ensureBuilt()
  models = await startModelServer()
  ;[server, desk] = await Promise.all([startTestServer({ config: { ai: models.settings } }), launchBrowser()])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
})
afterAll(() => Promise.all([desk?.close(), server?.close(), models?.close()]))

const log = () => desk.page.getByRole('log', { name: 'Messages' })
const thread = () => desk.page.getByRole('region', { name: 'Conversation', exact: true })
const files = () => thread().getByRole('list', { name: 'Files of your reply' })

it('a visitor is answered from a source, which is found in the inbox', async () => {
  const { pgid } = ada
  const body = { name: 'Shop', template: 'answers-from-sources' }
  const { chatbot } = await ada.call(createChatbot, { params: { pgid }, body })
  cgid = chatbot.gid
  const of = { params: { pgid, cgid } }
  const question = 'How long do parcels to islands take?'
  await ada.call(addFaq, { ...of, body: { question, answer: 'Parcels to islands take a week.', phrasings: [] } })
  await expect
    .poll(async () => (await ada.call(listSources, { ...of, query: {} as never })).training.by_status.ready)
    .toBe(1)
  await ada.call(publishFlow, { params: { pgid, cgid, fid: chatbot.fid }, body: {} as never })
  const guest = await server.guest()
  const { slug } = chatbot
  const { token, conversation } = await guest.call(chat.startConversation, {
    params: { slug },
    body: { client_id: 'start-0001' },
  })
  const path = chat.sendMessage.path.replace(':slug', slug).replace(':conversation', conversation.id)
  const sent = { client_id: 'message-0001', reply: { type: 'text', text: question } }
  expect((await guest.send('POST', path, sent, { authorization: `Bearer ${token}` })).status).toBe(200)
  params = { pgid, conversation: conversation.id }
  const office = officeSchema.parse({ first_answer_minutes: 60 })
  await ada.call(contract.setOffice, { params: { pgid }, body: { team: null, office } })
  await desk.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  await desk.page.goto(`${server.url}/projects/${pgid}/conversations/${conversation.id}`)
  await log().getByText('Parcels to islands take a week.').waitFor()
})

it('an answer of the bot is explained, and said right by a new source', async () => {
  const { page } = desk
  const answer = log().getByRole('listitem').filter({ hasText: 'Parcels to islands take a week.' })
  await answer.getByRole('button', { name: 'Why this answer?' }).last().click()
  const why = page.getByRole('dialog', { name: 'How this answer came about' })
  const record = why.getByRole('region', { name: 'Why this answer' })
  await record.getByText('Credits', { exact: true }).waitFor()
  await look(page, 'why')
  await why.getByRole('button', { name: 'Fix this answer' }).click()
  const fix = page.getByRole('dialog', { name: 'Fix this answer' })
  await expect.poll(() => fix.getByLabel('Question').inputValue()).toBe('How long do parcels to islands take?')
  await look(page, 'fix')
  await fix.getByRole('button', { name: 'Save' }).click()
  await fix.getByRole('textbox', { name: 'Correct answer' }).and(fix.locator('[aria-invalid="true"]')).waitFor()
  await fix.getByLabel('Correct answer').fill('Parcels to islands take two weeks.')
  await fix.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Answer saved and added to the evaluations').waitFor()
  await answer.getByText(/Ada Lovelace/).waitFor()
})

it('what others say is translated where it stands', async () => {
  const { page } = desk
  models.answers(JSON.stringify({ text_1: 'One', text_2: 'Two', text_3: 'Three', text_4: 'Four' }))
  await thread().getByRole('button', { name: 'Translate what others say' }).click()
  await log().getByText('Two', { exact: true }).waitFor()
  await look(page, 'translated')
  await thread().getByRole('button', { name: 'Stop translating' }).click()
})

it('by when an answer is due is counted down, until it is given', async () => {
  const { pgid, conversation } = params
  const change = { status: 'person' } as const
  await ada.call(contract.changeConversations, { params: { pgid }, body: { conversations: [conversation], change } })
  await desk.page.clock.install()
  await desk.page.reload()
  await thread()
    .getByText(/^Answer in (59|60) min$/)
    .waitFor()
  await desk.page.clock.fastForward('20:00')
  await thread()
    .getByText(/^Answer in (39|40) min$/)
    .waitFor()
  await desk.page.clock.fastForward('50:00')
  await thread()
    .getByText(/^Answer overdue by \d+ min$/)
    .waitFor()
  await look(desk.page, 'overdue')
})

it('a conversation that is snoozed leaves the list, and comes back at its time by itself', async () => {
  const { page } = desk
  const { pgid, conversation } = params
  // the page's own clock stands still since the test before
  await page.clock.resume()
  await page.goto(`${server.url}/projects/${pgid}/conversations/${conversation}?view=all`)
  const rows = page.getByRole('region', { name: 'Conversations', exact: true }).getByRole('listitem')
  await rows.first().waitFor()
  await thread().getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: 'In an hour' }).waitFor()
  await look(page, 'snooze')
  await page.getByRole('menuitem', { name: 'In an hour' }).click()
  await thread()
    .getByText(/^Snoozed until /)
    .waitFor()
  await rows.first().waitFor({ state: 'detached' })
  await look(page, 'snoozed')
  await page.getByRole('button', { name: /^Snoozed/ }).click()
  await rows.first().waitFor()
  const change = { snoozed_until: new Date(Date.now() + 1_500).toISOString() }
  await ada.call(contract.changeConversations, { params: { pgid }, body: { conversations: [conversation], change } })
  await page.goto(`${server.url}/projects/${pgid}/conversations/${conversation}?view=all`)
  await rows.first().waitFor()
  await thread()
    .getByText(/^Snoozed until /)
    .waitFor({ state: 'detached' })
})

it('files are dropped and pasted, and one that did not arrive is sent again', async () => {
  const { page } = desk
  await page.reload()
  const editor = thread().getByRole('textbox', { name: 'Your reply' })
  await editor.waitFor()
  const give = (type: 'drop' | 'paste', name: string) =>
    editor.evaluate(
      (element, [kind, called]) => {
        const data = new DataTransfer()
        data.items.add(new File(['Size 42'], called ?? '', { type: 'text/plain' }))
        const how = { bubbles: true, cancelable: true }
        if (kind === 'paste') element.dispatchEvent(new ClipboardEvent('paste', { ...how, clipboardData: data }))
        else
          for (const event of ['dragenter', 'dragover', 'drop'])
            element.dispatchEvent(new DragEvent(event, { ...how, dataTransfer: data }))
      },
      [type, name],
    )
  await give('drop', 'dropped.txt')
  await files().getByText('dropped.txt').waitFor()
  await give('paste', 'pasted.txt')
  await files().getByText('pasted.txt').waitFor()
  await files().getByText('0.1 KB').nth(1).waitFor()
  const uploads = '**/inbox/conversations/*/files*'
  await page.route(uploads, (route) => route.abort())
  await give('drop', 'lost.txt')
  const again = files().getByRole('button', { name: 'Upload lost.txt again' })
  await again.waitFor()
  await files().getByRole('alert').waitFor()
  expect(await objections(page)).toEqual([])
  await page.unroute(uploads)
  await again.click()
  await files().getByText('0.1 KB').nth(2).waitFor()
  await thread().getByRole('button', { name: 'Send', exact: true }).click()
  for (const name of ['dropped.txt', 'pasted.txt', 'lost.txt'])
    await log()
      .getByRole('link', { name: new RegExp(name) })
      .waitFor()
})

it('leads go from column to column by mouse and by keys', async () => {
  const { page } = desk
  const { db } = server.context
  const conversation = await db
    .selectFrom('conversations')
    .select(['id', 'project_id', 'chatbot_id'])
    .where('gid', '=', params.conversation)
    .executeTakeFirstOrThrow()
  const at = new Date()
  const { id, ...place } = conversation
  const lead = (name: string) => ({
    ...{ gid: server.context.ids(), ...place, name, email: `${name.slice(0, 4)}@example.org`, phone: '' },
    ...{ source: 'email' as const, environment: 'sharing' as const, answers: '[]', created_at: at, updated_at: at },
  })
  const left = [
    { ...lead('Grace Hopper'), conversation_id: id },
    { ...lead('Mary Shelley'), conversation_id: null },
  ]
  await db.insertInto('leads').values(left).execute()
  await page.goto(`${server.url}/projects/${params.pgid}/chatbots/${cgid}/leads/index2`)
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (name: string, who: string) => column(name).getByRole('listitem').filter({ hasText: who })
  await card('New', 'Grace Hopper').dragTo(column('Qualified'))
  await card('Qualified', 'Grace Hopper').waitFor()
  await card('New', 'Mary Shelley').getByRole('button').focus()
  await page.keyboard.press('ArrowRight')
  await card('Contacted', 'Mary Shelley').waitFor()
  // the card that was moved has the focus still: the next key moves it on
  await page.keyboard.press('ArrowRight')
  await card('Qualified', 'Mary Shelley').waitFor()
  const statuses = () => db.selectFrom('leads').select('status').where('project_id', '=', place.project_id).execute()
  await expect.poll(statuses).toEqual([{ status: 'qualified' }, { status: 'qualified' }])
  expect(await objections(page)).toEqual([])
  await page.reload()
  await card('Qualified', 'Grace Hopper').waitFor()
  await card('Qualified', 'Mary Shelley').waitFor()
})
