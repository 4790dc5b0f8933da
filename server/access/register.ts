import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { firstProblem, problemsOf } from '../../engine/values/issues'
import type { Access, Feature, RateLimit, Route, SignatureRule } from '../contracts/route'
import type { ServerContext } from '../platform/context'
import { ApiError } from '../platform/errors'
import type { EventContext } from '../platform/events/defineEvent'
import type { GatePlace } from '../platform/http/admission'
import { callerAddress } from '../platform/http/callerAddress'
import { type CallerOf, type CallerUser, memberOf, type ProjectCaller, type VisitorCaller } from './access'
import { authenticateKey, wantScope } from './apiKeys'
import { originOf } from './originOf'
import { hasFeature, isPlanFeature } from './plans'
import { rolesOf } from './roles'
import { authenticate, hasXsrfToken } from './sessions'
import { isSigned } from './signatures'

export interface Call<Params, Query, Body, Who extends Access> {
  params: Params
  query: Query
  body: Body
  caller: CallerOf<Who>
  /** for the events that the call writes; null where its access names no project (`originOf`) */
  origin: OriginOf<Who>
  request: FastifyRequest
  reply: FastifyReply
  /** for what waits for a service outside; undefined where the route has no `load` */
  place: GatePlace | undefined
}

/** The conversation of a token. @throws ApiError `not_found` */
export type VisitorLookup<Params> = (params: Params, token: string) => Promise<VisitorCaller['conversation']>
/** The secret that what these params name is signed with; null where there is none. */
export type SecretLookup<Params> = (params: Params) => Promise<string | null> | string | null
/** What a module has to say of a strategy: where its secrets are. */
type ProofOf<Params, Who extends Access> = Who extends 'visitor'
  ? [lookup: VisitorLookup<Params>]
  : Who extends { signature: SignatureRule }
    ? [secretOf: SecretLookup<Params>]
    : []

type OriginOf<Who extends Access> = Who extends { feature: Feature } ? EventContext : null

/** What is known of a call before its body is read. */
interface Admitted<Params> {
  params: Params
  user: CallerUser | null
  /** null where the body names the project */
  member: ProjectCaller | null
}

/** A route as its registration left it: what tests loop over. */
export type AnyRoute = Route<unknown, unknown, unknown, unknown>

/** Bytes of a signed body, unless the route says more. */
const SIGNED_BODY = 1_048_576

/** How else than over HTTP a registered route can be called (`callRegistered`). */
type Handler = (call: Call<unknown, unknown, unknown, { feature: Feature }>) => unknown
const handlersOf = new WeakMap<FastifyInstance, Map<object, Handler>>()

/**
 * Puts a route on the server: who may call is decided first, then what was sent is read strictly, then the handler runs, and what it
 * returns stands in `data` if it is what the contract says. A handler that answers by itself (a stream) sends or hijacks the reply.
 * @throws at once for a route without a rule of access, or with a feature that the roles map or no plan has: it would be closed to all; for
 * one that counts the calls of accounts and has no account
 */
export function registerRoute<Params, Query, Body, Answer, Who extends Access>(
  app: FastifyInstance,
  context: ServerContext,
  route: Route<Params, Query, Body, Answer, Who>,
  handler: (call: Call<Params, Query, Body, Who>) => Promise<NoInfer<Answer>> | NoInfer<Answer>,
  ...proof: ProofOf<Params, Who>
): void {
  refuseWithoutAccess(route)
  const { signature } = accessParts(route.access)
  if (signature) {
    registerSigned(app, context, route, handler, proof[0] as SecretLookup<Params>)
    return
  }
  const lookup = route.access === 'visitor' ? (proof[0] as VisitorLookup<Params>) : null
  const limit = createLimit(context, route)
  const handlers = handlersOf.get(app) ?? new Map<object, Handler>()
  handlersOf.set(app, handlers.set(route, handler as unknown as Handler))
  const admitted = new WeakMap<FastifyRequest, Admitted<Params>>()
  const options = {
    method: route.method,
    url: route.path,
    config: { contract: route as AnyRoute },
    ...(route.bodyLimit && { bodyLimit: route.bodyLimit }),
  }
  app.route({
    ...options,
    // before the body is read: who may not call is not worth the work of parsing what he sends
    async onRequest(request, reply) {
      await limit('address', callerAddress(request.ip))
      const { user, keyOf } = await admit(context, route, request, reply)
      const params = read(route.params, request.params, () => new ApiError('not_found'))
      const pgid = typeof route.access === 'object' ? projectOf(params) : undefined
      // a key is its project's alone
      if (keyOf !== null && keyOf !== pgid) throw new ApiError('not_found')
      // a stranger is told nothing about a project, not even that his body is wrong: unless the body is what names the project
      const member = user && pgid ? await memberOf(context, user, pgid, featureOf(route.access)) : null
      if (member) wantPlan(route, member)
      if (user) await limit('user', user.id)
      admitted.set(request, { params, user, member })
    },
    async handler(request, reply) {
      const { params, user, member: early } = admitted.get(request) as Admitted<Params>
      const query = read(route.query, request.query, invalid)
      const body = read(route.body, request.method === 'GET' ? {} : (request.body ?? {}), invalid)
      const member =
        typeof route.access === 'object' && user
          ? (early ?? (await memberOf(context, user, projectOf(body) ?? '', featureOf(route.access))))
          : null
      if (member && !early) wantPlan(route, member)
      const visitor = lookup && { conversation: await lookup(params, visitorToken(request)) }
      const caller = (member ?? visitor ?? (user && { user })) as CallerOf<Who>
      const origin = (member &&
        originOf(context, request, { projectId: member.project.id, userId: member.user.id })) as OriginOf<Who>
      const answer = await inItsPlace(context, route, params, request, (place) =>
        handler({ params, query, body, caller, origin, request, reply, place }),
      )
      if (reply.sent || reply.raw.headersSent) return reply
      route.answer.parse(answer)
      return reply.send({ success: true, data: answer })
    },
  })
}

