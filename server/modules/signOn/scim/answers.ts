import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ScimError } from './scimError'

/** How SCIM's calls are read and answered, whatever they are about (RFC 7644, 3). */
export const answer = (reply: FastifyReply, body: object) =>
  reply.type('application/scim+json; charset=utf-8').send(JSON.stringify(body))

/** @throws ScimError where there can be no such resource */
export const idOf = ({ params }: FastifyRequest): string => {
  const { id } = params as { id: string }
  if (!/^[a-z0-9]{16}$/.test(id)) throw new ScimError(404, 'There is no such resource.')
  return id
}

/** @throws ScimError for what is not of the kind wanted */
export function parsed<Value>(schema: z.ZodType<Value>, given: unknown): Value {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ScimError(400, `The value of ${issue?.path.join('.') || 'the body'} is not of its kind.`, 'invalidValue')
}

export const listOf = (Resources: object[], totalResults: number, startIndex: number) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  ...{ totalResults, startIndex, itemsPerPage: Resources.length, Resources },
})
