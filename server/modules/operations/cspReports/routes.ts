import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { sendCspReports } from '../../../contracts/cspReports'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { parseJson } from '../../../platform/http/parseJson'
import type { KeptReports } from './keptReports'
import { violationsOf } from './violations'

/** Takes what browsers report of the content security policy, in both of their ways: counts and keeps it. */
export function registerCspReports(app: FastifyInstance, context: ServerContext, kept: KeptReports): void {
  app.register(async (scope) => {
    scope.addContentTypeParser('application/csp-report', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
      parsed(body),
    )
    scope.addContentTypeParser('application/reports+json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => ({
      reports: parsed(body),
    }))
    registerRoute(scope, context, sendCspReports, ({ body, request, reply }) => {
      for (const violation of violationsOf(body, request.chatbotHost !== null)) {
        context.metrics.cspViolations.inc({ directive: violation.directive, page: violation.kind })
        kept.add(violation)
      }
      return reply.code(204).send()
    })
  })
}

function parsed(body: Buffer): unknown {
  const read = parseJson(body)
  if ('refused' in read) throw new ApiError(read.refused)
  return read.value
}
