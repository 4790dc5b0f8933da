import type { FastifyRequest } from 'fastify'
import type { ServerContext } from '../platform/context'
import type { EventContext } from '../platform/events/defineEvent'

/** Most characters of an address, as the table has them: those of IPv6 with an IPv4 address in it. */
const ADDRESS = 45

/**
 * The origin recorded in events: who makes the call, in which project, from where, and its id, which is also the
 * response's `x-request-id`.
 */
export const originOf = (
  { clock }: Pick<ServerContext, 'clock'>,
  { id, ip }: Pick<FastifyRequest, 'id' | 'ip'>,
  { projectId, userId }: { projectId: string; userId: string },
): EventContext => ({
  projectId,
  by: { actor: 'user', userId },
  correlation: id,
  at: clock(),
  address: ip.slice(0, ADDRESS),
})
