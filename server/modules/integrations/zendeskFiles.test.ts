import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../../engine/values/json'
import { createTestClock } from '../../../tests/support/clock'
import { callContext } from '../../../tests/support/effects'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { askingForFiles, sendingVisitor } from '../../../tests/support/vendors/sendingVisitor'
import { startZendesk } from '../../../tests/support/vendors/zendesk/startZendesk'
import { connectByHand } from '../../contracts/integrations'
import { parseConfig } from '../../platform/config/config'
import { createIntegrations, type Integrations } from './createIntegrations'

const clock = createTestClock('2026-11-24T10:00:00Z')
let zendesk: Awaited<ReturnType<typeof startZendesk>>
let server: TestServer
let ada: Registered
let parts: Integrations
let connection: string
let projectId: string

beforeAll(async () => {
  zendesk = await startZendesk({ clock })
  const { vendors } = parseConfig({ ZENDESK_URL: zendesk.origin })
  server = await startTestServer({ config: { vendors }, clock })
  ada = await server.register()
  parts = createIntegrations(server.context, { wait: async (ms) => clock.pass(ms / 1_000) })
  const fields = { subdomain: 'acme', clientId: zendesk.client.id, clientSecret: zendesk.client.secret }
  const body = { vendor: 'zendesk', way: 'zendesk-client', fields } as const
  connection = (await ada.call(connectByHand, { params: { pgid: ada.pgid }, body })).connection.gid
  projectId = await projectOf(ada)
})
afterAll(async () => {
  await server?.close()
  await zendesk?.close()
})
beforeEach(() => {
  zendesk.faults.clear()
  zendesk.calls.length = 0
  clock.pass(61)
})

async function projectOf({ pgid }: Registered): Promise<string> {
  const project = server.context.db.selectFrom('projects').select('id').where('gid', '=', pgid)
  return (await project.executeTakeFirstOrThrow()).id
}

const request = (more: object) =>
  ({
    connection,
    action: 'create',
    ticket: '',
    subject: '',
    comment: { body: 'It rattles', public: true },
    requester: { name: '', email: '' },
    priority: null,
    type: null,
    status: null,
    tags: [],
    fields: [],
    ...more,
  }) as Json
let calls = 0
const call = (more: object, key = `call-${++calls}`, writes: 'real' | 'simulated' = 'real') =>
  parts.ticket.answer(request(more), callContext({ project: { id: projectId }, idempotencyKey: key, writes }))

/** What hangs at the newest ticket's comments, as names and contents. */
const attached = () =>
  zendesk
    .tickets()
    .at(-1)
    ?.comments.map(({ uploads }) =>
      uploads.map((token) => {
        const { filename = '', bytes } = zendesk.state.uploads.get(token) ?? {}
        return `${filename}: ${bytes?.toString()}`
      }),
    )

test('what a visitor sends in the chat is attached to the ticket that the flow creates', async () => {
  const body = { type: 'static', value: 'See what I sent' }
  const block = { id: 'ticket', kind: 'zendesk-ticket', data: { connection, body, filesId: 'files' } }
  const visitor = await sendingVisitor(server, projectId, askingForFiles(block))
  const sent = [await visitor.uploads('bike (1).txt', 'It rattles'), await visitor.uploads('größe.txt', '28″')]
  await visitor.replies(sent.map(({ id }) => id))
  await expect.poll(attached).toEqual([['bike (1).txt: It rattles', 'größe.txt: 28″']])
  const page = await (await fetch(`${zendesk.origin}/sandbox/tickets`)).text()
  expect(page).toContain('See what I sent (with bike (1).txt, größe.txt)')
  expect(zendesk.broken).toEqual([])
})

