import { z } from 'zod'
import { httpAnswerSchema, httpCallSchema } from '../../engine/effects/http'
import { defineRoute, gid } from './route'

/**
 * Makes the call of an HTTP request block once, for real and marked as a test: the person who edits it has asked for this one call. What
 * goes wrong outside is in the answer.
 */
export const sendHttpTest = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/http-test',
  access: { feature: 'builder.update' },
  // a person tries things out; a program would scan with it
  limit: { by: 'user', most: 30 },
  params: z.strictObject({ pgid: gid }),
  body: httpCallSchema,
  answer: z.strictObject({ answer: httpAnswerSchema }),
})
