import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../../engine/flow/schema'
import { plainRichText, richTextToString } from '../../../../engine/values/richText'
import { insertNextVersion, insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import type { Conversation } from '../../../contracts/chat'

const DAY = 24 * 60 * 60 * 1000
let server: TestServer
let now = new Date('2026-11-21T10:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => now })
})
afterAll(() => server.close())

const make = () => 'anid'
/** A trigger of each kind, each with a text that says which; and one that says what the flow knows of the visitor. */
function flowOf(changes: Record<string, Record<string, unknown>>): Flow {
  const block = (id: string, kind: string, change: object) => {
    const definition = registry.find(kind)
    const data = { ...definition?.defaults(make), ...change }
    return { id, kind, version: definition?.migrations.length ?? 0, data }
  }
  return {
    ...emptyFlow(),
    groups: Object.entries(changes).map(([kind, change], index) => ({
      id: `g${index}`,
      title: kind,
      position: { x: index * 400, y: 0 },
      blocks: [
        block(`t${index}`, kind, change),
        block(`s${index}`, 'text', { content: plainRichText(`By ${kind}`) }),
        block(`q${index}`, 'text-input', {}),
      ],
    })),
  } as Flow
}
const kinds = {
  start: {},
  'returning-user': { days: 3 },
  'page-opened': { pages: [{ id: 'anid', rule: 'contains', url: '/pricing' }], onceAVisit: true, shows: 'teaser' },
}

let count = 0
async function come(slug: string, visit: Record<string, unknown>) {
  const guest = await server.guest()
  const body = { client_id: `start-of-${++count}`, ...visit }
  const answer = await guest.send('POST', `/api/chat/${slug}/conversations`, body)
  expect(answer.status, answer.text).toBe(200)
  const data = answer.body.data as { token: string; conversation: Conversation; resumed: boolean; shows: string }
  const [first] = data.conversation.messages
  const said = first?.content.kind === 'text' ? richTextToString(first.content.text, () => '') : ''
  return { ...data, said, resume: { conversation: data.conversation.id, token: data.token } }
}
const visitor = 'v'.repeat(16)
const visit = (name: string) => name.repeat(16)

it('keeps the pages on which a visitor comes back, each once, without their query, until there are fifty', async () => {
  await insertPublishedFlow(server.context.db, flowOf({ start: {} }), 'pages')
  const had = await come('pages', {
    visitor,
    visit: visit('a'),
    url: 'https://shop.example/lamps?mail=ada@example.com',
  })
  const back = async (url: string | undefined) => {
    now = new Date(now.getTime() + 1_000)
    expect(await come('pages', { visitor, visit: visit('a'), resume: had.resume, ...(url && { url }) })).toMatchObject({
      resumed: true,
    })
  }
  const kept = async () => {
    const { rows } = await sql<{ page: string }>`
      select page from page_visits join conversations on conversations.id = page_visits.conversation_id
      where conversations.gid = ${had.resume.conversation} order by visited_at`.execute(server.context.db)
    return rows.map(({ page }) => page)
  }
  // the page that it began on, none, and what is no page of a website
  for (const url of ['https://shop.example/lamps?again', undefined, 'about:blank']) await back(url)
  expect(await kept()).toEqual([])
  for (const page of ['cart?id=7', 'cart?id=8', 'lamps', 'cart#end']) await back(`https://shop.example/${page}`)
  expect(await kept()).toEqual(['https://shop.example/lamps', 'https://shop.example/cart'])
  for (let page = 0; page < 60; page++) await back(`https://shop.example/${page}`)
  expect(await kept()).toHaveLength(50)
  await sql`update conversations set analytics = false where gid = ${had.resume.conversation}`.execute(
    server.context.db,
  )
  await sql`delete from page_visits`.execute(server.context.db)
  await back('https://shop.example/cart')
  expect(await kept()).toEqual([])
})

it('begins for who returns after so many days, for a page once a visit, else at the start', async () => {
  await insertPublishedFlow(server.context.db, flowOf(kinds), 'visits')
  const first = await come('visits', { visitor, visit: visit('a'), url: 'https://shop.example/' })
  expect(first).toMatchObject({ said: 'By start', resumed: false, shows: 'open' })

  const page = { visitor, visit: visit('a'), url: 'https://shop.example/pricing' }
  expect(await come('visits', page)).toMatchObject({ said: 'By page-opened', shows: 'teaser' })
  expect((await come('visits', page)).said).toBe('By start')
  expect((await come('visits', { ...page, visit: visit('b') })).said).toBe('By page-opened')

  now = new Date(now.getTime() + 4 * DAY)
  expect((await come('visits', { visitor: 'w'.repeat(16), visit: visit('c') })).said).toBe('By start')
  expect((await come('visits', { visitor, visit: visit('c') })).said).toBe('By returning-user')
  expect((await come('visits', { visitor, visit: visit('c') })).said).toBe('By start')
  expect((await come('visits', {})).said).toBe('By start')
})

