import { describe, expect, test } from 'vitest'
import { type HttpAnswer, httpAnswerSchema, httpCallSchema } from '../../engine/effects/http'
import { fillSecrets } from '../../engine/flow/httpSecrets'
import { driveTurn } from '../../engine/run/drive'
import { createProgram } from '../../engine/run/program'
import { newSession, type TurnInput, turn } from '../../engine/run/turn'
import { type DynamicValue, staticValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { httpRequest } from './block'
import { buildCall, secretsOf } from './request'
import { type HttpRequestData, httpRequestDefaults, httpRequestSchema } from './schema'

const chip = (variable_id: string): DynamicValue => ({ type: 'dynamic', parts: [{ type: 'variable', variable_id }] })
const mixed = (...parts: string[]): DynamicValue => ({
  type: 'dynamic',
  parts: parts.map((part) =>
    part.startsWith('$') ? { type: 'variable', variable_id: part.slice(1) } : { type: 'text', text: part },
  ),
})
const pair = (name: string, value: DynamicValue | string, id = name) => ({
  id,
  name: staticValue(name),
  value: typeof value === 'string' ? staticValue(value) : value,
})
const data = (more: Partial<HttpRequestData> = {}): HttpRequestData => ({
  ...httpRequestDefaults(),
  url: staticValue('https://a.example/'),
  ...more,
})
const answer = (more: Partial<HttpAnswer> = {}): HttpAnswer => ({
  ok: true,
  status: 200,
  headers: {},
  body: null,
  key: 'k1',
  ms: 3,
  ...more,
})
const busy = (more: Partial<HttpAnswer> = {}) => answer({ ok: false, status: 503, error: 'busy', ...more })

/** Runs the block; each call takes the next answer. Waits are skipped, and counted. */
function run(block: HttpRequestData, answers: HttpAnswer[], variables: Record<string, Json> = {}) {
  const program = createProgram(flowAround('http-request', block, variables), registry)
  const calls: Json[] = []
  const waits: number[] = []
  let input: TurnInput = { type: 'start', event: { type: 'start' } }
  let session = newSession(program)
  for (;;) {
    const result = driveTurn(turn(program, session, input), (effect) => {
      if (effect.type !== 'call') return stillRuntime(effect)
      calls.push(effect.request)
      return JSON.parse(JSON.stringify(answers.shift() ?? null))
    })
    session = result.session
    if (!session.request) {
      const port = result.trace.filter(({ blockId }) => blockId === 'subject').at(-1)?.port
      return { port, calls, waits, variables: result.variables }
    }
    waits.push(session.request.timeout ?? 0)
    input = { type: 'reply', reply: { type: 'timeout' } }
  }
}
const row = (variableId: string, from: 'body' | 'status' | 'header' | 'error', path = '') => ({
  id: variableId,
  from,
  path,
  variableId,
})

test('the call is made of what the fields say, values escaped for their place', () => {
  const block = data({
    method: 'POST',
    url: mixed('https://a.example/', '$v', '/x'),
    query: [pair('q', chip('v')), pair('', 'unfinished', 'u')],
    headers: [pair('X-Name', mixed('<', '$v', '>'))],
    auth: { ...httpRequestDefaults().auth, type: 'bearer', token: chip('v') },
    bodyType: 'json',
    body: mixed('{"text": "', '$v', '", "list": ', '$list', '}'),
    timeout: 5,
  })
  const { calls, port } = run(block, [answer()], { v: 'a/"b"\r\nc', list: ['x', 2] })
  expect(port).toBe('success')
  expect(calls).toEqual([
    {
      method: 'POST',
      url: 'https://a.example/a%2F%22b%22%0D%0Ac/x',
      query: [['q', 'a/"b"\r\nc']],
      headers: [['X-Name', '<a/"b" c>']],
      auth: { type: 'bearer', token: 'a/"b" c' },
      body: { type: 'json', text: '{"text": "a/\\"b\\"\\r\\nc", "list": ["x",2]}' },
      timeoutMs: 5000,
      followRedirects: true,
    },
  ])
  expect(httpCallSchema.safeParse(calls[0]).success).toBe(true)
})

test.each<[Partial<HttpRequestData>, unknown]>([
  [{ bodyType: 'none', body: staticValue('kept for later') }, null],
  [
    { bodyType: 'raw', body: mixed('Hi ', '$v') },
    { type: 'raw', text: 'Hi x' },
  ],
  [
    { bodyType: 'form', fields: [pair('a', chip('v'))] },
    { type: 'form', fields: [['a', 'x']] },
  ],
  [
    { bodyType: 'urlencoded', fields: [pair('a', chip('v'))] },
    { type: 'urlencoded', fields: [['a', 'x']] },
  ],
  [{ bodyType: 'json', body: staticValue(' ') }, null],
])('the body of %j', (more, body) => {
  expect(buildCall(data({ method: 'POST', ...more }), { v: 'x' })).toMatchObject({ body })
})

test.each<[string, Partial<HttpRequestData>, string]>([
  ['no URL', { url: staticValue('') }, 'The request has no URL.'],
  ['a URL that climbs', { url: mixed('https://a.example/x/', '$dots') }, 'A variable in the URL is “..”'],
])('with %s nothing is called; what went wrong can be kept', (_, more, error) => {
  const block = data({ method: 'POST', ...more, mapping: [row('problem', 'error'), row('status', 'status')] })
  const { port, calls, variables } = run(block, [], { v: 'x', dots: '..', problem: null, status: 7 })
  expect([port, calls]).toEqual(['failure', []])
  expect(variables.problem).toContain(error)
  expect(variables.status).toBe(null)
})

test('an editor who tries it is told what is wrong with the JSON', () => {
  const block = data({ method: 'POST', bodyType: 'json', body: mixed('{"a": 1', '$v', '}') })
  expect(buildCall(block, { v: 'x' })).toEqual({
    problem: 'The body can\'t be sent. This is not valid JSON: line 1, column 8 should be a comma or }, not “"”',
  })
})

test('the answer is kept as the rows say', () => {
  const block = data({
    mapping: [
      row('status', 'status'),
      row('type', 'header', 'Content-Type'),
      row('name', 'body', '$.items[0].name'),
      row('all', 'body', '$.items[*].name'),
      row('whole', 'body', '$'),
      row('gone', 'body', '$.nothing'),
      row('unfinished', 'body', ''),
      { ...row('x', 'status'), variableId: null },
    ],
  })
  const body = { items: [{ name: 'Ann' }, { name: 'Bo' }] }
  const before = { status: null, type: null, name: null, all: null, whole: null, gone: 'old', unfinished: 'stays' }
  const { variables } = run(block, [answer({ body, headers: { 'content-type': 'application/json' } })], before)
  expect(variables).toMatchObject({
    status: 200,
    type: 'application/json',
    name: 'Ann',
    all: ['Ann', 'Bo'],
    whole: body,
    gone: null,
    unfinished: 'stays',
  })
})

test('a status of 400 and above leaves by failure, and is kept as well', () => {
  const block = data({ mapping: [row('status', 'status'), row('why', 'body', '$.message')] })
  const refused = answer({ ok: false, status: 422, error: 'refused', body: { message: 'Too short' } })
  expect(run(block, [refused], { status: null, why: null })).toMatchObject({
    port: 'failure',
    waits: [],
    variables: { status: 422, why: 'Too short' },
  })
})

test('a busy server is asked again: after its pause, else after 1, 2, 4 … seconds, with the key of the first try', () => {
  const block = data({ method: 'POST', retries: 5 })
  const answers = [
    busy(),
    busy({ status: 429, retryAfter: 30 }),
    busy(),
    busy({ retryAfter: 0 }),
    answer({ body: 'done' }),
  ]
  const { port, waits, calls } = run(block, answers)
  expect([port, waits]).toEqual(['success', [1, 30, 4]])
  expect(calls.map((call) => (call as { idempotencyKey?: string }).idempotencyKey)).toEqual([
    undefined,
    'k1',
    'k1',
    'k1',
    'k1',
  ])
})

test('it gives up after its retries, at a pause that is too long, and at other failures at once', () => {
  const tries = (retries: number, first: HttpAnswer) => {
    const { calls, port } = run(data({ retries }), [first, busy(), busy(), busy(), busy(), busy(), busy()])
    return [calls.length, port]
  }
  expect(tries(2, busy())).toEqual([3, 'failure'])
  expect(tries(0, busy())).toEqual([1, 'failure'])
  expect(tries(5, busy({ retryAfter: 601 }))).toEqual([1, 'failure'])
  expect(tries(5, busy({ status: 500 }))).toEqual([1, 'failure'])
  expect(tries(5, busy({ status: null }))).toEqual([1, 'failure'])
})

test.each<[Partial<HttpRequestData>, string, string]>([
  [{ url: staticValue('ftp://a') }, 'url', 'Enter a valid URL (must start with https:// or http://)'],
  [
    { bodyType: 'json', body: staticValue('{a}') },
    'body',
    'This is not valid JSON: line 1, column 2 should be a name in quotes, not “a”',
  ],
  [{ headers: [pair('X Name', '', 'h')] }, 'headers.0.name', 'Enter a valid header name (letters, digits and hyphens)'],
  [{ mapping: [row('v', 'body', 'data.name')] }, 'mapping.0.path', 'Start with $, such as $.name'],
  [
    { mapping: [row('v', 'header', 'a b')] },
    'mapping.0.path',
    'Enter a valid header name (letters, digits and hyphens)',
  ],
])('%j is refused at %s', (more, path, message) => {
  const issues = httpRequestSchema.safeParse(data(more)).error?.issues ?? []
  expect(issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[path, message]])
})

