import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SalesforceStandIn } from '../../../../server/sandbox/salesforce/salesforce'
import { createTestClock, type TestClock } from '../../clock'
import { authorizeUrl } from '../authorize'
import { consent } from '../consent'
import { hasContracts } from '../contract'
import { createVendorCaller, type Sent, sendForm } from '../vendorCaller'
import { salesforceContract, startSalesforce } from './startSalesforce'

let clock: TestClock
let salesforce: SalesforceStandIn
let token: string

beforeEach(async () => {
  clock = createTestClock()
  await start({})
})
afterEach(async () => {
  const { broken } = salesforce
  await salesforce.close()
  expect(broken).toEqual([])
})

async function start(options: { rotates?: boolean }): Promise<void> {
  salesforce = await startSalesforce({ clock, ...options })
  token = salesforce.issue().accessToken ?? ''
}
const caller = createVendorCaller(
  () => salesforce,
  () => token,
)
const call = (method: string, rest: string, sent: Sent = {}) => caller(method, `/services/data/v66.0${rest}`, sent)
const create = (sobject: string, body: object, headers?: Record<string, string>) =>
  call('POST', `/sobjects/${sobject}`, { body, headers })
const query = async (q: string) => (await call('GET', '/query', { query: { q } })).body

async function connect() {
  const redirect_uri = 'http://127.0.0.1:9/oauth/cb/builder/salesforce'
  const { id: client_id, secret: client_secret } = salesforce.client
  const asked = { client_id, redirect_uri, scope: 'api refresh_token', state: 'a-state', prompt: 'consent' }
  const { url, verifier } = authorizeUrl(`${salesforce.origin}/services/oauth2/authorize`, asked)
  expect(await (await fetch(url)).text()).toContain('This is not Salesforce.')
  const back = await consent(url)
  const code = back.searchParams.get('code') ?? ''
  const tokens = `${salesforce.origin}/services/oauth2/token`
  const exchange = { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret }
  const refresh = (refresh_token: string) =>
    sendForm(tokens, { grant_type: 'refresh_token', refresh_token, client_id, client_secret })
  return { tokens, exchange, verifier, refresh }
}

test('a person allows an application; a session ends by the org’s policy and is refreshed', async () => {
  const { tokens, exchange, verifier, refresh } = await connect()
  const given = await sendForm(tokens, { ...exchange, code_verifier: verifier })
  expect(given.body).toMatchObject({
    instance_url: salesforce.origin,
    token_type: 'Bearer',
    scope: 'api refresh_token',
  })
  expect(given.body.expires_in).toBeUndefined()
  token = given.body.access_token
  const who = await caller('GET', '/services/oauth2/userinfo')
  expect(who.body.email).toBe('ada@example.com')
  clock.pass(7_200)
  expect((await create('Case', { Subject: 'x' })).body[0].errorCode).toBe('INVALID_SESSION_ID')
  const again = await refresh(given.body.refresh_token)
  expect(again.body.refresh_token).toBeUndefined()
  token = again.body.access_token
  expect((await create('Case', { Subject: 'x' })).status).toBe(201)
  expect((await sendForm(`${salesforce.origin}/services/oauth2/revoke`, { token })).status).toBe(200)
  expect((await create('Case', { Subject: 'x' })).status).toBe(401)
  const dead = await refresh(given.body.refresh_token)
  expect(dead.body).toEqual({ error: 'invalid_grant', error_description: 'expired access/refresh token' })
})

test('a challenge without its verifier and one with a wrong verifier are refused in different words', async () => {
  const first = await connect()
  expect((await sendForm(first.tokens, first.exchange)).body.error).toBe('invalid_grant')
  const second = await connect()
  const wrong = { ...second.exchange, code_verifier: first.verifier }
  expect((await sendForm(second.tokens, wrong)).body.error).toBe('invalid_request')
})

