import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../../engine/flow/schema'
import { type DynamicValue, staticValue } from '../../../../engine/values/dynamicValue'
import { plainRichText } from '../../../../engine/values/richText'
import { secretIdOf } from '../../../../engine/values/secrets'
import { addMember, makeChatbot } from '../../../../tests/support/collab'
import { type MailServer, startMailServer } from '../../../../tests/support/mailServer'
import { type OutsideServer, startOutsideServer } from '../../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { listContacts } from '../../../contracts/contacts'
import { importFlow } from '../../../contracts/flows'
import { listMails } from '../../../contracts/mails'
import {
  inspectPlaygroundStep,
  readPlayground,
  rewindPlayground,
  sendPlaygroundMessage,
  startPlayground,
  switchPlayground,
} from '../../../contracts/playground'
import { keepTest, runTests } from '../../../contracts/recordings'
import { parseNetworks } from '../../../platform/outbound/addresses'

let outside: OutsideServer
let mails: MailServer
let server: TestServer
let owner: Registered
let viewer: Registered
let editor: Registered
beforeAll(async () => {
  mails = await startMailServer()
  outside = await startOutsideServer(({ method }, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ from: `the real ${method}` })),
  )
  server = await startTestServer({
    config: { outboundAllow: parseNetworks('127.0.0.1'), smtpUrl: `smtp://127.0.0.1:${mails.port}` },
  })
  owner = await server.register()
  viewer = await server.register()
  editor = await server.register()
  await addMember(server, owner.pgid, viewer, [Role.VIEWER])
  await addMember(server, owner.pgid, editor, [Role.EDITOR])
})
afterAll(async () => {
  outside.close()
  await Promise.all([server.close(), mails.close()])
})
beforeEach(() => {
  outside.received.length = 0
  mails.mails.length = 0
  mails.sources.length = 0
})

type Blocks = Flow['groups'][0]['blocks']
let ids = 0
const block = (kind: string, data: object = {}) => ({
  id: `b${++ids}`,
  kind,
  version: registry.find(kind)?.migrations.length ?? 0,
  data: { ...(registry.find(kind)?.defaults(() => `i${++ids}`) as object), ...data },
})
const request = (method: string, rest: object = {}) =>
  block('http-request', {
    method,
    url: staticValue(`${outside.url}/orders`),
    mapping: [{ id: `m${++ids}`, from: 'body', path: '$.from', variableId: 'answer' }],
    ...rest,
  })
const contact = (action: string, rest: object = {}) =>
  block('contact', { action, keyValue: staticValue('ada@example.com'), saveIdTo: 'contact', ...rest })
const field = (name: string, value: string) => ({
  id: `f${++ids}`,
  field: name,
  name: staticValue(''),
  value: staticValue(value),
})
const mail = () =>
  block('send-email', {
    to: [{ id: `r${++ids}`, address: staticValue('ada@example.com') }],
    subject: staticValue('Your order'),
    body: plainRichText('It is on its way.'),
  })
const handOff = () =>
  block('hand-off', { team: staticValue('Sales'), email: 'visitor', message: plainRichText('Our team reads this.') })

/** A chatbot whose flow asks for a word, then runs the given blocks, then asks again. */
async function setUp(...blocks: object[]) {
  const chatbot = await makeChatbot(owner)
  const flow: Flow = {
    ...emptyFlow(),
    variables: [
      { id: 'answer', name: 'answer', value: null },
      { id: 'contact', name: 'contact', value: null },
      { id: 'visitor', name: 'visitor', value: 'ada@example.com' },
    ],
    groups: [
      {
        id: 'g1',
        title: 'Hello',
        position: { x: 0, y: 0 },
        blocks: [block('start'), block('text-input'), ...blocks, block('text-input')] as Blocks,
      },
    ],
  }
  await owner.call(importFlow, { params: chatbot, body: { source: JSON.stringify(flow), mode: 'replace' } })
  const as = (who: Registered) => {
    const start = (body: object = {}) =>
      who.call(startPlayground, { params: chatbot, body: { client_id: crypto.randomUUID(), ...body } })
    const on = (conversation: string) => {
      const params = { ...chatbot, conversation }
      return {
        say: (text: string) =>
          who.call(sendPlaygroundMessage, {
            params,
            body: { client_id: crypto.randomUUID(), reply: { type: 'text', text } },
          }),
        carryOut: (carry_out: boolean) => who.call(switchPlayground, { params, body: { carry_out } }),
        read: () => who.call(readPlayground, { params }),
        rewind: (turn: number) => who.call(rewindPlayground, { params, body: { turn } }),
        step: (turn: number, step: number) => who.call(inspectPlaygroundStep, { params: { ...params, turn, step } }),
        keep: () => who.call(keepTest, { params: chatbot, body: { conversation, name: 'Kept' } }),
      }
    }
    return { start, on }
  }
  return { chatbot, as }
}
const contacts = () =>
  server.context.db.selectFrom('contacts').select(['email', 'name', 'city', 'test']).orderBy('id').execute()