test('URL and JSON with variables are taken', () => {
  const more = { url: chip('v'), bodyType: 'json' as const, body: mixed('{"a": ', '$v', ', "b": "', '$v', '"}') }
  expect(httpRequestSchema.safeParse(data(more)).success).toBe(true)
})

test.each([
  ['timeout', 1, 30],
  ['retries', 0, 5],
])('%s goes from %i to %i', (field, least, most) => {
  const valid = (value: number) => httpRequestSchema.safeParse(data({ [field]: value })).success
  expect([least - 1, least, most, most + 1].map(valid)).toEqual([false, true, true, false])
})

test('the answers of these tests are those of the service', () => {
  for (const each of [answer(), busy()]) expect(httpAnswerSchema.safeParse(each).success).toBe(true)
})

describe('secrets', () => {
  const secret = (name: string, ...around: string[]) =>
    mixed(...around.slice(0, 1), `$secret_${name}`, ...around.slice(1))
  const values = new Map([['KEY', 'a"b/c &..\n']])
  const sent = (block: HttpRequestData, variables: Record<string, Json> = {}) => {
    const call = buildCall(block, variables)
    if ('problem' in call) throw new Error(call.problem)
    return { call, filled: fillSecrets(call, (name) => values.get(name)) }
  }

  test('stand in a call by name, and their values are escaped for the place they land in', () => {
    const block = data({
      method: 'POST',
      url: secret('KEY', 'https://a.example/', '/x'),
      query: [pair('q', secret('KEY', '<', '>'))],
      headers: [pair('X-Key', secret('KEY', 'Key '))],
      auth: { ...httpRequestDefaults().auth, type: 'bearer', token: secret('KEY') },
      bodyType: 'json',
      body: mixed('{"text": "', '$secret_KEY', '", "alone": ', '$secret_KEY', ', "said": "', '$said', '"}'),
    })
    const { call, filled } = sent(block, { said: '{{secret.KEY}}' })
    expect(httpCallSchema.parse(call)).toMatchObject({
      url: 'https://a.example/{{secret.KEY}}/x',
      query: [['q', '<{{secret.KEY}}>']],
      headers: [['X-Key', 'Key {{secret.KEY}}']],
      auth: { type: 'bearer', token: '{{secret.KEY}}' },
      secrets: ['KEY'],
    })
    expect(filled).toMatchObject({
      call: {
        url: `https://a.example/${encodeURIComponent(values.get('KEY') ?? '')}/x`,
        query: [['q', `<${values.get('KEY')}>`]],
        headers: [['X-Key', 'Key a"b/c &..']],
        auth: { token: 'a"b/c &..' },
      },
      secretHeaders: ['X-Key'],
      secretBody: true,
    })
    const body = 'call' in filled && filled.call.body && 'text' in filled.call.body ? filled.call.body.text : ''
    expect(JSON.parse(body)).toEqual({ text: 'a"b/c &..\n', alone: 'a"b/c &..\n', said: '{{secret.KEY}}' })
  })

  test.each(['.', '..'])('a value that is %s would lead to another place: nothing is sent', (value) => {
    const filled = (url: DynamicValue) => {
      const call = buildCall(data({ url }), {})
      if ('problem' in call) throw new Error(call.problem)
      return fillSecrets(call, () => value)
    }
    expect(filled(secret('KEY', 'https://a.example/v1/', '/x'))).toEqual({
      problem: 'A secret in the URL is “..”, which would lead to another place.',
    })
    // harmless as a parameter's value
    expect(filled(secret('KEY', 'https://a.example/v1/?q=/'))).toMatchObject({
      call: { url: `https://a.example/v1/?q=/${value}` },
    })
  })

  test('what looks like a reference across a variable’s borders is none', () => {
    const block = data({
      method: 'POST',
      headers: [pair('X-Key', secret('KEY'))],
      bodyType: 'raw',
      body: mixed('$a', 'ret.KEY}}', ' {{secret..', '$b'),
    })
    const { filled } = sent(block, { a: '{{sec', b: '\u{fffd}' })
    expect(filled).toMatchObject({ call: { body: { text: '{{secret.KEY}} {{secret..\u{fffd}' } } })
    expect(buildCall(block, { a: '\ufdd0KEY\ufdd1', b: '' })).toMatchObject({ problem: expect.any(String) })
  })

  test('what is typed in plain text is moved out, by the fields and names that are known to hold such', () => {
    const saved: [string, string][] = []
    const block = data({
      query: [pair('api_key', 'q1'), pair('max_tokens', '100'), pair('page', '2')],
      headers: [
        pair('Authorization', 'Bearer h1'),
        pair('X-Api-Key', 'h2'),
        pair('Accept', 'text/html'),
        pair('Cookie', mixed('sid=', '$v')),
        pair('X-Auth-Token', mixed('Bearer ', '$v')),
      ],
      auth: { ...httpRequestDefaults().auth, username: staticValue('ada'), password: staticValue('p1') },
    })
    const sealed = httpRequest.sealPlain(block, (value, wanted) => {
      saved.push([value, wanted])
      return 'NAME'
    })
    expect(saved).toEqual([
      ['p1', 'API_PASSWORD'],
      ['q1', 'api_key'],
      ['h1', 'API_TOKEN'],
      ['h2', 'X-Api-Key'],
      ['sid=', 'Cookie'],
    ])
    expect(sealed.headers[0]?.value).toEqual(mixed('Bearer ', '$secret_NAME'))
    expect(sealed.headers[4]?.value).toEqual(mixed('Bearer ', '$v'))
    expect(sealed.auth.username).toEqual(staticValue('ada'))
    expect(httpRequestSchema.safeParse(sealed).success).toBe(true)
    expect(secretsOf(sealed)).toEqual(['NAME'])
  })

  test('what is sent in plain text by a name that is known to hold one is told, with the field it stands in', () => {
    const block = data({
      method: 'POST',
      query: [pair('page', '2'), pair('api_key', 'q1')],
      headers: [
        pair('Authorization', 'Bearer h1'),
        pair('Accept', 'text/html'),
        pair('X-Api-Key', secret('KEY', 'Key ')),
        pair('Cookie', mixed('sid=', '$v')),
        pair('X-Auth-Token', 'Bearer '),
      ],
      bodyType: 'form',
      fields: [pair('client_secret', 'f1')],
      auth: { ...httpRequestDefaults().auth, type: 'header', name: staticValue('X-Key'), value: staticValue('a1') },
    })
    const told = (more: Partial<HttpRequestData> = {}) =>
      httpRequest.plainSecrets({ ...block, ...more }).map(({ path, name, secret }) => [path, name, secret])
    expect(told()).toEqual([
      ['query.1.value', 'api_key', 'q1'],
      ['headers.0.value', 'Authorization', 'h1'],
      ['fields.0.value', 'client_secret', 'f1'],
      ['auth.value', 'X-Key', 'a1'],
    ])
    // fields of other types are not sent
    const { auth } = block
    expect(told({ method: 'GET', auth: { ...auth, type: 'none' } }).map(([path]) => path)).toEqual([
      'query.1.value',
      'headers.0.value',
    ])
    expect(told({ bodyType: 'json', auth: { ...auth, type: 'bearer', token: staticValue('t1') } })).toContainEqual([
      'auth.token',
      'Authorization',
      't1',
    ])
  })
})
