import { createPublicKey, verify } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SendgridStandIn } from '../../../../server/sandbox/sendgrid/sendgrid'
import { createTestClock, type TestClock } from '../../clock'
import { type OutsideServer, startOutsideServer } from '../../outsideServer'
import { hasContracts } from '../contract'
import { createVendorCaller } from '../vendorCaller'
import { sendgridContract, startSendgrid } from './startSendgrid'

let clock: TestClock
let sendgrid: SendgridStandIn
let key: string
let product: OutsideServer

beforeEach(async () => {
  clock = createTestClock()
  product = await startOutsideServer((_request, response) => response.end())
  sendgrid = await startSendgrid({ clock })
  key = sendgrid.key
})
afterEach(async () => {
  const { broken } = sendgrid
  await sendgrid.close()
  product.close()
  expect(broken).toEqual([])
})

const call = createVendorCaller(
  () => sendgrid,
  () => key,
)
const mail = {
  personalizations: [{ to: [{ email: 'ben@example.org', name: 'Ben' }], custom_args: { parley_id: 'journal-1' } }],
  from: { email: 'shop@example.com', name: 'Shop' },
  subject: 'Your order',
  content: [
    { type: 'text/plain', value: 'It is on its way.' },
    { type: 'text/html', value: '<p>It is on its way.</p>' },
  ],
}
const send = (more: object = {}) => call('POST', '/v3/mail/send', { body: { ...mail, ...more } })
const problem = async (more: object) => {
  const { status, body } = await send(more)
  return [status, body.errors[0].field]
}
const settings = '/v3/user/webhooks/event/settings'
const ALL = { enabled: true, processed: true, delivered: true, bounce: true, open: true, dropped: true, deferred: true }
const subscribe = async (path = '/events') =>
  (await call('POST', settings, { body: { url: `${product.url}${path}`, ...ALL } })).body.id
const told = () => product.received.flatMap(({ body }) => JSON.parse(body))

test('a mail is taken with its id in a header, and kept for who looks at it', async () => {
  const taken = await send({ tracking_settings: { click_tracking: { enable: false } } })
  expect([taken.status, taken.body]).toEqual([202, undefined])
  expect(sendgrid.state.mails).toEqual([
    expect.objectContaining({
      messageId: taken.headers.get('x-message-id'),
      subject: 'Your order',
      customArgs: { parley_id: 'journal-1' },
      tracksClicks: false,
      state: 'delivered',
    }),
  ])
  // an answer that is lost: whoever sends again sends twice
  sendgrid.fail({ on: 'POST /v3/mail/send', with: 'cutAfterWrite' })
  await expect(send()).rejects.toThrow()
  expect(sendgrid.state.mails).toHaveLength(2)
  expect((await send({ mail_settings: { sandbox_mode: { enable: true } } })).status).toBe(200)
  expect(sendgrid.state.mails).toHaveLength(2)
})

test('what a mail can’t be is refused with the field', async () => {
  const [person] = mail.personalizations
  expect(await problem({ personalizations: [] })).toEqual([400, 'personalizations'])
  expect(await problem({ personalizations: [{ ...person, cc: [{ email: 'BEN@example.org' }] }] })).toEqual([
    400,
    'personalizations.0',
  ])
  expect(await problem({ subject: 'a\nBcc: all@example.org' })).toEqual([400, 'subject'])
  expect(await problem({ content: [...mail.content].reverse() })).toEqual([400, 'content'])
  expect(await problem({ headers: { 'Reply-To': 'x@example.org' } })).toEqual([400, 'headers.Reply-To'])
  const [reply_to] = [{ email: 'x@example.org' }]
  expect(await problem({ reply_to, reply_to_list: [reply_to] })).toEqual([400, 'reply_to_list'])
  expect(await problem({ custom_args: JSON.stringify({ long: 'x'.repeat(10_000) }) })).toEqual([400, 'custom_args'])
  expect(await problem({ attachments: [{ filename: 'a.txt', content: 'no base64!' }] })).toEqual([
    400,
    'attachments.0.content',
  ])
  expect(await problem({ from: { email: 'other@elsewhere.org' } })).toEqual([403, 'from'])
  expect(sendgrid.state.mails).toEqual([])
})

test('a key that is wrong or may not send is told apart', async () => {
  key = sendgrid.addKey(['user.webhooks.event.settings.update'])
  expect((await call('GET', '/v3/scopes')).body.scopes).toEqual(['user.webhooks.event.settings.update'])
  expect((await send()).status).toBe(403)
  key = 'SG.none'
  expect((await send()).status).toBe(401)
  key = sendgrid.key
  expect((await call('GET', '/v3/scopes')).body.scopes).toContain('mail.send')
  const batch = (await call('POST', '/v3/mail/batch')).body.batch_id
  expect((await call('GET', `/v3/mail/batch/${batch}`)).body.batch_id).toBe(batch)
  expect((await call('GET', '/v3/mail/batch/none')).status).toBe(400)
})

