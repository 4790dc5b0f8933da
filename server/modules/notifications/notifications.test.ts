import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { plainRichText } from '../../../engine/values/richText'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { flowAround } from '../../../tests/support/conversations'
import { createPushReceiver } from '../../../tests/support/openPush'
import { type OutsideServer, startOutsideServer } from '../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { createContact } from '../../contracts/contacts'
import { importFlow, publishFlow } from '../../contracts/flows'
import { addNote } from '../../contracts/inbox'
import { updateNotifications } from '../../contracts/notifications'
import {
  addPushSubscription,
  listMyNotifications,
  myNotificationEvents,
  newsSchema,
  personalSchema,
  readMySettings,
  readPushKey,
  removePushSubscription,
  saveMySettings,
  seeMyNotifications,
} from '../../contracts/personalNotifications'
import { parseNetworks } from '../../platform/outbound/addresses'
import { conversations } from '../conversations/module'

/** A project of Ada's whose flow hands over, with Grace, who may answer visitors, and an editor, who may not. */
let server: TestServer
let clock: TestClock
let ada: Registered
let grace: Registered
let editor: Registered
let slug = ''
let projectId = ''
let push: OutsideServer

beforeAll(async () => {
  clock = createTestClock('2026-11-23T10:00:00Z')
  push = await startOutsideServer(({ path }, response) => response.writeHead(path === '/gone' ? 410 : 201).end())
  server = await startTestServer({ clock, config: { outboundAllow: parseNetworks('127.0.0.1/32') } })
})
afterAll(() => Promise.all([server.close(), push.close()]))

