import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import hoodiecrow, { type ImapTestServer } from 'hoodiecrow-imap'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createClient, pathOf } from '../../../../tests/support/client'
import { type MailServer, startMailServer } from '../../../../tests/support/mailServer'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { timedFlow, timedRegistry } from '../../../../tests/support/timedFlow'
import { sendMessage, startConversation } from '../../../contracts/chat'
import { readThread, replyToVisitor } from '../../../contracts/inbox'
import {
  listInboundMails,
  makeMailSecret,
  readMailInbox,
  receiveMailHook,
  saveMailInbox,
  testMailInbox,
} from '../../../contracts/mailInbox'

const MINUTE = 60_000
const VISITOR = 'visitor@example.org'
let ahead = 0
let server: TestServer
let mails: MailServer
let imap: ImapTestServer
let imapPort: number
let owner: Registered
let projectId: string
beforeAll(async () => {
  mails = await startMailServer()
  imap = hoodiecrow({ plugins: ['IDLE', 'UIDPLUS', 'LITERALPLUS'], storage: { INBOX: { messages: [] } } })
  imap.listen(0, '127.0.0.1')
  await once(imap.server, 'listening')
  imapPort = (imap.server.address() as AddressInfo).port
  server = await startTestServer({
    registry: timedRegistry,
    clock: () => new Date(Date.now() + ahead),
    config: {
      smtpUrl: `smtp://127.0.0.1:${mails.port}`,
      mailFrom: { name: 'Parley', address: 'bot@example.com' },
      projectNetworks: true,
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
  await openNetwork('127.0.0.0/8')
  await owner.call(saveMailInbox, { params: { pgid: owner.pgid }, body: { settings: mailbox(), password: 'testpass' } })
  await pass(0)
})
afterAll(async () => {
  await server.close()
  await mails.close()
  await new Promise<void>((resolve) => imap.close(resolve))
})
beforeEach(() => {
  mails.mails.length = 0
})

const openNetwork = (private_networks: string) =>
  server.context.db.updateTable('projects').set({ private_networks }).where('id', '=', projectId).execute()

const mailbox = (changes: object = {}) => ({
  ...{ enabled: true, kind: 'imap' as const, address: 'support@example.com', host: '127.0.0.1', port: imapPort },
  ...{ username: 'testuser', folder: 'INBOX' },
  ...changes,
})

/** Time passes, and what is due happens. */
async function pass(minutes: number): Promise<void> {
  await server.app.modules.consumers.runDue()
  ahead += minutes * MINUTE
  await server.context.jobs.runDue()
}

let count = 0
/** A visitor who asked, was answered, and has left: with the mail that they got. */
async function leftWithMail() {
  const { db } = server.context
  const slug = `bot-${randomBytes(6).toString('hex')}`
  const flow = await insertPublishedFlow(db, timedFlow({ noReplyAfter: 86_000 }), slug, {}, projectId)
  const guest = await createClient(server.url)
  const { token, conversation } = await guest.call(startConversation, {
    params: { slug },
    body: { client_id: `start-${String(++count).padStart(6, '0')}` },
  })
  const at = new Date()
  const contact = await db
    .insertInto('contacts')
    .values({
      ...{ gid: `c${String(count).padStart(15, '0')}`, project_id: projectId, chatbot_id: flow.chatbotId },
      ...{ email: VISITOR, custom: '{}', created_at: at, updated_at: at },
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const gid = conversation.id
  await db.updateTable('conversations').set({ contact_id: contact.id }).where('gid', '=', gid).execute()
  const path = pathOf(sendMessage.path, { slug, conversation: gid })
  const body = { client_id: `message-${++count}-x`, reply: { type: 'text', text: 'Do you ship?' } }
  await guest.send('POST', path, body, { authorization: `Bearer ${token}` })
  await owner.call(replyToVisitor, {
    params: { pgid: owner.pgid, conversation: gid },
    body: {
      client_id: `answer-${++count}-x`,
      text: 'Where to?',
      seen: 1_000,
      anyway: true,
      reopen: true,
      close: false,
      file_ids: [],
    },
  })
  await pass(6)
  const mail = mails.mails.at(-1)
  const replyTo = mail?.replyTo?.value[0]?.address ?? ''
  const thread = async () => {
    const { messages } = await owner.call(readThread, { params: { pgid: owner.pgid, conversation: gid } })
    return messages.filter(({ author }) => author === 2)
  }
  return { gid, replyTo, messageId: mail?.messageId ?? '', thread, said: async () => JSON.stringify(await thread()) }
}

interface Reply {
  to: string
  from?: string
  id?: string
  text?: string
  headers?: string
  body?: string
}
/** A mail's source. */
function sourceOf({
  to,
  from = VISITOR,
  id = `m${++count}@example.org`,
  text = 'To Peru.',
  headers = '',
  body,
}: Reply): string {
  const head = [`From: Vera <${from}>`, `To: ${to}`, 'Subject: Re: Your conversation', `Message-ID: <${id}>`]
  return [...head, ...(headers ? [headers] : []), ...(body ? [body] : ['', text, ''])].join('\r\n')
}
const deliver = (reply: Reply): void => {
  imap.appendMessage('INBOX', [], false, sourceOf(reply))
}
const inbound = async () => (await owner.call(listInboundMails, { params: { pgid: owner.pgid } })).mails

test('a reply that arrives in the mailbox is the visitor’s message, without what it quotes, once', async () => {
  const { replyTo, thread, said } = await leftWithMail()
  expect(replyTo).toMatch(/^support\+[0-9a-f]{32}@example\.com$/)
  const text =
    'To Peru, please.\r\n\r\nOn Mon, 23 Nov 2026 at 10:00 Ada <bot@example.com> wrote:\r\n> Where to?\r\n> -- Ada'
  deliver({ to: replyTo, id: 'once@example.org', text })
  await pass(1)
  expect(await said()).toContain('To Peru, please.')
  expect(await said()).not.toContain('wrote:')
  deliver({ to: replyTo, id: 'once@example.org', text })
  await pass(1)
  // read anew from its beginning, as after a crash
  await server.context.db.updateTable('mail_inboxes').set({ last_uid: '0' }).execute()
  await pass(1)
  expect((await thread()).length).toBe(2)
  expect((await inbound()).filter(({ status }) => status === 'accepted')).toHaveLength(1)
})

test('a reply without the address’s token is found by the mail that it answers', async () => {
  const { messageId, said } = await leftWithMail()
  deliver({ to: 'support@example.com', text: 'By reference.', headers: `In-Reply-To: ${messageId}` })
  await pass(1)
  expect(await said()).toContain('By reference.')
})

test('a mail of somebody else, or with a token of nobody, is refused, and members see why', async () => {
  const { replyTo, messageId, thread } = await leftWithMail()
  deliver({ to: replyTo, from: 'mallory@example.org', text: 'I am Vera.' })
  deliver({ to: `support+${'0'.repeat(32)}@example.com`, text: 'Hello' })
  deliver({ to: 'support@example.com', from: 'mallory@example.org', headers: `In-Reply-To: ${messageId}` })
  await pass(1)
  expect(await thread()).toHaveLength(1)
  expect((await inbound()).slice(0, 3).map(({ status, reason, sender }) => [status, reason, sender])).toEqual([
    ['refused', 'Its sender is not whom the answer was mailed to', 'mallory@example.org'],
    ['refused', 'It answers no mail of this project', VISITOR],
    ['refused', 'Its sender is not whom the answer was mailed to', 'mallory@example.org'],
  ])
})

test.each([
  ['an out-of-office reply', { headers: 'Auto-Submitted: auto-replied' }],
  ['a mailing list', { headers: 'List-Id: <news.example.org>' }],
  ['a report of a mail server', { from: 'mailer-daemon@example.org' }],
  ['a bounce', { headers: 'Content-Type: multipart/report; boundary=x', body: '\r\n--x\r\n\r\nFailed\r\n--x--' }],
  ['one of our own mails', { from: 'bot@example.com' }],
])('%s is ignored', async (_, reply) => {
  const { replyTo, thread } = await leftWithMail()
  deliver({ to: replyTo, ...reply })
  await pass(1)
  expect(await thread()).toHaveLength(1)
  expect((await inbound())[0]?.status).toBe('ignored')
})

test('files of a reply come with it, and a mail that is too large is refused', async () => {
  const { replyTo, said } = await leftWithMail()
  const part = (head: string, bytes: string) => `--x\r\n${head}\r\n\r\n${bytes}\r\n`
  const attached = part(
    'Content-Type: text/plain; name="list.txt"\r\nContent-Disposition: attachment; filename="../list.txt"',
    'one, two',
  )
  deliver({
    to: replyTo,
    headers: 'Content-Type: multipart/mixed; boundary=x',
    body: `\r\n${part('Content-Type: text/plain', 'See the list.')}${attached}--x--`,
  })
  await pass(1)
  expect(await said()).toContain('See the list.')
  expect(await said()).toMatch(/"name":"list\.txt","url":"[^"]+\/files\/sent\//)
  deliver({ to: replyTo, text: 'x'.repeat(10_100_000) })
  await pass(1)
  expect((await inbound())[0]).toMatchObject({ status: 'refused', reason: 'The mail is larger than 10 MB' })
})

test('the mailbox is reached where the project may call alone, and what goes wrong is shown', async () => {
  await openNetwork('')
  await pass(6)
  const { problem, has_password } = await owner.call(readMailInbox, { params: { pgid: owner.pgid } })
  expect([typeof problem, has_password]).toEqual(['string', true])
  const refused = owner.call(testMailInbox, { params: { pgid: owner.pgid } })
  await expect(refused).rejects.toThrow('422')
  await openNetwork('127.0.0.0/8')
  await owner.call(testMailInbox, { params: { pgid: owner.pgid } })
  expect(mails.mails.at(-1)?.to).toMatchObject({ text: 'support@example.com' })
  await pass(6)
  expect((await owner.call(readMailInbox, { params: { pgid: owner.pgid } })).problem).toBeNull()
})

test('the password is sealed, and goes to no other server', async () => {
  const row = await server.context.db.selectFrom('mail_inboxes').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain('testpass')
  const moved = owner.call(saveMailInbox, {
    params: { pgid: owner.pgid },
    body: { settings: mailbox({ host: 'imap.evil.example' }) },
  })
  await expect(moved).rejects.toThrow('Enter the password')
})

test('a mail service hands mails over by a signed webhook', async () => {
  const params = { pgid: owner.pgid }
  await owner.call(saveMailInbox, { params, body: { settings: mailbox({ kind: 'webhook', host: '', username: '' }) } })
  const { secret } = await owner.call(makeMailSecret, { params })
  const { webhook } = await owner.call(readMailInbox, { params })
  const { replyTo, thread, said } = await leftWithMail()
  const guest = await createClient(server.url)
  const post = (source: string, key: string) => {
    const body = JSON.stringify({ raw: Buffer.from(source).toString('base64') })
    const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
    return guest.send(receiveMailHook.method, new URL(webhook ?? '').pathname, body, {
      'x-parley-signature': signature,
    })
  }
  const source = sourceOf({ to: replyTo, text: 'By webhook.', id: 'hook@example.org' })
  expect((await post(source, 'another secret')).status).toBe(401)
  expect(await thread()).toHaveLength(1)
  expect((await post(source, secret)).body.data).toEqual({ status: 'accepted' })
  expect((await post(source, secret)).status).toBe(200)
  expect(await thread()).toHaveLength(2)
  expect(await said()).toContain('By webhook.')
})
