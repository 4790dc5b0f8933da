import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { authenticateKey, type KeyHolder, wantScope } from '../../access/apiKeys'
import { actAsHolder } from '../../access/keyCall'
import { invalidInput, readInput } from '../../access/readInput'
import { CALLS_A_MINUTE } from '../../contracts/api-keys'
import { API_PATH } from '../../contracts/publicApi'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { callerAddress } from '../../platform/http/callerAddress'
import { type Answered, once } from './idempotency'
import { describeApi } from './openapi'
import { JsonText, type Operation } from './operation'
import { answerProblem } from './problem'

/** Wrong keys of an address, a minute. */
const WRONG_KEYS = 30

/**
 * Serves the public API below `/api/v1`, for holders of a project's API key, and its description. Errors are problem
 * details (`problem.ts`).
 */
export function serveApi(app: FastifyInstance, context: ServerContext, operations: readonly Operation[]): void {
  const wrong = context.limits.attempts('wrong API keys of an address', WRONG_KEYS)
  const holders = new WeakMap<FastifyRequest, KeyHolder>()
  // made at the first call: a start does not wait for it
  let description: Promise<string> | null = null
  const describe = async () => JSON.stringify(await describeApi(operations, context.config.publicUrl))

  app.get(`${API_PATH}/openapi.json`, { errorHandler: answerProblem }, async (_, reply) => {
    description ??= describe()
    return (
      reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'public, max-age=300')
        // programs of any page may read what is public
        .header('access-control-allow-origin', '*')
        .send(await description)
    )
  })
  for (const operation of operations) serve(operation)
  app.all(`${API_PATH}/*`, { errorHandler: answerProblem }, () => {
    throw new ApiError('not_found', {
      message: `There is no such operation. ${context.config.publicUrl}${API_PATH}/openapi.json lists them.`,
    })
  })

  function serve(operation: Operation): void {
    const { method, path, scope, bodyLimit } = operation
    app.route({
      method,
      url: API_PATH + path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operation },
      ...(bodyLimit !== undefined && { bodyLimit }),
      errorHandler: answerProblem,
      // before the body is read
      async onRequest(request, reply) {
        const holder = await authenticate(request)
        await allow(holder, reply)
        wantScope(holder, scope)
        holders.set(request, holder)
      },
      async handler(request, reply) {
        const holder = holders.get(request) as KeyHolder
        const given = {
          params: readInput(operation.params, request.params, () => new ApiError('not_found')) as Record<
            string,
            string
          >,
          query: request.query as Record<string, unknown>,
          body: bodyOf(operation, request),
        }
        const run = async (): Promise<Answered> => {
          const answer = await operation.run(given, actAsHolder(app, context, holder, { request, reply }))
          return operation.answer === null ? { status: 204, answer: null } : { status: operation.status, answer }
        }
        const name = method === 'POST' ? request.headers['idempotency-key'] : undefined
        if (name === undefined) return answered(reply, await run())
        const call = {
          ...{ projectId: holder.projectId, keyId: holder.key, name: String(name), secret: operation.secret },
          sent: [operation.id, given],
        }
        const result = await once({ db: context.db.forProject(holder.projectId), clock: context.clock }, call, run)
        if (result.repeated) reply.header('idempotency-replayed', 'true')
        return answered(reply, result)
      },
    })
  }

  async function authenticate(request: FastifyRequest): Promise<KeyHolder> {
    const address = callerAddress(request.ip)
    await wrong.take(address)
    const holder = await authenticateKey(context, request)
    await wrong.forgive(address)
    return holder
  }

  /** Counts a call of a key, and says what is left. */
  async function allow({ key, callsAMinute }: KeyHolder, reply: FastifyReply): Promise<void> {
    const most = callsAMinute ?? CALLS_A_MINUTE
    // one count for each limit that keys have
    const calls = context.limits.attempts(`API calls, ${most} a minute`, most)
    reply.header('ratelimit-limit', String(most))
    try {
      const { left, resetsIn } = await calls.take(key)
      reply.header('ratelimit-remaining', String(left)).header('ratelimit-reset', String(Math.ceil(resetsIn / 1_000)))
    } catch (error) {
      if (error instanceof ApiError && error.retryAfter !== undefined)
        reply.header('ratelimit-remaining', '0').header('ratelimit-reset', String(error.retryAfter))
      throw error
    }
  }
}

function answered(reply: FastifyReply, { status, answer }: Answered): FastifyReply {
  // a file was sent by the route itself
  if (reply.sent || reply.raw.headersSent) return reply
  if (answer === null) return reply.status(204).send()
  return reply
    .status(status)
    .type('application/json; charset=utf-8')
    .send(answer instanceof JsonText ? answer.text : JSON.stringify(answer))
}

/** @throws ApiError `invalid` for a body where none is taken, and for one that is no object */
function bodyOf({ body: schema, id }: Operation, { method, body }: FastifyRequest): unknown {
  if (schema === null) {
    if (method === 'GET' || body === undefined || body === null) return undefined
    return readInput(z.strictObject({}), body, () => new ApiError('invalid', { message: `${id} takes no body.` }))
  }
  // the schema of the operation alone; the route's own comes after it
  return readInput(schema, body ?? {}, invalidInput)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** of the public API */
    operation?: Operation
  }
}
