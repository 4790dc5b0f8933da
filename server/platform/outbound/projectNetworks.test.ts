import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentActionSchema } from '../../../engine/values/agentActions'
import { addMember } from '../../../tests/support/collab'
import { startOutsideServer } from '../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { testAction } from '../../contracts/actions'
import { createChatbot } from '../../contracts/chatbots'
import { readNetworks, updateNetworks } from '../../contracts/projects'
import { networksProblem } from './projectNetworks'

let server: TestServer
let closed: TestServer
let inside: Awaited<ReturnType<typeof startOutsideServer>>
beforeAll(async () => {
  inside = await startOutsideServer((_, response) => response.end('{"said":"from within"}'))
  server = await startTestServer({ config: { projectNetworks: true } })
  closed = await startTestServer({ config: { projectNetworks: false } })
})
afterAll(() => Promise.all([inside.close(), server.close(), closed.close()]))

const call = {
  method: 'GET',
  query: [],
  headers: [],
  auth: null,
  body: null,
  timeoutMs: 5_000,
  followRedirects: false,
}
/** The result of testing an HTTP request in the project's builder. */
async function tried(person: Registered, pgid = person.pgid): Promise<unknown> {
  const path = `/api/projects/${pgid}/http-test`
  const { body } = await person.send('POST', path, { ...call, url: `${inside.url}/orders` })
  return (body.data as { answer: { code?: string; status: number | null } }).answer
}
const open = (person: Registered, networks: string) =>
  person.send('PATCH', `/api/projects/${person.pgid}/networks`, { networks })

test('a private network that an owner opens is called by that project alone, until it is closed again', async () => {
  const [ada, eve] = [await server.register(), await server.register()]
  expect(await tried(ada)).toMatchObject({ status: null, code: 'private_address' })
  await ada.call(updateNetworks, { params: { pgid: ada.pgid }, body: { networks: '127.0.0.1, 10.0.0.0/8' } })
  expect(await tried(ada)).toMatchObject({ status: 200 })
  expect(await tried(eve)).toMatchObject({ status: null, code: 'private_address' })
  await ada.call(updateNetworks, { params: { pgid: ada.pgid }, body: { networks: '' } })
  expect(await tried(ada)).toMatchObject({ status: null, code: 'private_address' })
})

test('an agent’s request goes where its project has opened a network, as a block’s does, and nowhere else', async () => {
  const [ada, eve] = [await server.register(), await server.register()]
  const action = agentActionSchema.parse({
    kind: 'http-request',
    name: 'Orders',
    description: 'When somebody asks for an order.',
    frequency: 'always',
    parameters: [],
    save_to: null,
    enabled: true,
    config: { method: 'GET', url: `${inside.url}/orders`, headers: [], body: '' },
  })
  const acted = async (person: Registered) => {
    const { chatbot } = await person.call(createChatbot, { params: { pgid: person.pgid }, body: { name: 'Bot' } })
    const params = { pgid: person.pgid, cgid: chatbot.gid }
    return person.call(testAction, { params, body: { action, arguments: {}, carry_out: true } })
  }
  expect(await acted(ada)).toMatchObject({ ok: false })
  await open(ada, '127.0.0.1')
  expect(await acted(ada)).toMatchObject({ ok: true, result: { status: 200 } })
  expect(await acted(eve)).toMatchObject({ ok: false })
})

test('an admin sees the networks and can not change them; an editor does not see them', async () => {
  const ada = await server.register()
  await open(ada, '10.1.0.0/16')
  for (const [role, sees] of [
    [Role.ADMIN, true],
    [Role.EDITOR, false],
  ] as const) {
    const other = await server.register()
    await addMember(server, ada.pgid, other, [role])
    const path = `/api/projects/${ada.pgid}/networks`
    expect((await other.send('GET', path)).status).toBe(sees ? 200 : 403)
    expect((await other.send('PATCH', path, { networks: '' })).status).toBe(403)
  }
  const { networks } = await ada.call(readNetworks, { params: { pgid: ada.pgid } })
  expect(networks).toBe('10.1.0.0/16')
})

test('an installation that denies it opens nothing, whatever is stored', async () => {
  const ada = await closed.register()
  expect((await open(ada, '127.0.0.1')).status).toBe(403)
  await closed.context.db.updateTable('projects').set({ private_networks: '127.0.0.1' }).execute()
  expect(await tried(ada)).toMatchObject({ status: null, code: 'private_address' })
})

test('only private networks are taken, and each in a form that can be read', () => {
  const wrong = ['0.0.0.0/0', '8.8.8.8', '10.0.0.0/7', '169.254.169.254', '::/0', 'localhost', '10.0.0.0/x']
  expect(wrong.filter((text) => networksProblem(text) === null)).toEqual([])
  expect(['', '10.0.0.0/8, 192.168.1.20', '127.0.0.1', 'fd00::/8'].map(networksProblem)).toEqual([
    null,
    null,
    null,
    null,
  ])
})
