import { z } from 'zod'
import { isJson, type Json } from '../../../../engine/values/json'
import { toolServerCaps } from '../../../contracts/tool-servers'
import type { OfferedTool } from './tables'

/** Limits of an MCP server's tools; a model gets all of it with every question. */
export const offerCaps = {
  /** of a paginated list */
  pages: 10,
  /** MCP's own cap */
  name: 128,
  title: 100,
  /** longer ones are truncated */
  description: 1_000,
  schemaBytes: 16_000,
  schemaDepth: 20,
  /** properties of a schema, at any depth */
  properties: 200,
} as const

/** Thrown if a server's list exceeds the limits: its message names the problem and the remedy. */
export class OfferError extends Error {
  override readonly name = 'OfferError'
}

/** A page of `tools/list`, parsed without output schemas, which must not be compiled. */
export interface OfferedPage {
  tools: OfferedTool[]
  next: string | null
}

const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().max(2_000).nullish() })
const toolSchema = z.looseObject({
  name: z.string().min(1),
  title: z.string().nullish(),
  description: z.string().nullish(),
  inputSchema: z.looseObject({}),
  annotations: z.looseObject({ readOnlyHint: z.boolean().optional() }).nullish(),
})

/**
 * Parses a page.
 * @param most tools that still fit
 * @throws OfferError
 */
export function readOffer(answer: unknown, most: number): OfferedPage {
  const page = pageSchema.safeParse(answer).data
  if (!page) throw new OfferError('What this server says of its tools is no list of tools. Ask the people who run it.')
  return { tools: page.tools.slice(0, most).map(readTool), next: page.nextCursor || null }
}

function readTool(offered: unknown, at: number): OfferedTool {
  const tool = toolSchema.safeParse(offered).data
  if (!tool) throw new OfferError(`Tool ${at + 1} of this server has no name or no input schema. ${REMEDY}`)
  const { name, title, description, inputSchema, annotations } = tool
  if (name.length > offerCaps.name)
    throw new OfferError(
      `The tool “${name.slice(0, 30)}…” has a name of ${name.length} characters; at most ${offerCaps.name} are taken. ${REMEDY}`,
    )
  const fault = schemaFault(inputSchema)
  if (fault) throw new OfferError(`The input schema of the tool “${name}” has ${fault}. ${REMEDY}`)
  return {
    name,
    title: (title || name).slice(0, offerCaps.title),
    description: (description ?? '').slice(0, offerCaps.description),
    schema: inputSchema as Record<string, Json>,
    ...(annotations?.readOnlyHint === true && { reads_only: true }),
  }
}

const REMEDY = `Ask the people who run the server for a smaller one, or use another server (at most ${toolServerCaps.tools} tools of a server are used).`

function schemaFault(schema: object): string | null {
  if (!isJson(schema, offerCaps.schemaDepth)) return `more than ${offerCaps.schemaDepth} levels`
  const properties = countProperties(schema)
  if (properties > offerCaps.properties)
    return `${properties.toLocaleString('en')} properties; at most ${offerCaps.properties} are taken`
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  return bytes > offerCaps.schemaBytes
    ? `${Math.ceil(bytes / 1_000)} KB; at most ${offerCaps.schemaBytes / 1_000} KB are taken`
    : null
}

/** The value's depth has been checked. */
function countProperties(value: Json | object): number {
  if (value === null || typeof value !== 'object') return 0
  return Object.entries(value).reduce((sum, [name, part]) => {
    const own = name === 'properties' && part !== null && typeof part === 'object' ? Object.keys(part).length : 0
    return sum + own + countProperties(part)
  }, 0)
}
