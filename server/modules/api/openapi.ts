import { z } from 'zod'
import { CALLS_A_MINUTE } from '../../contracts/api-keys'
import { API_PATH } from '../../contracts/publicApi'
import { type ApiErrorCode, apiErrors } from '../../platform/errors'
import { nextTurn } from '../../platform/nextTurn'
import { type Operation, tags } from './operation'
import { problemSchema } from './problem'

type JsonSchema = Record<string, unknown>

const ABOUT = [
  `For programs that have an API key of a project, which is created at **Project settings > API keys**. A key has the rights of the member who created it, in that project only.`,
  `**Errors** are problem details (RFC 9457): \`detail\` says what is wrong and what to do, \`code\` is stable, \`errors\` names fields of the body.`,
  `**Lists** answer \`data\` and \`next_cursor\`; send that as \`cursor\` for the next page, until it is null.`,
  `**Repeated calls:** a POST with a header \`Idempotency-Key\` is carried out once in 24 hours, however often it is sent; \`Idempotency-Replayed: true\` says that the answer is the first one's.`,
  `**Limits:** ${CALLS_A_MINUTE} calls a minute and key, unless the key has another limit. \`RateLimit-Remaining\` says how many are left, \`RateLimit-Reset\` in how many seconds there are more, \`Retry-After\` when to come back after a 429.`,
  `**Versions:** fields, operations and values may be added to v1, so let programs ignore what they do not know. What would break them gets another path; v1 stays for a year after that.`,
].join('\n\n')

/** What each operation may answer beside its result. */
const refusals = (operation: Operation): ApiErrorCode[] => [
  ...(operation.body === null ? [] : (['malformed', 'too_large', 'unsupported_type'] as const)),
  ...(['unauthenticated', 'forbidden'] as const),
  ...(operation.path.includes('{') ? (['not_found'] as const) : []),
  ...(operation.method === 'GET' ? [] : (['conflict'] as const)),
  ...(['invalid', 'too_many_requests', 'internal', 'overloaded'] as const),
]

/**
 * The API as an OpenAPI 3.1 document, made from its operations, whose schemas are those of the routes. Other calls are
 * answered meanwhile.
 * @param publicUrl the installation's address
 */
export async function describeApi(operations: readonly Operation[], publicUrl: string): Promise<JsonSchema> {
  const paths: Record<string, JsonSchema> = {}
  for (const operation of operations) {
    await nextTurn()
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '1.0.0',
      description: ABOUT,
      license: { name: 'The licence of this installation', url: publicUrl },
    },
    servers: [{ url: publicUrl + API_PATH }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, as `Authorization: Bearer parley_…`' },
      },
      schemas: { Problem: schemaOf(problemSchema, 'output') },
    },
  }
}

function describe(operation: Operation): JsonSchema {
  const { id, tag, summary, description, scope, method, body, example, status, answer, file } = operation
  const parameters = [
    ...parametersOf(operation.params, 'path'),
    ...parametersOf(operation.query, 'query'),
    ...(method === 'POST' ? [IDEMPOTENCY] : []),
  ]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description ? `${description}\n\n` : ''}Scope: \`${scope}\`.`,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(body, 'input'), ...(example && { example }) } },
      },
    }),
    responses: {
      ...(answer === null
        ? { 204: { description: 'Done' } }
        : {
            [status]: { description: 'Done', headers: HEADERS, content: file ? fileContent(file) : contentOf(answer) },
          }),
      ...problems(operation),
    },
  }
}

const contentOf = (answer: z.ZodType) => ({ 'application/json': { schema: schemaOf(answer, 'output') } })
const fileContent = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))

const count = { schema: { type: 'integer' } }
const HEADERS = {
  'RateLimit-Limit': { description: 'calls that the key has a minute', ...count },
  'RateLimit-Remaining': { description: 'calls that are left', ...count },
  'RateLimit-Reset': { description: 'seconds until there are more', ...count },
}

const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'names the call: sent again within 24 hours, it is not carried out again',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** Refusals by status, each with its codes. */
function problems(operation: Operation): JsonSchema {
  const byStatus = new Map<number, ApiErrorCode[]>()
  for (const code of refusals(operation)) {
    const { status } = apiErrors[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${apiErrors[code].text}`).join('\n\n'),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): JsonSchema[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(description !== undefined && { description }),
    required: place === 'path' || required.includes(name),
    schema: rest,
  }))
}

/** What JSON Schema can't say, such as rules between fields, is left out: the server refuses it with a message. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => nameProperties(jsonSchema),
  })
  return rest
}

/** Objects whose names are a list have them as properties, which more programs read than `propertyNames`. */
function nameProperties(schema: z.core.JSONSchema.BaseSchema): void {
  const { propertyNames, additionalProperties } = schema
  if (typeof propertyNames !== 'object' || !propertyNames.enum || typeof additionalProperties !== 'object') return
  schema.properties = Object.fromEntries(propertyNames.enum.map((name) => [String(name), additionalProperties]))
  schema.additionalProperties = false
  delete schema.propertyNames
}
