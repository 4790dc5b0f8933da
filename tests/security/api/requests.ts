import fc from 'fast-check'

/** JSON Schema, as far as the API's description has it. */
export interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

export interface DescribedOperation {
  operationId: string
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: { Problem: object } }
}

export interface FuzzedRequest {
  operation: DescribedOperation
  method: string
  /** with query, below the API's path */
  path: string
  headers: Record<string, string>
  body?: string
}

/** Ids by the path parameter's name: those that are the caller's, and those that are a stranger's. */
export type Ids = Record<string, { own: string[]; foreign: string[] }>

/** What databases, parsers and programs stumble over. */
const TRAPS = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', 'x\udfff', '\ufeff', '\u202e', '💥', 'é'.normalize('NFD'), '%00', '%'],
  ...["'; drop table projects; --", '{{x}}', '<script>', '../..', '__proto__', 'constructor', 'null'],
  ...['NaN', '-1', '1e400', '99999999999999999999', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59Z', 'javascript:0'],
]
const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TRAPS),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(300, 5_000, 60_000).map((length) => 'x'.repeat(length)),
)
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, -1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308),
)
/** Nested deep, as a text, since JSON.parse alone goes as deep. */
const deep = fc.constantFrom(50, 3_000).map((depth) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`))
const wild: fc.Arbitrary<unknown> = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(text, { maxLength: 4 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
  deep,
)

/** One in so many parts is not as the description wants it. */
const ONE_IN = 10
const spoilt = <Value>(valid: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: ONE_IN - 1, arbitrary: valid }, { weight: 1, arbitrary: wild })

/** @returns values that a schema mostly allows, each part of which may be wrong; `ids` are what texts with an id's pattern are */
function valuesOf(schema: Schema, ids: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if ('const' in schema) return spoilt(fc.constant(schema.const))
  if (schema.enum) return spoilt(fc.constantFrom(...schema.enum))
  const either = schema.anyOf ?? schema.oneOf
  if (either?.length) return fc.oneof(...either.map((one) => valuesOf(one, ids)))
  const types = [schema.type ?? 'any'].flat()
  return spoilt(fc.oneof(...types.map((type) => typed(type, schema, ids))))
}

function typed(type: string, schema: Schema, ids: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema, ids)
    case 'integer':
    case 'number': {
      const { minimum = -5, maximum = 1_000_000 } = schema
      return fc.integer({ min: Math.ceil(minimum), max: Math.min(Math.floor(maximum), 2 ** 31 - 1) })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, ids), { maxLength: 4 })
    case 'object':
      return objectOf(schema, ids)
    default:
      return wild
  }
}

function textOf({ pattern, format, minLength = 0, maxLength = 60 }: Schema, ids: fc.Arbitrary<string>) {
  if (pattern === '^[a-z0-9]{16}$') return ids
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (pattern?.includes('@')) return fc.constantFrom('ada@example.com', 'a@b.co')
  if (format === 'uri') return fc.webUrl()
  const plain = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) })
  const unicode = fc.string({ unit: 'binary', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)) })
  const address = fc.constantFrom('https://example.com/', 'http://127.0.0.1/', 'ftp://x')
  return fc.oneof(plain, unicode, address, fc.constantFrom(...TRAPS))
}

/** Required names are there, except for now and then; others come as they like, and some that nobody knows. */
function objectOf(schema: Schema, ids: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const values = typeof additionalProperties === 'object' ? valuesOf(additionalProperties, ids) : wild
  const known = fc.tuple(
    ...Object.entries(properties).map(([name, one]) => {
      const entry = valuesOf(one, ids).map((value) => [name, value] as const)
      return unless(required.includes(name) ? 20 : 2, entry)
    }),
  )
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  const more = fc.array(fc.tuple(text, values), { maxLength: isOpen ? 3 : 1 })
  const extra = isOpen ? more : fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: more })
  return fc
    .tuple(known, extra)
    .map(([own, others]) => asJson([...own.filter((entry) => entry !== null), ...others] as [string, unknown][]))
}

/** Through JSON, so that `__proto__` is a name like others. */
const asJson = (entries: [string, unknown][]): unknown =>
  JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join()}}`)

/** An address longer than 16 KiB never becomes a request. */
const MOST = 150
/** A text as it may stand in an address: halves of a pair may not. */
const encode = (value: string) => encodeURIComponent(Buffer.from(value.slice(0, MOST)).toString())

