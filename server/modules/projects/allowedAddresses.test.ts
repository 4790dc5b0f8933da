import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeChatbot } from '../../../tests/support/collab'
import { inviteMember } from '../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { isAllowedFrom } from '../../access/allowedAddresses'
import { Role } from '../../access/roles'
import { createApiKey } from '../../contracts/api-keys'
import { updateAllowedAddresses } from '../../contracts/projects'
import { openAddresses } from '../admin/openAddresses'
import { rightsOf } from '../flows/collab/access'

let server: TestServer
let ada: Registered
let admin: Registered
let place: { pgid: string; cgid: string; fid: string }
beforeAll(async () => {
  // a proxy in front tells where callers are
  server = await startTestServer({ config: { trustProxy: 1 } })
  ada = await server.register()
  admin = await inviteMember(server, ada, Role.ADMIN)
  place = await makeChatbot(ada)
})
afterAll(() => server.close())

const INSIDE = '203.0.113.9'
const OUTSIDE = '198.51.100.1'
const from = (address: string) => ({ 'x-forwarded-for': address })
const path = () => updateAllowedAddresses.path.replace(':pgid', place.pgid)
const set = (who: Registered, addresses: string) => who.send('PATCH', path(), { addresses }, from(INSIDE))
const open = async (who: Registered, address: string) => {
  const { status, body } = await who.send('GET', `/api/projects/${place.pgid}/members`, undefined, from(address))
  return body.success ? status : body.code
}

test('a project is opened from the allowed networks alone: by members, API keys and sockets of the builder', async () => {
  const { secret } = await ada.call(createApiKey, {
    params: { pgid: place.pgid },
    body: { name: 'Shop', scope: 'read' },
  })
  const byKey = (address: string) =>
    fetch(`${server.url}/api/projects/${place.pgid}/event-log`, {
      headers: { authorization: `Bearer ${secret}`, ...from(address) },
    }).then(({ status }) => status)
  const token = ada.cookies.get('parley_session') ?? ''
  const bySocket = (address: string) => rightsOf(server.context, token, place.fid, address)

  expect([await open(ada, OUTSIDE), await byKey(OUTSIDE)]).toEqual([200, 200])
  expect((await set(ada, '203.0.113.0/24, 2001:db8::/32')).status).toBe(200)
  expect([await open(ada, INSIDE), await open(ada, '2001:db8::7')]).toEqual([200, 200])
  expect([await open(ada, OUTSIDE), await byKey(OUTSIDE), await byKey(INSIDE)]).toEqual([
    'address_not_allowed',
    403,
    200,
  ])
  expect(await bySocket(OUTSIDE)).toEqual({ refused: 'forbidden' })
  expect(await bySocket(INSIDE)).toMatchObject({ write: true })
  const dashboard = { cgid: null, pgid: place.pgid }
  expect((await ada.send('POST', '/api/dashboard', dashboard, from(OUTSIDE))).body.code).toBe('address_not_allowed')
})

test('only owners change it, and nobody locks themselves out', async () => {
  expect((await set(admin, '')).status).toBe(403)
  for (const [addresses, said] of [
    [`${OUTSIDE}, 10.0.0.0/8`, `Your own address, ${INSIDE}, is not among these`],
    ['203.0.113.0/24, here', '"here" is no address'],
  ])
    expect((await set(ada, addresses ?? '')).body).toMatchObject({
      data: { fields: { addresses: expect.stringContaining(said ?? '') } },
    })
  expect(await open(ada, INSIDE)).toBe(200)
})

test('an operator opens it again for owners whose address has changed', async () => {
  const doer = { operator: null, at: server.context.clock() }
  await openAddresses(server.context.db, place.pgid, 'a new line', doer)
  expect(await open(ada, OUTSIDE)).toBe(200)
  await expect(openAddresses(server.context.db, place.pgid, 'again', doer)).rejects.toThrow('open from everywhere')
  const [line] = await server.context.db
    .selectFrom('operator_actions')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(line).toMatchObject({ action: 'open_addresses', details: 'a new line' })
})

test.each([
  ['::ffff:203.0.113.9', '203.0.113.0/24', true],
  ['203.0.113.9', '203.0.113.9', true],
  ['203.0.113.10', '203.0.113.9', false],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['203.0.113.9', '::/0', false],
  ['unknown', '0.0.0.0/0', false],
  [undefined, '0.0.0.0/0', false],
  [undefined, '', true],
])('%s among %s: %s', (address, allowed, is) => {
  expect(isAllowedFrom(address, allowed)).toBe(is)
})
