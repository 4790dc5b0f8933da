import type { FastifyInstance } from 'fastify'
import { authenticateKey } from '../../access/apiKeys'
import { actAsHolder } from '../../access/keyCall'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { callerAddress } from '../../platform/http/callerAddress'
import type { FlowFiles } from '../api/flowFiles'
import type { Operation } from '../api/operation'
import { flowTools } from './flowTools'
import { operationTools } from './operationTools'
import { testTools } from './testTools'
import type { McpTool } from './tool'

/** Calls per key and minute, and wrong keys per address. */
const CALLS = 300
const WRONG_KEYS = 30

/** Calls per batch request. */
const MOST_IN_BATCH = 20

/**
 * Serves Parley as an MCP server (streamable HTTP, stateless) at `/mcp`, for holders of a project's API key: most tools
 * do what a route does, with the rights of the key's holder; a few combine several.
 */
export function attachMcp(
  app: FastifyInstance,
  context: ServerContext,
  files: FlowFiles,
  operations: readonly Operation[],
): void {
  // the library and the tools' schemas are made at the first call: a start does not wait for them
  let tools: Promise<readonly McpTool[]> | null = null
  const listTools = async () => [
    ...flowTools(context, files),
    ...testTools(context),
    ...(await operationTools(operations)),
  ]
  const calls = context.limits.attempts('calls of an API key', CALLS)
  const wrong = context.limits.attempts('wrong API keys of an address', WRONG_KEYS)

  app.post('/mcp', async (request, reply) => {
    await wrong.take(callerAddress(request.ip))
    const holder = await authenticateKey(context, request)
    await wrong.forgive(callerAddress(request.ip))
    await calls.take(holder.key, callsIn(request.body))
    const act = actAsHolder(app, context, holder, { request, reply })
    tools ??= listTools()
    const { answerCall } = await import('./answerCall')
    await answerCall({ holder, act, request, reply }, await tools, context.log)
  })
  // there are no sessions to stream from or to end
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    handler: (_, reply) => reply.code(405).header('allow', 'POST').send(),
  })
}

/** The number of calls in a request. @throws ApiError `too_large` for too large a batch */
function callsIn(body: unknown): number {
  if (!Array.isArray(body)) return 1
  if (body.length > MOST_IN_BATCH)
    throw new ApiError('too_large', { message: `A batch holds at most ${MOST_IN_BATCH} calls. Send them in several.` })
  return Math.max(1, body.length)
}
