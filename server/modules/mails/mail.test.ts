import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { registry } from '../../../blocks/registry'
import { emptyFlow } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { type MailServer, refusal, startMailServer } from '../../../tests/support/mailServer'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { parseConfig } from '../../platform/config/config'
import type { Installation } from '../../platform/installation'
import { createSmtp, type Delivery, type OutgoingMail, smtpTimeouts } from '../../platform/mail/smtp'
import { usedCredits } from '../billing/monthlyCredits'
import { createMailer, type Mail, type Mailer } from './createMailer'

const NOW = new Date('2026-11-21T10:00:00Z')
let database: TestDatabase
let projectId: string
let now = NOW
let paused: number[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  now = NOW
  paused = []
  ;({ projectId } = await insertPublishedFlow(database.db, emptyFlow()))
})

const contextOf = (env: Record<string, string> = {}): Installation => ({
  db: database.db,
  config: parseConfig(env),
  registry,
  clock: () => now,
  ids: () => randomBytes(8).toString('hex'),
  log: pino({ level: 'silent' }),
})

/** Sends over that server; pauses between attempts are counted, not waited for. */
function mailerTo(address: string, timeouts = smtpTimeouts, patience?: number): Mailer {
  const context = contextOf({ SMTP_URL: address, MAIL_FROM: 'Parley <bot@example.com>' })
  const deliver = createSmtp({ ...context.config, smtpUrl: address }, timeouts)
  const wait = async (milliseconds: number) => paused.push(milliseconds)
  return createMailer(context, { deliver, wait, patience })
}

const mail = (change: Partial<Mail> = {}): Mail => ({
  projectId,
  conversationId: null,
  key: 'conversation.3:0',
  purpose: 'flow',
  fromName: 'Acme',
  to: ['visitor@example.org'],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 'Hello',
  body: { template: 'flow', body: plainRichText('Hi there') },
  ...change,
})

const rows = () =>
  database.db
    .selectFrom('mails')
    .select(['status', 'reason', 'subject', 'message_id', 'from_name', 'addresses', 'html', 'body'])
    .where('project_id', '=', projectId)
    .execute()
const used = () => usedCredits(database.db, projectId, 'email_credits', now)

async function withServer<T>(options: Parameters<typeof startMailServer>[0], task: (server: MailServer) => Promise<T>) {
  const server = await startMailServer(options)
  try {
    return await task(server)
  } finally {
    await server.close()
  }
}

it('sends a mail of a conversation after those before it, and one of a flow and its test as such', async () => {
  const outgoing: OutgoingMail[] = []
  const send = createMailer(contextOf(), {
    deliver: async (each) => {
      outgoing.push(each)
      return { ok: true, refused: [] }
    },
  })
  const thread = { before: ['<a@example.com>'], unsubscribe: null }
  expect(await send(mail({ key: 'one', thread }))).toMatchObject({ ok: true, status: 'sent' })
  expect(await send(mail({ key: 'two', test: true }))).toMatchObject({ ok: true, status: 'sent' })
  expect(outgoing).toMatchObject([
    { subject: 'Hello', test: false, thread },
    { subject: '[Test] Hello', test: true },
  ])
  expect(outgoing[1]).not.toHaveProperty('thread')
  expect(outgoing[0]).not.toHaveProperty('before')
})

it('sends HTML and text to everybody it names, from the configured address under the given name', async () => {
  await withServer({}, async (server) => {
    const sent = await mailerTo(`smtp://127.0.0.1:${server.port}`)(
      mail({
        to: ['a@example.org', 'b@example.org'],
        cc: ['c@example.org'],
        bcc: ['d@example.org'],
        replyTo: ['support@example.com'],
        subject: 'Grüße 👋',
        body: {
          template: 'flow',
          body: [
            {
              type: 'paragraph',
              children: [
                { text: 'Dear ' },
                { text: '<b>Ada</b> & co', bold: true },
                { text: ', see ' },
                { text: 'here', link: 'https://example.com/?a=1&b=2' },
              ],
            },
            { type: 'paragraph', list: 'number', children: [{ text: 'bread' }] },
            { type: 'paragraph', list: 'bullet', level: 1, children: [{ text: 'white' }] },
            { type: 'paragraph', list: 'number', children: [{ text: 'salt' }] },
          ],
        },
      }),
    )
    expect(sent).toMatchObject({ ok: true, status: 'sent' })
    const [arrived] = server.mails
    expect(arrived?.from?.value).toEqual([{ name: 'Acme', address: 'bot@example.com' }])
    expect(arrived?.replyTo?.text).toBe('support@example.com')
    expect(arrived?.subject).toBe('Grüße 👋')
    expect(arrived?.html).toContain('<strong>&lt;b&gt;Ada&lt;/b&gt; &amp; co</strong>')
    expect(arrived?.html).toContain('href="https://example.com/?a=1&amp;b=2"')
    expect(arrived?.text).toContain('Dear <b>Ada</b> & co, see here https://example.com/?a=1&b=2')
    expect(arrived?.html).toMatch(/<ol[^>]*><li>bread<ul[^>]*><li>white<\/li><\/ul><\/li><li>salt<\/li><\/ol>/)
    expect(arrived?.text).toMatch(/1\. bread\s+\* white\s+2\. salt/)
    expect(server.envelopes).toEqual([
      { from: 'bot@example.com', to: ['a@example.org', 'b@example.org', 'c@example.org', 'd@example.org'] },
    ])
    expect(server.sources[0]).not.toContain('d@example.org')
    expect(await rows()).toMatchObject([{ status: 'sent', reason: null, subject: 'Grüße 👋' }])
  })
})

