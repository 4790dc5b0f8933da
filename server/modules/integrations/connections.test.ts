import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { sheetRowDefaults } from '../../../blocks/sheet-row/schema'
import { emptyFlow } from '../../../engine/flow/schema'
import { createClient, type TestClient } from '../../../tests/support/client'
import { createTestClock } from '../../../tests/support/clock'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { tableDump } from '../../../tests/support/tableDump'
import { consent, type Decision } from '../../../tests/support/vendors/consent'
import { startGoogle } from '../../../tests/support/vendors/google/startGoogle'
import { Role } from '../../access/roles'
import { login } from '../../contracts/auth'
import {
  beginConnection,
  checkConnection,
  disconnect,
  finishConnection,
  listChoices,
  listVendorConnections,
} from '../../contracts/integrations'
import { parseConfig } from '../../platform/config/config'

const clock = createTestClock('2026-11-24T10:00:00Z')
let google: Awaited<ReturnType<typeof startGoogle>>
let server: TestServer
let ada: Registered
beforeAll(async () => {
  google = await startGoogle({ clock })
  const { vendors } = parseConfig({
    GOOGLE_CLIENT_ID: google.client.id,
    GOOGLE_CLIENT_SECRET: google.client.secret,
    GOOGLE_ACCOUNTS_URL: google.origin,
    GOOGLE_TOKEN_URL: google.origin,
    GOOGLE_SHEETS_URL: google.origin,
    GOOGLE_DRIVE_URL: google.origin,
  })
  server = await startTestServer({ config: { vendors }, clock })
  ada = await server.register()
})
afterAll(async () => {
  await server.close()
  await google.close()
})
beforeEach(() => {
  google.faults.clear()
  clock.pass(61)
})

const vendor = 'google-sheets' as const
async function begin(who: TestClient = ada, pgid = ada.pgid) {
  const body = { vendor, return_to: `/projects/${pgid}/chatbots` }
  return (await who.call(beginConnection, { params: { pgid }, body })).url
}
async function comeBack(url: string, decision?: Decision) {
  const { searchParams } = await consent(url, decision)
  const of = (name: string) => searchParams.get(name)
  return {
    vendor,
    state: of('state') ?? '',
    ...(of('code') ? { code: of('code') ?? '' } : { error: of('error') ?? '' }),
  }
}
const connect = async (who: TestClient = ada, decision?: Decision) =>
  who.call(finishConnection, { body: await comeBack(await begin(who), decision) })
const list = async () => (await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })).connections
const refused = expect.stringContaining('409')
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'worked',
    (error: Error) => error.message,
  )

test('asks with PKCE and a state, comes back to where the person was, and keeps tokens sealed', async () => {
  const url = new URL(await begin())
  const asked = Object.fromEntries(url.searchParams)
  expect(asked).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    access_type: 'offline',
    prompt: 'consent',
    redirect_uri: `${server.context.config.publicUrl}/oauth/cb/builder/google-sheets`,
  })
  const answer = await ada.call(finishConnection, { body: await comeBack(url.href) })
  expect(answer).toMatchObject({ return_to: `/projects/${ada.pgid}/chatbots`, problem: null })
  expect(answer.connection).toMatchObject({
    account: google.people[0]?.email,
    connected_by: 'Ada Person 1',
    problem: null,
  })
  const dump = await tableDump(server.context.db)
  for (const { accessToken, refreshToken } of google.grants.all)
    for (const token of [accessToken, refreshToken]) expect(dump).not.toContain(token)
  expect(JSON.stringify(await list())).not.toMatch(/token/i)
  expect(google.broken).toEqual([])
})

test('the same account again is the same connection; another account is another one', async () => {
  const first = (await connect()).connection
  expect((await connect()).connection?.gid).toBe(first?.gid)
  const person = google.people[1]?.id ?? ''
  expect((await connect(ada, { decision: 'allow', person })).connection?.gid).not.toBe(first?.gid)
  expect(await list()).toHaveLength(2)
})

test('a state works once, in the session that it was given to, for ten minutes, and for its own vendor', async () => {
  const body = await comeBack(await begin())
  expect(await failure(ada.call(finishConnection, { body }))).toBe('worked')
  expect(await failure(ada.call(finishConnection, { body }))).toEqual(refused)

  const stolen = await comeBack(await begin())
  const eve = await server.register()
  expect(await failure(eve.call(finishConnection, { body: stolen }))).toEqual(refused)
  // and that attempt has ended it
  expect(await failure(ada.call(finishConnection, { body: stolen }))).toEqual(refused)

  const elsewhere = await createClient(server.url)
  await elsewhere.call(login, { body: { email: ada.user.email, password: ada.password } })
  const own = await comeBack(await begin())
  expect(await failure(elsewhere.call(finishConnection, { body: own }))).toEqual(refused)

  const late = await comeBack(await begin())
  clock.pass(600)
  expect(await failure(ada.call(finishConnection, { body: late }))).toEqual(refused)
  expect(await failure(ada.call(finishConnection, { body: { vendor, state: 'guessed', code: 'x' } }))).toEqual(refused)
})

test('who may not connect any more when they come back connects nothing', async () => {
  const bob = await server.register()
  await addMember(server, ada.pgid, bob, [Role.ADMIN])
  const body = await comeBack(await begin(bob))
  await server.context.db
    .updateTable('project_members')
    .set({ roles: [Role.EDITOR] })
    .where('user_id', '=', ({ selectFrom }) => selectFrom('users').select('id').where('gid', '=', bob.user.ui))
    .execute()
  expect(await failure(bob.call(finishConnection, { body }))).toContain('403')
  expect(await failure(begin(bob))).toContain('403')
})

