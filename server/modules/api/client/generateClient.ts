import { commentText, propertyText, type Schema, typeText } from './typeText'

/** The description's parts that a client is made from. */
export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  components: { schemas: { Problem: Schema } }
}

interface DescribedOperation {
  operationId: string
  summary: string
  description: string
  parameters?: readonly { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: Schema }>> }>>
}

/**
 * Writes the client: a class with a method for each operation, and the types of what goes in and comes out.
 * @returns TypeScript that imports `./runtime.js` alone
 * @throws Error for what the description has and the client can't say
 */
export function generateClient(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => writeOperation(path, method.toUpperCase(), operation)),
  )
  const code = typeText(document.components.schemas.Problem.properties?.code ?? {})
  return [
    '// Generated from the operations of the API: change those.',
    "import { type CallOptions, type ClientOptions, Listed, ParleyProblem, type PostOptions, Transport } from './runtime.js'",
    'export { Listed, ParleyProblem }',
    "export type { CallOptions, ClientOptions, Page, PostOptions } from './runtime.js'",
    `/** What is wrong, for programs: \`code\` of a problem. */\nexport type ProblemCode = ${code}`,
    ...operations.map(({ types }) => types),
    '/** Whether what was thrown is a problem that the server told of. */',
    'export const isProblem = (thrown: unknown): thrown is ParleyProblem<ProblemCode> => thrown instanceof ParleyProblem',
    '/** The API of a project, with the rights of the member who made the key. */',
    'export class ParleyClient {',
    '  readonly #transport: Transport',
    '  /** @throws TypeError without an address or a key */',
    '  constructor(options: ClientOptions) {\n    this.#transport = new Transport(options)\n  }',
    ...operations.map(({ method }) => method),
    '}\n',
  ].join('\n\n')
}

function writeOperation(path: string, method: string, operation: DescribedOperation) {
  const { operationId: id, summary, description, parameters = [], requestBody } = operation
  const name = id[0]?.toUpperCase() + id.slice(1)
  const { kind, answer } = answerOf(operation)
  // the client goes from page to page itself
  const chosen = parameters.filter((one) => one.in !== 'header' && !(kind === 'list' && one.name === 'cursor'))
  const body = requestBody?.content['application/json'].schema
  const names = [...chosen.map((one) => one.name), ...(body ? ['body'] : [])]
  if (new Set(names).size < names.length) throw new Error(`${id} takes two parameters of one name`)

  const isBodyNeeded = (body?.required ?? []).length > 0
  const input = [
    ...chosen.map((one) =>
      propertyText(one.name, { ...one.schema, ...(one.description && { description: one.description }) }, one.required),
    ),
    ...(body ? [propertyText('body', body, isBodyNeeded)] : []),
  ]
  const isNeeded = isBodyNeeded || chosen.some((one) => one.required)
  const result = { file: 'Promise<Response>', nothing: 'Promise<void>', json: `Promise<${name}Answer>` }
  const returns = kind === 'list' ? `Listed<${name}Item>` : result[kind]

  const query = chosen.filter((one) => one.in === 'query').map((one) => one.name)
  const call = [
    `method: ${JSON.stringify(method)}`,
    `path: ${JSON.stringify(path)}`,
    ...(query.length > 0 ? [`query: ${JSON.stringify(query)}`] : []),
    // a body has to be there, also an empty one
    input.length === 0 ? '' : body && !isBodyNeeded ? 'input: { ...input, body: input.body ?? {} }' : 'input',
    'options',
  ].filter(Boolean)
  const sender = { file: 'response', nothing: 'json<void>', json: `json<${name}Answer>`, list: `list<${name}Item>` }
  const taken = [
    ...(input.length > 0 ? [`input: ${name}Input${isNeeded ? '' : ' = {}'}`] : []),
    `options: ${method === 'POST' ? 'PostOptions' : 'CallOptions'} = {}`,
  ]
  return {
    types: [
      ...(input.length > 0 ? [`export interface ${name}Input {\n${input.join('\n')}\n}`] : []),
      ...(kind === 'json' ? [`export type ${name}Answer = ${answer}`] : []),
      ...(kind === 'list' ? [`export type ${name}Item = ${answer}`] : []),
    ].join('\n\n'),
    method: `${commentText(`${summary}\n\n${description}\n@throws ParleyProblem`)}${id}(${taken.join(', ')}): ${returns} {
    return this.#transport.${sender[kind]}({ ${call.join(', ')} })
  }`,
  }
}

function answerOf({ operationId, responses }: DescribedOperation) {
  const done = Object.entries(responses).find(([status]) => status.startsWith('2'))
  if (!done) throw new Error(`${operationId} answers nothing that is good`)
  const [, { content }] = done
  if (!content) return { kind: 'nothing', answer: 'void' } as const
  const schema = content['application/json']?.schema
  if (!schema) return { kind: 'file', answer: 'Response' } as const
  const { data, next_cursor } = schema.properties ?? {}
  return data?.items && next_cursor
    ? ({ kind: 'list', answer: typeText(data.items) } as const)
    : ({ kind: 'json', answer: typeText(schema) } as const)
}