it('the same key is one mail and one credit, however often it is asked for', async () => {
  await withServer({}, async (server) => {
    const send = mailerTo(`smtp://127.0.0.1:${server.port}`)
    const first = await send(mail())
    expect(await send(mail())).toEqual(first)
    expect(server.mails).toHaveLength(1)
    expect(await used()).toBe(1)
  })
})

it('a mail that a crash cut is sent again under the same Message-ID', async () => {
  await withServer({}, async (server) => {
    const send = mailerTo(`smtp://127.0.0.1:${server.port}`)
    await send(mail())
    await database.db.updateTable('mails').set({ status: 'sending' }).where('project_id', '=', projectId).execute()
    expect(await send(mail())).toMatchObject({ ok: true, status: 'sent' })
    expect(server.mails[1]?.messageId).toBe(server.mails[0]?.messageId)
    expect(server.mails[0]?.messageId).toMatch(/^<[0-9a-f]{32}@example\.com>$/)
    expect(await used()).toBe(1)
    await send(mail({ key: 'conversation.4:0' }))
    expect(server.mails[2]?.messageId).not.toBe(server.mails[0]?.messageId)
  })
})

it('while a mail is being sent its row says so, which a crash leaves', async () => {
  const seen: unknown[] = []
  const deliver = async () => {
    seen.push(...(await rows()).map(({ status }) => status))
    return { ok: true as const, refused: [] }
  }
  const send = createMailer(contextOf(), { deliver })
  expect(await send(mail())).toMatchObject({ ok: true, status: 'sent' })
  expect([seen, (await rows()).map(({ status }) => status)]).toEqual([['sending'], ['sent']])
})

it.each([
  ['a subject', { subject: 'Hi\r\nBcc: victim@example.org\r\n\r\n<script>' }],
  ['a name', { fromName: 'Acme\r\nBcc: victim@example.org' }],
  ['a name with an address', { fromName: 'Boss <boss@example.org>, victim@example.org' }],
  ['line separators', { subject: 'Hi\u2028Bcc: victim@example.org\u0085X-Evil: 1' }],
])('no header comes from %s', async (_, change) => {
  await withServer({}, async (server) => {
    expect(await mailerTo(`smtp://127.0.0.1:${server.port}`)(mail(change))).toMatchObject({ ok: true })
    const [arrived] = server.mails
    expect(server.envelopes[0]?.to).toEqual(['visitor@example.org'])
    expect([...(arrived?.headers.keys() ?? [])].sort()).toEqual(
      ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    )
    expect(arrived?.from?.value).toHaveLength(1)
    const [row] = await rows()
    expect(`${row?.subject}${row?.from_name}`).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
    expect(arrived?.from?.value[0]?.address).toBe('bot@example.com')
  })
})

it.each([
  'a@example.org\r\nBcc: victim@example.org',
  'a@example.org\nRCPT TO:<victim@example.org>',
  'a@example.org, victim@example.org',
  'A <a@example.org>',
  '"a b"@example.org',
  'a\u0000@example.org',
  'a@example',
  '',
])('the recipient %j is refused, and nothing is sent or charged', async (address) => {
  await withServer({}, async (server) => {
    const sent = await mailerTo(`smtp://127.0.0.1:${server.port}`)(mail({ to: [address] }))
    expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('Enter a valid email address') })
    expect([server.mails, await used()]).toEqual([[], 0])
    expect(await rows()).toMatchObject([{ status: 'failed', reason: expect.stringContaining('valid email address') }])
  })
})

