import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { Answer, Call } from '../../../server/sandbox/call'
import type { ContractWatch } from '../../../server/sandbox/standIn'
import { hasShared, readShared } from '../shared'

/** An OpenAPI 3.1 document, as far as it is read here. */
interface Document {
  paths: Record<string, PathItem>
  components?: { schemas?: Record<string, unknown>; parameters?: Record<string, unknown> }
}
type PathItem = { parameters?: Parameter[] } & { [method: string]: Operation | Parameter[] | undefined }
interface Operation {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: object }> }
  responses: Record<
    string,
    { content?: Record<string, { schema?: object }>; headers?: Record<string, { required?: boolean }> }
  >
}
interface Parameter {
  $ref?: string
  name: string
  in: 'query' | 'path' | 'header' | 'cookie'
  required?: boolean
  schema?: object
}
interface Endpoint {
  method: string
  path: string
  pattern: RegExp
  names: string[]
  weight: number
  pointer: string
  operation: Operation
  shared: Parameter[]
}

/** What is added where a vendor's document is silent; each addition is named in the README. */
export interface Additions {
  /** whole calls */
  paths?: Record<string, Record<string, unknown>>
  /** answers by status, of calls that are there */
  answers?: Record<string, Record<string, Record<string, unknown>>>
  /** the schema of errors whose status a call does not list */
  errors?: object
  /** schemas by name, for webhooks */
  schemas?: Record<string, object>
}

export interface Contract extends ContractWatch {
  /** all calls that the document describes, as `POST /path/{name}` */
  endpoints: string[]
  /** which of them a call means; null: none */
  endpointOf: (call: Call) => string | null
}

/** Whether contracts lie beside the repository: without them, tests of them are skipped. */
export const hasContracts: boolean = hasShared('contracts')

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** Formats that say nothing which could be checked. */
const OPEN_FORMATS = [
  'int32',
  'int64',
  'uint32',
  'float',
  'double',
  'byte',
  'binary',
  'decimal',
  'url',
  'google-datetime',
]

/**
 * Reads a vendor's document and checks both sides by it: a request may hold nothing that is not in it, an answer may.
 * @param file such as `google/sheets.openapi.json`
 * @param closes whether requests are closed here, since the document leaves them open
 */