test('with rotation a refresh token is used once; one that is answered twice leaves only the second answer', async () => {
  await salesforce.close()
  await start({ rotates: true })
  const { tokens, exchange, verifier, refresh } = await connect()
  const given = (await sendForm(tokens, { ...exchange, code_verifier: verifier })).body
  salesforce.fail({ on: 'POST /services/oauth2/token', with: 'refreshTwice' })
  const first = (await refresh(given.refresh_token)).body
  const second = (await refresh(given.refresh_token)).body
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect((await refresh(first.refresh_token)).status).toBe(400)
  expect((await refresh(given.refresh_token)).status).toBe(400)
  token = first.access_token
  expect((await create('Case', { Subject: 'x' })).status).toBe(401)
  salesforce.fail({ on: 'POST /services/oauth2/token', with: 'cutAfterWrite' })
  await expect(refresh(second.refresh_token)).rejects.toThrow()
  // the answer was lost, and the token that it replaced is dead: the person has to connect again
  expect((await refresh(second.refresh_token)).status).toBe(400)
})

test('records are created, read, changed and deleted, and ids of 15 and 18 signs mean the same', async () => {
  const account = (await create('Account', { Name: 'Acme' })).body.id
  expect(account).toMatch(/^001\w{15}$/)
  const contact = (await create('Contact', { LastName: 'Lovelace', Email: 'ada@example.com', AccountId: account })).body
    .id
  const made = await create('Case', { Subject: 'Help', ContactId: contact.slice(0, 15), Origin: 'Chat' })
  expect(made).toMatchObject({ status: 201, body: { success: true, errors: [] } })
  expect(made.headers.get('sforce-limit-info')).toMatch(/^api-usage=\d+\/15000$/)
  const read = await call('GET', `/sobjects/Case/${made.body.id}`, { query: { fields: 'Subject,Status,ContactId' } })
  expect(read.body).toMatchObject({ Subject: 'Help', Status: 'New', ContactId: contact })
  const changed = await call('PATCH', `/sobjects/Case/${made.body.id.slice(0, 15)}`, { body: { Status: 'Closed' } })
  expect({ status: changed.status, body: changed.body }).toEqual({ status: 204, body: undefined })
  expect(salesforce.all('Case')[0]?.values.Status).toBe('Closed')
  expect((await call('DELETE', `/sobjects/Case/${made.body.id}`)).status).toBe(204)
  expect((await call('GET', `/sobjects/Case/${made.body.id}`)).body[0].errorCode).toBe('NOT_FOUND')
})

test('what a record can’t be is refused with the code and the fields', async () => {
  const code = async (sobject: string, body: object) => (await create(sobject, body)).body[0].errorCode
  expect((await create('Account', { Phone: '1' })).body).toEqual([
    { message: 'Required fields are missing: [Name]', errorCode: 'REQUIRED_FIELD_MISSING', fields: ['Name'] },
  ])
  expect(await code('Case', { Nothing: 'x' })).toBe('INVALID_FIELD')
  expect(await code('Case', { Subject: 'x'.repeat(256) })).toBe('STRING_TOO_LONG')
  expect(await code('Contact', { LastName: 'x', Email: 'nobody' })).toBe('INVALID_EMAIL_ADDRESS')
  expect(await code('Case', { Subject: 'x', ContactId: '003' })).toBe('MALFORMED_ID')
  expect(await code('Case', { Priority: 'Urgent' })).toBe('INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST')
  expect(await code('Case', { CaseNumber: '1' })).toBe('INVALID_FIELD_FOR_INSERT_UPDATE')
  expect(await code('Nothing', { Name: 'x' })).toBe('NOT_FOUND')
  salesforce.addField('Contact', { name: 'Size__c', label: 'Size', required: true })
  expect(await code('Contact', { LastName: 'x' })).toBe('REQUIRED_FIELD_MISSING')
})

test('a duplicate is refused unless the caller insists', async () => {
  salesforce.state.duplicateRule = true
  const ada = { LastName: 'Lovelace', Email: 'ada@example.com' }
  const { id } = (await create('Contact', ada)).body
  const refused = (await create('Contact', ada)).body[0]
  expect(refused).toMatchObject({ errorCode: 'DUPLICATES_DETECTED' })
  expect(refused.duplicateResult.matchResults[0].matchRecords[0].record.Id).toBe(id)
  expect((await create('Contact', ada, { 'sforce-duplicate-rule-header': 'allowSave=true' })).status).toBe(201)
})

