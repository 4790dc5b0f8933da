import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import {
  type ContactCondition,
  conditionProblem,
  createSegment,
  deleteSegment,
  listSegments,
  updateSegment,
} from '../../../contracts/contactFilter'
import { createContact, listContacts, updateContact } from '../../../contracts/contacts'
import {
  createCustomField,
  deleteCustomField,
  listCustomFields,
  readCustomValue,
  updateCustomField,
} from '../../../contracts/customFields'

let server: TestServer
let ada: Registered
let params: { pgid: string }
let place: { project_id: string; chatbot_id: string }
beforeAll(async () => {
  server = await startTestServer({ clock: createTestClock('2026-11-23T09:00:00Z') })
  ada = await server.register()
  params = { pgid: ada.pgid }
  const { cgid } = await makeChatbot(ada)
  const row = await server.context.db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
  place = { project_id: row.project_id, chatbot_id: row.id }
  const field = (name: string, type: 'number' | 'date' | 'boolean' | 'choice', choices: string[] = []) =>
    ada.call(createCustomField, { params, body: { name, type, choices, in_table: true } })
  await field('Seats', 'number')
  await field('Renewal', 'date')
  await field('Newsletter', 'boolean')
  await field('Plan', 'choice', ['Free', 'Pro'])
  const grace = await ada.call(createContact, {
    params,
    body: {
      fields: { name: 'Grace', email: 'grace@example.org', city: 'New York' },
      custom: { Seats: '12', Renewal: '2026-11-20', Newsletter: 'yes', Plan: 'pro', Note: '100% sure' },
      tags: ['VIP'],
    },
  })
  const mary = await ada.call(createContact, {
    params,
    body: { fields: { name: 'Mary', phone: '+49 30 1' }, custom: { Seats: '3.50', Plan: 'Free' }, blocked: true },
  })
  await ada.call(createContact, { params, body: { fields: { name: 'Empty' } } })
  expect([grace.contact.custom.Plan, grace.contact.custom.Newsletter]).toEqual(['Pro', 'true'])
  expect(mary.contact.custom.Seats).toBe('3.5')
  // what a flow wrote is of no type
  await sql`update contacts set custom = custom || '{"Renewal":"2026-99-99","Seats":"many"}' where name = 'Empty'`.execute(
    server.context.db,
  )
  await talk('Grace', 'pt-br', '2026-11-22T09:00:00Z')
  await talk('Grace', 'en', '2026-11-01T09:00:00Z')
})
afterAll(() => server.close())

async function talk(name: string, language: string, at: string) {
  const gid = server.context.ids()
  const { id } = await server.context.db
    .selectFrom('contacts')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  await server.context.db
    .insertInto('conversations')
    .values({
      ...{ ...place, gid, environment: 'production', token_hash: Buffer.alloc(32), started_by: null, contact_id: id },
      ...{ start_client_id: gid, last_client_id: null, language, created_at: new Date(at), updated_at: new Date(at) },
    })
    .execute()
}

const names = async (match: 'all' | 'any', ...conditions: [string, ContactCondition['operator'], string?][]) => {
  const filter = { match, conditions: conditions.map(([field, operator, value = '']) => ({ field, operator, value })) }
  const { contacts, total } = await ada.call(listContacts, { params, query: { filter: JSON.stringify(filter) } })
  expect(total).toBe(contacts.length)
  return contacts.map(({ fields }) => fields.name).reverse()
}

