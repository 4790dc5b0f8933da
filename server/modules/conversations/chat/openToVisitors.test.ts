import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestClock, type TestClock } from '../../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { typebotSource } from '../../../../tests/support/typebot'
import { type Conversation, chatPage } from '../../../contracts/chat'
import { createChatbot, deleteChatbot, updateChatbot } from '../../../contracts/chatbots'
import { importFlow, publishFlow, unpublishFlow } from '../../../contracts/flows'
import { saveLanguage, saveVisibility, setSharePassword } from '../../../contracts/web'
import { languageSchema, type VisibilitySettings, visibilitySchema } from '../../../contracts/web/settings'

/** Whether and when visitors are let in, and how much they may write. */
let server: TestServer
let editor: Registered
let clock: TestClock
beforeAll(async () => {
  // a Thursday
  clock = createTestClock('2026-01-01T10:00:00Z')
  server = await startTestServer({ clock })
  editor = await server.register()
})
afterAll(() => server.close())

let count = 0
let slug = ''
let fid = ''
let params = { pgid: '', cgid: '' }
beforeEach(async () => {
  clock.pass(3_600)
  const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Leads' } })
  params = { pgid: editor.pgid, cgid: chatbot.gid }
  slug = chatbot.slug
  fid = chatbot.fid
  const flow = { ...params, fid: chatbot.fid }
  await editor.call(importFlow, {
    params: flow,
    body: { source: typebotSource('questions.json'), mode: 'replace' },
  })
  await editor.call(publishFlow, { params: flow })
})

const set = (settings: Partial<VisibilitySettings>) =>
  editor.call(saveVisibility, { params, body: { settings: { ...visibilitySchema.parse({}), ...settings } } })
const schedule = (change: Partial<VisibilitySettings['schedule']>) =>
  set({ schedule: { ...visibilitySchema.parse({}).schedule, enabled: true, ...change } })

async function visit() {
  const visitor = await server.guest()
  const page = () => visitor.send('GET', `/api/chat/${slug}`)
  const start = (more: object = {}) =>
    visitor.send('POST', `/api/chat/${slug}/conversations`, { client_id: `start-${++count}000`, ...more })
  const of = (started: Awaited<ReturnType<typeof start>>) => {
    const { token, conversation } = started.body.data as { token: string; conversation: Conversation }
    const headers = { authorization: `Bearer ${token}` }
    const path = `/api/chat/${slug}/conversations/${conversation.id}`
    return {
      read: () => visitor.send('GET', path, undefined, headers),
      say: (text: string) =>
        visitor.send(
          'POST',
          `${path}/messages`,
          { client_id: `message-${++count}`, reply: { type: 'text', text } },
          headers,
        ),
    }
  }
  return { visitor, page, start, of }
}

describe('a chatbot that is off', () => {
  it('is as if it were not published, and what was said to it stays readable', async () => {
    const { page, start, of } = await visit()
    const talk = of(await start())
    await set({ visibility: 'off' })
    expect(await page()).toMatchObject({ status: 404, body: { data: 'This chatbot is not available.' } })
    expect((await start()).status).toBe(404)
    expect(await talk.say('Ada')).toMatchObject({ status: 403, body: { code: 'chat_closed' } })
    expect((await talk.read()).status).toBe(200)
    await set({ visibility: 'unlisted' })
    expect((await page()).status).toBe(200)
    expect((await talk.say('Ada')).status).toBe(200)
  })
})