test('an upsert by an external id creates, then changes; several matches are listed', async () => {
  const path = '/sobjects/Contact/External_Id__c/a%2F1'
  const upsert = (more: Sent = {}) => call('PATCH', path, { body: { LastName: 'Lovelace' }, ...more })
  expect((await upsert({ query: { updateOnly: 'true' } })).status).toBe(404)
  expect(await upsert()).toMatchObject({ status: 201, body: { created: true } })
  expect(await upsert()).toMatchObject({ status: 200, body: { created: false } })
  expect((await call('GET', path)).body.LastName).toBe('Lovelace')
  salesforce.add('Contact', { LastName: 'Twin', External_Id__c: 'a/1' })
  expect((await upsert()).body).toHaveLength(2)
  expect((await call('GET', path)).status).toBe(300)
})

test('SOQL finds by conditions, in an order, page by page, and quotes are escaped', async () => {
  for (const [LastName = '', FirstName = ''] of [
    ['O’Neil', 'A'],
    ["O'Hara", 'B'],
    ['100%', 'C'],
  ])
    salesforce.add('Contact', { LastName, FirstName })
  const names = async (where: string) =>
    (await query(`SELECT Id, LastName FROM Contact ${where}`)).records.map(
      (record: { LastName: string }) => record.LastName,
    )
  expect(await names(String.raw`WHERE LastName = 'O\'Hara'`)).toEqual(["O'Hara"])
  expect(await names(String.raw`WHERE LastName LIKE '%\%'`)).toEqual(['100%'])
  expect(
    await names(
      "WHERE (FirstName IN ('A', 'B') AND Email = null) OR NOT FirstName != 'C' ORDER BY FirstName DESC LIMIT 2",
    ),
  ).toEqual(['100%', "O'Hara"])
  expect(await names('WHERE CreatedDate > 2025-01-01T00:00:00Z ORDER BY FirstName OFFSET 2')).toEqual(['100%'])
  expect((await query('SELECT Nothing FROM Contact'))[0].errorCode).toBe('INVALID_FIELD')
  expect((await query('SELECT Id FROM Nothing'))[0].errorCode).toBe('INVALID_TYPE')
  expect((await query("SELECT Id FROM Contact WHERE LastName = 'O'Hara'"))[0].errorCode).toBe('MALFORMED_QUERY')
  for (let at = 0; at < 300; at += 1) salesforce.add('Account', { Name: `Account ${at}` })
  const options = {
    query: { q: 'SELECT Name FROM Account ORDER BY Id' },
    headers: { 'sforce-query-options': 'batchSize=200' },
  }
  const first = (await call('GET', '/query', options)).body
  expect(first).toMatchObject({ totalSize: 300, done: false })
  const rest = (await caller('GET', first.nextRecordsUrl)).body
  expect(rest).toMatchObject({ done: true, records: expect.objectContaining({ length: 100 }) })
  const search = { q: 'account 29', sobjects: [{ name: 'Account', fields: ['Name'], limit: 3 }] }
  expect((await call('POST', '/parameterizedSearch', { body: search })).body.searchRecords).toHaveLength(3)
})

test('an object is described, and not again while nothing has changed', async () => {
  const described = await call('GET', '/sobjects/Case/describe')
  const subject = described.body.fields.find(({ name }: { name: string }) => name === 'Subject')
  expect(subject).toMatchObject({ length: 255, createable: true, nillable: true })
  const since = { headers: { 'if-modified-since': described.headers.get('last-modified') ?? '' } }
  expect((await call('GET', '/sobjects/Case/describe', since)).status).toBe(304)
  expect((await call('GET', '/sobjects')).body.sobjects).toHaveLength(4)
  expect((await caller('GET', '/services/data')).body[0].version).toBe('66.0')
  expect((await call('GET', '/limits')).body.DailyApiRequests.Max).toBe(15_000)
})

