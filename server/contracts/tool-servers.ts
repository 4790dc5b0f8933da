import { z } from 'zod'
import { testEffectSchema } from '../../engine/flow/testEffects'
import { actionCaps, tooLong } from '../../engine/values/caps'
import { jsonSchema } from '../../engine/values/json'
import { defineRoute, gid, ok } from './route'

export const toolServerCaps = { servers: 10, tools: 50, token: 2_000 } as const

export const toolServerSchema = z.strictObject({
  gid,
  name: z.string(),
  url: z.string(),
  /** its last characters; null: none is sent */
  token_preview: z.string().nullable(),
  enabled: z.boolean(),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      schema: z.record(z.string(), jsonSchema),
      /** its server declares it read-only: then tests call it too */
      reads_only: z.boolean().optional(),
      enabled: z.boolean(),
    }),
  ),
  /** why the last call failed, with the remedy */
  problem: z.string().nullable(),
  listed_at: z.string(),
})
export type ToolServer = z.infer<typeof toolServerSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const one = z.strictObject({ pgid: gid, cgid: gid, gid })
const path = '/api/projects/:pgid/chatbots/:cgid/tool-servers'
const name = z.string().trim().min(1, 'Enter a name').max(actionCaps.name, tooLong(actionCaps.name))
const token = z.string().trim().max(toolServerCaps.token, tooLong(toolServerCaps.token))
const answer = z.strictObject({ server: toolServerSchema })

export const listToolServers = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'actions.view' },
  params: inChatbot,
  answer: z.strictObject({ servers: z.array(toolServerSchema) }),
})
/** Lists the server's tools first: an unreachable server is refused at `url`, a rejected token at `token`. */
export const addToolServer = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'actions.create' },
  plan: 'actions',
  params: inChatbot,
  body: z.strictObject({
    name,
    url: z.string().trim().max(actionCaps.url, tooLong(actionCaps.url)),
    /** sent as a bearer token; absent: none */
    token: token.optional(),
  }),
  answer,
})
/** A new token is tested like in `addToolServer`. */
export const changeToolServer = defineRoute({
  method: 'PATCH',
  path: `${path}/:gid`,
  access: { feature: 'actions.update' },
  params: one,
  body: z.strictObject({
    name: name.optional(),
    token: token.optional(),
    enabled: z.boolean().optional(),
    /** names of disabled tools */
    off: z.array(z.string().max(200)).max(toolServerCaps.tools).optional(),
  }),
  answer,
})
/** Lists its tools again; a failure is in `problem`, and the tools stay as they were. */
export const refreshToolServer = defineRoute({
  method: 'POST',
  path: `${path}/:gid/refresh`,
  access: { feature: 'actions.update' },
  params: one,
  answer,
})
export const deleteToolServer = defineRoute({
  method: 'DELETE',
  path: `${path}/:gid`,
  access: { feature: 'actions.delete' },
  params: one,
  answer: ok,
})
/**
 * Calls a tool as a model would in a test: for real and marked as a test if requested or read-only; otherwise
 * simulated.
 */
export const testTool = defineRoute({
  method: 'POST',
  path: `${path}/:gid/test`,
  access: { feature: 'actions.test' },
  params: one,
  body: z.strictObject({
    tool: z.string().max(200),
    arguments: z.record(z.string().max(200), jsonSchema),
    carry_out: z.boolean().optional(),
  }),
  answer: z.strictObject({ ok: z.boolean(), result: jsonSchema, ms: z.number(), effect: testEffectSchema.optional() }),
})
