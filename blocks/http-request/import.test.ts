import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'
import { httpRequestSchema } from './schema'

const request = (webhook: Record<string, unknown>, options: Record<string, unknown> = {}, type = 'Webhook') =>
  importBlock({ type, options: { webhook, ...options } }, 'Name', 'Id')
const text = (value: string) => ({ type: 'static', value })

test.each(['Webhook', 'HTTP request', 'Zapier', 'Make.com', 'Pabbly'])('%s becomes an HTTP request', (type) => {
  const { kind, data, notes } = request(
    {
      method: 'PUT',
      url: 'https://a.example/{{Id}}',
      headers: [{ id: 'h', key: 'X-A', value: '{{Name}}' }],
      queryParams: [{ id: 'q', key: 'page', value: '1' }],
      body: '{ "name": "{{Name}}", "id": {{Id}} }',
    },
    { isAdvancedConfig: true, isCustomBody: true, timeout: 45, variablesForTest: [{ id: 't' }] },
    type,
  )
  expect(kind).toBe('http-request')
  const names = [`It called a scenario of ${type}: here it is an HTTP request to the same address.`]
  expect(notes).toEqual(['Zapier', 'Make.com', 'Pabbly'].includes(type) ? names : [])
  expect(httpRequestSchema.safeParse(data).error).toBe(undefined)
  expect(data).toMatchObject({
    method: 'PUT',
    url: { type: 'dynamic', parts: [{ text: 'https://a.example/' }, { type: 'variable' }] },
    headers: [{ name: text('X-A'), value: { type: 'dynamic' } }],
    query: [{ name: text('page'), value: text('1') }],
    bodyType: 'json',
    timeout: 30,
    retries: 0,
  })
})

test.each([
  ['data.name', 'body', '$.name'],
  ['data', 'body', '$'],
  ['data.items[0].name', 'body', '$.items[0].name'],
  ['data[0].id', 'body', '$[0].id'],
  ["data['full name']", 'body', "$['full name']"],
  ['data?.user?.name', 'body', '$.user.name'],
  ['data.items.flatMap(item => item.id)', 'body', '$.items[*].id'],
  ['data.items.flatMap(item => item.tags.map(tag => tag.name))', 'body', '$.items[*].tags[*].name'],
  ['data.items.map((item) => item.tags[0].name)', 'body', '$.items[*].tags[0].name'],
  ['statusCode', 'status', ''],
  ['name', 'body', '$.name'],
  ['data.items.filter(x => x.y > 3)', 'body', ''],
])('the path %s is saved from the %s at %s', (bodyPath, from, path) => {
  const { data, notes } = request(
    { url: 'https://a.example', method: 'GET' },
    { responseVariableMapping: [{ id: 'm', bodyPath, variableId: 'v-Name' }] },
  )
  expect(data.mapping).toMatchObject([{ from, path, variableId: expect.any(String) }])
  expect(notes).toEqual(
    path === '' && from === 'body' ? [`The path '${bodyPath}' is code: choose the value again.`] : [],
  )
})

test('a body that is no JSON is text; the whole state, which was the standard, is left to the editor', () => {
  const custom = request({ url: 'https://a.example', body: '<a>{{Name}}</a>' }, { isCustomBody: true })
  expect(custom.data).toMatchObject({ method: 'POST', bodyType: 'raw' })
  const state = request({ url: 'https://a.example', body: '{{state}}' }, { isCustomBody: true })
  expect(state.data).toMatchObject({ bodyType: 'none' })
  expect(state.notes).toEqual([
    'All answers of the conversation were sent as the body: write a body with the variables that are needed.',
  ])
})

test('an address without a scheme gets one; one that begins with a variable stays', () => {
  expect(request({ url: 'a.example/x', method: 'GET' }).data.url).toEqual(text('https://a.example/x'))
  expect(request({ url: '{{Name}}/x', method: 'GET' }).data.url).toMatchObject({ type: 'dynamic' })
})

test('a file that names its request elsewhere says so', () => {
  const { kind, data, notes } = importBlock({ type: 'Webhook', webhookId: 'w1', options: {} })
  expect([kind, data.url]).toEqual(['http-request', text('')])
  expect(notes).toEqual(['The file names the request and does not hold it: enter its URL.'])
})

test('what the product leaves by, both ports leave by', () => {
  const { flow } = importBlock({ type: 'Webhook', options: {}, outgoingEdgeId: 'none' })
  expect(flow.groups[0]?.blocks[0]?.kind).toBe('http-request')
})

test('Segment becomes a request to its API, with what is left to enter', () => {
  const properties = [{ key: 'plan', value: 'Pro' }]
  const track = importBlock({
    type: 'segment',
    options: { action: 'Track', userId: 'u', eventName: 'Paid', properties },
  })
  expect(httpRequestSchema.safeParse(track.data).error).toBe(undefined)
  expect(track.data).toMatchObject({ url: text('https://api.segment.io/v1/track'), auth: { type: 'basic' } })
  const said = (track.data as { body: { value: string } }).body.value
  expect(JSON.parse(said)).toEqual({ userId: 'u', event: 'Paid', properties: { plan: 'Pro' } })
})

test('a booking page is embedded, and a chat of Chatwoot is a hand-off', () => {
  const booking = importBlock({ type: 'cal-com', options: { link: 'acme/intro', email: '{{Name}}' } }, 'Name')
  expect([booking.kind, booking.notes.length]).toEqual(['embed', 1])
  expect(JSON.stringify(booking.data)).toContain('https://cal.com/acme/intro?email=')
  expect(importBlock({ type: 'cal-com', options: {} }).kind).toBe('placeholder')
  expect(importBlock({ type: 'Chatwoot', options: {} }).kind).toBe('hand-off')
})
