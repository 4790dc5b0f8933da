import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { widgetLanguages } from '../../../../engine/values/languages'
import { createClient, pathOf } from '../../../../tests/support/client'
import { type MailServer, refusal, startMailServer } from '../../../../tests/support/mailServer'
import { inviteMember } from '../../../../tests/support/people'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { timedFlow, timedRegistry } from '../../../../tests/support/timedFlow'
import { sendMessage, showVisitorPresence, startConversation } from '../../../contracts/chat'
import { replyToVisitor } from '../../../contracts/inbox'
import { listMails, readMail } from '../../../contracts/mails'
import { saveContinuation, saveEmbed, saveLanguage } from '../../../contracts/web'
import { continuationSchema, embedSchema, languageSchema } from '../../../contracts/web/settings'
import { createWatchers } from './createWatchers'
import { textsIn } from './texts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
let ahead = 0
let server: TestServer
let mails: MailServer
let owner: Registered
let projectId: string
const refusing = new Set<string>()
beforeAll(async () => {
  mails = await startMailServer({
    onRcptTo: ({ address }, _session, done) => (refusing.has(address) ? done(refusal(450, 'Later')) : done()),
  })
  server = await startTestServer({
    registry: timedRegistry,
    clock: () => new Date(Date.now() + ahead),
    config: {
      smtpUrl: `smtp://127.0.0.1:${mails.port}`,
      mailFrom: { name: 'Parley', address: 'bot@example.com' },
      ...{ chatStartsPerMinute: 0, chatMessagesPerMinute: 0 },
    },
  })
  owner = await server.register({ first_name: 'Ada' })
  const { id } = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', owner.pgid)
    .executeTakeFirstOrThrow()
  projectId = id
})
afterAll(() => Promise.all([server.close(), mails.close()]))
beforeEach(() => {
  mails.mails.length = 0
  mails.sources.length = 0
  refusing.clear()
})

