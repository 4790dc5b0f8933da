import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { plainRichText } from '../../../engine/values/richText'
import { createTestClock } from '../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { startSendgrid } from '../../../tests/support/vendors/sendgrid/startSendgrid'
import { listMails, readMail } from '../../contracts/mails'
import { createSendgrid } from '../../platform/mail/sendgrid'
import { usedCredits } from '../billing/monthlyCredits'
import { createMailer, type Mail } from './createMailer'

const clock = createTestClock('2026-11-24T10:00:00Z')
let sendgrid: Awaited<ReturnType<typeof startSendgrid>>
let server: TestServer
let ada: Registered
let projectId: string
let paused: number[] = []

beforeAll(async () => {
  sendgrid = await startSendgrid({ clock })
  server = await startTestServer({
    clock,
    config: {
      sendgrid: { apiKey: sendgrid.key, apiUrl: sendgrid.origin, webhookKey: sendgrid.state.signing.publicKey },
      mailFrom: { name: 'Parley', address: 'bot@example.com' },
    },
  })
  sendgrid.addWebhook(`${server.url}/api/mail-events/sendgrid`)
  ada = await server.register()
  const { id } = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', ada.pgid)
    .executeTakeFirstOrThrow()
  projectId = id
})
afterAll(async () => {
  await server.close()
  await sendgrid.close()
})
beforeEach(() => {
  sendgrid.faults.clear()
  sendgrid.state.mails.length = 0
  paused = []
})

let keys = 0
const mailTo = (...to: string[]): Mail => ({
  projectId,
  conversationId: null,
  key: `sendgrid.${keys++}`,
  purpose: 'flow',
  fromName: 'Acme',
  to,
  cc: [],
  bcc: [],
  replyTo: ['support@example.org'],
  subject: 'Your order',
  body: { template: 'flow', body: plainRichText('It is on its way.') },
})
const mailer = (change: { apiKey?: string; from?: string } = {}) => {
  const { sendgrid: settings, mailFrom } = server.context.config
  if (!settings) throw new Error('there is no SendGrid')
  const sender = { ...mailFrom, ...(change.from && { address: change.from }) }
  const wait = async (ms: number) => paused.push(ms)
  const deliver = createSendgrid(
    { ...settings, ...(change.apiKey && { apiKey: change.apiKey }), mailFrom: sender },
    clock,
  )
  return createMailer(server.context, { deliver, wait })
}
const outbox = async () => (await ada.call(listMails, { params: { pgid: ada.pgid }, query: {} })).mails
/** What the outbox says of a mail, once all that happened to it was told. */
async function told(mail: Mail) {
  await sendgrid.webhooks.settle()
  const row = await server.context.db
    .selectFrom('mails')
    .select('gid')
    .where('key', '=', mail.key)
    .executeTakeFirstOrThrow()
  const shown = (await ada.call(readMail, { params: { pgid: ada.pgid, mgid: row.gid } })).mail
  return [shown.status, shown.delivery, ...shown.deliveries.map(({ recipient, state }) => `${recipient} ${state}`)]
}
const tell = (event: Parameters<typeof sendgrid.tell>[1], at = 0) => {
  const mail = sendgrid.state.mails[at]
  if (!mail) throw new Error('no mail was sent')
  sendgrid.tell(mail, event)
}

test('a key sends by SendGrid, without a mail server, and the outbox says what became of it', async () => {
  const mail = { ...mailTo('ben@example.org', 'BEN@example.org'), cc: ['cleo@example.org'], thread: undefined }
  expect(await createMailer(server.context)(mail)).toMatchObject({ ok: true, status: 'sent' })
  const [sent, ...others] = sendgrid.state.mails
  expect(others).toEqual([])
  expect(sent).toMatchObject({
    from: { email: 'bot@example.com', name: 'Acme' },
    to: [{ email: 'ben@example.org' }],
    cc: [{ email: 'cleo@example.org' }],
    replyTo: [{ email: 'support@example.org' }],
    subject: 'Your order',
    contents: [{ type: 'text/plain' }, { type: 'text/html' }],
    headers: { 'Message-ID': expect.stringMatching(/^<[0-9a-f]{32}@example\.com>$/) },
    tracksClicks: false,
  })
  expect(await told(mail)).toEqual([
    'sent',
    'delivered',
    ...['ben@example.org accepted', 'cleo@example.org accepted'],
    ...['ben@example.org delivered', 'cleo@example.org delivered'],
  ])
  tell('open')
  expect((await told(mail))[1]).toBe('opened')
  expect((await outbox())[0]).toMatchObject({ delivery: 'opened' })
  expect(sendgrid.broken).toEqual([])
})

test('bounces, drops, delays and reports as spam are told apart, with why', async () => {
  for (const [address, delivery] of [
    ['bounce@example.org', 'bounced'],
    ['dropped@example.org', 'dropped'],
    ['deferred@example.org', 'deferred'],
  ] as const) {
    const mail = mailTo(address)
    await mailer()(mail)
    expect((await told(mail))[1]).toBe(delivery)
  }
  const mail = mailTo('ben@example.org')
  sendgrid.state.mails.length = 0
  await mailer()(mail)
  tell('spamreport')
  expect((await told(mail))[1]).toBe('spam')
  const [latest, , bounced] = await outbox().then((all) => [all[0], all[1], all.find((m) => m.delivery === 'bounced')])
  expect(latest?.delivery).toBe('spam')
  const { mail: read } = await ada.call(readMail, { params: { pgid: ada.pgid, mgid: bounced?.gid ?? '' } })
  expect(read.deliveries.at(-1)?.reason).toContain('does not exist')
})

