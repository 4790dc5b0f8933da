import { z } from 'zod'
import type { KeyCall } from '../../access/keyCall'
import { invalidInput, readInput } from '../../access/readInput'
import type { Route, Scope } from '../../contracts/route'
import { ApiError } from '../../platform/errors'

/** An operation of the public API as data: `serveApi.ts` serves it, `openapi.ts` describes it. */
export interface Operation {
  /** the name by which clients call it, stable: `listChatbots` */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** below `/api/v1`, with parameters as `{name}` */
  path: string
  /** the subject that it stands under in the reference */
  tag: Tag
  /** what it does, in a few words */
  summary: string
  /** what is to be known beside it; Markdown */
  description?: string
  /** what a key has to have */
  scope: Scope
  params: z.ZodObject
  query: z.ZodType
  /** null: it takes none */
  body: z.ZodType | null
  /** a body that says something, for readers to begin with; left out: what is required of it */
  example?: Readonly<Record<string, unknown>>
  /** null: it answers 204 */
  answer: z.ZodType | null
  /** of an answer */
  status: 200 | 201
  /** the answer has a secret that is shown once, so that it is not kept for a repeated call */
  secret: boolean
  /** most bytes of the body; default: 1 MiB */
  bodyLimit?: number
  /** a file is answered, of one of these types, by the route itself */
  file?: readonly string[]
  run(given: Given, call: KeyCall): Promise<unknown>
}

export const tags = {
  Chatbots: 'What the project has, and what is published of each.',
  Flows: 'Drafts of flows as JSON: read, replaced, checked, published.',
  Conversations: 'What visitors said, on every channel, and answers of people.',
  Contacts: 'The people whom chatbots have met.',
  Knowledge: 'Sources, what is found in them, and answers from them.',
  Webhooks: 'Addresses that are called when something happens.',
  Events: 'What happened, in order: to keep another system in step, or to catch up with webhooks.',
  Exports: 'Data of the project as files.',
  Usage: 'What the plan allows, and what was used.',
} as const
export type Tag = keyof typeof tags

/** An answer that is JSON already: parsing a large one and writing it again would hold up everybody. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A call's parts: `params` as they stand in the path, `query` as texts, `body` as JSON. */
export interface Given {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
}

/** How a parameter of the path is called in the API, and in the route. */
type Names = Readonly<Record<string, string>>

interface About {
  id: string
  path: string
  tag: Tag
  summary: string
  description?: string
  example?: Operation['example']
  /** default: the path's parameters are called as the route's */
  names?: Names
}

interface OneOf<Answer> extends About {
  method?: Operation['method']
  /** default: `read` for GET, `write` for all others */
  scope?: Scope
  status?: Operation['status']
  secret?: boolean
  /** parts of the body or query that the API sets itself */
  set?: Readonly<Record<string, unknown>>
  /** the part of the route's answer that is answered; null: nothing (204) */
  pick?: (keyof Answer & string) | null
}

/**
 * An operation that does what a route does. Its schemas are the route's, so the route refuses what they do not allow.
 * @param about `set`: fields of the body that a program does not choose; `pick`: the field that is the whole answer
 */
export function operation<Params, Query, Body, Answer>(
  route: Route<Params, Query, Body, Answer>,
  { names = {}, method = route.method, scope, set = {}, pick, ...about }: OneOf<Answer>,
): Operation {
  const answer = pick === null ? null : pick === undefined ? route.answer : fieldOf(route.answer, pick)
  const takesBody = method !== 'GET' && Object.keys(withoutFields(route.body, Object.keys(set))).length > 0
  return {
    status: 200,
    secret: false,
    ...(route.bodyLimit !== undefined && { bodyLimit: route.bodyLimit }),
    ...about,
    method,
    scope: scope ?? (method === 'GET' ? 'read' : 'write'),
    params: paramsOf(route.params, about.path, names),
    query: route.query,
    body: takesBody ? leavingOut(route.body, Object.keys(set)) : null,
    answer,
    async run({ params, query, body }, call) {
      const sent = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
      const answered = await call.route(route, routeParams(params, names) as Omit<Params, 'pgid'>, {
        query,
        ...(route.method !== 'GET' && { body: takesBody && sent !== body ? body : { ...sent, ...set } }),
      })
      if (pick === null) return undefined
      return pick === undefined ? answered : answered[pick]
    },
  }
}