test('what becomes of a mail is told by a webhook with a signature that its public key proves', async () => {
  const id = await subscribe()
  const signed = await call('PATCH', `${settings}/signed/${id}`, { body: { enabled: true } })
  const { public_key } = (await call('GET', `${settings}/signed/${id}`)).body
  expect(signed.body.public_key).toBe(public_key)
  const taken = await send()
  await sendgrid.webhooks.settle()
  const [first] = product.received
  const key = createPublicKey({ key: Buffer.from(public_key, 'base64'), format: 'der', type: 'spki' })
  const isRight = (received = first) =>
    verify(
      'sha256',
      Buffer.from(`${received?.headers['x-twilio-email-event-webhook-timestamp']}${received?.body}`),
      key,
      Buffer.from(String(received?.headers['x-twilio-email-event-webhook-signature']), 'base64'),
    )
  expect(isRight()).toBe(true)
  expect(told().map(({ event, parley_id }) => [event, parley_id])).toEqual([
    ['processed', 'journal-1'],
    ['delivered', 'journal-1'],
  ])
  expect(told()[0].sg_message_id).toContain(`${taken.headers.get('x-message-id')}.recvd-`)
  sendgrid.fail({ on: 'webhook open', with: 'wrongSignature' })
  const [sent] = sendgrid.state.mails
  if (sent) sendgrid.tell(sent, 'open')
  await sendgrid.webhooks.settle()
  expect(isRight(product.received.at(-1))).toBe(false)
})

test('mails that bounce, are dropped or wait are told as such, twice and out of order if the script says so', async () => {
  await subscribe()
  for (const name of ['bounce', 'dropped', 'deferred'])
    await send({ personalizations: [{ to: [{ email: `${name}@example.org` }] }] })
  await sendgrid.webhooks.settle()
  expect(
    told()
      .filter(({ event }) => event !== 'processed')
      .map(({ event, email }) => `${event} ${email}`),
  ).toEqual(['bounce bounce@example.org', 'dropped dropped@example.org', 'deferred deferred@example.org'])
  product.received.splice(0)
  sendgrid.fail({ on: 'webhook processed', with: 'outOfOrder' })
  sendgrid.fail({ on: 'webhook delivered', with: 'twice' })
  await send()
  await sendgrid.webhooks.settle()
  expect(told().map(({ event }) => event)).toEqual(['delivered', 'delivered', 'processed'])
  expect(told()[0].sg_event_id).toBe(told()[1].sg_event_id)
})

test('a webhook is listed, changed, tried and deleted', async () => {
  const id = await subscribe()
  expect((await call('GET', `${settings}/all`)).body.webhooks).toHaveLength(1)
  const changed = { url: `${product.url}/other`, enabled: false, friendly_name: 'Parley' }
  expect((await call('PATCH', `${settings}/${id}`, { body: changed })).body).toMatchObject({
    enabled: false,
    delivered: true,
  })
  expect((await call('GET', `${settings}/${id}`)).body.friendly_name).toBe('Parley')
  await send()
  await call('POST', '/v3/user/webhooks/event/test', { body: { url: `${product.url}/test` } })
  await sendgrid.webhooks.settle()
  expect(product.received.map(({ path }) => path)).toEqual(['/test'])
  expect((await call('POST', settings, { body: { url: 'https://elsewhere.example/' } })).status).toBe(400)
  expect((await call('DELETE', `${settings}/${id}`)).status).toBe(204)
  expect((await call('GET', `${settings}/${id}`)).status).toBe(404)
})

test('calls are limited, with when the limit ends', async () => {
  await sendgrid.close()
  sendgrid = await startSendgrid({ clock, limited: true })
  key = sendgrid.key
  const first = await call('GET', '/v3/scopes')
  expect(first.headers.get('x-ratelimit-remaining')).toBe('599')
  for (let at = 0; at < 599; at += 1) await call('GET', '/v3/scopes')
  const refused = await call('GET', '/v3/scopes')
  expect([refused.status, Number(refused.headers.get('x-ratelimit-reset'))]).toEqual([
    429,
    clock().getTime() / 1_000 + 60,
  ])
})

test.skipIf(!hasContracts)('every call of the contract is one of the stand-in’s', () => {
  const missing = sendgridContract()?.endpoints.filter((endpoint) => !sendgrid.endpoints.includes(endpoint))
  expect(missing).toEqual([])
})

test.skipIf(!hasContracts)(
  'a mail without a sender, a field too many, and an answer and a webhook of a wrong type are found',
  async () => {
    const id = await subscribe()
    expect((await send({ from: undefined })).body.contractBroken).toContain('from')
    expect((await send({ replyTo: { email: 'x@example.org' } })).body.contractBroken).toContain('(replyTo)')
    const [webhook] = sendgrid.state.webhooks
    Object.assign(webhook ?? {}, { name: 7 })
    expect((await call('GET', `${settings}/${id}`)).body.contractBroken).toContain('by the answer of GET')
    await send()
    const [sent] = sendgrid.state.mails
    if (sent) sendgrid.tell(sent, 'forwarded' as never)
    sendgrid.tell({ ...(sent as NonNullable<typeof sent>), customArgs: { reason: 7 as never } }, 'open')
    await sendgrid.webhooks.settle()
    expect(sendgrid.broken.splice(0).at(-1)).toContain('by the webhook open')
  },
)