test('events that come twice, late or in another order leave the same state', async () => {
  const mail = mailTo('ben@example.org')
  sendgrid.fail({ on: 'webhook processed', with: 'outOfOrder' })
  sendgrid.fail({ on: 'webhook delivered', with: 'twice' })
  await mailer()(mail)
  const once = await told(mail)
  expect(once).toEqual(['sent', 'delivered', 'ben@example.org accepted', 'ben@example.org delivered'])
  tell('deferred')
  expect((await told(mail))[1]).toBe('delivered')
  expect(sendgrid.webhooks.deliveries.every(({ status }) => status === 200)).toBe(true)
})

test('what is not signed by SendGrid’s key is refused', async () => {
  const mail = mailTo('ben@example.org')
  await mailer()(mail)
  const before = await told(mail)
  sendgrid.fail({ on: 'webhook bounce', with: 'wrongSignature' })
  tell('bounce')
  expect(await told(mail)).toEqual(before)
  const forged = async (headers: Record<string, string>) =>
    (
      await fetch(`${server.url}/api/mail-events/sendgrid`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: sendgrid.webhooks.deliveries.at(-1)?.raw ?? '[]',
      })
    ).status
  const [signature, timestamp] = [
    'x-twilio-email-event-webhook-signature',
    'x-twilio-email-event-webhook-timestamp',
  ] as const
  expect(await forged({})).toBe(401)
  expect(await forged({ [signature]: 'bm90IGEgc2lnbmF0dXJl', [timestamp]: '1' })).toBe(401)
  const right = sendgrid.webhooks.deliveries.findLast(({ event }) => event === 'delivered')
  // right, and of another body
  expect(
    await forged({ [signature]: right?.headers[signature] ?? '', [timestamp]: right?.headers[timestamp] ?? '' }),
  ).toBe(401)
  expect(await told(mail)).toEqual(before)
})

test('events of other mails, of others’ addresses and of no meaning change nothing', async () => {
  const mail = mailTo('ben@example.org')
  await mailer()(mail)
  const before = await told(mail)
  const [sent] = sendgrid.state.mails
  if (!sent) throw new Error('no mail was sent')
  sendgrid.tell({ ...sent, to: [{ email: 'eve@example.org' }] }, 'bounce')
  sendgrid.tell({ ...sent, customArgs: { parley_id: '<other@example.com>' } }, 'bounce')
  sendgrid.tell({ ...sent, customArgs: {} }, 'bounce')
  sendgrid.tell(sent, 'unsubscribe')
  expect(await told(mail)).toEqual(before)
})

test('a mail that a crash cut is not sent again once SendGrid has told of it', async () => {
  const mail = mailTo('ben@example.org')
  await mailer()(mail)
  // as a crash between the answer and the note of it leaves it
  const cut = (deliveries?: string) =>
    server.context.db
      .updateTable('mails')
      .set({ status: 'sending', ...(deliveries && { deliveries }) })
      .where('key', '=', mail.key)
      .execute()
  await told(mail)
  await cut()
  tell('open')
  expect((await told(mail))[0]).toBe('sent')
  expect(await mailer()(mail)).toMatchObject({ ok: true, status: 'sent' })
  expect(sendgrid.state.mails).toHaveLength(1)
  // nothing was told yet: at least once, under the same Message-ID
  await cut('{}')
  await mailer()(mail)
  expect(new Set(sendgrid.state.mails.map(({ headers }) => headers['Message-ID'])).size).toBe(1)
  expect(sendgrid.state.mails).toHaveLength(2)
})

test('what passes is tried again, as late as SendGrid says; what does not says what to do', async () => {
  const credits = () => usedCredits(server.context.db, projectId, 'email_credits', clock())
  sendgrid.fail({ on: 'POST /v3/mail/send', with: 'tooMany', retryAfter: 7 })
  sendgrid.fail({ on: 'POST /v3/mail/send', with: 'serverError' })
  expect(await mailer()(mailTo('ben@example.org'))).toMatchObject({ ok: true })
  expect(paused).toEqual([7_000, 4_000])
  const used = await credits()
  sendgrid.fail({ on: 'POST /v3/mail/send', with: 'tooMany', retryAfter: 600 })
  expect(await mailer()(mailTo('ben@example.org'))).toMatchObject({
    ok: false,
    error: expect.stringContaining('later'),
  })
  const refused = async (change: object) =>
    ((await mailer(change)(mailTo('ben@example.org'))) as { error: string }).error
  expect(await refused({ apiKey: 'SG.none' })).toContain('SENDGRID_API_KEY')
  expect(await refused({ apiKey: sendgrid.addKey(['user.webhooks.event.settings.update']) })).toContain('Mail Send')
  expect(await refused({ from: 'bot@elsewhere.org' })).toContain('Verify the address of MAIL_FROM')
  sendgrid.fail({ on: 'POST /v3/mail/send', with: 'html', times: 3 })
  expect(await refused({})).toMatch(/SendGrid/)
  expect(sendgrid.state.mails).toHaveLength(1)
  expect(await credits()).toBe(used)
})
