import { z } from 'zod'
import { jsonSchema } from '../../engine/values/json'
import { defineRoute, gid } from './route'

/** The flow is named in the body, as SPEC.md 7 requires. */
const place = { pgid: gid, cgid: gid, fid: gid }
const vid = z.string().max(64)

export const variableAnswerSchema = z.strictObject({
  variable: z.strictObject({ id: z.string(), name: z.string(), value: jsonSchema }),
})

/** Creates a variable, or renames one (`type` update, with `vid`). Open editors see it at once. */
export const saveVariable = defineRoute({
  method: 'POST',
  path: '/api/chatbots/builder/variables/new',
  access: { feature: 'builder.variables' },
  body: z.strictObject({ ...place, name: z.string().max(1_000), type: z.enum(['new', 'update']), vid: vid.optional() }),
  answer: variableAnswerSchema,
})

/** Deletes a variable, used or not; its chips become empty. Returns where it was used. */
export const deleteVariable = defineRoute({
  method: 'POST',
  path: '/api/chatbots/builder/variables/delete',
  access: { feature: 'builder.variables' },
  body: z.strictObject({ ...place, vid: vid.optional() }),
  answer: z.strictObject({
    vid: z.string(),
    used_in: z.array(z.strictObject({ group_id: z.string(), block_id: z.string() })),
  }),
})
