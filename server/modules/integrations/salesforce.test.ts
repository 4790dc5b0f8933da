import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { consent } from '../../../tests/support/vendors/consent'
import { startSalesforce } from '../../../tests/support/vendors/salesforce/startSalesforce'
import { beginConnection, checkConnection, finishConnection, listVendorConnections } from '../../contracts/integrations'
import { parseConfig } from '../../platform/config/config'
import { instanceHost } from './salesforce/host'

const clock = createTestClock('2026-11-24T10:00:00Z')
let salesforce: Awaited<ReturnType<typeof startSalesforce>>
let server: TestServer
let ada: Registered
let connection: string

beforeAll(async () => {
  salesforce = await startSalesforce({ clock, rotates: true })
  const { vendors } = parseConfig({
    SALESFORCE_CLIENT_ID: salesforce.client.id,
    SALESFORCE_CLIENT_SECRET: salesforce.client.secret,
    SALESFORCE_LOGIN_URL: salesforce.origin,
  })
  server = await startTestServer({ config: { vendors }, clock })
  ada = await server.register()
  connection = await connect()
})
afterAll(async () => {
  await server.close()
  await salesforce.close()
})
beforeEach(() => {
  salesforce.faults.clear()
  salesforce.calls.length = 0
  clock.pass(61)
})

async function connect(): Promise<string> {
  const body = { vendor: 'salesforce', return_to: '' } as const
  const { url } = await ada.call(beginConnection, { params: { pgid: ada.pgid }, body })
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const answer = await ada.call(finishConnection, { body: { vendor: 'salesforce', state, code } })
  expect(answer.problem).toBe(null)
  return answer.connection?.gid ?? ''
}

const check = () => ada.call(checkConnection, { params: { pgid: ada.pgid, gid: connection } })

test('connects, names the person and the organisation, and renews a session that has ended', async () => {
  const { connections } = await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })
  expect(connections).toMatchObject([{ vendor: 'salesforce', account: 'ada@example.com (127.0.0.1)', problem: null }])
  clock.pass(7_200)
  expect((await check()).connection.problem).toBe(null)
  // the new refresh token was kept: the old one is dead
  clock.pass(7_200)
  expect((await check()).connection.problem).toBe(null)
  expect(salesforce.broken).toEqual([])
})

test('sends a token to Salesforce’s own hosts and to the configured one, and nowhere else', () => {
  const hostOf = (instance_url: unknown, login = 'https://login.salesforce.com') =>
    instanceHost({ instance_url } as never, login)
  for (const host of ['https://acme.my.salesforce.com', 'https://acme--test.sandbox.my.salesforce.com'])
    expect(hostOf(`${host}/`)).toBe(host)
  expect(hostOf('http://127.0.0.1:4000', 'http://127.0.0.1:4000/')).toBe('http://127.0.0.1:4000')
  for (const foreign of [
    'https://salesforce.com.evil.example',
    'https://evilsalesforce.com',
    'http://acme.my.salesforce.com',
    'https://acme.my.salesforce.com:8443',
    'https://ada:x@acme.my.salesforce.com',
    'http://127.0.0.1:4000',
    'nothing',
    7,
  ])
    expect(() => hostOf(foreign), String(foreign)).toThrow()
})