export function readContract(
  file: string,
  { additions, closes }: { additions?: Additions; closes?: boolean } = {},
): Contract {
  const document = JSON.parse(readShared(`contracts/${file}`)) as Document
  if (additions) add(document, additions)
  const closed = closes ? withFields(document, 'closed') : document
  const requests = { strict: createAjv(closed, false), lenient: createAjv(closed, true) }
  const answers = createAjv(withFields(document, 'open'), false)
  const endpoints = listEndpoints(document)

  /** @returns problems of a value, by the schema at a JSON pointer; of texts that stand for values, if `isText` */
  function checkSent(where: string, value: unknown, pointer: string, isText = false): string[] {
    const validate = isText ? compile(requests.lenient, pointer, true) : compile(requests.strict, pointer)
    // texts are coerced in place, which the one who sent them must not see
    return validate(isText ? { value: structuredClone(value) } : value) ? [] : sentences(where, validate)
  }
  function checkGiven(where: string, value: unknown, pointer: string): string[] {
    const validate = compile(answers, pointer)
    return validate(value) ? [] : sentences(where, validate)
  }
  const find = ({ method, path }: Call): (Endpoint & { values: Record<string, string> }) | null => {
    for (const endpoint of endpoints) {
      const found = endpoint.method === method.toLowerCase() ? endpoint.pattern.exec(path.replace(/\.json$/, '')) : null
      if (!found) continue
      const values = endpoint.names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? '')])
      return { ...endpoint, values: Object.fromEntries(values) }
    }
    return null
  }

  function checkParameters(call: Call, endpoint: NonNullable<ReturnType<typeof find>>): string[] {
    const lists: [Parameter[], string][] = [
      [endpoint.operation.parameters ?? [], `${endpoint.pointer}/parameters`],
      [endpoint.shared, `${endpoint.pointer.slice(0, endpoint.pointer.lastIndexOf('/'))}/parameters`],
    ]
    const all = lists.flatMap(([list, at]) =>
      list.map((written, index) => ({
        parameter: resolve<Parameter>(document, written),
        pointer: written.$ref ? written.$ref.slice(1) : `${at}/${index}`,
      })),
    )
    const known = all.flatMap(({ parameter }) => (parameter.in === 'query' ? [parameter.name] : []))
    const unknown = Object.keys(call.query).filter((name) => !known.includes(name))
    return [
      ...unknown.map((name) => `query ${name} is not known here`),
      ...all.flatMap(({ parameter, pointer }) => {
        const value = parameterValue(parameter, call, endpoint.values)
        const where = `${parameter.in} ${parameter.name}`
        if (value === undefined) return parameter.required && parameter.in !== 'cookie' ? [`${where} is missing`] : []
        if (!parameter.schema) return []
        return checkSent(where, value, `${pointer}/schema`, true)
      }),
    ]
  }

  function checkBody({ headers, body }: Call, { operation, pointer }: Endpoint): string[] {
    const described =
      operation.requestBody && resolve<NonNullable<Operation['requestBody']>>(document, operation.requestBody)
    if (!described) return isEmpty(body) ? [] : ['no body is taken here']
    if (body === undefined) return described.required ? ['body is missing'] : []
    const type = (headers['content-type'] ?? 'application/json').split(';')[0]?.trim() ?? ''
    const media = described.content[type]
    if (!media) return [`content type ${type} is not taken here (${Object.keys(described.content).join(', ')})`]
    if (!media.schema || Buffer.isBuffer(body)) return []
    const ref = (operation.requestBody as { $ref?: string }).$ref
    const at = `${ref ? ref.slice(1) : `${pointer}/requestBody`}${pointerTo('content', type)}/schema`
    // a form's values arrive as texts
    const isForm = type.includes('form')
    return checkSent('body', body, at, isForm)
  }

  return {
    endpoints: endpoints.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    endpointOf(call) {
      const endpoint = find(call)
      return endpoint && `${endpoint.method.toUpperCase()} ${endpoint.path}`
    },
    request(call) {
      const endpoint = find(call)
      if (!endpoint) return [`no such endpoint: ${call.method} ${call.path}`]
      return unique([...checkParameters(call, endpoint), ...checkBody(call, endpoint)])
    },
    answer(call, answer) {
      const endpoint = find(call)
      if (!endpoint) return [`no such endpoint: ${call.method} ${call.path}`]
      return unique(checkAnswer(endpoint, answer))
    },
    value: (schema, value) => checkGiven(schema, value, pointerTo('components', 'schemas', schema)),
  }

  function checkAnswer(
    { operation, pointer, method, path }: Endpoint,
    { status, headers = {}, body }: Answer,
  ): string[] {
    const key = operation.responses[status] ? String(status) : operation.responses.default ? 'default' : undefined
    if (key === undefined) return [`status ${status} is not listed for ${method.toUpperCase()} ${path}`]
    const written = operation.responses[key] as Operation['responses'][string] & { $ref?: string }
    const described = resolve<typeof written>(document, written)
    const lower = Object.keys(headers).map((name) => name.toLowerCase())
    const missing = Object.entries(described.headers ?? {}).flatMap(([name, header]) =>
      resolve<{ required?: boolean }>(document, header).required && !lower.includes(name.toLowerCase())
        ? [`header ${name} is missing`]
        : [],
    )
    const at = written.$ref ? written.$ref.slice(1) : `${pointer}${pointerTo('responses', key)}`
    const hasSchema = described.content?.['application/json']?.schema !== undefined
    if (hasSchema)
      missing.push(...checkGiven('answer', body, `${at}${pointerTo('content', 'application/json')}/schema`))
    else if (!described.content && body !== undefined) missing.push(`status ${status} has no body`)
    return missing
  }
}

function add(document: Document, { paths = {}, answers = {}, errors, schemas }: Additions): void {
  if (schemas)
    document.components = { ...document.components, schemas: { ...document.components?.schemas, ...schemas } }
  for (const [path, item] of Object.entries(paths))
    document.paths[path] = { ...document.paths[path], ...item } as PathItem
  for (const [path, methods] of Object.entries(answers))
    for (const [method, given] of Object.entries(methods))
      Object.assign(operationOf(document, path, method).responses, given)
  if (!errors) return
  for (const item of Object.values(document.paths))
    for (const method of METHODS)
      if (item[method])
        (item[method] as Operation).responses.default ??= { content: { 'application/json': { schema: errors } } }
}

function operationOf({ paths }: Document, path: string, method: string): Operation {
  const found = paths[path]?.[method]
  if (!found || Array.isArray(found)) throw new Error(`The document has no ${method} ${path}`)
  return found
}

/** One watch of several documents of a vendor: the first that knows a call checks it. */
export function joinContracts(...contracts: Contract[]): Contract {
  const knows = (contract: Contract, call: Call) => !contract.request(call)[0]?.startsWith('no such endpoint')
  const of = (call: Call) => contracts.find((contract) => knows(contract, call)) ?? (contracts[0] as Contract)
  return {
    endpoints: contracts.flatMap(({ endpoints }) => endpoints),
    endpointOf: (call) => of(call).endpointOf(call),
    request: (call) => of(call).request(call),
    answer: (call, answer) => of(call).answer(call, answer),
    value: (schema, value) => (contracts[0] as Contract).value(schema, value),
  }
}

