import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { tooLong } from '../../engine/values/caps'
import { JSON_PATH_CAP, jsonPathProblem } from '../../engine/values/jsonPath'

/** `at-once`: the caller is told that the call was taken; `flow`: what the flow says to it. */
export const answers = ['at-once', 'flow'] as const
/** Values that one call may set. */
export const WEBHOOK_VALUES = 50

/** A JSONPath into what was sent; empty: none. */
const path = z
  .string()
  .max(JSON_PATH_CAP, tooLong(JSON_PATH_CAP))
  .superRefine((text, { addIssue }) => {
    const problem = text === '' ? null : jsonPathProblem(text)
    if (problem) addIssue({ code: 'custom', message: problem })
  })

export const webhookSchema = z.strictObject({
  /** what is saved of a call */
  mapping: z
    .array(
      z.strictObject({
        id: idSchema,
        path,
        variableId: idSchema.nullable(),
        /** a call without it is refused */
        required: z.boolean(),
      }),
    )
    .max(WEBHOOK_VALUES),
  /** where a call names the conversation that it goes on with */
  conversationPath: path,
  /** where a call says what it is about: calls with one key go on with one conversation */
  keyPath: path,
  /** whether the question that a call interrupts is asked again afterwards */
  resumes: z.boolean(),
  answer: z.enum(answers),
})
export type WebhookData = z.infer<typeof webhookSchema>
export type WebhookMapping = WebhookData['mapping'][number]

export const newMapping = (id: () => string): WebhookMapping => ({
  ...{ id: id(), path: '', variableId: null, required: false },
})
export const webhookDefaults = (): WebhookData => ({
  ...{ mapping: [], conversationPath: '', keyPath: '', resumes: true, answer: 'at-once' },
})
