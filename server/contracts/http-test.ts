import { z } from 'zod'
import { httpAnswerSchema, httpCallSchema } from '../../engine/effects/http'
import { defineRoute, gid } from './route'

/**
 * Sends the request of an HTTP request block once, for real and marked as a test: its editor asked for this call.
 * Failures outside are in the answer.
 */
export const sendHttpTest = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/http-test',
  access: { feature: 'builder.update' },
  // not for API keys: a program could scan networks with it
  limit: { by: 'user', most: 30 },
  params: z.strictObject({ pgid: gid }),
  body: httpCallSchema,
  answer: z.strictObject({ answer: httpAnswerSchema }),
})
