import type { FastifyRequest } from 'fastify'
import type { ServerContext } from '../platform/context'
import type { EventContext } from '../platform/events/defineEvent'

/**
 * The origin recorded in events: who makes the call, in which project, and its id, which is also the response's
 * `x-request-id`.
 */
export const originOf = (
  { clock }: Pick<ServerContext, 'clock'>,
  { id }: Pick<FastifyRequest, 'id'>,
  { projectId, userId }: { projectId: string; userId: string },
): EventContext => ({ projectId, by: { actor: 'user', userId }, correlation: id, at: clock() })