interface ListOf<Answer> extends About {
  /** the field of the route's answer with the entries */
  items: keyof Answer & string
  /** the query field that takes the place where a page begins; none: there is one page */
  cursor?: string
  /** the place where the next page begins; null: there is none */
  next?: (answer: Answer) => string | null
  /** query fields that the API sets itself, or leaves out (undefined) */
  set?: Readonly<Record<string, unknown>>
}

/** Where a page begins, as the one before has it. */
const cursorSchema = z.string().max(100).optional().describe('`next_cursor` of the page before; left out: the first')

/** An operation that lists what a route lists: `{ data, next_cursor }`. */
export function list<Params, Query, Body, Answer>(
  route: Route<Params, Query, Body, Answer>,
  { names = {}, items, cursor, next = () => null, set = {}, ...about }: ListOf<Answer>,
): Operation {
  const own = leavingOut(route.query, [...Object.keys(set), ...(cursor === undefined ? [] : [cursor])])
  return {
    ...about,
    status: 200,
    secret: false,
    method: 'GET',
    scope: 'read',
    params: paramsOf(route.params, about.path, names),
    query: cursor === undefined ? own : (own as z.ZodObject).extend({ cursor: cursorSchema }),
    body: null,
    answer: z.strictObject({
      data: fieldOf(route.answer, items),
      next_cursor: z.string().nullable().describe('where the next page begins; null: this is the last one'),
    }),
    async run({ params, query: { cursor: place, ...query }, body: _ }, call) {
      const begins = place === undefined ? {} : { [cursor ?? 'cursor']: place }
      const fixed = Object.entries(set).filter(([, value]) => value !== undefined)
      const answered = await call.route(route, routeParams(params, names) as Omit<Params, 'pgid'>, {
        query: { ...query, ...begins, ...Object.fromEntries(fixed) },
      })
      return { data: answered[items], next_cursor: next(answered) }
    },
  }
}

/** Declares an operation that combines several routes, or does what none does. */
export function combined<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>(
  about: Omit<Operation, 'params' | 'query' | 'body' | 'run' | 'status' | 'secret'> & {
    status?: Operation['status']
    params: Params
    query?: Query
    body?: Body
    run: (
      given: { params: z.infer<Params>; query: z.infer<Query>; body: z.infer<Body> },
      call: KeyCall,
    ) => Promise<unknown>
  },
): Operation {
  const { params, query = z.strictObject({}), body = null } = about
  return {
    status: 200,
    secret: false,
    ...about,
    params,
    query,
    body,
    run: async (given, call) =>
      about.run(
        {
          params: readInput(params, given.params, () => new ApiError('not_found')) as z.infer<Params>,
          query: readInput(query, given.query, invalidInput) as z.infer<Query>,
          body: (body === null ? undefined : readInput(body, given.body, invalidInput)) as z.infer<Body>,
        },
        call,
      ),
  }
}

/** The path's parameters with the schemas that the route has for them. */
function paramsOf(schema: z.ZodType, path: string, names: Names): z.ZodObject {
  const { shape } = schema as z.ZodObject
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return z.strictObject(
    Object.fromEntries(
      inPath.map((name) => {
        const known = shape[names[name] ?? name]
        if (!known) throw new Error(`${path}: the route has no ${names[name] ?? name}`)
        return [name, known]
      }),
    ),
  )
}

const routeParams = (params: Given['params'], names: Names): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [names[name] ?? name, value]))

function fieldOf(schema: z.ZodType, field: string): z.ZodType {
  const found = (schema as z.ZodObject).shape[field]
  if (!found) throw new Error(`the route answers no ${field}`)
  return found as z.ZodType
}

/** The same without some fields: for the description alone, since refinements of the whole are the route's. */
function leavingOut(schema: z.ZodType, fields: readonly string[]): z.ZodType {
  return fields.length === 0 ? schema : z.strictObject(withoutFields(schema, fields))
}

function withoutFields(schema: z.ZodType, fields: readonly string[]): z.ZodRawShape {
  const { shape = {} } = schema as z.ZodObject
  return Object.fromEntries(Object.entries(shape).filter(([name]) => !fields.includes(name)))
}
