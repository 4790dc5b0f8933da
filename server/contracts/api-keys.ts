import { z } from 'zod'
import { tooLong } from '../../engine/values/caps'
import { defineRoute, gid, ok, scopes } from './route'

/** SPEC.md 9. */
export const API_KEY_NAME = 300
export const KEYS_PER_PROJECT = 100
/** Calls of a key a minute, unless it has a limit of its own; and the most that one may be given. */
export const CALLS_A_MINUTE = 300
export const MOST_CALLS_A_MINUTE = 10_000
/** Days after which a key may end by itself. */
export const keyLifetimes = [7, 30, 90, 365] as const
/** A secret that was replaced works so many hours longer. */
export const OLD_KEY_HOURS = 24

export const apiKeySchema = z.strictObject({
  /** these four are named by SPEC.md 3 */
  id: gid,
  name: z.string(),
  preview: z.string(),
  timestamp: z.string(),
  /** what it may be used for: `write` allows whatever its holder may do */
  scope: z.enum(scopes),
  /** the account it acts for */
  by: z.string(),
  /** the caller made it: nobody else may replace its secret */
  mine: z.boolean(),
  last_used_at: z.string().nullable(),
  /** null: it does not end by itself */
  expires_at: z.string().nullable(),
  /** null: `CALLS_A_MINUTE` */
  calls_a_minute: z.int().nullable(),
  /** until when the secret before the present one works as well */
  old_key_until: z.string().nullable(),
})
export type ApiKey = z.infer<typeof apiKeySchema>

const inProject = z.strictObject({ pgid: gid })

export const listApiKeys = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/api-keys',
  access: { feature: 'api_keys.view' },
  params: inProject,
  answer: z.strictObject({
    keys: z.array(apiKeySchema),
    /** the address for MCP clients */
    mcp_url: z.string(),
    /** where the public API is served */
    api_url: z.string(),
    /** whether the plan has the feature `api` */
    allowed: z.boolean(),
  }),
})
/** The only response with the key: the database has only its hash. It acts for the caller. */
export const createApiKey = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/api-keys',
  access: { feature: 'api_keys.create' },
  plan: 'api',
  params: inProject,
  body: z.strictObject({
    name: z.string().trim().min(1, 'Enter a name').max(API_KEY_NAME, tooLong(API_KEY_NAME)),
    /** absent: `write` */
    scope: z.enum(scopes).optional(),
    /** absent: it does not end by itself */
    expires_in_days: z.union(keyLifetimes.map((days) => z.literal(days))).optional(),
    /** absent: `CALLS_A_MINUTE` */
    calls_a_minute: z
      .int('Enter a whole number')
      .min(1, 'Enter 1 or more')
      .max(MOST_CALLS_A_MINUTE, `Enter at most ${MOST_CALLS_A_MINUTE}`)
      .optional(),
  }),
  answer: z.strictObject({ key: apiKeySchema, secret: z.string() }),
})
/** A new secret for the same key, in the only response with it; the one before works for `OLD_KEY_HOURS`. */
export const rotateApiKey = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/api-keys/:gid/secret',
  access: { feature: 'api_keys.create' },
  plan: 'api',
  params: z.strictObject({ pgid: gid, gid }),
  answer: z.strictObject({ key: apiKeySchema, secret: z.string() }),
})
/** It stops working at once. */
export const deleteApiKey = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/api-keys/:gid',
  access: { feature: 'api_keys.delete' },
  params: z.strictObject({ pgid: gid, gid }),
  answer: ok,
})
