import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { sendHttpTest } from '../../../contracts/http-test'
import type { ServerContext } from '../../../platform/context'
import { createAttempts } from '../../../platform/http/attempts'
import { createOutsideFetch } from '../../../platform/outbound/outsideFetch'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import { sendHttpCall } from './service'

/** A person tries things out; a program would scan with it. */
const TESTS_A_MINUTE = 30

export function registerHttpTest(app: FastifyInstance, context: ServerContext): void {
  const fetchOutside = createOutsideFetch({ allowed: context.config.outboundAllow })
  const secrets = createProjectSecrets(context)
  const attempts = createAttempts(context.clock, TESTS_A_MINUTE)

  registerRoute(app, context, sendHttpTest, async ({ body, caller, reply }) => {
    attempts.take(caller.user.id)
    const gone = new AbortController()
    reply.raw.on('close', () => gone.abort())
    const answer = await sendHttpCall(fetchOutside, context.clock, body, {
      key: `test-${context.ids()}`,
      isTest: true,
      signal: gone.signal,
      allowed: await networksOf(context, caller.project.id),
      secrets: body.secrets && (await secrets.valuesOf(caller.project.id, body.secrets)),
    })
    return { answer }
  })
}
