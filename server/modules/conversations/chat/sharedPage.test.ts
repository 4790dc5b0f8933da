import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestClock, type TestClock } from '../../../../tests/support/clock'
import { addMember } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { typebotSource } from '../../../../tests/support/typebot'
import { Role } from '../../../access/roles'
import type { Conversation } from '../../../contracts/chat'
import { createChatbot, duplicateChatbot, updateChatbot } from '../../../contracts/chatbots'
import { importFlow, publishFlow } from '../../../contracts/flows'
import { readSharePassword, removeSharePassword, saveShare, setSharePassword } from '../../../contracts/web'
import { shareSchema } from '../../../contracts/web/settings'

/** Who may open a shared page. */
let server: TestServer
let editor: Registered
let clock: TestClock
beforeAll(async () => {
  clock = createTestClock()
  server = await startTestServer({ clock })
})
afterAll(() => server.close())

let count = 0
let slug = ''
let params = { pgid: '', cgid: '' }
beforeEach(async () => {
  clock.pass(3_600)
  // of a project with several chatbots a small plan would leave others alone
  editor = await server.register()
  const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Leads' } })
  params = { pgid: editor.pgid, cgid: chatbot.gid }
  slug = chatbot.slug
  const flow = { ...params, fid: chatbot.fid }
  await editor.call(importFlow, { params: flow, body: { source: typebotSource('questions.json'), mode: 'replace' } })
  await editor.call(publishFlow, { params: flow })
})

async function visit() {
  const visitor = await server.guest()
  const base = () => `/api/chat/${slug}`
  const page = () => visitor.send('GET', base())
  const unlock = async (password: string) => {
    const answer = await visitor.send('POST', `${base()}/access`, { password })
    return { status: answer.status, code: answer.body.code, access: (answer.body.data as { access?: string }).access }
  }
  const start = (more: object = {}) =>
    visitor.send('POST', `${base()}/conversations`, { client_id: `start-${++count}000`, ...more })
  const talkOf = (started: Awaited<ReturnType<typeof start>>) => {
    const { token, conversation } = started.body.data as { token: string; conversation: Conversation }
    const headers = { authorization: `Bearer ${token}` }
    const path = `${base()}/conversations/${conversation.id}`
    const body = { client_id: `message-${++count}`, reply: { type: 'text', text: 'Ada' } }
    return {
      ticket: { conversation: conversation.id, token },
      read: () => visitor.send('GET', path, undefined, headers),
      say: () => visitor.send('POST', `${path}/messages`, body, headers),
      listen: () => visitor.send('GET', `${path}/events?token=${token}`),
    }
  }
  return { page, unlock, start, talkOf }
}

