import { z } from 'zod'
import { nextTurn } from '../../platform/nextTurn'
import { schemaOf } from '../api/openapi'
import type { Operation } from '../api/operation'
import type { McpTool } from './tool'

/** Operations that flowTools.ts and testTools.ts offer in a form that suits models. */
const OWN = ['listChatbots', 'listFlows', 'readFlow', 'writeFlow', 'checkFlows', 'runTests', 'publish']

/**
 * The public API's operations as tools: one list of what programs may do, by either way. Left out are files, and
 * answers with a secret, which would stay in a model's conversation. Other calls are answered meanwhile.
 */
export async function operationTools(operations: readonly Operation[]): Promise<McpTool[]> {
  const tools: McpTool[] = []
  for (const operation of operations.filter(({ id, file, secret }) => !OWN.includes(id) && !file && !secret)) {
    await nextTurn()
    tools.push(toolOf(operation))
  }
  return tools
}

function toolOf(operation: Operation): McpTool {
  const { id, summary, description, scope, params, query, body } = operation
  const parts = { params: partOf(params), query: partOf(query), body: partOf(body) }
  const names = Object.values(parts).flatMap(({ properties }) => Object.keys(properties))
  if (new Set(names).size < names.length) throw new Error(`${id}: two of its parts have a field of one name`)
  const schema = {
    type: 'object',
    properties: Object.assign({}, ...Object.values(parts).map(({ properties }) => properties)),
    required: Object.values(parts).flatMap(({ required }) => required),
    additionalProperties: false,
  }
  return {
    name: id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    title: summary,
    description: description ? `${summary}. ${description}` : `${summary}.`,
    // what the operation itself checks and changes of it, it does when it is called
    input: z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]) as z.ZodObject,
    changes: scope === 'write',
    run: async (args: Record<string, unknown>, call) => {
      const given = { params: pick(args, parts.params), query: pick(args, parts.query), body: pick(args, parts.body) }
      const answer = await operation.run(
        { ...given, params: textsOf(given.params), query: textsOf(given.query), body: body ? given.body : undefined },
        call,
      )
      return operation.answer === null ? { done: true } : answer
    },
  } as McpTool
}

interface Part {
  properties: Record<string, object>
  required: string[]
}

function partOf(schema: z.ZodType | null): Part {
  const { properties = {}, required = [] } = (schema ? schemaOf(schema, 'input') : {}) as Partial<Part>
  return { properties, required }
}

const pick = (args: Record<string, unknown>, { properties }: Part): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([name, value]) => name in properties && value !== undefined))

/** As they stand in an address. */
const textsOf = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