test('a comment has its files as well, and both are added once, whatever gets lost', async () => {
  const visitor = await sendingVisitor(server, projectId, askingForFiles())
  const { address } = await visitor.uploads('a.txt', 'A')
  const files = [address]
  for (const fault of ['cutAfterWrite', 'cutBeforeWrite', 'serverErrorAfterWrite', 'halfJson'] as const) {
    zendesk.fail({ on: 'POST *uploads*', with: fault })
    zendesk.fail({ on: 'POST *tickets', with: fault })
    const before = zendesk.tickets().length
    const key = `once-${fault}`
    const made = (await call({ files }, key)) as { ok: boolean; id: string }
    const answer = made.ok ? made : ((await call({ files }, key)) as typeof made)
    expect.soft(answer, fault).toMatchObject({ ok: true })
    expect.soft(zendesk.tickets().length, fault).toBe(before + 1)
    zendesk.fail({ on: 'PUT *tickets/*', with: fault })
    const comment = { action: 'update', ticket: answer.id, comment: { body: 'More', public: false }, files }
    if (!((await call(comment, `${key} more`)) as { ok: boolean }).ok) await call(comment, `${key} more`)
    expect.soft(attached(), fault).toEqual([['a.txt: A'], ['a.txt: A']])
  }
})

test('a ticket whose answers all got lost is asked for again with the same files, and is one', async () => {
  const { address } = await (await sendingVisitor(server, projectId, askingForFiles())).uploads('a.txt', 'A')
  const before = zendesk.tickets().length
  zendesk.fail({ on: 'POST *tickets', with: 'cutAfterWrite', times: 20 })
  expect(await call({ files: [address] }, 'lost')).toMatchObject({ ok: false })
  zendesk.faults.clear()
  expect(await call({ files: [address] }, 'lost')).toMatchObject({ ok: true })
  expect(zendesk.tickets()).toHaveLength(before + 1)
  expect(attached()).toEqual([['a.txt: A']])
})

test('an address that is no visitor’s file, or another project’s, is refused before anything is sent', async () => {
  const other = await server.register()
  const theirs = await sendingVisitor(server, await projectOf(other), askingForFiles())
  const { address: foreign } = await theirs.uploads('secret.txt', 'Secret')
  const { address: own } = await (await sendingVisitor(server, projectId, askingForFiles())).uploads('a.txt', 'A')
  const before = zendesk.calls.length
  const gone = { ok: false, error: expect.stringContaining('is no file that a visitor sent here') }
  for (const wrong of [foreign, 'https://example.com/a.png', `${own}/../x`, `${own}?x`, 'nonsense'])
    for (const writes of ['real', 'simulated'] as const)
      expect.soft(await call({ files: [own, wrong] }, undefined, writes), wrong).toEqual(gone)
  expect(zendesk.calls.slice(before).map(({ path }) => path)).toEqual([])
  // on a host that the project had before
  const moved = own.replace(/^http:\/\/[^/]+/, 'https://chat.example.com')
  expect(await call({ files: [moved] })).toMatchObject({ ok: true })
  expect(attached()).toEqual([['a.txt: A']])
})

test('a file of more than 20 MB, one whose bytes are gone, and a comment without a text are refused', async () => {
  const { address, id } = await (await sendingVisitor(server, projectId, askingForFiles())).uploads('a.txt', 'gone')
  const { db } = server.context
  const tickets = zendesk.tickets().length
  const store = server.context.files
  await store.removeArea(projectId)
  expect(await call({ files: [address] })).toMatchObject({ ok: false, error: expect.stringContaining('was deleted') })
  await db.updateTable('sent_files').set({ bytes: 20_000_001 }).where('gid', '=', id).execute()
  expect(await call({ files: [address] })).toMatchObject({
    ok: false,
    error: expect.stringContaining('“a.txt” has more than 20 MB'),
  })
  const empty = { action: 'update', ticket: '1', comment: { body: ' ', public: true }, files: [address] }
  expect(await call(empty)).toMatchObject({ error: expect.stringContaining('attached to a text, which is empty') })
  expect(zendesk.tickets()).toHaveLength(tickets)
})

test('a test shows which files would be attached, and sends none', async () => {
  const { address } = await (await sendingVisitor(server, projectId, askingForFiles())).uploads('a.txt', 'A')
  const before = zendesk.state.uploads.size
  expect(await call({ files: [address] }, undefined, 'simulated')).toMatchObject({
    testEffects: [{ carriedOut: false, fields: { Files: address } }],
  })
  expect(zendesk.state.uploads.size).toBe(before)
  expect(zendesk.broken).toEqual([])
})