const rowsOf = async () => ({
  contacts: (await contacts()).length,
  mails: (await server.context.db.selectFrom('mails').select('id').execute()).length,
  calls: (await server.context.db.selectFrom('contact_calls').select('key').execute()).length,
})
const effectsOf = ({ debug }: Awaited<ReturnType<ReturnType<Awaited<ReturnType<typeof setUp>>['as']>['start']>>) =>
  debug.effects.map(({ effect }) => effect)
const everything = () => [
  request('POST', { bodyType: 'json', body: staticValue('{"paid":true}') }),
  mail(),
  contact('create', { fields: [field('name', 'Ada')] }),
  handOff(),
]

test.each(['viewer', 'editor'] as const)('a test changes nothing outside unless it is told to: %s', async (role) => {
  const { as } = await setUp(...everything())
  const { start, on } = as(role === 'viewer' ? viewer : editor)
  const before = await rowsOf()
  const { conversation, debug } = await start()
  expect(debug).toMatchObject({ carries_out: false, effects: [] })
  const said = await on(conversation.id).say('Hello')
  // the flow went on as if everything had been carried out
  expect(said.conversation.messages.at(-1)?.content).toMatchObject({ kind: 'text' })
  expect(said.debug.path.filter(({ turn }) => turn === 1).map(({ kind, port }) => [kind, port])).toEqual([
    ['text-input', 'next'],
    ['http-request', 'success'],
    ['send-email', 'success'],
    ['contact', 'success'],
    ['hand-off', 'handed-over'],
    ['text-input', null],
  ])
  expect(effectsOf(said)).toEqual([
    {
      type: 'http',
      carriedOut: false,
      method: 'POST',
      url: `${outside.url}/orders`,
      body: '{"paid":true}',
      answeredBy: 'nothing',
    },
    expect.objectContaining({ type: 'mail', carriedOut: false, to: ['ada@example.com'], subject: 'Your order' }),
    {
      type: 'contact',
      carriedOut: false,
      action: 'create',
      key: { field: 'email', value: 'ada@example.com' },
      fields: { name: 'Ada' },
    },
    { type: 'hand-off', carriedOut: false, people: 1, team: 'Sales', note: '', email: 'ada@example.com' },
  ])
  // each is placed after the message it followed, at its own step
  const heard = said.conversation.messages.find(({ author }) => author === 2)?.seq
  expect(said.debug.effects.map(({ turn, step, after }) => [turn, step, after])).toEqual([
    [1, 1, heard],
    [1, 2, heard],
    [1, 3, heard],
    [1, 4, heard],
  ])
  const step = await on(conversation.id).step(1, 2)
  expect(step.effects[0]?.result).toMatchObject({
    status: 'simulated',
    testEffects: [{ html: expect.stringContaining('It is on its way.') }],
  })
  expect(outside.received).toEqual([])
  expect(mails.mails).toEqual([])
  expect(await rowsOf()).toEqual(before)
  expect(await server.context.db.selectFrom('hand_offs').select('team').execute()).toEqual([])
})

test('a request that would not be sent for want of a secret fails in a test that sends nothing, too', async () => {
  const chip: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: secretIdOf('GONE') }] }
  const headers = [{ id: 'h1', name: staticValue('X-Api-Key'), value: chip }]
  const { as } = await setUp(request('POST', { headers, sample: '{"from":"sample"}' }))
  const { start, on } = as(editor)
  const { conversation } = await start()
  const said = await on(conversation.id).say('Hello')
  expect(said.debug.path.filter(({ turn }) => turn === 1).map(({ kind, port }) => [kind, port])).toEqual([
    ['text-input', 'next'],
    ['http-request', 'failure'],
    ['text-input', null],
  ])
  expect(effectsOf(said)).toEqual([])
  expect(JSON.stringify(await on(conversation.id).step(1, 1))).toContain('The secret GONE does not exist')
})