describe('hours', () => {
  const thursday = [{ from: 9 * 60, to: 17 * 60 }]
  const week = [[], [], [], thursday, [], [], []]

  it('let visitors in by the clocks of their zone, and say when they do next', async () => {
    const { visitor, page, start, of } = await visit()
    await schedule({ week, time_zone: 'America/New_York', message: 'Back at nine.' })
    // the clock goes on with each test: it is before two in the afternoon, UTC
    expect(await visitor.call(chatPage, { params: { slug } })).toMatchObject({
      closed: { message: 'Back at nine.', form: false, opens_at: '2026-01-01T14:00:00.000Z' },
    })
    expect(await start()).toMatchObject({ status: 403, body: { code: 'chat_closed' } })
    await schedule({ week, time_zone: 'UTC' })
    expect(await visitor.call(chatPage, { params: { slug } })).toMatchObject({ closed: null })
    const talk = of(await start())
    expect((await talk.say('Ada')).status).toBe(200)
    await schedule({ week, time_zone: 'UTC', exceptions: [{ date: '2026-01-01', hours: [] }] })
    expect(await talk.say('Ada')).toMatchObject({ status: 403, body: { code: 'chat_closed' } })
    expect((await talk.read()).status).toBe(200)
    expect((await page()).body.data).toMatchObject({ closed: { opens_at: '2026-01-08T09:00:00.000Z' } })
  })

  it('hide the chat outside of them where the settings say so', async () => {
    const { page, start } = await visit()
    await schedule({ outside: 'hidden' })
    expect([(await page()).status, (await start()).status]).toEqual([404, 404])
  })

  it.each([
    [{ week: [[{ from: 60, to: 60 }], [], [], [], [], [], []] }, 'week.0.0', 'Must end after it begins'],
    [
      {
        week: [
          [],
          [
            { from: 60, to: 180 },
            { from: 120, to: 240 },
          ],
          [],
          [],
          [],
          [],
          [],
        ],
      },
      'week.1.1',
      'Overlaps with other hours of this day',
    ],
    [{ time_zone: 'Europe/Nowhere' }, 'time_zone', 'Choose a time zone'],
    [
      {
        exceptions: [
          { date: '2026-05-01', hours: [] },
          { date: '2026-05-01', hours: [] },
        ],
      },
      'exceptions.1.date',
      'This day is there already',
    ],
  ])('that can’t be are refused at their field: %j', async (change, field, message) => {
    const settings = visibilitySchema.parse({})
    const body = { settings: { ...settings, schedule: { ...settings.schedule, ...change } } }
    const path = `/api/projects/${params.pgid}/chatbots/${params.cgid}/web/visibility`
    const answer = await editor.send('POST', path, body)
    expect(answer.status).toBe(422)
    expect(answer.body.data).toMatchObject({ fields: { [`settings.schedule.${field}`]: message } })
  })
})

describe('the form outside of the hours', () => {
  const message = { name: 'Ada', email: 'ada@example.org', message: 'Do you repair lamps?' }

  it('makes a contact and a lead, and mails whoever answers visitors once, however often it is sent', async () => {
    const { visitor } = await visit()
    await schedule({ outside: 'form' })
    const body = { client_id: 'left-0001', ...message }
    for (const _ of [1, 2])
      expect((await visitor.send('POST', `/api/chat/${slug}/left-messages`, body)).status).toBe(200)
    await server.context.jobs.runDue()
    const { db } = server.context
    const contacts = await db.selectFrom('contacts').select(['name', 'email', 'test']).execute()
    expect(contacts).toEqual([{ name: 'Ada', email: 'ada@example.org', test: false }])
    const leads = await db.selectFrom('leads').select(['source', 'name', 'email', 'answers']).execute()
    const answers = [{ id: 'left-message', name: 'Message', value: 'Do you repair lamps?' }]
    expect(leads).toEqual([{ source: 'form', name: 'Ada', email: 'ada@example.org', answers }])
    const told = await db.selectFrom('events').select(['actor', 'payload']).where('type', '=', 'lead.created').execute()
    expect(told).toMatchObject([{ actor: 'visitor', payload: { conversation: null } }])
    const mails = await db.selectFrom('mails').select(['subject', 'addresses', 'body']).execute()
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({
      subject: 'Ada left a message with Leads',
      addresses: { to: [editor.user.email], replyTo: ['ada@example.org'] },
    })
    expect(mails[0]?.body).toContain('Do you repair lamps?')
  })

  it('takes nothing while the chat is open, shows no form, or is hidden', async () => {
    const { visitor } = await visit()
    const leave = () =>
      visitor.send('POST', `/api/chat/${slug}/left-messages`, { client_id: `left-${++count}000`, ...message })
    expect(await leave()).toMatchObject({ status: 403, body: { code: 'chat_closed' } })
    await schedule({ outside: 'message' })
    expect((await leave()).status).toBe(403)
    await schedule({ outside: 'hidden' })
    expect((await leave()).status).toBe(403)
  })

  it('says what is missing at its field', async () => {
    const { visitor } = await visit()
    await schedule({ outside: 'form' })
    const body = { client_id: 'left-0002', name: ' ', email: 'ada@nowhere', message: '' }
    expect((await visitor.send('POST', `/api/chat/${slug}/left-messages`, body)).body.data).toMatchObject({
      fields: { name: 'Enter your name', email: 'Enter a valid email address', message: 'Enter a message' },
    })
  })
})

