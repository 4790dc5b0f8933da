import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { tableDump } from '../../../tests/support/tableDump'
import { consent } from '../../../tests/support/vendors/consent'
import { startGoogle } from '../../../tests/support/vendors/google/startGoogle'
import { startHubspot } from '../../../tests/support/vendors/hubspot/startHubspot'
import { startZendesk } from '../../../tests/support/vendors/zendesk/startZendesk'
import {
  beginConnection,
  type ConnectionField,
  type ConnectionWay,
  checkConnection,
  connectByHand,
  disconnect,
  finishConnection,
  listVendorConnections,
  type VendorSlug,
} from '../../contracts/integrations'
import { parseConfig } from '../../platform/config/config'

const clock = createTestClock('2026-11-24T10:00:00Z')
let google: Awaited<ReturnType<typeof startGoogle>>
let hubspot: Awaited<ReturnType<typeof startHubspot>>
let zendesk: Awaited<ReturnType<typeof startZendesk>>
let server: TestServer
let ada: Registered
beforeAll(async () => {
  ;[google, hubspot, zendesk] = await Promise.all([
    startGoogle({ clock }),
    startHubspot({ clock }),
    startZendesk({ clock }),
  ])
  // no client but Zendesk's: a token by hand needs none
  const { vendors } = parseConfig({
    GOOGLE_TOKEN_URL: google.origin,
    GOOGLE_SHEETS_URL: google.origin,
    GOOGLE_DRIVE_URL: google.origin,
    HUBSPOT_APP_URL: hubspot.origin,
    HUBSPOT_API_URL: hubspot.origin,
    ZENDESK_URL: zendesk.origin,
    ZENDESK_CLIENT_ID: zendesk.client.id,
    ZENDESK_CLIENT_SECRET: zendesk.client.secret,
  })
  server = await startTestServer({ config: { vendors }, clock })
  ada = await server.register()
})
afterAll(async () => {
  await server?.close()
  await Promise.all([google?.close(), hubspot?.close(), zendesk?.close()])
})
beforeEach(() => {
  for (const { calls } of [google, hubspot, zendesk]) calls.length = 0
  clock.pass(61)
})

const inProject = () => ({ pgid: ada.pgid })
type Fields = Partial<Record<ConnectionField, string>>
const bring = (vendor: VendorSlug, way: ConnectionWay, fields: Fields) =>
  ada.call(connectByHand, { params: inProject(), body: { vendor, way, fields } })
const check = (gid: string) => ada.call(checkConnection, { params: { ...inProject(), gid } })
const connections = async () => (await ada.call(listVendorConnections, { params: inProject() })).connections
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'worked',
    (error: Error) => error.message,
  )

test('a HubSpot token is tried before it is kept, and kept sealed', async () => {
  const token = hubspot.issue().accessToken ?? ''
  const given = { account: '4711000', token }
  expect(await failure(bring('hubspot', 'hubspot-token', { ...given, token: 'pat-wrong' }))).toContain(
    'HubSpot does not accept this',
  )
  expect(await failure(bring('hubspot', 'hubspot-token', { account: 'mine', token }))).toContain('“mine”')
  expect(await failure(bring('hubspot', 'hubspot-token', { account: '4711000' }))).toContain('fields.token')
  expect(await connections()).toEqual([])
  const { connection } = await bring('hubspot', 'hubspot-token', given)
  expect(connection).toMatchObject({ account: 'HubSpot 4711000', problem: null, connected_by: 'Ada Person 1' })
  expect(await tableDump(server.context.db)).not.toContain(token)
  // it lasts, until it is taken away there
  clock.pass(900)
  expect((await check(connection.gid)).connection.problem).toBe(null)
  for (const grant of hubspot.state.grants.all) hubspot.state.grants.revoke(grant)
  expect((await check(connection.gid)).connection.problem?.code).toBe('reconnect')
  // the vendor has no way to revoke it: whoever disconnects is told so
  const params = { ...inProject(), gid: connection.gid }
  expect(await ada.call(disconnect, { params, body: { confirmed: false } })).toEqual({ revoked: false })
})

