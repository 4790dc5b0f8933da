import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ZendeskStandIn } from '../../../../server/sandbox/zendesk/zendesk'
import { createTestClock, type TestClock } from '../../clock'
import { authorizeUrl } from '../authorize'
import { consent } from '../consent'
import { hasContracts } from '../contract'
import { createVendorCaller, type Sent, sendForm } from '../vendorCaller'
import { startZendesk, zendeskContract } from './startZendesk'

let clock: TestClock
let zendesk: ZendeskStandIn
let token: string

beforeEach(async () => {
  clock = createTestClock()
  zendesk = await startZendesk({ clock })
  token = zendesk.issue().accessToken ?? ''
})
afterEach(async () => {
  const { broken } = zendesk
  await zendesk.close()
  expect(broken).toEqual([])
})

const caller = createVendorCaller(
  () => zendesk,
  () => token,
)
const call = (method: string, rest: string, sent: Sent = {}) => caller(method, `/api/v2${rest}`, sent)
const ticket = {
  subject: 'Broken',
  comment: { body: 'It is broken.' },
  requester: { name: 'Ben', email: 'ben@example.com' },
}
const create = (more: object = {}, headers?: Record<string, string>) =>
  call('POST', '/tickets', { body: { ticket: { ...ticket, ...more } }, headers })
const update = (id: number, changes: object) => call('PUT', `/tickets/${id}`, { body: { ticket: changes } })

test('a person allows an application; a refresh deletes both old tokens', async () => {
  const { id: client_id, secret: client_secret } = zendesk.client
  const redirect_uri = 'http://127.0.0.1:9/oauth/zendesk/callback'
  const asked = { client_id, redirect_uri, scope: 'tickets:read tickets:write', state: 'a-state' }
  const { url, verifier } = authorizeUrl(`${zendesk.origin}/oauth/authorizations/new`, asked)
  expect(await (await fetch(url)).text()).toContain('This is not Zendesk.')
  const code = (await consent(url)).searchParams.get('code') ?? ''
  const tokens = (body: object) => caller('POST', '/oauth/tokens', { body, token: null })
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    client_id,
    client_secret,
    code_verifier: verifier,
  }
  expect((await tokens({ ...exchange, expires_in: 300, scope: 'tickets:read' })).body.expires_in).toBe(300)
  const again = (await consent(url)).searchParams.get('code') ?? ''
  const given = (await tokens({ ...exchange, code: again })).body
  expect(given).toMatchObject({ token_type: 'bearer', expires_in: 172_800, refresh_token_expires_in: 2_592_000 })
  token = given.access_token
  expect((await call('GET', '/oauth/tokens/current')).body.token.scopes).toEqual(['tickets:read', 'tickets:write'])
  const refresh = (refresh_token: string) =>
    tokens({ grant_type: 'refresh_token', refresh_token, client_id, client_secret })
  const next = (await refresh(given.refresh_token)).body
  expect((await call('GET', '/search', { query: { query: 'x' } })).status).toBe(401)
  expect((await refresh(given.refresh_token)).body.error).toBe('invalid_grant')
  token = next.access_token
  expect((await call('GET', '/users/me')).status).toBe(403)
  clock.pass(2_592_000)
  expect((await refresh(next.refresh_token)).status).toBe(400)
})

test('an account’s own client gets a token without a page, and gives it back', async () => {
  const { id: client_id, secret: client_secret } = zendesk.client
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: 'read write' }
  const given = await sendForm(`${zendesk.origin}/oauth/tokens`, form)
  expect(given.body.refresh_token).toBeUndefined()
  token = given.body.access_token
  expect((await call('GET', '/users/me')).body.user.email).toBe('ada@example.com')
  expect((await call('DELETE', '/oauth/tokens/current')).status).toBe(204)
  expect((await call('GET', '/users/me')).status).toBe(401)
  const wrong = await sendForm(`${zendesk.origin}/oauth/tokens`, { ...form, client_secret: 'other' })
  expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
})

