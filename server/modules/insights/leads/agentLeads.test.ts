import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { createIdSource } from '../../../../engine/flow/ids'
import { emptyFlow } from '../../../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { insertPublishedFlow, type PublishedFlow } from '../../../../tests/support/publishedFlow'
import { readAnalytics } from '../analytics/readAnalytics'
import { countFacts } from '../facts/countFacts'
import { createVariableNames } from '../results/readAnswers'

const at = new Date('2026-11-23T09:00:00Z')
const newId = createIdSource(randomBytes)
let database: TestDatabase
let flow: PublishedFlow
beforeAll(async () => {
  database = await createTestDatabase()
  const variables = [
    { id: 'v-mail', name: 'Work email', value: null },
    { id: 'v-name', name: 'Full name', value: null },
  ]
  flow = await insertPublishedFlow(database.db, { ...emptyFlow(), variables })
})
afterAll(() => database.close())

interface Turn {
  steps: { kind: string; writes?: Record<string, unknown> }[]
  contacts?: { action?: string; fields: Record<string, string> }[]
}

const leadsAfter = (...turns: Turn[]) => leadsOf(turns, null)

/** A conversation of these turns, counted; `handOff`: it was handed over, with this address. */
async function leadsOf(turns: readonly Turn[], handOff: string | null, channel = 'web') {
  const { db } = database
  const { projectId: project_id, chatbotId: chatbot_id, versionId: flow_version_id } = flow
  const times = { created_at: at, updated_at: at }
  const { id } = await db
    .insertInto('conversations')
    .values({
      ...{ gid: newId(), project_id, chatbot_id, environment: 'production', channel, token_hash: randomBytes(32) },
      ...{ started_by: null, start_client_id: newId(), last_client_id: null, ...times },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const run = await db
    .insertInto('runs')
    .values({
      ...{ project_id, conversation_id: id, number: 1, flow_version_id, state: 'ended', session: '{}' },
      ...{ start_event: JSON.stringify({ type: 'start' }), created_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [turn, { steps, contacts = [] }] of turns.entries()) {
    const trace = steps.map(({ kind, writes = {} }) => ({
      ...{ flowId: null, groupId: 'g', blockId: 'b', kind, port: null, messages: 0, writes },
    }))
    await db
      .insertInto('turn_records')
      .values({
        run_id: run.id,
        project_id,
        turn,
        trace: JSON.stringify(trace),
        variables: '{}',
        created_at: at,
      } as never)
      .execute()
    for (const [position, { action = 'create', fields }] of contacts.entries()) {
      const key = { field: 'email', value: fields.email ?? 'x@example.org' }
      const request = { action, key, fields, custom: {}, onDuplicate: 'update' }
      await db
        .insertInto('effects')
        .values({
          ...{ run_id: run.id, project_id, turn, position, type: 'call', key: newId(), status: 'done' },
          ...{ request: JSON.stringify({ service: 'contacts', request }), result: '{"ok":true}', created_at: at },
        } as never)
        .execute()
    }
  }
  if (handOff !== null)
    await db
      .insertInto('hand_offs')
      .values({
        ...{ conversation_id: id, project_id, handed_over_at: at, team: 'Sales', note: '', addresses: '[]' },
        ...{ email: handOff, test: false, mailed_seq: 0, due_at: null, mailing_seq: null, mailing_key: null },
      })
      .execute()
  await db.insertInto('insight_pending').values({ conversation_id: id, project_id }).execute()
  const namesOf = createVariableNames()
  await countFacts({ db, registry, ids: newId, clock: () => at, namesOf })
  return db
    .selectFrom('leads')
    .select(['source', 'name', 'email', 'phone', 'answers'])
    .where('conversation_id', '=', id)
    .execute()
}
const grace = { name: 'Grace', email: 'grace@example.org', company: 'Navy' }

it('makes a lead of what a form of an agent took', async () => {
  const leads = await leadsAfter(
    { steps: [{ kind: 'ai-answer' }] },
    { steps: [{ kind: 'ai-answer' }], contacts: [{ fields: grace }] },
  )
  expect(leads).toMatchObject([{ source: 'agent', name: 'Grace', email: 'grace@example.org', phone: '' }])
  expect(leads[0]?.answers).toContainEqual({ id: 'agent:company', name: 'company', value: 'Navy' })
})

it('makes a lead of an email that an agent took out of what was said', async () => {
  const writes = { 'v-mail': 'mary@example.org', 'v-name': 'Mary' }
  expect(await leadsAfter({ steps: [{ kind: 'ai-extract', writes }] })).toMatchObject([
    { source: 'agent', email: 'mary@example.org' },
  ])
})

it('adds to a lead of the flow what the agent took', async () => {
  const leads = await leadsAfter(
    { steps: [{ kind: 'email-input', writes: { 'v-mail': 'work@example.org' } }] },
    { steps: [{ kind: 'ai-answer' }], contacts: [{ fields: { ...grace, phone: '+49 30 1234' } }] },
  )
  expect(leads).toMatchObject([{ source: 'email', name: 'Grace', email: 'work@example.org', phone: '+49 30 1234' }])
})

it('takes no contact that a block of the flow makes for a lead of the agent', async () => {
  const contact = { kind: 'contact' }
  expect(await leadsAfter({ steps: [{ kind: 'ai-answer' }, contact], contacts: [{ fields: grace }] })).toEqual([])
  expect(await leadsAfter({ steps: [contact], contacts: [{ fields: grace }] })).toEqual([])
  const both = {
    steps: [{ kind: 'ai-answer' }, contact],
    contacts: [{ fields: grace }, { fields: { email: 'b@example.org' } }],
  }
  expect(await leadsAfter(both)).toMatchObject([{ email: 'grace@example.org' }])
})

it('makes a lead of the address that a visitor leaves for people to answer, if nothing better was asked for', async () => {
  expect(await leadsOf([{ steps: [{ kind: 'hand-off' }] }], 'ada@example.org')).toMatchObject([
    { source: 'email', name: '', email: 'ada@example.org', phone: '' },
  ])
  const phone = { kind: 'phone-input', writes: { 'v-mail': '+49301234567' } }
  expect(await leadsOf([{ steps: [phone, { kind: 'hand-off' }] }], 'ada@example.org')).toMatchObject([
    { source: 'phone', email: 'ada@example.org', phone: '+49301234567' },
  ])
  expect(await leadsOf([{ steps: [{ kind: 'hand-off' }] }], '')).toEqual([])
})

it('counts a lead in the figures of its channel, also when its conversation is deleted', async () => {
  const { db } = database
  const { projectId, chatbotId } = flow
  const period = { from: '2026-11-23', to: '2026-11-23', zone: 'UTC' }
  const leadsOn = async (channel: string) => {
    const scope = { projectId, chatbotId, environment: undefined, channel, period }
    const { detail } = await readAnalytics(db.forProject(projectId), scope, { full: true, now: new Date() })
    return detail?.now.leads ?? 0
  }
  const web = await leadsOn('web')
  const phone = { steps: [{ kind: 'phone-input', writes: { 'v-mail': '+49301234567' } }] }
  await leadsOf([phone], null, 'whatsapp')
  expect([(await leadsOn('web')) - web, await leadsOn('whatsapp')]).toEqual([0, 1])
  await db.updateTable('leads').set({ conversation_id: null }).where('channel', '=', 'whatsapp').execute()
  expect([(await leadsOn('web')) - web, await leadsOn('whatsapp')]).toEqual([0, 1])
})