it.each<[ContactCondition['operator'], string, string, string[]]>([
  ['equals', 'name', 'GRACE', ['Grace']],
  ['not-equals', 'email', 'grace@example.org', ['Mary', 'Empty']],
  ['contains', 'custom:Note', '100%', ['Grace']],
  ['contains', 'custom:Note', '1__%', []],
  ['not-contains', 'city', 'york', ['Mary', 'Empty']],
  ['starts-with', 'phone', '+49', ['Mary']],
  ['is-set', 'email', '', ['Grace']],
  ['is-empty', 'custom:Plan', '', ['Empty']],
  ['equals', 'custom:Plan', 'pro', ['Grace']],
  ['greater', 'custom:Seats', '9', ['Grace']],
  ['less', 'custom:Seats', '9', ['Mary']],
  ['equals', 'custom:Seats', '12.0', ['Grace']],
  ['before', 'custom:Renewal', '2026-11-21', ['Grace']],
  ['within-days', 'custom:Renewal', '3', ['Grace']],
  ['within-days', 'custom:Renewal', '2', []],
  ['equals', 'custom:Newsletter', 'true', ['Grace']],
  ['equals', 'custom:Newsletter', 'false', ['Mary', 'Empty']],
  ['contains', 'tags', 'VIP', ['Grace']],
  ['not-contains', 'tags', 'VIP', ['Mary', 'Empty']],
  ['equals', 'blocked', 'true', ['Mary']],
  ['equals', 'verified', 'true', []],
  ['greater', 'conversations', '1', ['Grace']],
  ['equals', 'conversations', '0', ['Mary', 'Empty']],
  ['within-days', 'last_seen', '2', ['Grace']],
  ['before-days', 'last_seen', '2', []],
  ['is-empty', 'last_seen', '', ['Mary', 'Empty']],
  ['equals', 'language', 'pt', ['Grace']],
  ['not-equals', 'language', 'pt', ['Mary', 'Empty']],
  ['equals', 'channel', 'web', ['Grace']],
  ['after', 'created_at', '2026-11-22', ['Grace', 'Mary', 'Empty']],
  ['after', 'created_at', '2026-11-23', []],
])('%s of %s with %j lets the right contacts through', async (operator, field, value, expected) => {
  expect(await names('all', [field, operator, value])).toEqual(expected)
})

it('joins conditions by all or any', async () => {
  const both: Parameters<typeof names>[1][] = [
    ['custom:Plan', 'is-set'],
    ['blocked', 'equals', 'true'],
  ]
  expect(await names('all', ...both)).toEqual(['Mary'])
  expect(await names('any', ...both)).toEqual(['Grace', 'Mary'])
})

it('refuses a filter that is incomplete, of no field, or no filter', async () => {
  await expect(names('all', ['custom:Seats', 'greater', 'many'])).rejects.toThrow('422')
  await expect(names('all', ['pasword', 'is-set'])).rejects.toThrow('422')
  await expect(names('all', ['blocked', 'contains', 'x'])).rejects.toThrow('422')
  await expect(ada.call(listContacts, { params, query: { filter: '{"match":' } })).rejects.toThrow('422')
})

it('keeps segments by name, counts them as they are now, and lists their contacts', async () => {
  const filter = { match: 'all' as const, conditions: [{ field: 'tags', operator: 'contains' as const, value: 'VIP' }] }
  const { segment } = await ada.call(createSegment, { params, body: { name: 'Important', filter } })
  expect(segment.count).toBe(1)
  await expect(ada.call(createSegment, { params, body: { name: 'important', filter } })).rejects.toThrow('422')
  const [mary] = (await ada.call(listContacts, { params, query: { search: 'Mary' } })).contacts
  await ada.call(updateContact, { params: { ...params, gid: mary?.gid ?? '' }, body: { tags: ['VIP'] } })
  expect((await ada.call(listSegments, { params })).segments).toMatchObject([{ name: 'Important', count: 2 }])
  const list = await ada.call(listContacts, { params, query: { segment: segment.gid } })
  expect([list.total, list.contacts.length]).toEqual([2, 2])
  await ada.call(updateContact, { params: { ...params, gid: mary?.gid ?? '' }, body: { tags: [] } })
  const bob = await server.register()
  await expect(bob.call(listContacts, { params: { pgid: bob.pgid }, query: { segment: segment.gid } })).rejects.toThrow(
    '404',
  )
  const renamed = await ada.call(updateSegment, {
    params: { ...params, gid: segment.gid },
    body: { name: 'VIPs', filter },
  })
  expect(renamed.segment).toMatchObject({ name: 'VIPs', count: 1 })
  await ada.call(deleteSegment, { params: { ...params, gid: segment.gid } })
  expect((await ada.call(listSegments, { params })).segments).toEqual([])
})

