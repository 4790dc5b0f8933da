import type { FastifyRequest } from 'fastify'
import type { ServerContext } from '../platform/context'
import type { EventContext } from '../platform/events/defineEvent'

/** What events say of a call: who makes it, in which project, and its id, which the answer's `x-request-id` has too. */
export const originOf = (
  { clock }: Pick<ServerContext, 'clock'>,
  { id }: Pick<FastifyRequest, 'id'>,
  { projectId, userId }: { projectId: string; userId: string },
): EventContext => ({ projectId, by: { actor: 'user', userId }, correlation: id, at: clock() })