test('parts of a composite use each other’s ids, and fail alone or all together', async () => {
  const part = (referenceId: string, sobject: string, body: object) => ({
    method: 'POST',
    url: `/services/data/v66.0/sobjects/${sobject}`,
    referenceId,
    body,
  })
  const parts = [
    part('account', 'Account', { Name: 'Acme' }),
    part('contact', 'Contact', { LastName: 'Lovelace', AccountId: '@{account.id}' }),
  ]
  const run = async (compositeRequest: object[], allOrNone = true) =>
    (await call('POST', '/composite', { body: { allOrNone, compositeRequest } })).body.compositeResponse
  expect((await run(parts)).map(({ httpStatusCode }: { httpStatusCode: number }) => httpStatusCode)).toEqual([201, 201])
  expect(salesforce.all('Contact')[0]?.values.AccountId).toBe(salesforce.all('Account')[0]?.id)
  const broken = [...parts, part('case', 'Case', { Nothing: 'x' })]
  expect((await run(broken)).map(({ body }: { body: { errorCode: string }[] }) => body[0]?.errorCode)).toEqual([
    'PROCESSING_HALTED',
    'PROCESSING_HALTED',
    'INVALID_FIELD',
  ])
  expect(salesforce.all('Account')).toHaveLength(1)
  await run(broken, false)
  expect(salesforce.all('Account')).toHaveLength(2)
  const records = [{ attributes: { type: 'Account' }, Name: 'One' }, { attributes: { type: 'Account' } }]
  const many = await call('POST', '/composite/sobjects', { body: { records } })
  expect(many.body.map(({ success }: { success: boolean }) => success)).toEqual([true, false])
  const none = await call('POST', '/composite/sobjects', { body: { records, allOrNone: true } })
  expect(none.body[0].errors[0].statusCode).toBe('ALL_OR_NONE_OPERATION_ROLLED_BACK')
  expect(salesforce.all('Account')).toHaveLength(3)
})

test('articles that everybody may read are told apart from internal ones and drafts', async () => {
  const open = salesforce.add('Knowledge__kav', {
    Title: 'Returns',
    Summary: 'How to',
    Answer__c: '<p>Send it back.</p>',
  })
  salesforce.add('Knowledge__kav', { Title: 'Prices we pay', IsVisibleInPkb: false })
  salesforce.add('Knowledge__kav', { Title: 'Unfinished', PublishStatus: 'Draft' })
  const headers = { 'accept-language': 'en-US' }
  const list = (more: Record<string, string>) =>
    call('GET', '/support/knowledgeArticles', { headers, query: { pageSize: '100', ...more } })
  expect((await list({ channel: 'Pkb' })).body.articles.map(({ title }: { title: string }) => title)).toEqual([
    'Returns',
  ])
  expect((await list({ channel: 'App' })).body.articles).toHaveLength(2)
  const article = await call('GET', `/support/knowledgeArticles/${open.values.KnowledgeArticleId}`, {
    headers,
    query: { channel: 'Pkb' },
  })
  expect(article.body.layoutItems).toContainEqual(
    expect.objectContaining({ name: 'Answer__c', value: '<p>Send it back.</p>' }),
  )
  const online = "PublishStatus='Online' AND Language='en_US' AND IsVisibleInPkb = true"
  expect((await query(`SELECT Id, Title FROM Knowledge__kav WHERE ${online}`)).totalSize).toBe(1)
  salesforce.state.objects = salesforce.state.objects.filter(({ name }) => name !== 'Knowledge__kav')
  expect((await query('SELECT Id FROM Knowledge__kav'))[0].errorCode).toBe('INVALID_TYPE')
})

test('the org’s calls of a day are counted, and one too many is refused without Retry-After', async () => {
  salesforce.state.dailyCalls = 2
  await call('GET', '/limits')
  expect((await call('GET', '/limits')).headers.get('sforce-limit-info')).toBe('api-usage=2/2')
  const refused = await call('GET', '/limits')
  expect(refused).toMatchObject({ status: 403, body: [{ errorCode: 'REQUEST_LIMIT_EXCEEDED' }] })
  expect(refused.headers.get('retry-after')).toBeNull()
  clock.pass(86_400)
  token = salesforce.issue().accessToken ?? ''
  expect((await call('GET', '/limits')).status).toBe(200)
})

test.skipIf(!hasContracts)('every call of the contract is one of the stand-in’s', () => {
  const missing = salesforceContract()?.endpoints.filter((endpoint) => !salesforce.endpoints.includes(endpoint))
  expect(missing).toEqual([])
})

test.skipIf(!hasContracts)(
  'an Id in a body, a parameter too many, and an answer of a wrong type are found',
  async () => {
    expect((await create('Case', { Id: '5003000000D8cuI' })).body.contractBroken).toContain('body/Id')
    const more = await call('GET', '/query', { query: { q: 'SELECT Id FROM Case', size: '5' } })
    expect(more.body.contractBroken).toContain('query size is not known here')
    salesforce.state.objects = [{ ...salesforce.state.objects[0], name: 7 } as never]
    expect((await call('GET', '/sobjects')).body.contractBroken).toContain('by the answer of GET')
    expect(salesforce.broken.splice(0)).toHaveLength(3)
  },
)