beforeEach(async () => {
  clock.pass(3_600)
  push.received.length = 0
  ada = await server.register()
  grace = await server.register()
  editor = await server.register()
  await addMember(server, ada.pgid, grace, [Role.ANALYST])
  await addMember(server, ada.pgid, editor, [Role.EDITOR])
  const { cgid, fid } = await makeChatbot(ada)
  const params = { pgid: ada.pgid, cgid, fid }
  const flow = flowAround('hand-off', {
    team: { type: 'static', value: 'Sales' },
    to: [{ id: 'to-0001', address: { type: 'static', value: 'desk@example.org' } }],
    note: { type: 'static', value: '' },
    emailId: null,
    prompt: plainRichText('Your email?'),
    message: plainRichText('We answer soon'),
  })
  await ada.call(importFlow, { params, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await ada.call(publishFlow, { params })
  slug = (await ada.call(readChatbot, { params })).chatbot.slug
  const { db } = server.context
  projectId = (await db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()).id
})

let count = 0
/** A visitor who begins a conversation, and gives an address, with which it is handed over. */
async function begin() {
  const visitor = await server.guest()
  const { token, conversation } = await visitor.call(startConversation, {
    params: { slug },
    body: { client_id: `start-${++count}00000` },
  })
  return {
    gid: conversation.id,
    async askForPerson() {
      const path = `/api/chat/${slug}/conversations/${conversation.id}/messages`
      const body = { client_id: `reply-${++count}00000`, reply: { type: 'text', text: 'bob@example.org' } }
      const { status } = await visitor.send('POST', path, body, { authorization: `Bearer ${token}` })
      expect(status).toBe(200)
    },
  }
}
async function settle(seconds = 0) {
  clock.pass(seconds)
  await server.app.modules.consumers.runDue()
  await server.context.jobs.runDue()
}
const params = () => ({ pgid: ada.pgid })
const listOf = async (person: Registered) => await person.call(listMyNotifications, { params: params() })
const kindsOf = async (person: Registered) => (await listOf(person)).notifications.map(({ kind }) => kind)
const want = (person: Registered, change: object) =>
  person.call(saveMySettings, { params: params(), body: { settings: personalSchema.parse(change) } })
const mails = async () => {
  const rows = await server.context.db
    .selectFrom('mails')
    .select(['subject', 'addresses', 'body'])
    .where('project_id', '=', projectId)
    .where('purpose', '=', 'notification')
    .orderBy('id')
    .execute()
  return rows.map(({ subject, addresses, body }) => ({ subject, to: addresses.to.join(), body }))
}
const refOf = async (gid: string) => {
  const { db } = server.context
  const row = await db.selectFrom('conversations').selectAll().where('gid', '=', gid).executeTakeFirstOrThrow()
  const user = await db.selectFrom('users').select('id').where('gid', '=', grace.user.ui).executeTakeFirstOrThrow()
  return { row, graceId: user.id, runtime: server.app.modules.provided(conversations).runtime }
}

describe('a visitor who asks for a person', () => {
  it('is told to members who may see conversations, once however often the events are read', async () => {
    const { askForPerson, gid } = await begin()
    await askForPerson()
    await settle()
    const { notifications, unseen } = await listOf(grace)
    expect(notifications).toMatchObject([
      { kind: 'handed_over', conversation: gid, seen: false, by: null, who: 'bob@example.org' },
    ])
    expect(unseen).toBe(1)
    expect(await kindsOf(ada)).toEqual(['handed_over'])
    expect((await editor.send('GET', listMyNotifications.path.replace(':pgid', ada.pgid))).status).toBe(403)
    await server.app.modules.consumers.replay('notifications', new Date('2026-11-01T00:00:00Z'))
    await settle()
    expect(await kindsOf(grace)).toEqual(['handed_over'])
  })

  it('is told again, and mailed, when nobody answers in time; not once somebody does', async () => {
    const [answered, waiting] = [await begin(), await begin()]
    await answered.askForPerson()
    await waiting.askForPerson()
    await settle()
    const { row, graceId, runtime } = await refOf(answered.gid)
    await runtime.people.takeOver(row, graceId)
    await settle(4 * 60)
    expect(await kindsOf(ada)).toEqual(['handed_over', 'handed_over'])
    await settle(60)
    expect((await listOf(ada)).notifications[0]).toMatchObject({ kind: 'waiting', conversation: waiting.gid })
    expect((await kindsOf(ada)).filter((kind) => kind === 'waiting')).toHaveLength(1)
    await settle(60)
    expect((await mails()).map(({ to }) => to).sort()).toEqual([ada.user.email, grace.user.email].sort())
  })
})

describe('an assigned conversation', () => {
  it('is told to its person, unless they took it themselves', async () => {
    const { gid } = await begin()
    const { row, graceId, runtime } = await refOf(gid)
    await runtime.people.takeOver(row, graceId)
    await settle()
    expect(await kindsOf(grace)).toEqual([])
  })
})

describe('a note that mentions a colleague', () => {
  it('is told to the colleague, with who wrote it, and to nobody else', async () => {
    const { gid } = await begin()
    const note = { client_id: 'note-0001', body: `Ask <@${grace.user.ui}> about it` }
    await ada.call(addNote, { params: { pgid: ada.pgid, conversation: gid }, body: note })
    await settle()
    const by = `${ada.user.first_name} ${ada.user.last_name}`
    expect((await listOf(grace)).notifications).toMatchObject([{ kind: 'mentioned', conversation: gid, by }])
    expect(await kindsOf(ada)).toEqual([])
  })
})

describe('mails', () => {
  it('say in one what happened in a minute, and leave out what was seen', async () => {
    await want(grace, { wants: { new_conversation: { app: true, mail: true, push: false } } })
    for (const _ of [1, 2, 3]) await begin()
    await settle()
    const [newest] = (await listOf(grace)).notifications
    await grace.call(seeMyNotifications, { params: params(), body: { id: newest?.id ?? '' } })
    expect(await mails()).toEqual([])
    await settle(60)
    expect(await mails()).toMatchObject([{ to: grace.user.email, subject: '2 things happened in My project' }])
    await settle(60)
    expect(await mails()).toHaveLength(1)
  })

  it('wait for the end of quiet hours', async () => {
    const quiet = { enabled: true, from: 0, to: 23 * 60 }
    await want(grace, { quiet, wants: { new_conversation: { app: false, mail: true, push: false } } })
    await begin()
    await settle(60)
    expect(await kindsOf(grace)).toEqual([])
    expect(await mails()).toEqual([])
    await settle(14 * 3_600)
    expect(await mails()).toMatchObject([{ subject: 'A visitor began a conversation' }])
  })

  it('go to the project’s addresses for each new contact and conversation, or else to its owners', async () => {
    const set = (body: object) => ada.call(updateNotifications, { params: params(), body })
    await set({ new_conversation: { enabled: true } })
    await begin()
    await settle()
    expect(await mails()).toMatchObject([{ to: ada.user.email, subject: 'My project: A visitor began a conversation' }])
    await set({ new_conversation: { emails: ['a@example.org', 'b@example.org'] } })
    await begin()
    await settle()
    expect((await mails()).map(({ to }) => to).slice(1)).toEqual(['a@example.org', 'b@example.org'])
  })
})

describe('a new contact', () => {
  it('is told to whoever wants it, and mailed to the project’s addresses, with their name', async () => {
    await want(grace, { wants: { new_contact: { app: true, mail: false, push: false } } })
    await ada.call(updateNotifications, { params: params(), body: { new_contact: { enabled: true } } })
    await ada.call(createContact, { params: params(), body: { fields: { name: 'Bob Baker' } } })
    await settle()
    expect((await listOf(grace)).notifications).toMatchObject([{ kind: 'new_contact', who: 'Bob Baker' }])
    expect(await mails()).toMatchObject([{ to: ada.user.email, subject: expect.stringContaining('Bob Baker') }])
  })
})

describe('what is seen', () => {
  it('is marked one by one, or all at once; nobody marks another’s', async () => {
    await want(grace, { wants: { new_conversation: { app: true, mail: false, push: false } } })
    for (const _ of [1, 2, 3]) await begin()
    await settle()
    const [last, , first] = (await listOf(grace)).notifications
    await ada.call(seeMyNotifications, { params: params(), body: { up_to: last?.id ?? '' } })
    expect((await listOf(grace)).unseen).toBe(3)
    const after = await grace.call(seeMyNotifications, { params: params(), body: { id: first?.id ?? '' } })
    expect(after).toEqual({ unseen: 2 })
    expect(await grace.call(seeMyNotifications, { params: params(), body: { up_to: last?.id ?? '' } })).toEqual({
      unseen: 0,
    })
  })

  it('is pushed to open pages, until the member is logged out', async () => {
    await want(grace, { wants: { new_conversation: { app: true, mail: false, push: false } } })
    const abort = new AbortController()
    const path = myNotificationEvents.path.replace(':pgid', ada.pgid)
    const cookie = [...grace.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(server.url + path, { headers: { cookie }, signal: abort.signal })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    let heard = ''
    const hear = async (until: (unseen: number) => boolean) => {
      for (;;) {
        const data = heard.split('\n').findLast((line) => line.startsWith('data: '))
        if (data && until(newsSchema.parse(JSON.parse(data.slice('data: '.length))).unseen)) return true
        const { done, value } = await reader.read()
        if (done) return false
        heard += decoder.decode(value, { stream: true })
      }
    }
    expect(await hear((unseen) => unseen === 0)).toBe(true)
    await begin()
    await settle()
    expect(await hear((unseen) => unseen === 1)).toBe(true)
    await server.context.db.deleteFrom('sessions').execute()
    await begin()
    await settle()
    expect(await hear((unseen) => unseen === 2)).toBe(false)
    abort.abort()
  })
})

describe('pushes', () => {
  const wanted = { wants: { new_conversation: { app: false, mail: false, push: true } } }
  const subscribe = async (path: string, keys: { p256dh: string; auth: string }) => {
    const endpoint = `https://push.example.org${path}`
    await grace.call(addPushSubscription, { body: { endpoint, keys } })
    // a push service that tests can run: the route takes HTTPS alone
    await server.context.db
      .updateTable('push_subscriptions')
      .set({ endpoint: push.url + path })
      .where('endpoint', '=', endpoint)
      .execute()
  }

  it('reach the member’s browser encrypted, and signed with the installation’s key', async () => {
    const browser = createPushReceiver()
    const { key } = await grace.call(readPushKey, {})
    expect((await ada.call(readPushKey, {})).key).toBe(key)
    await subscribe('/one', browser.keys)
    await want(grace, wanted)
    const { gid } = await begin()
    await settle()
    const [sent] = push.received
    expect(JSON.parse(browser.open(sent?.bytes ?? Buffer.alloc(0)))).toMatchObject({
      title: 'A visitor began a conversation',
      body: 'Bot',
      link: expect.stringContaining(gid),
    })
    expect(sent?.headers.authorization).toContain(`k=${key}`)
    expect(push.received).toHaveLength(1)
  })

  it('stop for a browser that is gone, and for one that the member takes away', async () => {
    const { db } = server.context
    const known = () => db.selectFrom('push_subscriptions').select('endpoint').execute()
    await db.deleteFrom('push_subscriptions').execute()
    await subscribe('/gone', createPushReceiver().keys)
    await want(grace, wanted)
    await begin()
    await settle()
    expect(await known()).toEqual([])
    const keys = createPushReceiver().keys
    for (let n = 0; n < 12; n++)
      await grace.call(addPushSubscription, { body: { endpoint: `https://push.example.org/${n}`, keys } })
    expect(await known()).toHaveLength(10)
    await ada.call(removePushSubscription, { body: { endpoint: 'https://push.example.org/11' } })
    expect(await known()).toHaveLength(10)
    await grace.call(removePushSubscription, { body: { endpoint: 'https://push.example.org/11' } })
    expect(await known()).toHaveLength(9)
  })
})

describe('a member’s settings', () => {
  it('are their own in each project', async () => {
    const { settings } = await grace.call(readMySettings, { params: params() })
    expect(settings).toMatchObject({ mail: 'at_once', sound: true, wants: { waiting: { app: true, mail: true } } })
    await want(grace, { ...settings, mail: 'daily', time_zone: 'Europe/Berlin' })
    expect((await grace.call(readMySettings, { params: params() })).settings.mail).toBe('daily')
    expect((await ada.call(readMySettings, { params: params() })).settings.mail).toBe('at_once')
  })
})
