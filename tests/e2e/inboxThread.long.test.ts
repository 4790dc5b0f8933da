import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { emptyFlow } from '../../engine/flow/schema'
import { staticValue } from '../../engine/values/dynamicValue'
import { plainRichText } from '../../engine/values/richText'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { startConversation } from '../../server/contracts/chat'
import { readChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { look } from './look'

/** What visitors saw is seen in the inbox: films, pages, cards, and what they could choose from or fill in. */
let server: TestServer
let ada: Registered
let desk: TestBrowser
let slug: string
let home: string
let count = 0
const picture = 'https://pictures.example/one.svg'

/** Blocks one after the other, each with its kind's defaults but for what is said. */
function flowOf(...kinds: [kind: string, change?: object][]) {
  let ids = 0
  const blocks = kinds.map(([kind, change], at) => {
    const { defaults, migrations } = registry.get(kind)
    const data = { ...(defaults(() => `id${++ids}`) as object), ...change }
    return { id: `b${at}`, kind, version: migrations.length, data }
  })
  return { ...emptyFlow(), groups: [{ id: 'g', title: 'All', position: { x: 0, y: 0 }, blocks }] }
}
const options = (...labels: string[]) => labels.map((label) => ({ id: label.toLowerCase(), label: staticValue(label) }))
const line = (text: string, more: object = {}) => ({ type: 'paragraph', children: [{ text, ...more }] })

beforeAll(async () => {
  ensureBuilt()
  ;[server, desk] = await Promise.all([startTestServer(), launchBrowser()])
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  const flow = await makeChatbot(ada)
  slug = (await ada.call(readChatbot, { params: flow })).chatbot.slug
  home = `${server.url}/projects/${flow.pgid}/conversations`
  const card = (title: string, url?: string) => ({
    ...{ id: title.toLowerCase(), title: staticValue(title), description: staticValue('With breakfast') },
    ...{ image: staticValue(picture), imageLink: staticValue('') },
    buttons: [{ id: `b${title}`, label: staticValue('Book'), ...(url && { url: staticValue(url) }) }],
  })
  const source = flowOf(
    ['start'],
    [
      'text',
      {
        content: [
          line('Our house', { link: 'https://house.example/', bold: true }),
          ...['| Room | Price |', '| Single | 80 |', '| Double | 120 |'].map((row) => line(row)),
        ],
      },
    ],
    ['image', { url: staticValue(picture), alt: staticValue('The house') }],
    ['video', { url: staticValue('https://youtu.be/dQw4w9WgXcQ?t=9'), caption: staticValue('A walk') }],
    ['audio', { url: staticValue('https://sounds.example/one.mp3'), caption: staticValue('The sea') }],
    ['embed', { url: staticValue('https://maps.example/here'), title: staticValue('A map'), height: 180 }],
    ['carousel', { items: [card('Single', 'https://book.example/'), card('Double'), card('Suite')], typing: true }],
    ['buttons', { prompt: plainRichText('How many nights?'), options: options('One', 'Two', 'Three') }],
    ['buttons', { prompt: plainRichText('What with it?'), options: options('Breakfast', 'Parking'), multiple: true }],
    ['satisfaction'],
    ['form', { prompt: plainRichText('Who are you?') }],
  )
  await ada.call(importFlow, { params: flow, body: { source: JSON.stringify(source), mode: 'replace' } })
  await ada.call(publishFlow, { params: flow })
  await desk.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([desk?.close(), server?.close()]))

async function begin() {
  const guest = await server.guest()
  const body = { client_id: `start-000${++count}`, visitor: `visitor00000000${count}` }
  const { token, conversation } = await guest.call(startConversation, { params: { slug }, body })
  const path = `/api/chat/${slug}/conversations/${conversation.id}/messages`
  const replies = async (reply: object) => {
    const sent = { client_id: `reply-000${++count}`, reply }
    expect((await guest.send('POST', path, sent, { authorization: `Bearer ${token}` })).status).toBe(200)
  }
  return { gid: conversation.id, replies }
}
const log = () => desk.page.getByRole('region', { name: 'Conversation', exact: true }).getByRole('log')

it('shows films, pages and cards as they stand in the chat, with their links', async () => {
  const { page } = desk
  const { gid, replies } = await begin()
  await page.goto(`${home}/${gid}`)
  await log().getByRole('link', { name: 'Our house' }).waitFor()
  expect(await log().getByRole('columnheader').allTextContents()).toEqual(['Room', 'Price'])
  const film = log().getByTitle('A walk')
  await expect.poll(() => film.getAttribute('src')).toBe('https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=9')
  const map = log().getByTitle('A map')
  expect(await map.getAttribute('sandbox')).toContain('allow-scripts')
  expect(await map.getAttribute('sandbox')).not.toContain('allow-top-navigation')
  const cards = log().getByRole('list', { name: '3 cards' })
  expect(await cards.getByRole('link', { name: 'Book' }).getAttribute('href')).toBe('https://book.example/')
  // what a visitor could press is no button here
  expect(await cards.getByRole('button').count()).toBe(0)
  // nothing is wider than the thread
  expect(await log().evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await look(page, 'thread-media')
  await replies({ type: 'choice', optionIds: ['bDouble'] })
  await log().getByText('How many nights?').waitFor()
})

it('shows what could be chosen, rated and filled in, and what was chosen of it, as it comes', async () => {
  const { page } = desk
  const { gid, replies } = await begin()
  await replies({ type: 'choice', optionIds: ['bSuite'] })
  await page.goto(`${home}/${gid}`)
  const nights = log().getByRole('list', { name: 'Offered to choose from' })
  await nights.waitFor()
  expect(await nights.getByRole('listitem').allTextContents()).toEqual(['One', 'Two', 'Three'])
  expect(await nights.getByRole('img', { name: 'Chosen' }).count()).toBe(0)
  await replies({ type: 'choice', optionIds: ['two'] })
  await nights.getByRole('listitem').filter({ hasText: 'Two' }).getByRole('img', { name: 'Chosen' }).waitFor()
  await replies({ type: 'choice', optionIds: ['breakfast', 'parking'] })
  const several = log().getByRole('list', { name: 'Several could be chosen' })
  await expect.poll(() => several.getByRole('img', { name: 'Chosen' }).count()).toBe(2)
  await log().getByRole('list', { name: 'Could be rated' }).waitFor()
  await replies({ type: 'skip' })
  const form = log().getByRole('list', { name: 'Form' })
  await expect.poll(() => form.getByRole('listitem').allTextContents()).toEqual(['Name *', 'Email *'])
  await look(page, 'thread-offers')
})

it('a long conversation is printed whole, though its page has loaded the end of it', async () => {
  const { page } = desk
  await page.goto(`${server.url}/c/${slug}`)
  await page.getByText('Our house').waitFor()
  const { db } = server.context
  const { id, project_id, last_seq } = await db
    .selectFrom('conversations')
    .select(['id', 'project_id', 'last_seq'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const said = Array.from({ length: 160 }, (_, at) => ({
    ...{ conversation_id: id, project_id, seq: last_seq + at + 1, author: 1 as const, block_id: null, client_id: null },
    content: JSON.stringify({ kind: 'text', text: plainRichText(`Line ${at}.`) }),
    created_at: new Date(),
  }))
  await db.insertInto('messages').values(said).execute()
  await db
    .updateTable('conversations')
    .set({ last_seq: last_seq + said.length })
    .where('id', '=', id)
    .execute()
  await page.reload()
  const chat = page.getByRole('log')
  await chat.getByText('Line 159.').waitFor()
  expect(await chat.getByText('Line 0.').count()).toBe(0)
  await page.pdf()
  expect(await chat.getByText('Line 0.').count()).toBe(1)
  expect(await chat.getByText(/^Line \d+\.$/).count()).toBe(said.length)
  expect(await chat.getByText('Our house').count()).toBe(1)
  expect(desk.errors).toEqual([])
})

it('prints a conversation whole, by the key or the button, and nothing but it', async () => {
  const { page } = desk
  const { gid } = await begin()
  const { id, project_id } = await server.context.db
    .selectFrom('conversations')
    .select(['id', 'project_id', 'last_seq'])
    .where('gid', '=', gid)
    .executeTakeFirstOrThrow()
  // more than a page of a thread
  await sql`insert into messages (conversation_id, project_id, seq, author, content, created_at)
    select ${id}, ${project_id}, last_seq + n, 1,
      replace('{"kind":"text","text":[{"type":"paragraph","children":[{"text":"Line n"}]}]}', 'Line n', 'Line ' || n)::json, now()
    from conversations, generate_series(1, 120) as n where id = ${id}`.execute(server.context.db)
  await sql`update conversations set last_seq = last_seq + 120 where id = ${id}`.execute(server.context.db)
  await page.addInitScript(() => {
    window.print = () => document.documentElement.toggleAttribute('data-was-printed')
  })
  await page.goto(`${home}/${gid}`)
  await log().getByText('Line 120', { exact: true }).waitFor()
  expect(await log().getByText('Line 1', { exact: true }).count()).toBe(0)
  await page.keyboard.press('ControlOrMeta+p')
  await page.locator('html[data-was-printed]').waitFor()
  expect(await log().getByText('Line 1', { exact: true }).count()).toBe(1)

  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => page.getByRole('button').filter({ visible: true }).count()).toBe(0)
  const clipped = await log().evaluate((element) => element.scrollHeight - element.clientHeight)
  expect(clipped, 'what does not fit on the screen').toBeLessThan(2)
  expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0)
  expect(await page.locator('[data-paper]').isVisible()).toBe(true)
  await look(page, 'inbox-printed')
  await page.emulateMedia({ media: 'screen' })

  await page.getByRole('button', { name: 'Print the conversation' }).click()
  await page.locator('html:not([data-was-printed])').waitFor()
})