let count = 0
/** A visitor's conversation, with an address that is known, and what people and the visitor do in it. */
async function talk({ email = 'visitor@example.org', language = 'en', embedded = false, url = '' } = {}) {
  const { db } = server.context
  const slug = `bot-${randomBytes(6).toString('hex')}`
  const flow = await insertPublishedFlow(db, timedFlow({ noReplyAfter: 86_000 }), slug, {}, projectId)
  const bot = await db
    .selectFrom('chatbots')
    .select(['gid', 'egid'])
    .where('id', '=', flow.chatbotId)
    .executeTakeFirstOrThrow()
  const name = embedded ? `@${bot.egid}` : slug
  const guest = await createClient(server.url)
  const started = await guest.call(startConversation, {
    params: { slug: name },
    body: { client_id: `start-${String(++count).padStart(6, '0')}`, language, ...(url && { url }) },
  })
  const gid = started.conversation.id
  const { id } = await db.selectFrom('conversations').select('id').where('gid', '=', gid).executeTakeFirstOrThrow()
  if (email) {
    const at = new Date()
    const contact = await db
      .insertInto('contacts')
      .values({
        ...{ gid: `c${String(count).padStart(15, '0')}`, project_id: projectId, chatbot_id: flow.chatbotId },
        ...{ email, custom: '{}', created_at: at, updated_at: at },
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.updateTable('conversations').set({ contact_id: contact.id }).where('id', '=', id).execute()
  }
  const params = { slug: name, conversation: gid }
  const authorization = (token: string) => ({ authorization: `Bearer ${token}` })
  const say = async (text: string, token = started.token) => {
    const body = { client_id: `message-${++count}-x`, reply: { type: 'text', text } }
    return guest.send('POST', pathOf(sendMessage.path, params), body, authorization(token))
  }
  return {
    ...{ id, gid, cgid: bot.gid, name, guest, params, token: started.token, say },
    answer: (text: string, who: Registered = owner) =>
      who.call(replyToVisitor, {
        params: { pgid: owner.pgid, conversation: gid },
        body: {
          client_id: `answer-${++count}-x`,
          text,
          seen: 1_000,
          anyway: true,
          reopen: true,
          close: false,
          file_ids: [],
        },
      }),
    see: () =>
      guest.send('POST', pathOf(showVisitorPresence.path, params), { seen: true }, authorization(started.token)),
    saveSettings: (settings: object) =>
      owner.call(saveContinuation, {
        params: { pgid: owner.pgid, cgid: bot.gid },
        body: { settings: continuationSchema.parse(settings) },
      }),
  }
}

/** Time passes, and what is due happens. */
async function pass(minutes: number): Promise<void> {
  await server.app.modules.consumers.runDue()
  ahead += minutes * MINUTE
  await server.context.jobs.runDue()
}

const linkIn = (text: string | undefined): URL => new URL(/https?:\/\/\S+#parley=[\w.-]+/.exec(text ?? '')?.[0] ?? '')

test('answers that a visitor has not seen go in one mail, with what was said before, and never again', async () => {
  const { say, answer } = await talk()
  await say('Do you ship to Peru?')
  await answer('Yes, **we do**.')
  await answer('It takes a week.')
  await pass(4)
  expect(mails.mails).toHaveLength(0)
  await pass(2)
  expect(mails.mails).toHaveLength(1)
  const [mail] = mails.mails
  expect(mail?.subject).toBe('Your conversation with Bot')
  expect(mail?.from?.text).toBe('"Ada (Bot)" <bot@example.com>')
  expect(mail?.html).toContain('<strong>we do</strong>')
  expect(mail?.html).toContain('Ada answered you')
  for (const text of ['It takes a week.', 'Do you ship to Peru?', 'Unsubscribe']) expect(mail?.text).toContain(text)
  await pass(60)
  expect(mails.mails).toHaveLength(1)
  // not with the next answer either: what was mailed stands there as what was said before
  await answer('Anything else?')
  await pass(6)
  expect(mails.mails).toHaveLength(2)
  const [answered] = mails.mails[1]?.text?.split('Before that') ?? []
  expect(answered).toContain('Anything else?')
  expect(answered).not.toContain('It takes a week.')
})

test('what the visitor has seen, or answered, is not mailed; what came after that is', async () => {
  const seen = await talk()
  await seen.say('Hello?')
  await seen.answer('Hello.')
  await seen.see()
  const answered = await talk()
  await answered.say('Hello?')
  await answered.answer('Hello.')
  await answered.say('I see.')
  await pass(6)
  expect(mails.mails).toHaveLength(0)
  await seen.answer('Are you there?')
  await pass(6)
  expect(mails.mails).toHaveLength(1)
  expect(mails.mails[0]?.text?.split('Before that')[0]).toContain('Are you there?')
  expect(mails.mails[0]?.text?.split('Before that')[0]).not.toContain('Hello.')
})

test('whoever has the page open is mailed once it was closed for some minutes', async () => {
  const { say, answer, params, token } = await talk()
  await say('Hello?')
  const stop = new AbortController()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stream = await fetch(
    `${server.url}${pathOf('/api/chat/:slug/conversations/:conversation/events', params)}?token=${token}`,
    { signal: stop.signal },
  )
  expect(stream.status).toBe(200)
  await answer('Hello.')
  await server.app.modules.consumers.runDue()
  ahead += 5 * MINUTE
  await vi.advanceTimersByTimeAsync(MINUTE)
  vi.useRealTimers()
  await expect
    .poll(() =>
      server.context.db.selectFrom('mail_threads').select('watched_at').where('watched_at', 'is not', null).execute(),
    )
    .toHaveLength(1)
  await server.context.jobs.runDue()
  expect(mails.mails).toHaveLength(0)
  stop.abort()
  await pass(6)
  expect(mails.mails).toHaveLength(1)
})

test('pages are noted together as long as one of a conversation is open', async () => {
  const { db } = server.context
  const ids: string[] = []
  for (const _ of [1, 2, 3]) {
    const { say, answer, gid } = await talk()
    await say('Hello?')
    await answer('Hello.')
    const row = await db.selectFrom('conversations').select('id').where('gid', '=', gid).executeTakeFirstOrThrow()
    ids.push(row.id)
  }
  await server.app.modules.consumers.runDue()
  const watchers = createWatchers(server.context)
  const noted = async () => {
    // what was noted as a page opened is no matter here, nor may it come later
    await watchers.note()
    await db.updateTable('mail_threads').set({ watched_at: null }).where('conversation_id', 'in', ids).execute()
    await watchers.note()
    const rows = await db
      .selectFrom('mail_threads')
      .select('conversation_id as id')
      .where('conversation_id', 'in', ids)
      .where('watched_at', 'is not', null)
      .execute()
    return ids.map((id) => rows.some((row) => row.id === id))
  }
  const [first, second] = ids.map((id) => ({ id, project_id: projectId }))
  if (!first || !second) throw new Error('There are three')
  const leaveFirst = watchers.watch(first)
  const leaveAgain = watchers.watch(first)
  const leaveSecond = watchers.watch(second)
  expect(await noted()).toEqual([true, true, false])
  leaveFirst()
  leaveSecond()
  expect(await noted()).toEqual([true, false, false])
  leaveAgain()
  expect(await noted()).toEqual([false, false, false])
  // their mails are none of the next test's
  await pass(6)
  expect(mails.mails).toHaveLength(3)
})

test('the link opens the conversation in another browser, for a month, and the outbox has none', async () => {
  const { say, answer, params, gid } = await talk()
  await say('Hello?')
  await answer('Hello.')
  await pass(6)
  const link = linkIn(mails.mails[0]?.text)
  expect(link.pathname).toBe(`/c/${params.slug}`)
  const token = link.hash.split('.')[1] ?? ''
  const other = await createClient(server.url)
  const resume = () =>
    other.call(startConversation, {
      params: { slug: params.slug },
      body: { client_id: `other-${++count}-xx`, resume: { conversation: gid, token } },
    })
  const { conversation, resumed } = await resume()
  expect({ resumed, id: conversation.id }).toEqual({ resumed: true, id: gid })
  expect(conversation.messages.map(({ sender }) => sender)).toContain('Ada')
  expect((await say('Thanks', token)).status).toBe(200)
  const { mails: kept } = await owner.call(listMails, { params: { pgid: owner.pgid } })
  const { mail } = await owner.call(readMail, { params: { pgid: owner.pgid, mgid: kept[0]?.gid ?? '' } })
  expect(mail.text).toContain('Hello.')
  expect(mail.text + mail.html).not.toContain(token)
  expect(mail.reply_to).toEqual([])
  const { db } = server.context
  const of = db.selectFrom('conversations').select('id').where('gid', '=', gid)
  const { link_until } = await db
    .selectFrom('mail_threads')
    .select('link_until')
    .where('conversation_id', '=', of)
    .executeTakeFirstOrThrow()
  expect(Math.round(((link_until?.getTime() ?? 0) - Date.now() - ahead) / DAY)).toBe(30)
  await db
    .updateTable('mail_threads')
    .set({ link_until: new Date(Date.now() + ahead - MINUTE) })
    .where('conversation_id', '=', of)
    .execute()
  expect((await resume()).resumed).toBe(false)
})

test('the link leads to the page of the conversation only if it is a site that the editors name', async () => {
  const elsewhere = await talk({ embedded: true, url: 'https://evil.example/shop' })
  await elsewhere.say('Hello?')
  await elsewhere.answer('Hello.')
  await pass(6)
  expect(linkIn(mails.mails.at(-1)?.text).pathname).toBe(`/embed/${elsewhere.name}`)
  const named = await talk({ embedded: true, url: 'https://shop.example/basket?a=1#top' })
  const settings = { ...embedSchema.parse({}), whitelisted_domains: ['shop.example'] }
  await owner.call(saveEmbed, { params: { pgid: owner.pgid, cgid: named.cgid }, body: { settings } })
  await named.say('Hello?')
  await named.answer('Hello.')
  await pass(6)
  expect(linkIn(mails.mails.at(-1)?.text).href).toContain('https://shop.example/basket?a=1#parley=')
})

test('mails of a conversation hang together, and speak the visitor’s language', async () => {
  const colleague = await inviteMember(server, owner, 2)
  mails.mails.length = 0
  const { say, answer } = await talk({ language: 'de-AT' })
  await say('Hallo?')
  await answer('Guten Tag.')
  await pass(6)
  await answer('Noch etwas.', colleague)
  await pass(6)
  const [first, second] = mails.mails
  expect(first?.subject).toBe('Ihr Gespräch mit Bot')
  expect(second?.subject).toBe(first?.subject)
  expect(second?.inReplyTo).toBe(first?.messageId)
  expect(second?.references).toContain(first?.messageId)
  expect(first?.html).toContain('lang="de"')
  const arabic = await talk({ language: 'en' })
  await owner.call(saveLanguage, {
    params: { pgid: owner.pgid, cgid: arabic.cgid },
    body: { settings: languageSchema.parse({ interface_language: 'ar' }) },
  })
  await arabic.say('Hello?')
  await arabic.answer('Hello.')
  await pass(6)
  expect(mails.mails.at(-1)?.html).toContain('dir="rtl"')
})

test.each(widgetLanguages.map(({ code }) => code))(
  'the mails’ texts are there in %s, with their places for names',
  (code) => {
    const { lang, texts } = textsIn([code])
    expect(lang).toBe(code)
    expect(texts.subject).toContain('{name}')
    expect(texts.answered).toContain('{person}')
    expect(texts.unsubscribed).toContain('{name}')
  },
)

test('a visitor ends such mails by the link’s page, or their mail program does, and gets no more', async () => {
  const { say, answer, guest } = await talk({ email: 'Quiet@example.org' })
  await say('Hello?')
  await answer('Hello.')
  await pass(6)
  expect(mails.sources[0]).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const header = /List-Unsubscribe: <([^>]+)>/.exec((mails.sources[0] ?? '').replace(/\r\n\s+/g, ' '))?.[1] ?? ''
  const { pathname } = new URL(header)
  const asked = await guest.send('GET', pathname)
  expect(asked.text).toContain('Unsubscribe')
  await answer('Still there?')
  await pass(6)
  expect(mails.mails).toHaveLength(2)
  const done = await guest.send('POST', pathname, 'List-Unsubscribe=One-Click', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect([done.status, done.text.includes('You will get no more emails from Bot.')]).toEqual([200, true])
  await answer('And now?')
  const other = await talk({ email: 'quiet@example.org' })
  await other.say('Hello?')
  await other.answer('Hello.')
  await pass(6)
  expect(mails.mails).toHaveLength(2)
  const foreign = pathname.replace(/mails\/(.)/, (_, first: string) => `mails/${first === '_' ? 'a' : '_'}`)
  expect((await guest.send('GET', foreign)).status).toBe(404)
})

test('a chatbot can be set to mail nothing, later, or under a name of its own', async () => {
  const off = await talk()
  await off.saveSettings({ enabled: false })
  await off.say('Hello?')
  await off.answer('Hello.')
  const later = await talk()
  await later.saveSettings({ sender_name: 'The shop', delay_minutes: 60 })
  await later.say('Hello?')
  await later.answer('Hello.')
  const unknown = await talk({ email: '' })
  await unknown.say('Hello?')
  await unknown.answer('Hello.')
  await pass(30)
  expect(mails.mails).toHaveLength(0)
  await pass(31)
  expect(mails.mails.map(({ from }) => from?.text)).toEqual(['"The shop" <bot@example.com>'])
})

test('what the mail server did not take is tried again as another mail, and a mail that a crash cut under its own name', async () => {
  const { say, answer, id } = await talk({ email: 'later@example.org' })
  refusing.add('later@example.org')
  await say('Hello?')
  await answer('Hello.')
  await pass(6)
  expect(mails.mails).toHaveLength(0)
  refusing.clear()
  await pass(30)
  expect(mails.mails).toHaveLength(1)
  // as if it had ended between sending and noting it
  const { db } = server.context
  const { key } = await db
    .selectFrom('mails')
    .select('key')
    .where('conversation_id', '=', id)
    .where('status', '=', 'sent')
    .executeTakeFirstOrThrow()
  const thread = await db
    .selectFrom('mail_threads')
    .select('mailed_seq')
    .where('conversation_id', '=', id)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('mail_threads')
    .set({ mailed_seq: thread.mailed_seq - 1, mailing_seq: thread.mailed_seq, mailing_key: key.split('.')[2] ?? '' })
    .where('conversation_id', '=', id)
    .execute()
  await answer('One more.')
  await pass(6)
  expect(mails.mails).toHaveLength(1)
})
