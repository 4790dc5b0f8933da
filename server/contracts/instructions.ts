import { z } from 'zod'
import { tooLong } from '../../engine/values/caps'
import { defineRoute, gid } from './route'

/** SPEC.md 9. */
export const INSTRUCTIONS_CAP = 20_000
/** How many versions of a chatbot's are kept, the newest ones. */
export const VERSIONS_CAP = 100

export const instructionVersionSchema = z.strictObject({
  gid,
  text: z.string(),
  /** null: that account is gone */
  by: z.string().nullable(),
  at: z.string(),
})
export type InstructionVersion = z.infer<typeof instructionVersionSchema>
const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const view = z.strictObject({
  text: z.string(),
  /** what stood before, the newest first; the first one is what stands now, once it was saved */
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
/** Saves and keeps a version. `was` is what the screen began with: 409 when somebody else has saved meanwhile. */
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
