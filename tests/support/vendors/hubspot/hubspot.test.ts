import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HubspotStandIn } from '../../../../server/sandbox/hubspot/hubspot'
import { createTestClock, type TestClock } from '../../clock'
import { consent } from '../consent'
import { hasContracts } from '../contract'
import { createVendorCaller, sendForm } from '../vendorCaller'
import { hubspotContract, startHubspot } from './startHubspot'

let clock: TestClock
let hubspot: HubspotStandIn
let token: string

beforeEach(async () => {
  clock = createTestClock()
  hubspot = await startHubspot({ clock })
  token = hubspot.issue().accessToken ?? ''
})
afterEach(async () => {
  const { broken } = hubspot
  await hubspot.close()
  expect(broken).toEqual([])
})

const call = createVendorCaller(
  () => hubspot,
  () => token,
)
const objects = (rest: string) => `/crm/objects/2026-09/${rest}`
const create = (type: string, properties: Record<string, string>, associations?: object[]) =>
  call('POST', objects(type), { body: { properties, ...(associations && { associations }) } })
const HUBSPOT = 'HUBSPOT_DEFINED'

test('a person allows an application, which is given tokens for half an hour and refreshes them', async () => {
  const verifier = randomBytes(32).toString('base64url')
  const { id: client_id, secret: client_secret } = hubspot.client
  const redirect_uri = 'http://localhost:9/oauth/cb/builder/hubspot'
  const url = `${hubspot.origin}/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: 'oauth crm.objects.contacts.write',
    optional_scope: 'tickets',
    state: 'a-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })}`
  expect(await (await fetch(url)).text()).toContain('This is not HubSpot.')
  const back = await consent(url)
  expect(back.searchParams.get('state')).toBe('a-state')
  const tokens = `${hubspot.origin}/oauth/2026-09/token`
  const code = back.searchParams.get('code') ?? ''
  const exchange = { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret }
  const given = await sendForm(tokens, { ...exchange, code_verifier: verifier })
  expect(given.body).toMatchObject({ expires_in: 1_800, hub_id: 4_711_000, token_type: 'bearer' })
  expect(given.body.scopes).toContain('tickets')
  expect((await sendForm(tokens, { ...exchange, code_verifier: verifier })).body.category).toBe('BAD_AUTH_CODE')

  token = hubspot.issue().accessToken ?? ''
  clock.pass(1_800)
  expect((await create('contacts', { email: 'ada@example.com' })).body.category).toBe('EXPIRED_AUTHENTICATION')
  const { refresh_token } = hubspot.state.grants.all.at(-1)?.refreshToken
    ? { refresh_token: hubspot.state.grants.all.at(-1)?.refreshToken ?? '' }
    : { refresh_token: '' }
  const again = await sendForm(tokens, { grant_type: 'refresh_token', refresh_token, client_id, client_secret })
  expect(again.body.refresh_token).toBe(refresh_token)
  token = again.body.access_token
  const seen = await sendForm(`${tokens}/introspect`, { client_id, client_secret, token })
  expect(seen.body).toMatchObject({ active: true, token_use: 'access_token', user: 'ada@example.com' })
  expect((await sendForm(`${tokens}/revoke`, { client_id, client_secret, token: refresh_token })).status).toBe(204)
  expect((await sendForm(`${tokens}/introspect`, { client_id, client_secret, token })).body.active).toBe(false)
  const dead = await sendForm(tokens, { grant_type: 'refresh_token', refresh_token, client_id, client_secret })
  expect(dead).toMatchObject({ status: 400, body: { category: 'BAD_REFRESH_TOKEN' } })
})