it('goes on with the conversation that a visitor has, unless something begins for this visit', async () => {
  await insertPublishedFlow(server.context.db, flowOf(kinds), 'resumed')
  const had = await come('resumed', { visitor, visit: visit('a') })
  const same = await come('resumed', { visitor, visit: visit('b'), resume: had.resume })
  expect(same).toMatchObject({ resumed: true, token: had.token, conversation: { id: had.conversation.id } })
  now = new Date(now.getTime() + 4 * DAY)
  const later = await come('resumed', { visitor, visit: visit('c'), resume: had.resume })
  expect(later).toMatchObject({ resumed: false, said: 'By returning-user' })
  const forged = { ...had.resume, token: 'wrong' }
  expect(await come('resumed', { visitor, visit: visit('d'), resume: forged })).toMatchObject({ resumed: false })
})

it('gives a flow what it knows of the visitor, and keeps the visitor’s own id as a hash', async () => {
  const { chatbotId } = await insertPublishedFlow(server.context.db, flowOf({ start: {} }), 'known')
  const url = 'https://shop.example/help'
  await come('known', { visitor, visit: visit('a'), url, language: 'pt-BR' })
  const { session, visitor_hash } = await server.context.db
    .selectFrom('conversations')
    .innerJoin('runs', 'runs.id', 'conversations.run_id')
    .select(['session', 'visitor_hash'])
    .where('chatbot_id', '=', chatbotId)
    .executeTakeFirstOrThrow()
  const { sys_user_id: userId, ...rest } = session.variables
  expect(rest).toMatchObject({ sys_current_url: url, sys_language: 'pt-br', sys_channel: 'share' })
  expect(userId).toMatch(/^[0-9a-f]{32}$/)
  expect(visitor_hash?.toString('hex').startsWith(String(userId))).toBe(true)
  expect(JSON.stringify(session)).not.toContain(visitor)
})

describe('once another version is published', () => {
  const next = { ...kinds, 'url-input': {} }
  async function read(slug: string, { resume }: Awaited<ReturnType<typeof come>>): Promise<boolean> {
    const guest = await server.guest()
    const path = `/api/chat/${slug}/conversations/${resume.conversation}`
    const answer = await guest.send('GET', path, undefined, { authorization: `Bearer ${resume.token}` })
    return (answer.body.data as { renews: boolean }).renews
  }

  it('begins with it for a visitor who has said nothing, and goes on with one who has', async () => {
    const bot = await insertPublishedFlow(server.context.db, flowOf({ start: {} }), 'renewed')
    const [silent, spoke] = [
      await come('renewed', { visitor, visit: visit('a') }),
      await come('renewed', { visitor: 'w'.repeat(16), visit: visit('a') }),
    ]
    const guest = await server.guest()
    const headers = { authorization: `Bearer ${spoke.token}` }
    const path = `/api/chat/renewed/conversations/${spoke.conversation.id}/messages`
    const body = { client_id: 'a-message', reply: { type: 'text', text: 'Ahoy' } }
    expect((await guest.send('POST', path, body, headers)).status).toBe(200)
    expect([await read('renewed', silent), await read('renewed', spoke)]).toEqual([false, false])

    await insertNextVersion(server.context.db, bot, flowOf({ start: {}, 'url-input': {} }))
    expect([await read('renewed', silent), await read('renewed', spoke)]).toEqual([true, false])
    const anew = await come('renewed', { visitor, visit: visit('a'), resume: silent.resume })
    expect(anew).toMatchObject({ resumed: false, said: 'By start' })
    expect(await read('renewed', anew)).toBe(false)
    const on = await come('renewed', { visitor: 'w'.repeat(16), visit: visit('b'), resume: spoke.resume })
    expect(on).toMatchObject({ resumed: true, conversation: { id: spoke.conversation.id } })
  })

  it('begins what begins once a visit once more, in place of what nobody answered', async () => {
    const bot = await insertPublishedFlow(server.context.db, flowOf(kinds), 'renewed-page')
    const page = { visitor, visit: visit('a'), url: 'https://shop.example/pricing' }
    const first = await come('renewed-page', page)
    expect(first.said).toBe('By page-opened')
    await insertNextVersion(server.context.db, bot, flowOf(next))
    const anew = await come('renewed-page', { ...page, resume: first.resume })
    expect(anew).toMatchObject({ resumed: false, said: 'By page-opened', shows: 'teaser' })
  })
})