/**
 * Answers with data that is a text of JSON already, as it is: to read and check so large an answer once more would hold up everybody.
 * @returns what a route returns that has answered by itself
 */
export function answerAsIs<Answer>(reply: FastifyReply, data: string): Answer {
  return reply.type('application/json; charset=utf-8').send(`{"success":true,"data":${data}}`) as Answer
}

/**
 * Does what a registered route does for somebody who came another way than by its path: asks the same right, reads what was sent by the
 * same schemas, and checks the answer likewise.
 * @throws ApiError as the route does
 */
export async function callRegistered<Params, Query, Body, Answer>(
  app: FastifyInstance,
  context: ServerContext,
  route: Route<Params, Query, Body, Answer>,
  {
    user,
    request,
    reply,
    ...sent
  }: {
    user: CallerUser
    params: unknown
    query?: unknown
    body?: unknown
    request: FastifyRequest
    reply: FastifyReply
  },
): Promise<Answer> {
  const handler = handlersOf.get(app)?.get(route)
  if (!handler) throw new Error(`${route.method} ${route.path} is not registered`)
  const params = read(route.params, sent.params, () => new ApiError('not_found'))
  const caller = await memberOf(context, user, projectOf(params) ?? '', featureOf(route.access))
  wantPlan(route, caller)
  await createLimit(context, route)('user', user.id)
  const query = read(route.query, sent.query ?? {}, invalid)
  const body = read(route.body, sent.body ?? {}, invalid)
  const origin = originOf(context, request, { projectId: caller.project.id, userId: caller.user.id })
  const answer = await inItsPlace(context, route, params, request, (place) =>
    handler({ params, query, body, caller, origin, request, reply, place }),
  )
  return route.answer.parse(answer)
}

/** Runs a handler that takes much once its tenant has a place for it. */
function inItsPlace<Result>(
  context: ServerContext,
  { load }: Pick<AnyRoute, 'load'>,
  params: unknown,
  request: FastifyRequest,
  run: (place?: GatePlace) => Promise<Result> | Result,
): Promise<Result> | Result {
  if (load === undefined) return run()
  return context.admission.run(load, params, (place) => {
    // whoever has gone while it waited is not worked for
    if (request.raw.socket?.destroyed) throw new ApiError('overloaded')
    return run(place)
  })
}

/** Counts a call by what the route's limit goes by. It throws `too_many_requests`. */
function createLimit(
  { limits, config }: Pick<ServerContext, 'limits' | 'config'>,
  { method, path, limit }: Pick<AnyRoute, 'method' | 'path' | 'limit'>,
): (by: RateLimit['by'], key: string) => Promise<void> {
  if (!limit) return async () => {}
  const { by, most, seconds = 60, name = `${method} ${path}` } = limit
  const attempts = limits.attempts(name, typeof most === 'number' ? most : config[most] || Infinity, seconds * 1_000)
  return async (known, key) => {
    if (known === by) await attempts.take(key)
  }
}

/** Throws `plan_limit` where the project's plan lacks the feature that the route needs. */
function wantPlan({ plan }: Pick<AnyRoute, 'plan'>, { project }: ProjectCaller): void {
  if (plan !== undefined && !hasFeature(project.plan_id, plan)) throw new ApiError('plan_limit')
}