test.each(['contacts', 'companies', 'tickets'])(
  '%s are created, read, listed, changed, merged and archived',
  async (type) => {
    const field = { contacts: 'firstname', companies: 'name', tickets: 'subject' }[type] ?? ''
    const rest: Record<string, string> = type === 'tickets' ? { hs_pipeline_stage: '1' } : {}
    const made = await create(type, { ...rest, [field]: 'First' })
    expect(made).toMatchObject({ status: 201, body: { properties: { [field]: 'First' } } })
    const { id } = made.body
    const changed = await call('PATCH', objects(`${type}/${id}`), { body: { properties: { [field]: 'Changed' } } })
    expect(changed.body.properties[field]).toBe('Changed')
    const read = await call('GET', objects(`${type}/${id}`), { query: { properties: `${field},hubspot_owner_id` } })
    expect(read.body.properties).toMatchObject({ [field]: 'Changed', hubspot_owner_id: null })
    const other = (await create(type, { ...rest, [field]: 'Other', hubspot_owner_id: '501' })).body.id
    const listed = await call('GET', objects(type), { query: { limit: '1' } })
    expect(listed.body).toMatchObject({ results: [{ id }], paging: { next: { after: id } } })
    const merge = { body: { primaryObjectId: id, objectIdToMerge: other } }
    expect((await call('POST', objects(`${type}/merge`), merge)).body.id).toBe(id)
    expect((await call('GET', objects(`${type}/${other}`))).body.category).toBe('OBJECT_NOT_FOUND')
    expect((await call('DELETE', objects(`${type}/${id}`))).status).toBe(204)
    expect((await call('GET', objects(`${type}/${id}`))).status).toBe(404)
  },
)

test('a contact’s email is unique: the id of the one that is there stands in the text', async () => {
  const first = (await create('contacts', { email: 'ada@example.com' })).body.id
  const second = await create('contacts', { email: 'Ada@example.com' })
  expect(second).toMatchObject({ status: 409, body: { message: `Contact already exists. Existing ID: ${first}` } })
  const byEmail = { query: { idProperty: 'email' }, body: { properties: { phone: '1' } } }
  expect((await call('PATCH', objects('contacts/ada@example.com'), byEmail)).body.id).toBe(first)
  const forgotten = { body: { objectId: 'ada@example.com', idProperty: 'email' } }
  expect((await call('POST', objects('contacts/gdpr-delete'), forgotten)).status).toBe(204)
  expect(hubspot.all('contacts')).toEqual([])
})

test('values that a property can’t have, and properties that are not there or are required, are refused', async () => {
  const codeOf = async (type: string, properties: Record<string, string>) =>
    (await create(type, properties)).body.errors?.[0]?.code
  expect(await codeOf('contacts', { nickname: 'x' })).toBe('PROPERTY_DOESNT_EXIST')
  expect(await codeOf('contacts', { email: 'nobody' })).toBe('INVALID_EMAIL')
  expect(await codeOf('contacts', { lifecyclestage: 'Lead' })).toBe('INVALID_OPTION')
  expect(await codeOf('companies', { numberofemployees: 'many' })).toBe('INVALID_INTEGER')
  expect(await codeOf('tickets', { subject: 'x' })).toBe('MISSING_REQUIRED_PROPERTY')
  expect(await codeOf('tickets', { hs_pipeline_stage: '99' })).toBe('INVALID_STAGE')
  hubspot.addProperty('contacts', { name: 'size', label: 'Size', required: true })
  expect(await codeOf('contacts', { email: 'ada@example.com' })).toBe('MISSING_REQUIRED_PROPERTY')
  expect(hubspot.all('contacts')).toEqual([])
})

test('search finds by filters, some seconds after a record was created', async () => {
  hubspot.state.searchDelay = 5
  await create('tickets', { subject: 'Printer on fire', hs_pipeline_stage: '1' })
  const search = async (filters: object[], more: object = {}) => {
    const body = { filterGroups: [{ filters }], properties: ['subject'], limit: 10, ...more }
    return (await call('POST', objects('tickets/search'), { body })).body
  }
  const named = [{ propertyName: 'subject', operator: 'CONTAINS_TOKEN', value: 'printer' }]
  expect((await search(named)).total).toBe(0)
  clock.pass(5)
  expect((await search(named)).results[0].properties.subject).toBe('Printer on fire')
  expect((await search([{ propertyName: 'subject', operator: 'CONTAINS_TOKEN', value: 'print' }])).total).toBe(0)
  expect((await search([{ propertyName: 'hs_pipeline_stage', operator: 'IN', values: ['1', '2'] }])).total).toBe(1)
  expect((await search([{ propertyName: 'hubspot_owner_id', operator: 'HAS_PROPERTY' }])).total).toBe(0)
  expect((await search(named, { limit: 201 })).category).toBe('VALIDATION_ERROR')
  hubspot.add('companies', { name: 'Acme', domain: 'acme.example' })
  clock.pass(5)
  for (const [type, query] of [
    ['companies', 'acme'],
    ['contacts', 'nobody'],
  ] as const) {
    const found = await call('POST', objects(`${type}/search`), { body: { query, sorts: ['-createdate'] } })
    expect(found.body.total).toBe(type === 'companies' ? 1 : 0)
  }
})

