import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { registry } from '../../../blocks/registry'
import type { Json } from '../../../engine/values/json'
import { flowAround } from '../../../tests/support/conversations'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { callContext } from '../../../tests/support/effects'
import { insertPublishedFlow, type PublishedFlow } from '../../../tests/support/publishedFlow'
import { type RuntimeContext, runtimeContext } from '../../../tests/support/runtimeContext'
import { parseConfig } from '../../platform/config/config'
import { createRuntime, type Runtime } from '../conversations/runtime/createRuntime'
import { createContactsHandler } from './contactsHandler'

let database: TestDatabase
let context: RuntimeContext
let flow: PublishedFlow
let runtime: Runtime
let conversation: string
let second = 0

beforeAll(async () => {
  database = await createTestDatabase()
  context = runtimeContext({
    db: database.db,
    config: parseConfig({}),
    registry,
    clock: () => new Date(Date.UTC(2026, 0, 1, 0, 0, second++)),
    ids: () => randomBytes(8).toString('hex'),
    log: pino({ level: 'silent' }),
  })
  runtime = createRuntime(context)
})
afterAll(async () => {
  await runtime.close()
  await database.close()
})
beforeEach(() => beginElsewhere())

/** A conversation in another project. */
async function beginElsewhere(): Promise<void> {
  flow = await insertPublishedFlow(database.db, flowAround('end', {}))
  const { ref } = await runtime.start({ ...flow, environment: 'sharing', clientId: 'start-0001', startedBy: null })
  conversation = ref.id
}

let calls = 0
const ask = (request: object, key = `c.${++calls}`): Promise<Json> =>
  createContactsHandler(context).answer(
    {
      action: 'create',
      key: { field: 'email', value: 'ada@example.org' },
      fields: {},
      custom: {},
      onDuplicate: 'update',
      ...request,
    },
    callContext({
      project: { id: flow.projectId },
      chatbot: { id: flow.chatbotId },
      conversation: { id: conversation, gid: 'conversation0001', visitor: null },
      idempotencyKey: key,
    }),
  )
const contacts = () =>
  database.db.selectFrom('contacts').selectAll().where('project_id', '=', flow.projectId).orderBy('id').execute()

it('creates a contact, finds it by each of its keys whatever their spelling, and tells what is known', async () => {
  const fields = { name: ' Ada ', phone: '+49 (170) 12-34', user_id: 'ada-1', city: 'Berlin' }
  const made = await ask({ fields, custom: { Plan: 'Pro' } })
  expect(made).toMatchObject({
    ok: true,
    contact: {
      fields: { name: 'Ada', email: 'ada@example.org', phone: '+491701234', zip: null },
      custom: { Plan: 'Pro' },
    },
  })
  for (const key of [
    { field: 'email', value: ' ADA@Example.org ' },
    { field: 'phone', value: '+49 170 1234' },
    { field: 'user_id', value: 'ada-1' },
  ]) {
    expect(await ask({ action: 'get', key })).toEqual(made)
  }
  expect(await contacts()).toMatchObject([{ chatbot_id: flow.chatbotId }])
})

it('does with a duplicate what it is told', async () => {
  await ask({ fields: { name: 'Ada' } })
  expect(await ask({ onDuplicate: 'skip', fields: { name: 'Bob' } })).toMatchObject({
    ok: false,
    error: 'duplicate',
    contact: { fields: { name: 'Ada' } },
  })
  expect(await ask({ fields: { city: 'Paris' } })).toMatchObject({
    contact: { fields: { name: 'Ada', city: 'Paris' } },
  })
  await ask({ onDuplicate: 'new', fields: { name: 'Carla' } })
  expect((await contacts()).map(({ name }) => name)).toEqual(['Ada', 'Carla'])
  expect(await ask({ action: 'get' })).toMatchObject({ contact: { fields: { name: 'Carla' } } })
})

