import { z } from 'zod'
import { answerPartSchema } from '../../engine/flow/answerParts'
import { actionCounts, agentActionSchema } from '../../engine/values/agentActions'
import { jsonSchema } from '../../engine/values/json'
import { stepSchema } from './answers'
import { defineRoute, gid, ok } from './route'

/** A stored action; header values are encrypted, and only their last characters are returned. */
export const storedActionSchema = z.strictObject({
  gid,
  action: agentActionSchema,
  /** of the last change: detects conflicting edits */
  updated_at: z.string(),
})
export type StoredAction = z.infer<typeof storedActionSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const one = z.strictObject({ pgid: gid, cgid: gid, gid })

/** In the order in which the model gets them. */
export const listActions = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/actions',
  access: { feature: 'actions.view' },
  params: inChatbot,
  answer: z.strictObject({
    actions: z.array(storedActionSchema),
    /** the chatbot's model, and in `works` whether it can use actions, or why not */
    model: z.strictObject({ name: z.string(), works: z.enum(['yes', 'built-in', 'unable', 'unavailable']) }),
    /** the plan's features; without them actions are stored but not used */
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
/** The plan features that an action needs; 403 with SPEC.md's sentence where the plan lacks one. */
export const planFeatures = ({ kind }: { kind: string }): readonly ('actions' | 'lead_form')[] =>
  kind === 'lead-form' ? ['actions', 'lead_form'] : ['actions']

export const createAction = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/actions',
  access: { feature: 'actions.create' },
  params: inChatbot,
  body: agentActionSchema,
  planFor: planFeatures,
  answer: storedActionSchema,
})
/** `was` is the `updated_at` that the form started with: 409 if somebody else has saved since. */
export const updateAction = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/actions/:gid',
  access: { feature: 'actions.update' },
  params: one,
  body: z.strictObject({ action: agentActionSchema, was: z.string().max(40) }),
  planFor: ({ action }) => planFeatures(action),
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
/** All of the chatbot's actions in their new order; 409 if the set has changed. */
export const orderActions = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/actions-order',
  access: { feature: 'actions.update' },
  params: inChatbot,
  body: z.strictObject({ gids: z.array(gid).min(1, 'Name at least one action').max(actionCounts.actions) }),
  answer: ok,
})

/** The result of an action. */
export const actionRunSchema = z.strictObject({
  ok: z.boolean(),
  /** what the model gets */
  result: jsonSchema,
  parts: z.array(answerPartSchema),
  steps: z.array(stepSchema),
  ms: z.number(),
})
export type ActionRun = z.infer<typeof actionRunSchema>

/**
 * Tries out an action from the form, saved or not: its changes outside are shown, or carried out and marked as a test.
 * Failures are in the answer. `gid` is the stored action, whose header values are used where the form keeps them.
 */
export const testAction = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/actions-test',
  access: { feature: 'actions.test' },
  // not for API keys: a program could send many mails and calls with it
  limit: { by: 'user', most: 30 },
  params: inChatbot,
  body: z.strictObject({
    action: agentActionSchema,
    arguments: z.record(z.string().max(50), jsonSchema),
    gid: gid.optional(),
    /** whether calls and mails are real */
    carry_out: z.boolean().optional(),
  }),
  planFor: ({ action }) => planFeatures(action),
  answer: actionRunSchema,
})