test.each(['contacts', 'companies', 'tickets'])('%s are written and read in batches', async (type) => {
  const field = { contacts: 'firstname', companies: 'name', tickets: 'subject' }[type] ?? ''
  const rest: Record<string, string> = type === 'tickets' ? { hs_pipeline_stage: '1' } : {}
  const batch = (what: string, body: object) => call('POST', objects(`${type}/batch/${what}`), { body })
  const inputs = ['a', 'b'].map((value) => ({ properties: { ...rest, [field]: value } }))
  const made = await batch('create', { inputs })
  expect(made.status).toBe(201)
  const ids: string[] = made.body.results.map(({ id }: { id: string }) => id)
  await batch('update', { inputs: [{ id: ids[0], properties: { [field]: 'c' } }] })
  const reading = { properties: [field], propertiesWithHistory: [], inputs: [{ id: ids[0] }, { id: '7' }] }
  const read = await batch('read', reading)
  expect(read).toMatchObject({ status: 207, body: { numErrors: 1, results: [{ properties: { [field]: 'c' } }] } })
  const key = type === 'contacts' ? 'email' : 'outer_id'
  if (type !== 'contacts')
    await call('POST', `/crm/properties/2026-09/${type}`, {
      body: {
        name: key,
        label: 'Outer id',
        type: 'string',
        fieldType: 'text',
        groupName: 'custom',
        hasUniqueValue: true,
      },
    })
  const upserts = { inputs: [{ id: 'x@example.com', idProperty: key, properties: { ...rest, [field]: 'd' } }] }
  expect((await batch('upsert', upserts)).body.results[0].new).toBe(true)
  expect((await batch('upsert', upserts)).body.results[0].new).toBe(false)
  const wrong = { inputs: [{ properties: { ...rest, [field]: 'e' } }, { properties: { nothing: 'x' } }] }
  expect((await batch('create', wrong)).status).toBe(400)
  // one that can't be written takes the others with it
  expect(hubspot.all(type as 'contacts')).toHaveLength(3)
  expect((await batch('archive', { inputs: ids.map((id) => ({ id })) })).status).toBe(204)
  expect(hubspot.all(type as 'contacts')).toHaveLength(1)
})

test('properties, pipelines and owners are read, so that a form can offer them', async () => {
  const properties = await call('GET', '/crm/properties/2026-09/tickets')
  expect(properties.body.results.map(({ name }: { name: string }) => name)).toContain('hs_ticket_priority')
  const priority = await call('GET', '/crm/properties/2026-09/tickets/hs_ticket_priority')
  expect(priority.body.options.map(({ value }: { value: string }) => value)).toEqual([
    'LOW',
    'MEDIUM',
    'HIGH',
    'URGENT',
  ])
  const pipelines = await call('GET', '/crm/pipelines/2026-09/tickets')
  expect(pipelines.body.results[0].stages).toHaveLength(4)
  expect((await call('GET', '/crm/pipelines/2026-09/tickets/0')).body.label).toBe('Support pipeline')
  const owners = await call('GET', '/crm/owners/2026-09', { query: { email: 'ada@example.com' } })
  expect(owners.body.results[0].id).toBe('501')
  expect((await call('GET', '/crm/owners/2026-09/501')).body.firstName).toBe('Ada')
})

