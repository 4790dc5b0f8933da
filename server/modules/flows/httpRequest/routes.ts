import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { sendHttpTest } from '../../../contracts/http-test'
import type { ServerContext } from '../../../platform/context'
import { createOutboundFetch } from '../../../platform/outbound/outboundFetch'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import { sendHttpCall } from './httpHandler'

export function registerHttpTest(app: FastifyInstance, context: ServerContext): void {
  const fetchOutbound = createOutboundFetch({ allowed: context.config.outboundAllow })
  const secrets = createProjectSecrets(context)

  registerRoute(app, context, sendHttpTest, async ({ body, caller, reply }) => {
    const gone = new AbortController()
    reply.raw.on('close', () => gone.abort())
    const answer = await sendHttpCall(fetchOutbound, context.clock, body, {
      key: `test-${context.ids()}`,
      isTest: true,
      signal: gone.signal,
      allowed: await networksOf(context, caller.project.id),
      secrets: body.secrets && (await secrets.valuesOf(caller.project.id, body.secrets)),
    })
    return { answer }
  })
}
