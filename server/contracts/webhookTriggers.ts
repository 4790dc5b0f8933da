import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { jsonSchema } from '../../engine/values/json'
import { defineRoute, gid, ok } from './route'

/** Bytes of a call's body. */
export const HOOK_BODY = 256_000
/** Characters of a call that are kept as a sample, and days that it is kept. */
export const HOOK_SAMPLE = 64_000
export const HOOK_SAMPLE_DAYS = 7

const ofTrigger = z.strictObject({ pgid: gid, cgid: gid, block: idSchema })

const state = z.strictObject({
  /** what other programs call; who knows it may */
  url: z.string(),
  /** whether calls have to be signed */
  signed: z.boolean(),
  /** what was sent last; null: nothing yet */
  sample: z.string().nullable(),
  sample_at: z.string().nullable(),
  called_at: z.string().nullable(),
  /** why the last call was refused */
  problem: z.string().nullable(),
})
export type HookState = z.infer<typeof state>

/** Opens the address of a trigger, which is made at the first call. */
export const openHook = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/hooks/:block',
  access: { feature: 'builder.update' },
  params: ofTrigger,
  answer: state,
})
/** Its address is another from now on: the one before answers 404. */
export const renewHook = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/hooks/:block/address',
  access: { feature: 'builder.update' },
  params: ofTrigger,
  answer: state,
})
/** Has calls signed from now on, with a new secret that is shown once; or no more. */
export const signHook = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/hooks/:block/secret',
  access: { feature: 'builder.update' },
  params: ofTrigger,
  body: z.strictObject({ signed: z.boolean() }),
  answer: z.strictObject({ state, secret: z.string().nullable() }),
})
/** Forgets what was sent last. */
export const forgetHookSample = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/chatbots/:cgid/hooks/:block/sample',
  access: { feature: 'builder.update' },
  params: ofTrigger,
  answer: ok,
})

/**
 * A call of a trigger: starts a conversation, or goes on with the one that the call names. Signed with
 * `X-Parley-Signature: sha256=<hex HMAC>` over the body where the trigger has a secret. The same `Idempotency-Key` (or
 * `webhook-id`) twice starts one conversation. Answers 202 at once, or 200 with what the flow says.
 */
export const callHook = defineRoute({
  method: 'POST',
  path: '/api/hooks/:token',
  access: { signature: { header: 'x-parley-signature', prefix: 'sha256=', optional: true } },
  limit: { by: 'address', most: 600 },
  params: z.strictObject({ token: z.string().min(20).max(64) }),
  bodyLimit: HOOK_BODY,
  body: jsonSchema,
  answer: z.strictObject({
    /** the conversation's id: later calls may name it */
    conversation: gid,
    /** whether the call began it */
    started: z.boolean(),
    /** where the flow is: it waits for an answer, goes on, or has ended; null: answered at once */
    state: z.enum(['running', 'waiting', 'ended']).nullable(),
    /** what the flow said to this call; empty: answered at once */
    messages: z.array(z.strictObject({ kind: z.string(), text: z.string() })),
  }),
})