test('a viewer can’t switch it, and one who was lowered to a viewer has it simulated again', async () => {
  const { as } = await setUp(mail(), block('text-input'), mail())
  const weak = as(viewer)
  await expect(weak.start({ carry_out: true })).rejects.toThrow(': 403 ')
  const { conversation } = await weak.start()
  await expect(weak.on(conversation.id).carryOut(true)).rejects.toThrow(': 403 ')
  await weak.on(conversation.id).carryOut(false)
  await weak.on(conversation.id).say('Hello')
  expect(mails.mails).toEqual([])

  const lowered = await server.register()
  await addMember(server, owner.pgid, lowered, [Role.EDITOR])
  const { start, on } = as(lowered)
  const begun = await start({ carry_out: true })
  expect(begun.debug.carries_out).toBe(true)
  await on(begun.conversation.id).say('Hello')
  expect(mails.mails).toHaveLength(1)
  const { db } = server.context
  const user = db.selectFrom('users').select('id').where('gid', '=', lowered.user.ui)
  await db
    .updateTable('project_members')
    .set({ roles: [Role.VIEWER] })
    .where('user_id', '=', user)
    .execute()
  const last = await on(begun.conversation.id).say('again')
  expect(effectsOf(last).map(({ carriedOut }) => carriedOut)).toEqual([true, false])
  expect(mails.mails).toHaveLength(1)
})

test('an editor may have it carried out for a run, and what lands says that it is of a test', async () => {
  const { as, chatbot } = await setUp(...everything())
  const { start, on } = as(editor)
  const { conversation } = await start()
  const { say, carryOut } = on(conversation.id)
  expect((await carryOut(true)).debug.carries_out).toBe(true)
  const said = await say('Hello')
  expect(effectsOf(said).map(({ type, carriedOut }) => [type, carriedOut])).toEqual([
    ['http', true],
    ['mail', true],
    ['contact', true],
    ['hand-off', true],
  ])
  expect(outside.received).toMatchObject([{ method: 'POST', headers: { 'x-parley-test': '1' } }])
  expect(mails.mails.map(({ subject }) => subject).sort()).toEqual([
    `[Test] A visitor of ${await nameOf(chatbot.cgid)} needs an answer`,
    '[Test] Your order',
  ])
  for (const source of mails.sources) expect(source).toMatch(/^X-Parley-Test: 1\r?$/im)
  expect(await contacts()).toMatchObject([{ email: 'ada@example.com', test: true }])
  const inChatbot = { pgid: chatbot.pgid, cgid: chatbot.cgid }
  const list = (query: object) => owner.call(listContacts, { params: inChatbot, query })
  expect((await list({})).contacts).toMatchObject([{ test: true }])
  expect((await list({ test: 'only' })).contacts).toHaveLength(1)
  expect((await list({ test: 'none' })).contacts).toEqual([])
  const sent = await owner.call(listMails, { params: { pgid: owner.pgid }, query: {} })
  expect(sent.mails.every(({ test: isTest }) => isTest)).toBe(true)
  // another run starts without permission
  expect((await start()).debug.carries_out).toBe(false)
  await server.context.db.deleteFrom('contacts').execute()
})

test('a test reads for real, under a header that says so, and its sample stands for the answer to what it does not send', async () => {
  const { as } = await setUp(
    request('GET', { headers: [{ id: 'h', name: staticValue('X-Parley-Test'), value: staticValue('0') }] }),
    block('text-input'),
    request('PUT', { sample: '{"from":"the sample"}' }),
  )
  const { start, on } = as(viewer)
  const { conversation } = await start()
  const { say } = on(conversation.id)
  const first = await say('Hello')
  expect(outside.received).toMatchObject([{ method: 'GET', headers: { 'x-parley-test': '1' } }])
  expect(first.debug.effects).toEqual([])
  expect(first.debug.variables).toContainEqual({ id: 'answer', name: 'answer', value: 'the real GET' })
  const second = await say('again')
  expect(outside.received).toHaveLength(1)
  expect(second.debug.variables).toContainEqual({ id: 'answer', name: 'answer', value: 'the sample' })
  expect(effectsOf(second)).toMatchObject([{ method: 'PUT', answeredBy: 'sample' }])
})