function createAjv(document: Document, coerces: boolean): Ajv2020 {
  // not strict: documents hold words of OpenAPI's own (example, discriminator)
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: coerces ? 'array' : false })
  addFormats.default(ajv)
  for (const name of OPEN_FORMATS) if (!ajv.formats[name]) ajv.addFormat(name, true)
  for (const name of ['google-duration', 'google-fieldmask', 'date']) if (!ajv.formats[name]) ajv.addFormat(name, true)
  return ajv.addSchema(document, 'document')
}

/** Words whose schemas are parts of another's, so that they name only some of the fields. */
const PARTS = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not'])

/**
 * @returns the document with all schemas of objects closed, so that a field that none names is found, or all open, since
 * vendors add fields to what they answer
 */
function withFields<T>(value: T, how: 'closed' | 'open', isPart = false): T {
  if (Array.isArray(value)) return value.map((part) => withFields(part, how, isPart)) as T
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) {
    const isClosing = (name === 'additionalProperties' || name === 'unevaluatedProperties') && part === false
    if (!(isClosing && how === 'open')) copy[name] = withFields(part, how, PARTS.has(name))
  }
  const names = typeof copy.properties === 'object' && copy.type === 'object'
  const isWhole = !isPart && copy.allOf === undefined && copy.unevaluatedProperties === undefined
  if (how === 'closed' && names && isWhole && copy.additionalProperties === undefined) copy.additionalProperties = false
  return copy as T
}

const compiled = new WeakMap<Ajv2020, Map<string, ValidateFunction>>()

/** Compiles lazily: a whole document takes seconds. `isWrapped`: of an object with the value, which can be coerced. */
function compile(ajv: Ajv2020, pointer: string, isWrapped = false): ValidateFunction {
  const known = compiled.get(ajv) ?? new Map<string, ValidateFunction>()
  compiled.set(ajv, known)
  const reference = { $ref: `document#${pointer}` }
  const validate = known.get(pointer) ?? ajv.compile(isWrapped ? { properties: { value: reference } } : reference)
  known.set(pointer, validate)
  return validate
}

/** Errors that only say that one of several alternatives failed; what failed in it says more. */
const SUMMARIES = new Set(['if', 'anyOf', 'oneOf'])

function sentences(where: string, { errors }: ValidateFunction): string[] {
  const all = errors ?? []
  const telling = all.filter(({ keyword }) => !SUMMARIES.has(keyword))
  return (telling.length > 0 ? telling : all).map(({ instancePath, message, params }) => {
    const named =
      params.additionalProperty ?? params.unevaluatedProperty ?? params.allowedValues?.slice(0, 8).join(', ')
    return `${where}${instancePath.replace(/^\/value/, '')} ${message}${named === undefined ? '' : ` (${named})`}`
  })
}

/** @returns endpoints, those with more literal characters first: `values:batchGet` before `{anything}` */
function listEndpoints({ paths }: Document): Endpoint[] {
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => {
        const names = [...path.matchAll(/\{([^}]+)\}/g)].map((found) => found[1] ?? '')
        const literal = path.replace(/\{[^}]+\}/g, '')
        return {
          method,
          path,
          names,
          pattern: patternOf(path),
          weight: literal.length * 10 - names.length,
          pointer: pointerTo('paths', path, method),
          operation: item[method] as Operation,
          shared: item.parameters ?? [],
        }
      }),
    )
    .sort((a, b) => b.weight - a.weight)
}

function patternOf(path: string): RegExp {
  const parts = path.split(/(\{[^}]+\})/)
  const source = parts.map((part) => (part.startsWith('{') ? '([^/]+?)' : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${source.join('')}$`)
}

const pointerTo = (...keys: string[]) =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

function resolve<T>(document: Document, written: object): T {
  const ref = (written as { $ref?: string }).$ref
  if (ref === undefined) return written as T
  const keys = ref.slice(2).split('/')
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document) as T
}

function parameterValue(parameter: Parameter, call: Call, values: Record<string, string>): unknown {
  if (parameter.in === 'query') return call.query[parameter.name]
  if (parameter.in === 'path') return values[parameter.name]
  return parameter.in === 'header' ? call.headers[parameter.name.toLowerCase()] : undefined
}

const isEmpty = (body: unknown) =>
  body === undefined || (typeof body === 'object' && Object.keys(body ?? {}).length === 0)

const unique = (list: string[]) => [...new Set(list)]
