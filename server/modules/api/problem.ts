import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type ApiErrorCode, apiErrors, retryAfter, toApiError } from '../../platform/errors'

/** What the API answers in place of a result: problem details (RFC 9457), with our code and fields. */
export const problemSchema = z.object({
  type: z.literal('about:blank'),
  title: z.string().describe('what the status means'),
  status: z.int(),
  detail: z.string().describe('what is wrong, and what to do'),
  code: z.enum(Object.keys(apiErrors) as [ApiErrorCode, ...ApiErrorCode[]]).describe('stable, for programs'),
  errors: z.record(z.string(), z.string()).optional().describe('by field of the body, what is wrong with it'),
})

/** Answers a failed call. */
export function answerProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toApiError(thrown)
  if (error.status >= 500 && error.code !== 'overloaded')
    request.log.error({ err: error, cause: error.cause, path: request.url.split('?', 1)[0] }, 'a call failed')
  const seconds = error.retryAfter ?? retryAfter[error.status]
  if (seconds !== undefined) reply.header('retry-after', String(seconds))
  const problem: z.infer<typeof problemSchema> = {
    type: 'about:blank',
    title: STATUS_CODES[error.status] ?? '',
    status: error.status,
    detail: error.message,
    code: error.code,
    ...(error.fields && { errors: error.fields }),
  }
  return reply.status(error.status).type('application/problem+json').send(JSON.stringify(problem))
}