it('refuses values that are not of their field’s type, by name, and leaves what was there', async () => {
  const [empty] = (await ada.call(listContacts, { params, query: { search: 'Empty' } })).contacts
  const gid = empty?.gid ?? ''
  const change = (custom: Record<string, string>) =>
    ada.call(updateContact, { params: { ...params, gid }, body: { custom } })
  await expect(change({ Renewal: '31.12.2026' })).rejects.toThrow('"custom.Renewal":"Enter a date as YYYY-MM-DD"')
  // a flow's value stays while it is not changed
  expect((await change({ Seats: 'many', Free: 'text' })).contact.custom).toEqual({
    ...{ Seats: 'many', Renewal: '2026-99-99', Free: 'text' },
  })
  expect((await change({ Free: '' })).contact.custom).toEqual({ Seats: 'many', Renewal: '2026-99-99' })
})

it('describes fields once, names those that nobody described, and leaves values when a description goes', async () => {
  const listed = await ada.call(listCustomFields, { params })
  expect(listed.fields.map(({ name }) => name)).toEqual(['Seats', 'Renewal', 'Newsletter', 'Plan'])
  expect(listed.others).toEqual(['Note'])
  const body = { name: 'Seats', type: 'text' as const, choices: [], in_table: false }
  await expect(ada.call(createCustomField, { params, body })).rejects.toThrow('422')
  const { field } = await ada.call(createCustomField, { params, body: { ...body, name: 'Note' } })
  const place = { ...params, gid: field.gid }
  const noChoice = { type: 'choice' as const, choices: [], in_table: true }
  await expect(ada.call(updateCustomField, { params: place, body: noChoice })).rejects.toThrow('422')
  await ada.call(deleteCustomField, { params: place })
  expect((await ada.call(listCustomFields, { params })).others).toEqual(['Note'])
})

test.each([
  ['number', '007.50', { value: '7.5' }],
  ['number', '1e3', { problem: 'Enter a number such as 12 or 3.5' }],
  ['date', '2026-02-29', { problem: 'Enter a date as YYYY-MM-DD' }],
  ['boolean', ' YES ', { value: 'true' }],
  ['boolean', 'perhaps', { problem: 'Enter yes or no' }],
  ['choice', 'b', { value: 'B' }],
  ['choice', 'c', { problem: 'Choose one of: A, B' }],
  ['url', 'example.org', { problem: 'Enter a valid URL (must start with https:// or http://)' }],
  ['url', '', { value: '' }],
  ['text', 'x'.repeat(3_001), { problem: 'Must not exceed 3000 characters' }],
] as const)('reads a %s of %.40j', (type, text, result) => {
  expect(readCustomValue({ type, choices: ['A', 'B'] }, text)).toEqual(result)
})

test('a condition without what it compares with is a problem', () => {
  const own = [{ name: 'Seats', type: 'number' as const }]
  const problem = (field: string, operator: ContactCondition['operator'], value = '') =>
    conditionProblem({ field, operator, value }, own)
  expect(problem('custom:Seats', 'greater', '12')).toBeNull()
  expect(problem('name', 'equals')).toBe('Enter a value')
  expect(problem('last_seen', 'within-days', '-1')).toBe('Enter a number of days')
  expect(problem('created_at', 'before', '2026-13-01')).toBe('Enter a date as YYYY-MM-DD')
  expect(problem('custom:', 'is-set')).toBe('Choose a field')
  expect(problem('toString', 'is-set')).toBe('Choose a field')
})