test('a ticket is made once for one key, and its person is found by the email', async () => {
  const key = { 'idempotency-key': 'journal-1' }
  const first = await create({}, key)
  expect(first).toMatchObject({ status: 201, body: { ticket: { status: 'new', subject: 'Broken' } } })
  expect(first.headers.get('location')).toContain(`/api/v2/tickets/${first.body.ticket.id}.json`)
  const second = await create({}, key)
  expect(second.headers.get('x-idempotency-lookup')).toBe('hit')
  expect(second.body.ticket.id).toBe(first.body.ticket.id)
  expect((await create({ subject: 'Other' }, key)).status).toBe(400)
  zendesk.fail({ on: 'POST /api/v2/tickets', with: 'cutAfterWrite' })
  await expect(create({ subject: 'Lost' }, { 'idempotency-key': 'journal-2' })).rejects.toThrow()
  await create({ subject: 'Lost' }, { 'idempotency-key': 'journal-2' })
  expect(zendesk.tickets().map(({ subject }) => subject)).toEqual(['Broken', 'Lost'])
  expect(zendesk.state.users.filter(({ email }) => email === 'ben@example.com')).toHaveLength(1)
})

test('a comment is appended, tags are replaced or added, and a race and a closed ticket are refused', async () => {
  const { id, updated_at } = (await create({ tags: ['One', 'two'] })).body.ticket
  expect((await update(id, { comment: { body: 'For us.', public: false }, tags: ['three'] })).body.ticket.tags).toEqual(
    ['three'],
  )
  expect((await update(id, { additional_tags: ['four'], remove_tags: ['three'] })).body.ticket.tags).toEqual(['four'])
  const comments = (await call('GET', `/tickets/${id}/comments.json`, { query: { 'page[size]': '100' } })).body.comments
  expect(comments.map(({ body, public: isPublic }: { body: string; public: boolean }) => [body, isPublic])).toEqual([
    ['It is broken.', true],
    ['For us.', false],
  ])
  clock.pass(5)
  zendesk.answer(id, 'We look at it.', { status: 'open' })
  const late = await update(id, { status: 'solved', safe_update: true, updated_stamp: updated_at })
  expect(late).toMatchObject({ status: 409, body: { error: 'UpdateConflict' } })
  expect((await update(id, { status: 'pending' })).body.details.assignee[0].error).toBe('BlankValue')
  await update(id, { status: 'closed' })
  expect(await update(id, { priority: 'low' })).toMatchObject({ status: 422, body: { error: 'RecordInvalid' } })
  expect((await call('GET', `/tickets/${id}`)).body.ticket.status).toBe('closed')
  expect((await call('GET', '/tickets/9')).body.error).toBe('RecordNotFound')
})

test('custom fields are offered and checked, and files are attached', async () => {
  const size = zendesk.addField({ title: 'Size', type: 'tagger', options: [{ name: 'Small', value: 'small' }] })
  const fields = (await call('GET', '/ticket_fields')).body.ticket_fields
  expect(fields.at(-1)).toMatchObject({ id: size.id, custom_field_options: [{ name: 'Small', value: 'small' }] })
  const made = await create({ custom_fields: [{ id: size.id, value: 'small' }], priority: 'urgent', type: 'incident' })
  expect(made.body.ticket.custom_fields).toEqual([{ id: size.id, value: 'small' }])
  expect((await create({ custom_fields: [{ id: size.id, value: 'huge' }] })).status).toBe(422)
  expect((await create({ requester: { name: 'Ben', email: 'ben@' } })).body.details.requester[0].description).toContain(
    'ben@',
  )
  const url = new URL('/api/v2/uploads.json?filename=a.txt', zendesk.origin)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/binary' }
  const { upload } = await (await fetch(url, { method: 'POST', headers, body: 'Text' })).json()
  await create({ comment: { html_body: '<p>See</p>', uploads: [upload.token] } })
  expect(zendesk.state.uploads.get(upload.token)?.bytes.toString()).toBe('Text')
  expect((await create({ comment: { body: 'See', uploads: ['none'] } })).status).toBe(422)
})

