import { z } from 'zod'
// what its schemas say, they say in words for people
import '../../engine/values/issues'

/**
 * A route as data: the server registers it (and refuses to register one without an access rule), the interface calls it. Only
 * this file's kind of object crosses from server to src.
 */
export interface Route<Params, Query, Body, Answer, Who extends Access = Access> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  access: Who
  params: z.ZodType<Params>
  query: z.ZodType<Query>
  body: z.ZodType<Body>
  /** what stands in `data` of the envelope */
  answer: z.ZodType<Answer>
  /** most bytes of a body; 1 MiB unless said */
  bodyLimit?: number
  /** a feature that the project's plan must have (server/access/plans.ts); refused with `plan_limit` */
  plan?: string
  /** programs may call it too, with a project's API key that has this scope; it acts as the key's holder, with their rights */
  apiKey?: Scope
  /** how often a caller may call: counted before the body is read, by all processes together where there is a Redis */
  limit?: RateLimit
  /** it takes much: calls of each tenant have so many places, and are refused early where more come (server/platform/http/admission.ts) */
  load?: 'turn' | 'draft'
}

export interface RateLimit {
  /** whose calls are counted together: an account's, or an address's (IPv6: its /64) */
  by: 'user' | 'address'
  /** a number, or the setting that has it; 0 of a setting: as many as come */
  most: number | 'chatStartsPerMinute'
  /** 60 unless said */
  seconds?: number
  /** routes with the same name are counted together; each by itself unless said */
  name?: string
}

/**
 * Who may call, and how that is proved. By the session's cookie: `guest` only who is not logged in; `user` any account; a feature of the
 * roles map, checked for the project that `pgid` of the params (or of the body) names, also by an API key where the route has `apiKey`. By
 * the conversation's token: `visitor`. By a signature: whoever has the secret of a webhook. `public`: anyone. An id of a project that
 * the caller is no member of is a 404.
 */
export type Access = 'public' | 'guest' | 'user' | 'visitor' | { feature: Feature } | { signature: SignatureRule }
/** What an API key may be used for; whoever may write may read. */
export const scopes = ['read', 'write'] as const
export type Scope = (typeof scopes)[number]
/** How a webhook is signed: HMAC with SHA-256 over the bytes of the body. */
export interface SignatureRule {
  /** the header that has the signature, in small letters */
  header: string
  /** stands before it, such as `sha256=` */
  prefix?: string
  /** hex unless said */
  encoding?: 'hex' | 'base64'
}
export type Feature = `${string}.${string}`

const nothing = z.strictObject({})
type Nothing = z.infer<typeof nothing>

/** Declares a route; what is left out must be empty in a call. */
export function defineRoute<
  Params = Nothing,
  Query = Nothing,
  Body = Nothing,
  Answer = unknown,
  Who extends Access = Access,
>(
  route: Pick<
    Route<Params, Query, Body, Answer, Who>,
    'method' | 'path' | 'access' | 'answer' | 'bodyLimit' | 'load' | 'plan' | 'limit' | 'apiKey'
  > &
    Partial<Pick<Route<Params, Query, Body, Answer, Who>, 'params' | 'query' | 'body'>>,
): Route<Params, Query, Body, Answer, Who> {
  const empty = nothing as unknown
  return {
    params: empty as z.ZodType<Params>,
    query: empty as z.ZodType<Query>,
    body: empty as z.ZodType<Body>,
    ...route,
  }
}

/** Public ids of projects, chatbots, flows, conversations: 16 letters and digits. */
export const gid = z.string().regex(/^[a-z0-9]{16}$/, 'This is not a valid id')
export const ok = z.strictObject({})