const BAD_HEADERS: Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': 'é\u00ff' },
  { 'idempotency-key': 'same' },
  { accept: 'text/html' },
  { range: 'bytes=0-99999999999999999999' },
  { 'if-none-match': '*', 'if-modified-since': 'yesterday' },
  { authorization: 'Bearer' },
  { authorization: 'Basic eDp4' },
  { authorization: `Bearer parley_${'x'.repeat(5_000)}` },
  { cookie: 'parley_session=x; __Host-x=%00' },
  { origin: 'https://elsewhere.example', 'x-forwarded-for': 'x, 1.2.3.4', 'x-http-method-override': 'DELETE' },
  { 'accept-language': '*;q=x', 'content-encoding': 'gzip' },
]
const badBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', '{', '[]', 'null', '"x"', '1', '{"a":1}}', '{"a":NaN}', '\u0000', '{"__proto__":{"x":1}}'),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constant('['.repeat(20_000)),
  fc.constant(`{"a":"${'x'.repeat(1_200_000)}"}`),
)

/** There, or (null) one time in so many. */
const unless = <Value>(oneIn: number, there: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: there }, { weight: 1, arbitrary: fc.constant(null) })

/** There one time in so many, else null. */
const rarely = <Value>(oneIn: number, there: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 1, arbitrary: there }, { weight: oneIn - 1, arbitrary: fc.constant(null) })

/** Requests by the description: most parts as it wants them, some not. */
export function requestsOf({ paths }: ApiDocument, ids: Ids): fc.Arbitrary<FuzzedRequest> {
  // as they are when a request is drawn: what is made may be asked for
  const any = (side: 'own' | 'foreign', name?: string) => {
    const found = (name ? [ids[name]] : Object.values(ids)).flatMap((one) => one?.[side] ?? [])
    return found.length > 0 ? found : ['zzzzzzzzzzzzzzzz']
  }
  const pick = (side: 'own' | 'foreign', name?: string) =>
    fc.nat(1_000).map((at) => {
      const found = any(side, name)
      return found[found.length - 1 - (at % found.length)] ?? ''
    })
  const id = (name?: string) =>
    fc.oneof(
      { weight: 12, arbitrary: pick('own', name) },
      { weight: 2, arbitrary: pick('foreign', name) },
      { weight: 1, arbitrary: pick('own') },
      { weight: 1, arbitrary: fc.constant('zzzzzzzzzzzzzzzz') },
    )
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestOf(path, method.toUpperCase(), operation, id)),
  )
  return fc.oneof(...operations)
}

function requestOf(
  path: string,
  method: string,
  operation: DescribedOperation,
  id: (name?: string) => fc.Arbitrary<string>,
): fc.Arbitrary<FuzzedRequest> {
  const { parameters = [], requestBody } = operation
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  const filled = fc.tuple(
    ...inPath.map((name) =>
      fc.oneof(
        { weight: 20, arbitrary: id(name).map(encode) },
        { weight: 1, arbitrary: text.map((one) => encode(one) || '%20') },
        { weight: 1, arbitrary: fc.constantFrom('%ZZ', '%C0%80', '%2e%2e%2f', '%00') },
      ),
    ),
  )
  const query = fc.tuple(
    ...parameters
      .filter((one) => one.in === 'query')
      .map(({ name, required, schema }) =>
        unless(
          required ? 20 : 2,
          valuesOf(schema, id(name)).map((value) => `${name}=${encode(plain(value))}`),
        ),
      ),
    rarely(
      8,
      fc.constantFrom(
        'colour=red',
        'cursor=x&cursor=y',
        'cursor=%00',
        'pgid=zzzzzzzzzzzzzzzz',
        '__proto__[x]=1',
        '%=%',
      ),
    ),
  )
  const schema = requestBody?.content['application/json'].schema
  const body: fc.Arbitrary<string | undefined> = fc.oneof(
    {
      weight: 12,
      arbitrary: schema ? valuesOf(schema, id()).map((one) => JSON.stringify(one)) : fc.constant(undefined),
    },
    { weight: 1, arbitrary: badBody },
  )
  return fc
    .tuple(filled, query, body, rarely(6, fc.constantFrom(...BAD_HEADERS)))
    .map(([[...values], asked, sent, headers]) => {
      const place = path.replaceAll(/\{\w+\}/g, () => values.shift() ?? '')
      const query = asked.filter((one) => one !== null)
      const hasBody = sent !== undefined && method !== 'GET'
      return {
        ...{ operation, method },
        path: query.length > 0 ? `${place}?${query.join('&')}` : place,
        headers: { ...(hasBody && { 'content-type': 'application/json' }), ...headers },
        ...(hasBody && { body: sent }),
      }
    })
}

const plain = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
