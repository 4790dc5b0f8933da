import { z } from 'zod'
// its schemas have error messages for people
import '../../engine/values/issues'

/**
 * A route as data: the server registers it (and refuses one without an access rule), the interface calls it. Only
 * objects of this kind are shared between server and src.
 */
export interface Route<Params, Query, Body, Answer, Who extends Access = Access> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  access: Who
  params: z.ZodType<Params>
  query: z.ZodType<Query>
  body: z.ZodType<Body>
  /** the envelope's `data` */
  answer: z.ZodType<Answer>
  /** most bytes of a body; default: 1 MiB */
  bodyLimit?: number
  /** of a signed route: its body is the bytes as they came, which are not parsed */
  bytes?: true
  /** a feature that the project's plan must have (server/access/plans.ts); refused with `plan_limit` */
  plan?: string
  /** features that the plan must have for a call with this body, beside `plan` */
  planFor?(body: NoInfer<Body>): readonly string[]
  /**
   * of a route with `cgid`: it may be called for a chatbot over the plan's limit as well, since it takes something
   * away; others that change a chatbot are refused then (server/access/overLimit.ts)
   */
  overLimit?: 'allowed'
  /** the scope with which API keys may call it; a key acts with its holder's rights */
  apiKey?: Scope
  /** rate limit per caller: counted before the body is parsed, by all processes together if there is a Redis */
  limit?: RateLimit
  /**
   * an expensive call: each tenant has a limited number of places, and further calls are refused early
   * (server/platform/http/admission.ts)
   */
  load?: 'turn' | 'draft'
}

export interface RateLimit {
  /** calls are counted per account, or per address (IPv6: its /64) */
  by: 'user' | 'address'
  /** a number, or the name of a setting; a setting of 0 means no limit */
  most: number | 'chatStartsPerMinute'
  /** default: 60 */
  seconds?: number
  /** routes with the same name share a count; default: one per route */
  name?: string
}

/**
 * Who may call, and how that is proved. By session cookie: `guest` only without login; `user` any account; `operator`
 * an account that runs the installation, for others the answer is 404; a feature of the roles map, checked for the
 * project given by `pgid` in the params (or body), also by API key if the route has `apiKey`. By the conversation's
 * token: `visitor`. By signature: whoever knows a webhook's secret. `public`: anyone. For a project that the caller is
 * not a member of, the answer is 404.
 */
export type Access =
  | 'public'
  | 'guest'
  | 'user'
  | 'operator'
  | 'visitor'
  | { feature: Feature }
  | { signature: SignatureRule }
/** Scopes of an API key; write includes read. */
export const scopes = ['read', 'write'] as const
export type Scope = (typeof scopes)[number]
/**
 * How a webhook is signed: HMAC-SHA-256 over the bytes of the body, with `within` over the time and the bytes; with
 * `timestamp`, ECDSA (P-256, SHA-256) over that header and the bytes, by whose public key it is verified.
 */
export interface SignatureRule {
  /** the header with the signature, in lower case */
  header: string
  /** the text before it, such as `sha256=` */
  prefix?: string
  /** default: hex */
  encoding?: 'hex' | 'base64'
  /** the header with the time that is signed with the body, in lower case: the signature is ECDSA */
  timestamp?: string
  /**
   * the header holds `t=<seconds>,v1=<signature>` instead, over that time, a dot and the bytes; a time further than so
   * many seconds from now is refused
   */
  within?: number
  /** whoever the call is for may do without signatures (`SecretLookup`) */
  optional?: boolean
}
export type Feature = `${string}.${string}`

const nothing = z.strictObject({})
type Nothing = z.infer<typeof nothing>

/** Declares a route; parts that are left out must be empty in a call. */
export function defineRoute<
  Params = Nothing,
  Query = Nothing,
  Body = Nothing,
  Answer = unknown,
  Who extends Access = Access,
>(
  route: Pick<
    Route<Params, Query, Body, Answer, Who>,
    | 'method'
    | 'path'
    | 'access'
    | 'answer'
    | 'bodyLimit'
    | 'bytes'
    | 'load'
    | 'plan'
    | 'planFor'
    | 'limit'
    | 'apiKey'
    | 'overLimit'
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
