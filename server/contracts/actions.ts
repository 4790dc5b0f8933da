import { z } from 'zod'
import { answerPartSchema } from '../../engine/flow/answerParts'
import { actionCounts, agentActionSchema } from '../../engine/values/agentActions'
import { jsonSchema } from '../../engine/values/json'
import { stepSchema } from './answers'
import { defineRoute, gid, ok } from './route'

/** An action as it is stored; what its headers say is sealed there, and only its last characters are shown. */
export const storedActionSchema = z.strictObject({
  gid,
  action: agentActionSchema,
  /** when it was changed last: who saves over what somebody else changed meanwhile is told */
  updated_at: z.string(),
})
export type StoredAction = z.infer<typeof storedActionSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const one = z.strictObject({ pgid: gid, cgid: gid, gid })

/** In the order in which the model is told of them. */
export const listActions = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/actions',
  access: { feature: 'actions.view' },
  params: inChatbot,
  answer: z.strictObject({
    actions: z.array(storedActionSchema),
    /** who would use them: the chatbot's model. `works` says what stands in the way */
    model: z.strictObject({ name: z.string(), works: z.enum(['yes', 'built-in', 'unable', 'unavailable']) }),
    /** what the plan has; without it actions are kept and not used */
    plan: z.strictObject({ actions: z.boolean(), lead_form: z.boolean() }),
  }),
})
export type ActionList = z.infer<typeof listActions.answer>

export const readAction = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/actions/:gid',
  access: { feature: 'actions.view' },
  params: one,
  answer: storedActionSchema,
})
/** 403 with SPEC.md's sentence where the plan lacks actions, or the lead form. */
export const createAction = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/actions',
  access: { feature: 'actions.create' },
  params: inChatbot,
  body: agentActionSchema,
  answer: storedActionSchema,
})
/** `was` is the `updated_at` that the screen began with: 409 when somebody else has saved meanwhile. */
export const updateAction = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/actions/:gid',
  access: { feature: 'actions.update' },
  params: one,
  body: z.strictObject({ action: agentActionSchema, was: z.string().max(40) }),
  answer: storedActionSchema,
})
export const enableAction = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/actions/:gid/enabled',
  access: { feature: 'actions.update' },
  params: one,
  body: z.strictObject({ enabled: z.boolean() }),
  answer: storedActionSchema,
})
export const deleteAction = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/chatbots/:cgid/actions/:gid',
  access: { feature: 'actions.delete' },
  params: one,
  answer: ok,
})
/** All of the chatbot's, in their new order; 409 when there are others by now. */
export const orderActions = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/actions-order',
  access: { feature: 'actions.update' },
  params: inChatbot,
  body: z.strictObject({ gids: z.array(gid).min(1, 'Name at least one action').max(actionCounts.actions) }),
  answer: ok,
})

/** What came of carrying an action out. */
export const actionRunSchema = z.strictObject({
  ok: z.boolean(),
  /** what the model is told */
  result: jsonSchema,
  parts: z.array(answerPartSchema),
  steps: z.array(stepSchema),
  ms: z.number(),
})
export type ActionRun = z.infer<typeof actionRunSchema>

/**
 * Tries an action as it stands in the form, saved or not: what it would change outside is shown, or carried out and marked as a test. What goes wrong is in the answer. `gid` names the
 * stored one, whose headers' values it keeps where the form says so.
 */
export const testAction = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/actions-test',
  access: { feature: 'actions.test' },
  // a person tries things out; a program would send mails and calls with it
  limit: { by: 'user', most: 30 },
  params: inChatbot,
  body: z.strictObject({
    action: agentActionSchema,
    arguments: z.record(z.string().max(50), jsonSchema),
    gid: gid.optional(),
    /** calls and mails are real */
    carry_out: z.boolean().optional(),
  }),
  answer: actionRunSchema,
})