it('a mail to nobody fails, and so does a subject that is too long', async () => {
  const send = createMailer(contextOf())
  expect(await send(mail({ key: 'k.1', to: [] }))).toEqual({ ok: false, error: 'The email has no recipient.' })
  const long = await send(mail({ key: 'k.2', subject: 'x'.repeat(989) }))
  expect(long).toEqual({ ok: false, error: 'Subject: Must not exceed 988 characters' })
  const many = await send(mail({ key: 'k.4', bcc: Array.from({ length: 6 }, (_, n) => `a${n}@example.org`) }))
  expect(many).toEqual({ ok: false, error: 'At most 5 addresses are possible in a field.' })
  expect(await send(mail({ key: 'k.3', subject: 'x'.repeat(988) }))).toMatchObject({ ok: true })
})

it('a refusal for good is not tried again, says why, and costs nothing', async () => {
  let asked = 0
  const onRcptTo: Parameters<typeof startMailServer>[0] = {
    onRcptTo(_address, _session, done) {
      asked++
      done(refusal(550, '5.1.1 No such user'))
    },
  }
  await withServer(onRcptTo, async (server) => {
    const send = mailerTo(`smtp://127.0.0.1:${server.port}`)
    const sent = await send(mail())
    expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('550 5.1.1 No such user') })
    expect(await send(mail())).toEqual(sent)
    expect([asked, paused, await used()]).toEqual([1, [], 0])
    expect(await rows()).toMatchObject([{ status: 'failed', reason: expect.stringContaining('No such user') }])
  })
})

it('a server that is busy is asked three times in all', async () => {
  let asked = 0
  const busyTwice: Parameters<typeof startMailServer>[0] = {
    onMailFrom: (_address, _session, done) => (++asked < 3 ? done(refusal(451, 'Try again')) : done()),
  }
  await withServer(busyTwice, async (server) => {
    expect(await mailerTo(`smtp://127.0.0.1:${server.port}`)(mail())).toMatchObject({ ok: true })
    expect([asked, paused, server.mails.length]).toEqual([3, [1_000, 4_000], 1])
    asked = -10
    const sent = await mailerTo(`smtp://127.0.0.1:${server.port}`)(mail({ key: 'conversation.5:0' }))
    expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('451 Try again') })
    expect([asked, await used()]).toEqual([-7, 1])
  })
})

it('says whom a server refused when it took the others', async () => {
  const oneOfTwo: Parameters<typeof startMailServer>[0] = {
    onRcptTo: ({ address }, _session, done) => (address.startsWith('gone') ? done(refusal(550, 'Gone')) : done()),
  }
  await withServer(oneOfTwo, async (server) => {
    const sent = await mailerTo(`smtp://127.0.0.1:${server.port}`)(mail({ to: ['gone@example.org', 'a@example.org'] }))
    expect(sent).toMatchObject({ ok: true, refused: ['gone@example.org'] })
    expect(await rows()).toMatchObject([{ status: 'sent', reason: 'Refused: gone@example.org' }])
  })
})

it('speaks TLS, and logs in with the password of the address', async () => {
  const logins: string[] = []
  const secure: Parameters<typeof startMailServer>[0] = {
    secure: true,
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      logins.push(`${username}/${password}`)
      done(password === 'p@ss:word' ? null : new Error('Invalid'), { user: username })
    },
  }
  await withServer(secure, async (server) => {
    const at = `127.0.0.1:${server.port}`
    expect(await mailerTo(`smtps://me%40x:p%40ss%3Aword@${at}/?verify=no`)(mail())).toMatchObject({ ok: true })
    expect(logins).toEqual(['me@x/p@ss:word'])
    const wrong = await mailerTo(`smtps://me:wrong@${at}/?verify=no`)(mail({ key: 'k.2' }))
    expect(wrong).toMatchObject({ ok: false, error: expect.stringContaining('535') })
    const unverified = await mailerTo(`smtps://me%40x:p%40ss%3Aword@${at}`)(mail({ key: 'k.3' }))
    expect(unverified).toMatchObject({ ok: false, error: expect.stringMatching(/certificate/i) })
    expect(server.mails).toHaveLength(1)
  })
})

it('gives up on a server that accepts connections and says nothing', async () => {
  const silent = createServer(() => undefined)
  const port = await new Promise<number>((resolve) =>
    silent.listen(0, '127.0.0.1', () => resolve((silent.address() as { port: number }).port)),
  )
  const send = mailerTo(`smtp://127.0.0.1:${port}`, { connect: 20, silence: 20 })
  const sent = await send(mail())
  expect(sent.ok).toBe(false)
  expect(paused).toHaveLength(2)
  silent.close()
})

it('lets a visitor wait for a slow server for a bounded time, whatever number of attempts is left', async () => {
  const slow = createServer((socket) => void socket.write('220-hello\r\n'))
  const port = await new Promise<number>((resolve) =>
    slow.listen(0, '127.0.0.1', () => resolve((slow.address() as { port: number }).port)),
  )
  const sent = await mailerTo(`smtp://127.0.0.1:${port}`, smtpTimeouts, 50)(mail())
  expect(sent).toEqual({ ok: false, error: 'The mail server did not accept the email in time.' })
  expect(paused).toEqual([])
  slow.close()
})