test('tickets are found by their person and status, some time after they were made', async () => {
  zendesk.state.searchDelay = 30
  const { id } = (await create()).body.ticket
  const search = async (query: string) => (await call('GET', '/search', { query: { query } })).body.count
  expect(await search('type:ticket requester:ben@example.com status<solved')).toBe(0)
  clock.pass(30)
  expect(await search('type:ticket requester:ben@example.com status<solved')).toBe(1)
  expect(await search('type:ticket requester:eve@example.com')).toBe(0)
  expect(await search('broken -status:closed')).toBe(1)
  await update(id, { status: 'solved' })
  expect(await search('type:ticket requester:ben@example.com status<solved')).toBe(0)
})

test('articles are read page by page and since a time; internal ones and drafts are told as such', async () => {
  for (const title of ['One', 'Two', 'Three']) zendesk.addArticle({ title, body: `<p>${title}</p>` })
  zendesk.addArticle({ title: 'Internal', body: 'x', userSegmentId: 5 })
  zendesk.addArticle({ title: 'Draft', body: null, draft: true })
  expect((await call('GET', '/help_center/locales')).body.default_locale).toBe('en-us')
  const query = { 'page[size]': '2', sort_by: 'updated_at' }
  const first = (await call('GET', '/help_center/en-us/articles', { query })).body
  expect(first.meta.has_more).toBe(true)
  const second = (await caller('GET', first.links.next)).body
  expect([...first.articles, ...second.articles]).toHaveLength(4)
  expect(
    (await call('GET', '/help_center/articles', { query: { 'page[size]': '100' } })).body.articles.map(
      ({ title, draft, user_segment_id }: Record<string, unknown>) => [title, draft, user_segment_id],
    ),
  ).toContainEqual(['Internal', false, 5])
  clock.pass(60)
  const since = Math.floor(clock().getTime() / 1_000)
  const changed = zendesk.addArticle({ title: 'Four', body: 'x' })
  const told = (await call('GET', '/help_center/incremental/articles', { query: { start_time: String(since) } })).body
  expect(told).toMatchObject({ count: 1, end_time: since, next_page: null })
  expect((await call('GET', `/help_center/en-us/articles/${changed.id}`)).body.article.title).toBe('Four')
  expect((await call('GET', '/help_center/en-us/sections')).body.sections).toHaveLength(1)
  expect((await call('GET', '/help_center/en-us/categories')).body.categories).toHaveLength(1)
})

test('calls are limited a minute, with how long to wait', async () => {
  await zendesk.close()
  zendesk = await startZendesk({ clock, limited: true })
  token = zendesk.issue().accessToken ?? ''
  const told = () => call('GET', '/help_center/incremental/articles', { query: { start_time: '0' } })
  for (let at = 0; at < 10; at += 1) expect((await told()).status).toBe(200)
  clock.pass(20)
  const refused = await told()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40'])
  expect((await call('GET', '/users/me')).headers.get('x-rate-limit-remaining')).toBe('399')
})

test.skipIf(!hasContracts)('every call of the contract is one of the stand-in’s', () => {
  const missing = zendeskContract()?.endpoints.filter((endpoint) => !zendesk.endpoints.includes(endpoint))
  expect(missing).toEqual([])
})

test.skipIf(!hasContracts)(
  'a priority that there is not, a field too many, and an answer of a wrong type are found',
  async () => {
    expect((await create({ priority: 'medium' })).body.contractBroken).toContain('body/ticket/priority')
    expect((await create({ sla: 'gold' })).body.contractBroken).toContain('(sla)')
    zendesk.state.locales = [7 as never]
    expect((await call('GET', '/help_center/locales')).body.contractBroken).toContain('by the answer of GET')
    expect(zendesk.broken.splice(0)).toHaveLength(3)
  },
)
