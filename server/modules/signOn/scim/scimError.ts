import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, retryAfter, toApiError } from '../../../platform/errors'

type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'uniqueness'
  | 'tooMany'

/** Thrown where a call of a directory can't be answered (RFC 7644, 3.12). */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  constructor(
    readonly status: 400 | 403 | 404 | 409,
    detail: string,
    readonly scimType?: ScimType,
  ) {
    super(detail)
  }
}

/** Answers a failed call as directories expect it. */
export function answerScimError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = thrown instanceof ScimError ? thrown : toApiError(thrown)
  if (error instanceof ApiError && error.status >= 500)
    request.log.error({ err: error, cause: error.cause, path: '/scim' }, 'a call of a directory failed')
  const seconds = (error instanceof ApiError ? error.retryAfter : undefined) ?? retryAfter[error.status]
  if (seconds !== undefined) reply.header('retry-after', String(seconds))
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .status(error.status)
    .type('application/scim+json; charset=utf-8')
    .send(
      JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(error.status),
        ...(error instanceof ScimError && error.scimType && { scimType: error.scimType }),
        detail: error.message,
      }),
    )
}