it('updates and clears fields, deletes, and says what it did not find', async () => {
  expect(await ask({ action: 'update' })).toEqual({ ok: false, error: 'not-found' })
  expect(await ask({ action: 'delete' })).toEqual({ ok: false, error: 'not-found' })
  await ask({ fields: { name: 'Ada', city: 'Paris' }, custom: { a: '1', b: '2' } })
  expect(await ask({ action: 'update', fields: { city: '' }, custom: { a: '', c: '3' } })).toMatchObject({
    contact: { fields: { name: 'Ada', city: null }, custom: { b: '2', c: '3' } },
  })
  expect(await ask({ action: 'delete' })).toMatchObject({ ok: true, contact: { fields: { name: 'Ada' } } })
  expect(await contacts()).toEqual([])
})

it('the same key is carried out once, and answers the same', async () => {
  const [first, again] = await Promise.all([
    ask({ onDuplicate: 'new' }, 'same.1'),
    ask({ onDuplicate: 'new' }, 'same.1'),
  ])
  expect(again).toEqual(first)
  await ask({ action: 'delete' }, 'same.2')
  expect(await ask({ onDuplicate: 'new' }, 'same.1')).toEqual(first)
  expect(await contacts()).toEqual([])
})

it('two visitors at once make one contact', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, n) => ask({ fields: { name: `Ada ${n}` } })))
  expect(await contacts()).toHaveLength(1)
})

it.each<[object, string]>([
  [{ key: { field: 'email', value: 'nobody' } }, 'email: Enter a valid email address'],
  [{ key: { field: 'email', value: ' ' } }, 'The email to find the contact by is empty.'],
  [{ key: { field: 'user_id', value: 'ADA' } }, 'user_id: Enter a valid user ID'],
  [{ fields: { phone: 'call me' } }, 'phone: Enter a valid phone number'],
  [{ fields: { zip: 'x'.repeat(21) } }, 'zip: Must not exceed 20 characters'],
  [{ fields: { website: 'javascript:alert(1)' } }, 'website: Enter a valid URL (must start with https:// or http://)'],
  [{ custom: { a: 'x'.repeat(3_001) } }, 'a: Must not exceed 3000 characters'],
])('refuses %#', async (request, error) => {
  expect(await ask(request)).toEqual({ ok: false, error })
  expect(await contacts()).toEqual([])
})

it('never throws for what is no request, and never for what visitors write', async () => {
  for (const request of [{ action: 'drop' }, { fields: { salary: '1' } }, { surplus: 1 }, { key: null }]) {
    expect(await ask(request)).toMatchObject({ ok: false })
  }
  expect(await ask({ fields: { name: 'a\0\ud800' }, custom: { ['__proto__']: 'x', constructor: 'y' } })).toMatchObject({
    ok: true,
    contact: { fields: { name: 'a\ufffd' }, custom: { constructor: 'y' } },
  })
})

it('knows the contacts of its own project alone', async () => {
  await ask({})
  await beginElsewhere()
  expect(await ask({ action: 'get' })).toEqual({ ok: false, error: 'not-found' })
})

it('a conversation that is gone changes nothing', async () => {
  await database.db.deleteFrom('conversations').where('id', '=', conversation).execute()
  expect(await ask({})).toEqual({ ok: false, error: 'The conversation no longer exists.' })
  expect(await contacts()).toEqual([])
})

it('links a visitor’s conversation to the contact that its flow found or made', async () => {
  const linked = async () => {
    const { rows } = await sql<{ email: string | null }>`select contacts.email from conversations
      left join contacts on contacts.id = conversations.contact_id where conversations.id = ${conversation}`.execute(
      database.db,
    )
    return rows[0]?.email ?? null
  }
  expect(await linked()).toBeNull()
  await ask({ action: 'get' })
  expect(await linked()).toBeNull()
  await ask({})
  expect(await linked()).toBe('ada@example.org')
  await ask({ key: { field: 'email', value: 'grace@example.org' } })
  expect(await linked()).toBe('grace@example.org')
  // one whom the site knows stays theirs, whatever the visitor says
  await database.db.updateTable('contacts').set({ verified_id: 'g' }).where('email', '=', 'grace@example.org').execute()
  await ask({ action: 'update', fields: { name: 'Ada' } })
  expect(await linked()).toBe('grace@example.org')
})
