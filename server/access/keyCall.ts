import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '../contracts/route'
import type { ServerContext } from '../platform/context'
import type { EventContext } from '../platform/events/defineEvent'
import type { CallerUser } from './access'
import type { KeyHolder } from './apiKeys'
import { originOf } from './originOf'
import { callRegistered } from './register'

/** What a program with an API key does: with the rights of the key's holder, in the key's project. */
export interface KeyCall {
  user: CallerUser
  pgid: string
  /** the origin for events in the key's project */
  origin(projectId: string): EventContext
  /**
   * Calls a route as its holder could; `pgid` is the key's. @throws ApiError as the route does
   */
  route<Params, Query, Body, Answer>(
    route: Route<Params, Query, Body, Answer>,
    params: Omit<Params, 'pgid'>,
    sent?: { query?: unknown; body?: unknown },
  ): Promise<Answer>
}

/** @returns what the holder of a key may do within a request */
export function actAsHolder(
  app: FastifyInstance,
  context: ServerContext,
  { user, pgid }: KeyHolder,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): KeyCall {
  return {
    user,
    pgid,
    origin: (projectId) => originOf(context, request, { projectId, userId: user.id }),
    route: (route, params, sent = {}) =>
      callRegistered(app, context, route, { user, params: { ...params, pgid }, ...sent, request, reply }),
  }
}
