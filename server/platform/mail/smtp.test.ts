import { once } from 'node:events'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { type MailServer, refusal, startMailServer } from '../../../tests/support/mailServer'
import { parseConfig } from '../config/config'
import { createSmtp, type OutgoingMail } from './smtp'

let server: MailServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const mail: OutgoingMail = {
  messageId: '<1@example.com>',
  fromName: '',
  to: ['ben@example.org'],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 'Your order',
  html: '<p>Hello</p>',
  text: 'Hello',
}
const mailFrom = { name: 'Parley', address: 'bot@example.com' }
const deliver = (port: number, change: Partial<OutgoingMail> = {}) =>
  createSmtp({ ...parseConfig({}), smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom })(
    { ...mail, ...change },
    new AbortController().signal,
  )

test('a mail has the id that its row has, and names those before it, its test and what ends it', async () => {
  server = await startMailServer()
  const thread = { before: ['<a@example.com>', '<b@example.com>'], unsubscribe: 'https://x.example/stop' }
  expect(await deliver(server.port, { test: true, thread })).toEqual({ ok: true, refused: [] })
  expect(await deliver(server.port, { messageId: '<2@example.com>', fromName: 'Acme' })).toEqual({
    ok: true,
    refused: [],
  })
  const [first, second] = server.mails
  expect(first).toMatchObject({
    messageId: '<1@example.com>',
    inReplyTo: '<b@example.com>',
    references: ['<a@example.com>', '<b@example.com>'],
    from: { value: [{ name: 'Parley', address: 'bot@example.com' }] },
  })
  const [one = '', other = ''] = server.sources
  expect(one).toMatch(/^X-Parley-Test: 1\r?$/m)
  expect(one).toContain('List-Unsubscribe: <https://x.example/stop>')
  expect(one).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(second).toMatchObject({ messageId: '<2@example.com>', from: { value: [{ name: 'Acme' }] } })
  for (const header of ['In-Reply-To', 'References', 'X-Parley-Test', 'List-Unsubscribe'])
    expect(other).not.toContain(header)
})

test.each([
  [550, 'no such person', false],
  [451, 'come back later', true],
])('a server that says %d %s: that it is tried again: %j', async (code, message, transient) => {
  server = await startMailServer({ onRcptTo: (_to, _session, done) => done(refusal(code, message)) })
  expect(await deliver(server.port)).toEqual({ ok: false, reason: expect.stringContaining(message), transient })
})

test('a mail for nobody is not tried again, one that finds no server is', async () => {
  server = await startMailServer()
  expect(await deliver(server.port, { to: [] })).toMatchObject({ ok: false, transient: false })
  const closed = createServer()
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  expect(await deliver(port)).toMatchObject({ ok: false, transient: true })
})

test('a password goes to another machine encrypted alone; without one mail goes as the server takes it', async () => {
  server = await startMailServer()
  // an address that is not known for this machine's
  const elsewhere = (login: string) =>
    createSmtp({ ...parseConfig({}), smtpUrl: `smtp://${login}[::ffff:127.0.0.1]:${server?.port}`, mailFrom })(
      mail,
      new AbortController().signal,
    )
  expect(await elsewhere('')).toEqual({ ok: true, refused: [] })
  expect(await elsewhere('me:secret@')).toMatchObject({ ok: false })
  expect(server.mails).toHaveLength(1)
})

test('a mail server that can’t be reached is given up, and the mail tried again later', async () => {
  // a connection that neither succeeds nor fails, as to a machine that drops all packets
  const connecting = vi.spyOn(net, 'connect').mockImplementation(() => new net.Socket())
  try {
    const send = createSmtp(
      { ...parseConfig({}), smtpUrl: 'smtp://127.0.0.1:2525', mailFrom },
      { connect: 20, silence: 20 },
    )
    expect(await send(mail, new AbortController().signal)).toMatchObject({ ok: false, transient: true })
    expect(connecting).toHaveBeenCalled()
  } finally {
    connecting.mockRestore()
  }
})