it('a server that is not there fails with the reason', async () => {
  const closed = await startMailServer()
  await closed.close()
  const sent = await mailerTo(`smtp://127.0.0.1:${closed.port}`)(mail())
  expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('ECONNREFUSED') })
})

it('without a mail server, mails land in the outbox', async () => {
  const send = createMailer(contextOf())
  expect(await send(mail())).toMatchObject({ ok: true, status: 'outbox' })
  expect(await rows()).toMatchObject([
    {
      status: 'outbox',
      subject: 'Hello',
      body: expect.stringContaining('Hi there'),
      addresses: { to: ['visitor@example.org'], cc: [], bcc: [], replyTo: [] },
    },
  ])
})

it('an address for replies that says who answers is sent, and not kept where it is hidden', async () => {
  const send = createMailer(contextOf())
  const replyTo = ['reply+secret@example.com']
  await send(mail({ replyTo, key: 'kept' }))
  await send(mail({ replyTo, key: 'hidden', hidesReplyTo: true }))
  expect((await rows()).map(({ addresses }) => (addresses as { replyTo: string[] }).replyTo).toSorted()).toEqual([
    [],
    replyTo,
  ])
  await withServer({}, async (server) => {
    await mailerTo(`smtp://127.0.0.1:${server.port}`)(mail({ replyTo, key: 'sent', hidesReplyTo: true }))
    expect(server.mails[0]?.replyTo?.text).toBe(replyTo[0])
  })
})

it("a flow's mail costs a credit, and another only where that is said", async () => {
  const send = createMailer(contextOf())
  await send(mail({ key: 'member', purpose: 'invitation' }))
  expect(await used()).toBe(0)
  await send(mail({ key: 'charged', purpose: 'invitation', charged: true }))
  expect(await used()).toBe(1)
  await send(mail({ key: 'flow' }))
  expect(await used()).toBe(2)
})

it('stops at the credits of the plan, until the next month begins', async () => {
  await database.db.updateTable('projects').set({ plan_id: 'free' }).where('id', '=', projectId).execute()
  const send = createMailer(contextOf())
  const results = await Promise.all(Array.from({ length: 25 }, (_, n) => send(mail({ key: `k.${n}` }))))
  expect(results.filter(({ ok }) => ok)).toHaveLength(20)
  expect(results.find(({ ok }) => !ok)).toEqual({
    ok: false,
    error: 'The email credits of this month are used up.',
  })
  expect(await used()).toBe(20)
  now = new Date('2026-12-01T00:00:00Z')
  expect(await send(mail({ key: 'k.next' }))).toMatchObject({ ok: true })
  expect(await used()).toBe(1)
})

it('a text that no database takes is cleaned', async () => {
  const send = createMailer(contextOf())
  const body = { template: 'flow', body: plainRichText('a\0b\ud800') } as const
  expect(await send(mail({ subject: 'x\0y', body }))).toMatchObject({ ok: true })
  expect(await rows()).toMatchObject([{ subject: 'xy', body: expect.stringContaining('ab\ufffd') }])
})

it('keeps of a mail what its recipient alone may read only as it is to be kept, under the sender that was shown', async () => {
  const send = createMailer(contextOf({ MAIL_FROM: 'Parley <bot@example.com>' }), { deliver: null })
  const body = { template: 'flow' as const, body: plainRichText('Your link is https://example.com/t0ken') }
  const keptBody = { template: 'flow' as const, body: plainRichText('A link of its own') }
  expect(await send(mail({ fromName: '', body, keptBody }))).toMatchObject({ ok: true, status: 'outbox' })
  const [row] = await rows()
  expect(row?.html).toContain('A link of its own')
  expect(`${row?.html} ${row?.body}`).not.toContain('t0ken')
  expect(row?.from_name).toBe('Parley')
})

it.each([
  ['the mail', 'mails', { ok: true, refused: [] }],
  ['the credit that comes back', 'credit_uses', { ok: false, reason: 'No such mailbox', transient: false }],
] satisfies [string, string, Delivery][])(
  'fails where the end of a mail can’t be noted: %s',
  async (_, table, delivery) => {
    const constraint = sql`alter table ${sql.table(table)} add constraint refuses_all check (false) not valid`
    const deliver = async () => {
      await constraint.execute(database.db)
      return delivery
    }
    const context = contextOf({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Parley <bot@example.com>' })
    const wait = async () => {}
    try {
      await expect(createMailer(context, { deliver, wait })(mail())).rejects.toThrow('refuses_all')
    } finally {
      await sql`alter table ${sql.table(table)} drop constraint refuses_all`.execute(database.db)
    }
  },
)
