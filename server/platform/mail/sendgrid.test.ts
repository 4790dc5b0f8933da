import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSendgrid } from './sendgrid'
import type { OutgoingMail } from './smtp'

const NOW = new Date('2026-11-24T10:00:00Z')
let url: string
/** What the stand-in answers, and what it was sent. */
let answer: { status: number; headers?: Record<string, string>; body?: string }
let sent: { headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = []
const server = createServer(async (request, response) => {
  sent.push({ headers: request.headers, body: (await json(request)) as Record<string, unknown> })
  response.writeHead(answer.status, answer.headers).end(answer.body)
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  answer = { status: 202 }
  sent = []
})

const mail: OutgoingMail = {
  messageId: '<1@example.com>',
  fromName: '',
  to: ['ben@example.org'],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: '',
  html: '<p>Hello</p>',
  text: '',
}
const deliver = (change: Partial<OutgoingMail> = {}, name = '', apiUrl = url) =>
  createSendgrid(
    { apiKey: 'SG.key', apiUrl, webhookKey: null, mailFrom: { name, address: 'bot@example.com' } },
    () => NOW,
  )({ ...mail, ...change }, new AbortController().signal)
async function bodyOf(change: Partial<OutgoingMail>, name?: string): Promise<Record<string, unknown>> {
  expect(await deliver(change, name)).toEqual({ ok: true, refused: [] })
  return sent.at(-1)?.body ?? {}
}

test('the smallest mail names nothing that it has not, and has a subject and a text all the same', async () => {
  expect(await bodyOf({})).toEqual({
    personalizations: [{ to: [{ email: 'ben@example.org' }], custom_args: { parley_id: '<1@example.com>' } }],
    from: { email: 'bot@example.com' },
    subject: '(no subject)',
    content: [
      { type: 'text/plain', value: ' ' },
      { type: 'text/html', value: '<p>Hello</p>' },
    ],
    headers: { 'Message-ID': '<1@example.com>' },
    tracking_settings: {
      click_tracking: { enable: false, enable_text: false },
      subscription_tracking: { enable: false },
    },
  })
  expect(sent[0]?.headers.authorization).toBe('Bearer SG.key')
})

test('each address is named once, whoever copies are for, and the sender by the mail’s name or the usual one', async () => {
  const one = { cc: ['cleo@example.org'], bcc: ['BEN@example.org', 'dan@example.org'], replyTo: ['a@x.org', 'a@x.org'] }
  expect(await bodyOf({ ...one, fromName: 'Acme' }, 'Parley')).toMatchObject({
    personalizations: [{ cc: [{ email: 'cleo@example.org' }], bcc: [{ email: 'dan@example.org' }] }],
    from: { email: 'bot@example.com', name: 'Acme' },
    reply_to_list: [{ email: 'a@x.org' }],
  })
  expect((await bodyOf({}, 'Parley')).from).toEqual({ email: 'bot@example.com', name: 'Parley' })
})

test('a test says so, a thread names the mails before it, and what ends it takes one click', async () => {
  const thread = { before: ['<a@example.com>', '<b@example.com>'], unsubscribe: 'https://x.example/stop' }
  expect((await bodyOf({ test: true, thread })).headers).toEqual({
    'Message-ID': '<1@example.com>',
    'X-Parley-Test': '1',
    'In-Reply-To': '<b@example.com>',
    References: '<a@example.com> <b@example.com>',
    'List-Unsubscribe': '<https://x.example/stop>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  expect((await bodyOf({ thread: { before: [], unsubscribe: null } })).headers).toEqual({
    'Message-ID': '<1@example.com>',
  })
})

test.each([
  [400, 'SendGrid refused the email: no reason was given.', false],
  [401, 'SENDGRID_API_KEY', false],
  [403, 'Verify the address of MAIL_FROM', false],
  [404, 'SENDGRID_API_URL', false],
  [413, '30 MB', false],
  [418, 'SendGrid failed (418)', false],
  [429, 'Try again later', true],
  [499, 'SendGrid failed (499)', false],
  [500, 'SendGrid failed (500)', true],
  [503, 'SendGrid failed (503)', true],
])('%d says %j; that it is tried again: %j', async (status, words, transient) => {
  answer = { status }
  expect(await deliver()).toMatchObject({ ok: false, reason: expect.stringContaining(words), transient })
})

test('a reason is told in one line, with the field that it is about, and cut where it is long', async () => {
  const reason = async (errors: unknown) => {
    answer = { status: 400, body: JSON.stringify({ errors }) }
    return (await deliver()) as { reason: string }
  }
  expect((await reason([{ message: 'Not  a\nname.', field: 'from' }])).reason).toContain(
    'refused the email: Not a name. (from)',
  )
  expect((await reason([{ message: 'x'.repeat(500), field: 'y'.repeat(200) }])).reason).toMatch(/: x{400} \(y{100}\)$/)
  for (const none of [[], [{ message: 7 }], null]) expect((await reason(none)).reason).toContain('no reason was given.')
})

test.each<[string, Record<string, string>, number]>([
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['a time that comes', { 'x-ratelimit-reset': String(NOW.getTime() / 1_000 + 30) }, 30_000],
  ['a time that has passed', { 'x-ratelimit-reset': String(NOW.getTime() / 1_000 - 30) }, 0],
  ['both', { 'retry-after': '2', 'x-ratelimit-reset': '9' }, 2_000],
  ['no number', { 'retry-after': 'soon' }, 0],
  ['nothing', {}, 0],
])('how long it wants to be left alone: %s', async (_name, headers, waitMs) => {
  answer = { status: 429, headers }
  expect(await deliver()).toMatchObject({ ok: false, waitMs })
})

test('where it can’t be reached, the mail is sent again', async () => {
  const closed = createServer()
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  expect(await deliver({}, '', `http://127.0.0.1:${port}`)).toEqual({
    ok: false,
    reason: expect.stringContaining('SendGrid could not be reached'),
    transient: true,
  })
})
