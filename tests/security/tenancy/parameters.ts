import type { AnyRoute } from '../../../server/access/register'
import { gid } from '../../../server/contracts/route'
import { type JsonSchema, jsonSchemaOf, sample } from '../../support/sample'

const parts = ['params', 'query', 'body'] as const

/** A place in what a call sends that may name a row. */
export interface Parameter {
  part: (typeof parts)[number]
  /** from the part's root; an item of a list is `[]` */
  path: string[]
  /** what seeds are listed by: `api-keys.gid` for `…/api-keys/:gid`, `sources.gids` for the body of `…/sources/delete` */
  kind: string
}

/** Ids that mean the same row in every route. */
const everywhere = ['pgid', 'cgid', 'fid']
const gidPattern = jsonSchemaOf(gid).pattern
const namedAsId = /(?:^|_)g?ids?$|Ids?$|^(?:pgid|cgid|fid|vid)$/

/**
 * The parameters of a route that may name a row, from its schemas: all of its path, and of query and body what has an id's name, or is a
 * text whose pattern an id passes. So a new route needs no word here; a kind that nothing is known of fails for the want of a seed.
 */
export function parametersOf(route: AnyRoute): Parameter[] {
  const resource = resourceOf(route.path)
  return parts.flatMap((part) =>
    leavesOf(jsonSchemaOf(route[part]))
      .filter(({ path, schema }) => part === 'params' || mayBeId(path, schema))
      .map(({ path }) => {
        const name = nameOf(path)
        const place = part === 'params' ? segmentBefore(route.path, name) : resource
        return { part, path, kind: everywhere.includes(name) ? name : `${place}.${name}` }
      }),
  )
}

/** The first fixed part of a path after the project, chatbot and flow that it is below: `sources` of `…/:cgid/sources/:gid/text`. */
function resourceOf(path: string): string {
  const segments = path.split('/').slice(1)
  const last = segments.findLastIndex((segment) => everywhere.includes(segment.slice(1)))
  return segments.slice(last + 1).find((segment) => segment !== 'api' && !segment.startsWith(':')) ?? 'project'
}

function segmentBefore(path: string, name: string): string {
  const segments = path.split('/')
  return segments[segments.indexOf(`:${name}`) - 1] ?? ''
}

const nameOf = (path: readonly string[]) => path.findLast((key) => key !== '[]') ?? ''

function mayBeId(path: readonly string[], { type, pattern }: JsonSchema): boolean {
  if (type !== 'string' && type !== 'integer') return false
  if (namedAsId.test(nameOf(path))) return true
  return pattern !== undefined && (pattern === gidPattern || new RegExp(pattern, 'u').test('a1'.repeat(8)))
}

interface Leaf {
  path: string[]
  schema: JsonSchema
}

/** The values without parts that a schema takes, each place once. */
function leavesOf(schema: JsonSchema): Leaf[] {
  const leaves = [
    ...(schema.type && schema.const === undefined && !schema.enum ? [{ path: [], schema }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, property]) => below(key, property)),
    ...(schema.items ? below('[]', schema.items) : []),
    ...choicesOf(schema).flatMap(leavesOf),
  ].filter(({ schema: { type } }) => type !== 'object' && type !== 'array' && type !== 'null')
  return leaves.filter(({ path }, at) => leaves.findIndex((leaf) => leaf.path.join() === path.join()) === at)
}

const below = (key: string, schema: JsonSchema) =>
  leavesOf(schema).map((leaf) => ({ ...leaf, path: [key, ...leaf.path] }))
const choicesOf = ({ anyOf, oneOf }: JsonSchema) => [...(anyOf ?? []), ...(oneOf ?? [])]

/** Puts a value in a place where the sample has one. */
export function replaceIn(sample: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(sample)) return key === '[]' ? sample.map((item) => replaceIn(item, rest, value)) : sample
  if (typeof sample !== 'object' || sample === null || !(key in sample)) return sample
  return { ...sample, [key]: replaceIn(sample[key as keyof typeof sample], rest, value) }
}

/** A value that the schema takes, with what is needed for `wanted` to stand in it. */
export function sampleWith(schema: JsonSchema, wanted: readonly string[], value: unknown): unknown {
  const [key, ...rest] = wanted
  if (key === undefined) return value
  const choice = choicesOf(schema).find((one) => leavesOf(one).some(({ path }) => path.join() === wanted.join()))
  if (choice) return sampleWith(choice, wanted, value)
  if (key === '[]') return [sampleWith(schema.items ?? {}, rest, value)]
  return { ...(sample(schema) as object), [key]: sampleWith(schema.properties?.[key] ?? {}, rest, value) }
}