test('who denies, unticks what is needed, or meets a vendor that fails is told so, and nothing is stored', async () => {
  const before = await list()
  expect(await connect(ada, { decision: 'deny' })).toMatchObject({ connection: null, problem: 'denied' })
  const scopes = ['https://www.googleapis.com/auth/drive.file']
  expect(await connect(ada, { decision: 'allow', scopes })).toMatchObject({
    connection: null,
    problem: expect.stringContaining('leave everything ticked'),
  })
  // what is not kept is given back
  expect(google.grants.all.at(-1)?.revoked).toBe(true)
  google.fail({ on: 'POST /token', with: 'html' })
  expect(await connect()).toMatchObject({ connection: null, problem: expect.stringContaining('can’t be read') })
  expect(await list()).toEqual(before)
})

test('a path of another site or project is no place to go on', async () => {
  for (const return_to of ['https://evil.example', '//evil.example', `/projects/${'a'.repeat(16)}`]) {
    const { url } = await ada.call(beginConnection, { params: { pgid: ada.pgid }, body: { vendor, return_to } })
    const { return_to: on } = await ada.call(finishConnection, { body: await comeBack(url) })
    expect(on).toBe(`/projects/${ada.pgid}/integrations`)
  }
})

test('lists what can be chosen, keeps it, and shows what was last seen while the vendor fails', async () => {
  const gid = (await connect()).connection?.gid ?? ''
  const made = google.addSpreadsheet({
    title: 'It’s “Orders”',
    picked: true,
    tabs: { A: [['x']], B: [['Name', '', 'Name', 7]] },
  })
  const hidden = google.addSpreadsheet({ title: 'Private', tabs: { A: [['Secret']] } })
  const ask = (asked: object) =>
    ada.call(listChoices, {
      params: { pgid: ada.pgid, gid },
      body: { list: 'spreadsheets', within: [], search: '', reload: false, ...asked },
    })
  const labels = async (asked: object) => (await ask(asked)).choices.map(({ label }) => label)
  expect(await labels({})).toContain('It’s “Orders”')
  expect(await labels({ search: 'It’s' })).toEqual(['It’s “Orders”'])
  expect(await labels({ search: "it's \\ nothing" })).toEqual([])
  // what the list does not show is found by its link
  expect(await ask({ search: `https://docs.google.com/spreadsheets/d/${hidden.id}/edit#gid=0` })).toMatchObject({
    choices: [{ id: hidden.id, label: 'Private' }],
  })
  expect(await labels({ list: 'tabs', within: [made.id] })).toEqual(['A', 'B'])
  const tab = String(made.sheets[1]?.sheetId)
  expect(await labels({ list: 'columns', within: [made.id, tab] })).toEqual(['Name', '7'])

  google.calls.length = 0
  await labels({ list: 'tabs', within: [made.id] })
  expect(google.calls).toEqual([])
  google.fail({ on: 'GET *', with: 'forbidden', times: 10 })
  expect(await ask({ list: 'tabs', within: [made.id], reload: true })).toMatchObject({
    choices: [{ label: 'A' }, { label: 'B' }],
    problem: expect.any(String),
  })
  expect(await ask({ list: 'tabs', within: ['unknown-spreadsheet-id'] })).toMatchObject({
    choices: [],
    fetched_at: null,
  })
  expect(google.broken).toEqual([])
})

test('a connection that flows use goes only with a second word, and is revoked', async () => {
  const gid = (await connect()).connection?.gid ?? ''
  const params = { pgid: ada.pgid, gid }
  const { cgid } = await makeChatbot(ada)
  const { id, project_id } = await server.context.db
    .selectFrom('flows')
    .innerJoin('chatbots', 'chatbots.id', 'flows.chatbot_id')
    .select(['flows.id', 'flows.project_id'])
    .where('chatbots.gid', '=', cgid)
    .executeTakeFirstOrThrow()
  const block = { id: 'row', kind: 'sheet-row', version: registry.get('sheet-row').migrations.length }
  await server.parts.documents.writeFlow(project_id, id, {
    ...emptyFlow(),
    groups: [
      {
        id: 'g',
        title: 'G',
        position: { x: 0, y: 0 },
        blocks: [{ ...block, data: JSON.parse(JSON.stringify({ ...sheetRowDefaults(), connection: gid })) }],
      },
    ],
  })
  expect(await failure(ada.call(disconnect, { params, body: { confirmed: false } }))).toContain('is used in')
  expect(await ada.call(checkConnection, { params })).toMatchObject({ connection: { problem: null } })
  const grant = google.grants.all.at(-1)
  expect(await ada.call(disconnect, { params, body: { confirmed: true } })).toEqual({ revoked: true })
  expect(grant?.revoked).toBe(true)
  expect(await failure(ada.call(checkConnection, { params }))).toContain('404')
})

test('a vendor that does not answer keeps nobody from disconnecting', async () => {
  const gid = (await connect()).connection?.gid ?? ''
  google.fail({ on: 'POST /revoke', with: 'cutBeforeWrite' })
  const params = { pgid: ada.pgid, gid }
  expect(await ada.call(disconnect, { params, body: { confirmed: false } })).toEqual({ revoked: false })
  expect((await list()).some((one) => one.gid === gid)).toBe(false)
})

test('without a client at the vendor nobody connects, and is told who can change that', async () => {
  const other = await startTestServer({ clock })
  const bea = await other.register()
  const { vendors } = await bea.call(listVendorConnections, { params: { pgid: bea.pgid } })
  expect(vendors[0]).toMatchObject({ slug: vendor, available: false })
  expect(vendors.every(({ available }) => !available)).toBe(true)
  expect(await failure(begin(bea, bea.pgid))).toContain('Whoever runs Parley')
  await other.close()
})
