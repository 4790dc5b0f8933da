import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember } from '../../../tests/support/collab'
import { callContext } from '../../../tests/support/effects'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { consent } from '../../../tests/support/vendors/consent'
import { beginConnection, disconnect, finishConnection, listVendorConnections } from '../../contracts/integrations'
import { readSandbox, switchSandbox } from '../../contracts/sandbox'
import { openStandIns } from '../../sandbox/openStandIns'
import { calendly } from './calendly/vendor'
import { createIntegrations, type Integrations } from './createIntegrations'

/** Stand-ins in place of vendors, turned on and off while the server runs. Each test goes on. */
let server: TestServer
let ada: Registered
/** of a process that started before the sandbox was on */
let before: Integrations
beforeAll(async () => {
  server = await startTestServer({ openStandIns: (clock) => openStandIns(clock, 0) })
  const { config } = server.context
  config.registration = 'closed'
  ada = await server.register()
  before = createIntegrations(server.context)
})
afterAll(() => server.close())

const here = () => ({ params: { pgid: ada.pgid } })
const turn = (on: boolean, confirmed?: boolean) => ada.call(switchSandbox, { ...here(), body: { on, confirmed } })
const refused = async () => (await ada.call(readSandbox, here())).refused

async function connectHubspot(): Promise<string> {
  const body = { vendor: 'hubspot', return_to: '' } as const
  const { url } = await ada.call(beginConnection, { ...here(), body })
  expect(url).toContain('http://127.0.0.1:')
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const { connection } = await ada.call(finishConnection, { body: { vendor: 'hubspot', state, code } })
  expect(connection).toMatchObject({ sandbox: true, account: expect.stringContaining('sandbox.example') })
  return connection?.gid ?? ''
}

test('is refused with the reason beside a client, several processes, other machines, and where anybody may register', async () => {
  const { config } = server.context
  expect(await refused()).toBe(null)
  const { vendors, databaseUrl, publicUrl, registration } = config
  const cases = [
    [
      { vendors: { ...vendors, hubspot: { ...vendors.hubspot, client: { id: 'a', secret: 'b' } } } },
      'HUBSPOT_CLIENT_ID is set',
    ],
    [{ databaseUrl: 'postgresql://x' }, 'DATABASE_URL names'],
    [{ redisUrl: 'redis://x' }, 'REDIS_URL names'],
    [{ publicUrl: 'https://parley.example.com' }, 'people come to https://parley.example.com'],
    [{ registration: 'open' as const }, 'REGISTRATION=open'],
  ] as const
  for (const [differs, reason] of cases) {
    Object.assign(config, differs)
    expect(await refused()).toContain(reason)
    await expect(turn(true)).rejects.toThrow(reason)
    Object.assign(config, { vendors, databaseUrl, publicUrl, registration, redisUrl: null })
  }
  expect(config.vendors.sandbox).toBe(null)
})

test('an owner turns it on, and what is connected and made is at stand-ins, and marked', async () => {
  const on = await turn(true)
  expect(on).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/), refused: null, connections: 0 })
  expect(await (await fetch(on.url ?? '')).text()).toContain('This is a sandbox.')
  const gid = await connectHubspot()
  const { sandbox, vendors } = await ada.call(listVendorConnections, here())
  expect([sandbox, vendors.every(({ available }) => available)]).toEqual([on.url, true])
  const { db, config } = server.context
  const { project_id } = await db.selectFrom('connections').selectAll().where('gid', '=', gid).executeTakeFirstOrThrow()
  const { crm } = createIntegrations(server.context)
  const create = () =>
    crm.answer(
      {
        connection: gid,
        action: 'create',
        object: 'contact',
        find: null,
        fields: [{ name: 'email', value: 'eve@example.com' }],
        links: [],
        show: [],
      },
      callContext({ project: { id: project_id }, idempotencyKey: `${config.vendors.sandbox}` }),
    )
  expect(await create()).toMatchObject({ ok: true })
  const page = await (await fetch(`${config.vendors.hubspot.apiUrl}/sandbox/contacts`)).text()
  expect(page.split('eve@example.com')).toHaveLength(2)
  // of what a stand-in has given, nothing is sent to a vendor
  const { sandbox: url } = config.vendors
  config.vendors.sandbox = null
  expect(await create()).toMatchObject({ ok: false, error: expect.stringContaining('sandbox, which is off') })
  config.vendors.sandbox = url
})

test('what Calendly is asked to tell is asked of its stand-in, by who started before as well', async () => {
  const { config, db } = server.context
  const { url } = await ada.call(beginConnection, { ...here(), body: { vendor: 'calendly', return_to: '' } })
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const { connection } = await ada.call(finishConnection, { body: { vendor: 'calendly', state, code } })
  const { project_id } = await db.selectFrom('projects').select('id as project_id').executeTakeFirstOrThrow()
  const { row } = await before.accounts.open(calendly, project_id, connection?.gid ?? '')
  await before.hooks.keep(row)
  const hook = await db.selectFrom('calendly_hooks').select(['uri', 'problem']).executeTakeFirstOrThrow()
  expect(hook).toEqual({ uri: expect.stringContaining(config.vendors.calendly.apiUrl), problem: null })
  const params = { ...here().params, gid: connection?.gid ?? '' }
  await ada.call(disconnect, { params, body: { confirmed: true } })
})

test('turning it off says what ends, and does so once that is confirmed', async () => {
  const { hubspot } = server.context.config.vendors
  await expect(turn(false)).rejects.toThrow('1 accounts at stand-ins would be disconnected.')
  expect(await turn(false, true)).toEqual({ url: null, fixed: false, refused: null, connections: 0 })
  expect((await ada.call(listVendorConnections, here())).connections).toEqual([])
  expect(server.context.config.vendors.hubspot).toMatchObject({ client: null, apiUrl: 'https://api.hubapi.com' })
  await expect(fetch(hubspot.apiUrl)).rejects.toThrow()
  const events = await server.context.db.selectFrom('events').select('type').where('type', 'like', 'sandbox%').execute()
  expect(events).toHaveLength(2)
})

test('is refused beside a real account, and to who does not own every project', async () => {
  const { db } = server.context
  const project = db.selectFrom('projects').select('id').where('gid', '=', ada.pgid)
  const { id } = await project.executeTakeFirstOrThrow()
  const about = {
    gid: 'a'.repeat(16),
    project_id: id,
    vendor: 'hubspot',
    account_id: '1',
    account_name: 'Real',
  } as const
  await db
    .insertInto('connections')
    .values({ ...about, scopes: [], connected_at: new Date() })
    .execute()
  await expect(turn(true)).rejects.toThrow('1 is connected')
  await db.deleteFrom('connections').execute()
  server.context.config.registration = 'open'
  const ben = await server.register()
  server.context.config.registration = 'closed'
  await expect(turn(true)).rejects.toThrow('only who owns each of its projects')
  await addMember(server, ada.pgid, ben, [2])
  const path = `/api/projects/${ada.pgid}/sandbox`
  expect((await ben.send('GET', path)).body.data).toMatchObject({ refused: expect.stringContaining('only who owns') })
  expect((await ben.send('PATCH', path, { on: true })).status).toBe(403)
})
