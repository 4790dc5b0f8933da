import { z } from 'zod'
import { tooLong } from '../../engine/values/caps'
import { defineRoute, gid } from './route'

/** SPEC.md 9. */
export const INSTRUCTIONS_CAP = 20_000
/** The number of versions kept per chatbot. */
export const VERSIONS_CAP = 100

export const instructionVersionSchema = z.strictObject({
  gid,
  text: z.string(),
  /** null: the account was deleted */
  by: z.string().nullable(),
  at: z.string(),
})
export type InstructionVersion = z.infer<typeof instructionVersionSchema>
const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const view = z.strictObject({
  text: z.string(),
  /** newest first; once saved, the first one is the present text */
  versions: z.array(instructionVersionSchema),
})
export type Instructions = z.infer<typeof view>

export const readInstructions = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/instructions',
  access: { feature: 'instructions.view' },
  params: inChatbot,
  answer: view,
})
/**
 * Saves the text and a version of it. `was` is the text that the screen started with: 409 if somebody else has saved
 * since.
 */
export const updateInstructions = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/instructions',
  access: { feature: 'instructions.update' },
  params: inChatbot,
  body: z.strictObject({
    text: z.string().max(INSTRUCTIONS_CAP, tooLong(INSTRUCTIONS_CAP)),
    was: z.string().max(INSTRUCTIONS_CAP),
  }),
  answer: view,
})