describe('a password', () => {
  it('is asked before anything is said, and told to nobody', async () => {
    const { page, unlock, start, talkOf } = await visit()
    expect((await page()).body.data).toMatchObject({ lock: null })
    await editor.call(setSharePassword, { params, body: { password: 'open sesame' } })
    expect(await editor.call(readSharePassword, { params })).toEqual({ set: true })
    expect((await page()).body.data).toMatchObject({ lock: 'password' })
    for (const access of [undefined, 'x', '1.1..x'])
      expect(await start({ access })).toMatchObject({ status: 403, body: { code: 'password_required' } })
    expect(await unlock('Open sesame')).toMatchObject({ status: 422, code: 'wrong_password' })
    const { access } = await unlock('open sesame')
    expect((await talkOf(await start({ access })).say()).status).toBe(200)
    const { share_password_hash } = await server.context.db
      .selectFrom('web_chats')
      .select('share_password_hash')
      .where('share_password_hash', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(share_password_hash).toMatch(/^\$argon2id\$/)
  })

  it('is asked still when the plan ends: it can be taken away then, not changed', async () => {
    const { page, unlock, start } = await visit()
    const plan = (plan_id: string) =>
      server.context.db.updateTable('projects').set({ plan_id }).where('gid', '=', params.pgid).execute()
    await editor.call(setSharePassword, { params, body: { password: 'open sesame' } })
    await plan('free')
    try {
      expect((await page()).body.data).toMatchObject({ lock: 'password' })
      expect(await start()).toMatchObject({ status: 403, body: { code: 'password_required' } })
      expect((await unlock('open sesame')).status).toBe(200)
      await expect(editor.call(setSharePassword, { params, body: { password: 'another' } })).rejects.toThrow('403')
      await editor.call(removeSharePassword, { params })
      expect((await page()).body.data).toMatchObject({ lock: null })
    } finally {
      await plan('self-hosted')
    }
  })

  it('that is changed ends what was opened with the one before; the new one opens it again', async () => {
    const { unlock, start, talkOf } = await visit()
    const before = talkOf(await start())
    await editor.call(setSharePassword, { params, body: { password: 'first one' } })
    expect(await before.read()).toMatchObject({ status: 403, body: { code: 'password_required' } })
    const first = (await unlock('first one')).access
    const talk = talkOf(await start({ access: first }))
    await editor.call(setSharePassword, { params, body: { password: 'second one' } })
    for (const refused of [await talk.read(), await talk.say(), await talk.listen(), await start({ access: first })])
      expect(refused).toMatchObject({ status: 403, body: { code: 'password_required' } })
    const { access } = await unlock('second one')
    const resumed = await start({ access, resume: talk.ticket })
    expect(resumed.body.data).toMatchObject({ resumed: true, conversation: { id: talk.ticket.conversation } })
    expect((await talk.say()).status).toBe(200)
    expect(await editor.call(removeSharePassword, { params })).toEqual({ set: false })
    expect((await before.read()).status).toBe(200)
  })

  it('opens a page for twelve hours', async () => {
    const { unlock, start } = await visit()
    await editor.call(setSharePassword, { params, body: { password: 'open sesame' } })
    const { access } = await unlock('open sesame')
    clock.pass(12 * 3_600 - 1)
    expect((await start({ access })).status).toBe(200)
    clock.pass(1)
    expect((await start({ access })).status).toBe(403)
  })

  it('may be guessed ten times in ten minutes', async () => {
    const { unlock } = await visit()
    await editor.call(setSharePassword, { params, body: { password: 'open sesame' } })
    const tried = []
    for (let attempt = 0; attempt < 11; attempt++) tried.push((await unlock(`guess ${attempt}`)).status)
    expect(tried).toEqual([...Array(10).fill(422), 429])
    expect((await unlock('open sesame')).status).toBe(429)
    clock.pass(600)
    expect((await unlock('open sesame')).status).toBe(200)
  })

  it('may be guessed two hundred times in ten minutes from all addresses', async () => {
    const visitor = await server.guest()
    await editor.call(setSharePassword, { params, body: { password: 'open sesame' } })
    // one that costs little to check
    const share_password_hash = await hash('open sesame', { memoryCost: 8, timeCost: 1, parallelism: 1 })
    await server.context.db
      .updateTable('web_chats')
      .set({ share_password_hash })
      .where('chatbot_id', 'in', (chatbots) => chatbots.selectFrom('chatbots').select('id').where('slug', '=', slug))
      .execute()
    const guess = async (password: string, at: number) => {
      const from = { 'x-forwarded-for': `203.0.113.${at}` }
      return (await visitor.send('POST', `/api/chat/${slug}/access`, { password }, from)).status
    }
    const tried = new Set<number>()
    for (let at = 0; at < 200; at++) tried.add(await guess('open barley', at))
    expect([...tried]).toEqual([422])
    // from an address that has not tried before
    expect(await guess('open sesame', 200)).toBe(429)
    clock.pass(600)
    expect(await guess('open sesame', 200)).toBe(200)
  })

  it('wants a plan that has it, and can be taken away on any', async () => {
    await editor.call(setSharePassword, { params, body: { password: 'open sesame' } })
    const { db } = server.context
    const plan = (plan_id: string) =>
      db.updateTable('projects').set({ plan_id }).where('gid', '=', params.pgid).execute()
    await plan('starter')
    await expect(editor.call(setSharePassword, { params, body: { password: 'another' } })).rejects.toThrow('plan_limit')
    expect(await editor.call(removeSharePassword, { params })).toEqual({ set: false })
    await plan('self-hosted')
  })

  it('stays with a copy of the chatbot', async () => {
    await editor.call(setSharePassword, { params, body: { password: 'open sesame' } })
    const { chatbot } = await editor.call(duplicateChatbot, { params })
    const copy = { ...params, cgid: chatbot.gid }
    expect(await editor.call(readSharePassword, { params: copy })).toEqual({ set: true })
  })
})

describe('a page for members alone', () => {
  const onlyMembers = (auth_enabled = true) =>
    editor.call(saveShare, { params, body: { settings: { ...shareSchema.parse({}), auth_enabled } } })

  it('is opened by who is logged in as one, and by no other', async () => {
    await onlyMembers()
    const { page, start, talkOf } = await visit()
    expect((await page()).body.data).toMatchObject({ lock: 'members' })
    expect(await start()).toMatchObject({ status: 403, body: { code: 'login_required' } })
    const enter = `/api/share/${slug}/enter`
    const [guest, stranger, viewer] = [await server.guest(), await server.register(), await server.register()]
    await addMember(server, params.pgid, viewer, [Role.VIEWER])
    const wayOf = async (person: typeof guest) => (await person.send('GET', enter)).headers.get('location')
    expect(await wayOf(guest)).toBe(`/login?next=${encodeURIComponent(enter)}`)
    expect(await wayOf(stranger)).toBe(`${server.context.config.publicUrl}/c/${slug}#no-member`)
    const access = /#access=(.+)$/.exec((await wayOf(viewer)) ?? '')?.[1]
    const talk = talkOf(await start({ access }))
    expect((await talk.say()).status).toBe(200)
    // the pass of one is no key for another chatbot’s page
    const { chatbot } = await editor.call(duplicateChatbot, { params })
    await editor.call(updateChatbot, { params: { ...params, cgid: chatbot.gid }, body: { slug: `copy-${slug}` } })
    await editor.call(publishFlow, { params: { pgid: params.pgid, cgid: chatbot.gid, fid: chatbot.fid } })
    const elsewhere = await viewer.send('POST', `/api/chat/copy-${slug}/conversations`, {
      client_id: 'start-elsewhere',
      access,
    })
    expect(elsewhere).toMatchObject({ status: 403, body: { code: 'login_required' } })
    // who is no member any more has nothing of it
    const { id } = await server.context.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', viewer.user.email)
      .executeTakeFirstOrThrow()
    await server.context.db.deleteFrom('project_members').where('user_id', '=', id).execute()
    expect(await talk.read()).toMatchObject({ status: 403, body: { code: 'login_required' } })
    expect(await start({ access })).toMatchObject({ status: 403, body: { code: 'login_required' } })
  })

  it('comes back to the chatbot’s own host where that was open, and to no other', async () => {
    await onlyMembers()
    const { db, ids, clock } = server.context
    const { id, project_id } = await db
      .selectFrom('chatbots')
      .select(['id', 'project_id'])
      .where('gid', '=', params.cgid)
      .executeTakeFirstOrThrow()
    const hostname = `${slug}.shop.example`
    const at = clock()
    const hosts = (status: 'active' | 'failed') =>
      db
        .insertInto('custom_domains')
        .values({
          ...{ gid: ids(), project_id, chatbot_id: id, hostname, apex: false, status, owned: true },
          ...{ challenge: 'x', token: ids(), requested_at: at, created_at: at, proven_at: at },
        })
        .onConflict((conflict) => conflict.column('chatbot_id').doUpdateSet({ status }))
        .execute()
    const enter = `/api/share/${slug}/enter?from=domain`
    const wayOf = async (person: { send: typeof editor.send }) =>
      (await person.send('GET', enter)).headers.get('location')
    await hosts('active')
    const seen = await server.app.inject({ url: `/api/chat/${slug}`, headers: { host: hostname } })
    expect(seen.json().data.login_url).toBe(server.context.config.publicUrl + enter)
    expect(await wayOf(await server.guest())).toBe(`/login?next=${encodeURIComponent(enter)}`)
    expect(await wayOf(editor)).toMatch(new RegExp(`^https://${hostname}/#access=.`))
    const elsewhere = await editor.send('GET', `/api/share/${slug}/enter?from=evil.example`)
    expect(elsewhere.status).toBe(422)
    // one that works no more is led to by nobody
    await hosts('failed')
    expect(await wayOf(editor)).toContain(`${server.context.config.publicUrl}/c/${slug}#access=`)
    await db.deleteFrom('custom_domains').where('chatbot_id', '=', id).execute()
  })

  it('sends whoever comes straight to a page that is open to all', async () => {
    await onlyMembers(false)
    const guest = await server.guest()
    const answer = await guest.send('GET', `/api/share/${slug}/enter`)
    expect(answer.headers.get('location')).toBe(`${server.context.config.publicUrl}/c/${slug}`)
  })
})