function refuseWithoutAccess({
  method,
  path,
  access,
  plan,
  limit,
  apiKey,
}: Pick<AnyRoute, 'method' | 'path' | 'plan' | 'limit' | 'apiKey'> & { access?: Access }): void {
  if (!access) throw new Error(`${method} ${path} has no access rule`)
  const { feature } = accessParts(access)
  if (feature && rolesOf(feature).length === 0) {
    throw new Error(`${method} ${path} wants ${feature}, which the roles map doesn't have`)
  }
  if (apiKey && !feature) throw new Error(`${method} ${path} takes API keys, which are of projects, and names none`)
  if (plan !== undefined && (!feature || !isPlanFeature(plan))) {
    throw new Error(`${method} ${path} wants ${plan} of a plan: it names no project, or no plan has that`)
  }
  if (limit?.by === 'user' && access !== 'user' && !feature) {
    throw new Error(`${method} ${path} counts the calls of accounts, and has none`)
  }
}

/**
 * Who calls, by the session's cookie or by an API key (`keyOf`: the project that it is for); null for a visitor or a guest. Throws
 * ApiError for somebody who may not call at all.
 */
async function admit(
  context: ServerContext,
  route: Pick<AnyRoute, 'access' | 'method' | 'apiKey'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ user: CallerUser | null; keyOf: string | null }> {
  const nobody = { user: null, keyOf: null }
  // a public route takes no right from the session, so a forged call gains nothing there
  if (route.access === 'public' || route.access === 'visitor') return nobody
  if (route.apiKey && request.headers.authorization !== undefined) {
    const holder = await authenticateKey(context, request)
    wantScope(holder, route.apiKey)
    return { user: holder.user, keyOf: holder.pgid }
  }
  const user = await authenticate(context, request, reply)
  if (!user && route.access !== 'guest') throw new ApiError('unauthenticated')
  if (route.method !== 'GET' && !hasXsrfToken(request)) throw new ApiError('session_expired')
  if (user && route.access === 'guest') throw new ApiError('logged_in')
  return { user, keyOf: null }
}

/** A route that whoever has a secret may call: its body is taken as bytes, and read as JSON once their signature is right. */
function registerSigned<Params, Query, Body, Answer, Who extends Access>(
  app: FastifyInstance,
  context: ServerContext,
  route: Route<Params, Query, Body, Answer, Who>,
  handler: (call: Call<Params, Query, Body, Who>) => Promise<Answer> | Answer,
  secretOf: SecretLookup<Params>,
): void {
  const { signature } = accessParts(route.access)
  if (!signature) return
  const limit = createLimit(context, route)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    scope.route({
      method: route.method,
      url: route.path,
      config: { contract: route as AnyRoute },
      bodyLimit: route.bodyLimit ?? SIGNED_BODY,
      async onRequest(request) {
        await limit('address', callerAddress(request.ip))
      },
      async handler(request, reply) {
        const params = read(route.params, request.params, () => new ApiError('not_found'))
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const given = request.headers[signature.header]
        if (!isSigned(bytes, given, signature, await secretOf(params))) throw new ApiError('unauthenticated')
        const query = read(route.query, request.query, invalid)
        const body = read(route.body, parsed(bytes), invalid)
        const known = { caller: null as CallerOf<Who>, origin: null as OriginOf<Who> }
        const answer = await inItsPlace(context, route, params, request, (place) =>
          handler({ params, query, body, ...known, request, reply, place }),
        )
        if (reply.sent || reply.raw.headersSent) return reply
        route.answer.parse(answer)
        return reply.send({ success: true, data: answer })
      },
    })
  })
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString() || '{}')
  } catch {
    throw new ApiError('malformed')
  }
}

const accessParts = (access: Access): { feature?: Feature; signature?: SignatureRule } =>
  typeof access === 'object' ? access : {}

/** @throws ApiError `not_found` without one: whoever has no token learns of no conversation */
function visitorToken({ headers, query }: FastifyRequest): string {
  const [scheme, bearer] = (headers.authorization ?? '').split(' ')
  // a stream of events can send no headers
  const asked = typeof query === 'object' && query !== null && 'token' in query ? query.token : undefined
  const token = scheme?.toLowerCase() === 'bearer' ? bearer : asked
  if (typeof token !== 'string' || !token) throw new ApiError('not_found')
  return token
}

function featureOf(access: Access): Feature {
  const { feature } = accessParts(access)
  if (!feature) throw new ApiError('forbidden')
  return feature
}

function projectOf(input: unknown): string | undefined {
  const pgid = typeof input === 'object' && input !== null && 'pgid' in input ? input.pgid : undefined
  return typeof pgid === 'string' ? pgid : undefined
}

function read<Value>(
  schema: z.ZodType<Value>,
  input: unknown,
  failure: (issues: z.core.$ZodIssue[]) => ApiError,
): Value {
  const parsed = schema.safeParse(input)
  if (!parsed.success) throw failure(parsed.error.issues)
  return parsed.data
}

const invalid = (issues: z.core.$ZodIssue[]) =>
  new ApiError('invalid', {
    message: firstProblem(issues),
    fields: Object.fromEntries(problemsOf(issues).map(({ path, message }) => [path.join('.'), message])),
  })

declare module 'fastify' {
  interface FastifyContextConfig {
    contract?: AnyRoute
  }
}