test('a service account of Google’s gets a new token whenever one has run out', async () => {
  const key = google.addServiceAccount('robot')
  const { connection } = await bring('google-sheets', 'google-key', { key: JSON.stringify(key) })
  expect(connection).toMatchObject({ account: key.client_email, problem: null })
  clock.pass(3_600)
  google.calls.length = 0
  expect((await check(connection.gid)).connection.problem).toBe(null)
  expect(google.calls.filter(({ path }) => path === '/token')).toHaveLength(1)
  expect(await tableDump(server.context.db)).not.toContain(key.private_key.slice(40, 80))
})

test.each([
  ['no JSON', 'hello'],
  ['half a file', '{"type":"service_account","client_email":'],
  ['another file', '{"installed":{"client_id":"1"}}'],
])('a key that is %s is refused at its field, and nothing is sent', async (_, key) => {
  expect(await failure(bring('google-sheets', 'google-key', { key }))).toContain('Paste the whole JSON file')
  expect(google.calls).toEqual([])
})

test('the address in a key is not where its assertion goes', async () => {
  const key = { ...google.addServiceAccount('other'), token_uri: 'http://127.0.0.1:1/token' }
  expect((await bring('google-sheets', 'google-key', { key: JSON.stringify(key) })).connection.problem).toBe(null)
  const broken = { ...key, private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' }
  const said = await failure(bring('google-sheets', 'google-key', { key: JSON.stringify(broken) }))
  expect(said).toContain('private key')
})

test('a client of one’s own at Zendesk gives tokens, new ones in time, and the last is revoked', async () => {
  const own = { subdomain: 'acme', clientId: zendesk.client.id, clientSecret: zendesk.client.secret }
  const wrong = await failure(bring('zendesk', 'zendesk-client', { ...own, clientSecret: 'wrong' }))
  expect(wrong).toContain('Zendesk does not accept this')
  const { connection } = await bring('zendesk', 'zendesk-client', own)
  expect(connection).toMatchObject({ account: 'ada@example.com (acme.zendesk.com)', problem: null })
  expect(connection.scopes).toContain('tickets:write')
  clock.pass(172_801)
  expect((await check(connection.gid)).connection.problem).toBe(null)
  const params = { ...inProject(), gid: connection.gid }
  expect(await ada.call(disconnect, { params, body: { confirmed: false } })).toEqual({ revoked: true })
  expect(zendesk.state.grants.all.at(-1)?.revoked).toBe(true)
  expect(zendesk.broken).toEqual([])
})

test.each(['evil.example/', 'a b', 'acme.zendesk.com', 'x@y', '-acme', 'a', ''])(
  'the sub-domain “%s” is refused at its field before anything is sent',
  async (subdomain) => {
    const own = { subdomain, clientId: zendesk.client.id, clientSecret: zendesk.client.secret }
    expect(await failure(bring('zendesk', 'zendesk-client', own))).toContain('fields.subdomain')
    const body = { vendor: 'zendesk' as const, return_to: '', fields: { subdomain } }
    expect(await failure(ada.call(beginConnection, { params: inProject(), body }))).toContain('fields.subdomain')
    expect(zendesk.calls).toEqual([])
  },
)

test('Zendesk is connected by its page too, and an access token that ran out is renewed to be revoked', async () => {
  const body = { vendor: 'zendesk' as const, return_to: '', fields: { subdomain: 'Acme' } }
  const { url } = await ada.call(beginConnection, { params: inProject(), body })
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(
    `${server.context.config.publicUrl}/oauth/zendesk/callback`,
  )
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const { connection, problem } = await ada.call(finishConnection, { body: { vendor: 'zendesk', state, code } })
  expect(problem).toBe(null)
  expect(connection?.account).toBe('ada@example.com (acme.zendesk.com)')
  clock.pass(172_801)
  const params = { ...inProject(), gid: connection?.gid ?? '' }
  expect(await ada.call(disconnect, { params, body: { confirmed: false } })).toEqual({ revoked: true })
  expect(zendesk.state.grants.all.at(-1)?.revoked).toBe(true)
  expect(zendesk.broken).toEqual([])
})

test('a vendor takes only its own ways, and no field that it does not ask for', async () => {
  expect(await failure(bring('hubspot', 'google-key', { key: '{}' }))).toContain('not connected in this way')
  const extra = { account: '1', token: 't', subdomain: 'acme' }
  expect(await failure(bring('hubspot', 'hubspot-token', extra))).toContain('fields.subdomain')
})