test('a test finds the contacts that it would have made, over those that are there, until it goes back', async () => {
  await server.context.db.deleteFrom('contacts').execute()
  const city = (value: string) => ({ fields: [field('city', value)] })
  const { as, chatbot } = await setUp(
    contact('create', { ...city('Paris'), onDuplicate: 'skip' }),
    block('text-input'),
    contact('update', city('Rome')),
    contact('get'),
    block('text-input'),
    contact('delete'),
    contact('get'),
  )
  const { db, ids: newId } = server.context
  const place = await db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', chatbot.cgid)
    .executeTakeFirstOrThrow()
  const at = new Date('2026-11-21T10:00:00Z')
  const real = {
    gid: newId(),
    project_id: place.project_id,
    chatbot_id: place.id,
    custom: '{}',
    created_at: at,
    updated_at: at,
  }
  await db
    .insertInto('contacts')
    .values({ ...real, email: 'other@example.com' })
    .execute()
  const untouched = await contacts()
  const { start, on } = as(viewer)
  const { conversation } = await start()
  const { say, rewind, step } = on(conversation.id)
  const ports = (said: Awaited<ReturnType<typeof say>>, turn: number) =>
    said.debug.path.filter((one) => one.turn === turn && one.kind === 'contact').map(({ port }) => port)
  expect(ports(await say('create'), 1)).toEqual(['success'])
  expect(ports(await say('update and get'), 2)).toEqual(['success', 'success'])
  expect((await step(2, 2)).effects[0]?.result).toMatchObject({ contact: { fields: { city: 'Rome' } } })
  expect(ports(await say('delete and get'), 3)).toEqual(['success', 'not-found'])
  // the deletion is reverted with its turn
  await rewind(1)
  expect(ports(await say('update and get'), 2)).toEqual(['success', 'success'])

  // an existing contact is found, changed only for this test, and left as it is
  await db
    .insertInto('contacts')
    .values({ ...real, gid: newId(), email: 'Ada@Example.com', city: 'Oslo' })
    .execute()
  const again = await start()
  const later = on(again.conversation.id)
  expect(ports(await later.say('create'), 1)).toEqual(['duplicate'])
  await later.say('update and get')
  expect((await later.step(2, 2)).effects[0]?.result).toMatchObject({ contact: { fields: { city: 'Rome' } } })
  expect(ports(await later.say('delete and get'), 3)).toEqual(['success', 'not-found'])
  expect(await contacts()).toEqual([...untouched, expect.objectContaining({ city: 'Oslo', test: false })])
})

test('a visitor who comes back after a test is no test’s contact any more', async () => {
  await server.context.db.deleteFrom('contacts').execute()
  const { as } = await setUp(contact('create'))
  const { start, on } = as(editor)
  const { conversation } = await start({ carry_out: true })
  await on(conversation.id).say('Hello')
  expect(await contacts()).toMatchObject([{ test: true }])
  const { db } = server.context
  await db.updateTable('conversations').set({ environment: 'sharing' }).where('gid', '=', conversation.id).execute()
  await on(conversation.id).rewind(0)
  await on(conversation.id).say('Hello')
  expect(await contacts()).toMatchObject([{ test: false }])
})

test('a simulated conversation is kept as a test, and replays to the same without calling anything', async () => {
  const { as, chatbot } = await setUp(...everything())
  const { start, on } = as(viewer)
  const { conversation } = await start()
  await on(conversation.id).say('Hello')
  await on(conversation.id).keep()
  const before = await rowsOf()
  const { results } = await viewer.call(runTests, { params: { pgid: chatbot.pgid, cgid: chatbot.cgid } })
  expect(results).toMatchObject([{ difference: null }])
  expect(outside.received).toEqual([])
  expect(mails.mails).toEqual([])
  expect(await rowsOf()).toEqual(before)
})

const nameOf = async (cgid: string) =>
  (await server.context.db.selectFrom('chatbots').select('name').where('gid', '=', cgid).executeTakeFirstOrThrow()).name