test('records are linked as they are created and later, and both sides know', async () => {
  const contact = (await create('contacts', { email: 'ada@example.com' })).body.id
  const company = (await create('companies', { name: 'Acme' })).body.id
  const types = [{ associationCategory: HUBSPOT, associationTypeId: 16 }]
  const made = await create('tickets', { subject: 'Help', hs_pipeline_stage: '1' }, [{ to: { id: contact }, types }])
  const ticket = made.body.id
  const seen = await call('GET', objects(`contacts/${contact}`), { query: { associations: 'tickets,companies' } })
  expect(seen.body.associations).toEqual({ tickets: { results: [{ id: ticket, type: 'type_15' }] } })

  const primary = [{ associationCategory: HUBSPOT, associationTypeId: 1 }]
  const pair = objects(`contacts/${contact}/associations/companies/${company}`)
  expect((await call('PUT', pair, { body: primary })).status).toBe(201)
  const reading = { body: { inputs: [{ id: company }] } }
  const read = await call('POST', '/crm/associations/2026-09/companies/contacts/batch/read', reading)
  expect(read.body.results[0].to[0].associationTypes.map(({ typeId }: { typeId: number }) => typeId)).toEqual([2, 280])
  expect((await call('DELETE', pair)).status).toBe(204)
  expect((await call('PUT', objects(`tickets/${ticket}/associations/default/companies/${company}`))).status).toBe(200)
  const inputs = [{ from: { id: contact }, to: { id: company }, types: primary }]
  const batch = '/crm/associations/2026-09/contacts/companies'
  expect((await call('POST', `${batch}/batch/create`, { body: { inputs } })).status).toBe(201)
  const pairs = { inputs: [{ from: { id: contact }, to: { id: company } }] }
  expect((await call('POST', `${batch}/batch/associate/default`, { body: pairs })).status).toBe(200)
  const ended = { inputs: [{ from: { id: contact }, to: [{ id: company }] }] }
  expect((await call('POST', `${batch}/batch/archive`, { body: ended })).status).toBe(204)
  expect((await call('GET', `${batch}/labels`)).body.results.map(({ typeId }: { typeId: number }) => typeId)).toEqual([
    1, 279,
  ])
  const wrong = await call('PUT', pair, { body: [{ associationCategory: HUBSPOT, associationTypeId: 16 }] })
  expect(wrong.body.category).toBe('VALIDATION_ERROR')
})

test('calls and searches are limited each in their own way', async () => {
  await hubspot.close()
  hubspot = await startHubspot({ clock, limited: true })
  token = hubspot.issue(['crm.objects.contacts.read']).accessToken ?? ''
  expect((await create('contacts', { email: 'a@example.com' })).body.category).toBe('MISSING_SCOPES')
  const first = await call('GET', objects('contacts'))
  expect(first.headers.get('x-hubspot-ratelimit-remaining')).toBe('109')
  for (let at = 0; at < 109; at += 1) await call('GET', objects('contacts'))
  expect((await call('GET', objects('contacts'))).body).toMatchObject({ policyName: 'TEN_SECONDLY_ROLLING' })
  const search = () => call('POST', objects('contacts/search'), { body: {} })
  for (let at = 0; at < 5; at += 1) expect((await search()).headers.get('x-hubspot-ratelimit-max')).toBeNull()
  expect(await search()).toMatchObject({ status: 429, body: { policyName: 'SECONDLY' } })
  clock.pass(10)
  expect((await search()).status).toBe(200)
})

/** Calls that a person makes in the settings of HubSpot, and no chatbot. */
const LEFT_OUT = [
  /^(DELETE|PATCH) \/crm\/properties/,
  /^(DELETE|PATCH|PUT|POST) \/crm\/pipelines/,
  /\/batch\/labels\/archive$/,
  /^(POST|PUT|DELETE) \/crm\/associations\/.*\/labels/,
]

test.skipIf(!hasContracts)('every call of the contract that a chatbot needs is one of the stand-in’s', () => {
  const missing = hubspotContract()?.endpoints.filter((endpoint) => !hubspot.endpoints.includes(endpoint))
  expect(missing?.filter((endpoint) => !LEFT_OUT.some((pattern) => pattern.test(endpoint)))).toEqual([])
})

test.skipIf(!hasContracts)(
  'a field too many, a number as a property, and an answer of a wrong type are found',
  async () => {
    const more = { properties: { email: 'a@example.com' }, asociations: [] }
    expect((await call('POST', objects('contacts'), { body: more })).body.contractBroken).toContain('(asociations)')
    const number = { properties: { email: 5 } }
    expect((await call('POST', objects('contacts'), { body: number })).body.contractBroken).toContain('must be string')
    const made = hubspot.add('contacts', { email: 'b@example.com' })
    Object.assign(made.properties, { email: 5 })
    expect((await call('GET', objects(`contacts/${made.id}`))).body.contractBroken).toContain('by the answer of GET')
    expect(hubspot.broken.splice(0)).toHaveLength(3)
  },
)