describe('limits of a chatbot', () => {
  const limits = (change: Partial<VisibilitySettings['limits']>) =>
    set({ limits: { ...visibilitySchema.parse({}).limits, ...change } })
  const browser = (letter: string) => ({ visitor: letter.repeat(16), visit: letter.repeat(16) })

  it('count a visitor’s messages over all conversations, and refuse in the words of the settings', async () => {
    const { start, of } = await visit()
    await limits({ by_visitor: 3, message: 'Slow down, please.' })
    const talk = of(await start(browser('a')))
    const again = of(await start(browser('a')))
    expect((await talk.say('one')).status).toBe(200)
    const refused = await again.say('two')
    expect(refused).toMatchObject({ status: 429, body: { code: 'visitor_limit', data: 'Slow down, please.' } })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await start(browser('b'))).status).toBe(200)
    clock.pass(60)
    expect((await again.say('two')).status).toBe(200)
  })

  it('count an address’s, a chatbot’s, and apply as soon as they are saved', async () => {
    const { start, of } = await visit()
    await limits({ by_address: 2 })
    const talk = of(await start(browser('a')))
    expect((await start(browser('b'))).status).toBe(200)
    expect(await talk.say('one')).toMatchObject({
      status: 429,
      body: { data: 'You are sending messages too quickly. Please wait a moment.' },
    })
    await limits({ by_chatbot: 1 })
    expect((await talk.say('one')).status).toBe(200)
    expect((await talk.say('two')).status).toBe(429)
    await limits({})
    expect((await talk.say('two')).status).toBe(200)
  })
})

describe('the language of the chat', () => {
  const save = (settings: object) =>
    editor.send(saveLanguage.method, saveLanguage.path.replace(':pgid', params.pgid).replace(':cgid', params.cgid), {
      settings,
    })

  it('is given to the page, with the editors’ own words', async () => {
    const { visitor } = await visit()
    const texts = { de: { restart: 'Von vorn' } }
    await editor.call(saveLanguage, { params, body: { settings: { interface_language: 'de', texts } } })
    expect(await visitor.call(chatPage, { params: { slug } })).toMatchObject({ language: 'de', texts })
  })

  it('is refused where there are no such texts, or too many of them', async () => {
    const of = async (settings: object) => (await save({ ...languageSchema.parse({}), ...settings })).status
    expect(await of({ interface_language: 'xx' })).toBe(422)
    expect(await of({ texts: { de: { restart: 'x'.repeat(501) } } })).toBe(422)
    const many = Object.fromEntries(
      Array.from({ length: 41 }, (_, n) => ['a'.repeat(n + 1).slice(0, 40), 'x'.repeat(500)]),
    )
    expect(await of({ texts: { de: many, fr: { restart: 'x' } } })).toBe(422)
    expect(await of({ texts: { '<b>': { restart: 'x' } } })).toBe(422)
  })
})

describe('a visitor who is writing', () => {
  const CHANGES: Record<string, [change: () => Promise<unknown>, answer: object]> = {
    'the chatbot is switched off': [() => set({ visibility: 'off' }), { status: 403, body: { code: 'chat_closed' } }],
    'its hours are over': [() => schedule({}), { status: 403, body: { code: 'chat_closed' } }],
    'it is unpublished': [
      () => editor.call(unpublishFlow, { params: { ...params, fid } }),
      { status: 404, body: { code: 'not_found' } },
    ],
    'it has another address': [
      () => editor.call(updateChatbot, { params, body: { slug: `moved-${count}` } }),
      { status: 404, body: { code: 'not_found' } },
    ],
    'its page has a password': [
      () => editor.call(setSharePassword, { params, body: { password: 'open sesame' } }),
      { status: 403, body: { code: 'password_required' } },
    ],
    'it is deleted': [
      () => editor.call(deleteChatbot, { params, body: { name: 'Leads' } }),
      { status: 404, body: { code: 'not_found' } },
    ],
  }
  it.each(Object.keys(CHANGES))('is refused from the next message on when %s', async (name) => {
    const [change, answer] = CHANGES[name] as (typeof CHANGES)[string]
    const { start, of } = await visit()
    const talk = of(await start())
    expect((await talk.say('one')).status).toBe(200)
    await change()
    expect(await talk.say('two')).toMatchObject(answer)
    expect(await talk.say('two')).toMatchObject(answer)
  })

  it('keeps what only the token of the conversation opens, however often it was used', async () => {
    const { visitor, start, of } = await visit()
    const started = await start()
    expect((await of(started).say('one')).status).toBe(200)
    const { conversation } = started.body.data as { conversation: Conversation }
    const guessed = { authorization: `Bearer ${'x'.repeat(43)}` }
    const said = { client_id: 'message-guessed', reply: { type: 'text', text: 'two' } }
    const path = `/api/chat/${slug}/conversations/${conversation.id}/messages`
    expect((await visitor.send('POST', path, said, guessed)).status).toBe(404)
    expect((await of(started).say('two')).status).toBe(200)
  })
})
