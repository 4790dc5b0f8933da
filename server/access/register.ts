import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dashboard } from '../contracts/account'
import { stopViewing } from '../contracts/admin'
import { logout } from '../contracts/auth'
import type { Access, Feature, RateLimit, Route, SignatureRule } from '../contracts/route'
import type { ServerContext } from '../platform/context'
import { ApiError } from '../platform/errors'
import type { EventContext } from '../platform/events/defineEvent'
import type { GatePlace } from '../platform/http/admission'
import { callerAddress } from '../platform/http/callerAddress'
import { MAX_DEPTH, type ParsedJson, parseJson } from '../platform/http/parseJson'
import { jsonDepth } from '../platform/jsonDepth'
import {
  type CallerOf,
  type CallerUser,
  memberOf,
  type ProjectCaller,
  type VisitorCaller,
  wantWithinLimit,
} from './access'
import { authenticateKey, wantScope } from './apiKeys'
import { hasFeature } from './entitlements'
import { isOperator } from './operators'
import { originOf } from './originOf'
import { isPlanFeature } from './plans'
import { invalidInput, readInput } from './readInput'
import { rolesOf } from './roles'
import { authenticate, hasXsrfToken } from './sessions'
import { isSigned, isSignedByKey, isSignedInTime } from './signatures'

export interface Call<Params, Query, Body, Who extends Access> {
  params: Params
  query: Query
  body: Body
  caller: CallerOf<Who>
  /** for events that the call writes; null if the route's access names no project (`originOf`) */
  origin: OriginOf<Who>
  request: FastifyRequest
  reply: FastifyReply
  /** for waiting on external services; undefined if the route has no `load` */
  place: GatePlace | undefined
}

/** Looks up the conversation of a token. @throws ApiError `not_found` */
export type VisitorLookup<Params> = (
  params: Params,
  token: string,
  request: FastifyRequest,
) => Promise<VisitorCaller['conversation']>
/**
 * Looks up the secret that signs calls for these params; null if there is none. `unsigned`: this one's calls are not
 * signed, which the route's rule has to allow.
 */
export type SecretLookup<Params> = (
  params: Params,
) => Promise<string | typeof unsigned | null> | string | typeof unsigned | null
export const unsigned = Symbol('unsigned')
/** What a module provides for a strategy: where its secrets are. */
type ProofOf<Params, Who extends Access> = Who extends 'visitor'
  ? [lookup: VisitorLookup<Params>]
  : Who extends { signature: SignatureRule }
    ? [secretOf: SecretLookup<Params>]
    : []

type OriginOf<Who extends Access> = Who extends { feature: Feature } ? EventContext : null

/** What is known about a call before its body is parsed. */
interface Admitted<Params> {
  params: Params
  user: CallerUser | null
  /** null if the body names the project */
  member: ProjectCaller | null
}

/** A registered route with its types erased: for tests that loop over all routes. */
export type AnyRoute = Route<unknown, unknown, unknown, unknown>

/** What an operator may send who sees the installation as somebody else: what reads by POST, and the end of it. */
const whileViewing: ReadonlySet<string> = new Set([dashboard.path, stopViewing.path, logout.path])

/** The default limit of a signed body, in bytes. */
const SIGNED_BODY = 1_048_576

/** Calls a registered route without HTTP (`callRegistered`). */
type Handler = (call: Call<unknown, unknown, unknown, { feature: Feature }>) => unknown
const handlersOf = new WeakMap<FastifyInstance, Map<object, Handler>>()

/**
 * Registers a route on the server: first the caller is authorized, then the input is parsed strictly, then the handler
 * runs, and its result is checked against the contract and sent as `data`. A handler that answers by itself (a stream)
 * sends or hijacks the reply.
 * @throws at registration, for a route without an access rule, or with a feature that is not in the roles map or in no
 *   plan (it would be closed to everybody), and for one that limits calls per account but has no account
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
    // before the body is parsed: unauthorized callers are not worth that work
    async onRequest(request, reply) {
      await limit('address', callerAddress(request.ip))
      const { user, keyOf } = await admit(context, route, request, reply)
      const params = readInput(route.params, request.params, () => new ApiError('not_found'))
      const pgid = typeof route.access === 'object' ? projectOf(params) : undefined
      // a key works only in its own project
      if (keyOf !== null && keyOf !== pgid) throw new ApiError('not_found')
      // a stranger learns nothing about a project, not even that the body is invalid, unless the body names the project
      const member = user && pgid ? await memberOf(context, user, pgid, featureOf(route.access)) : null
      if (member) wantPlan(route, member)
      if (user) await limit('user', user.id)
      admitted.set(request, { params, user, member })
    },
    async handler(request, reply) {
      const { params, user, member: early } = admitted.get(request) as Admitted<Params>
      const query = readInput(route.query, request.query, invalidInput)
      const body = readInput(route.body, request.method === 'GET' ? {} : (request.body ?? {}), invalidInput)
      const member =
        typeof route.access === 'object' && user
          ? (early ?? (await memberOf(context, user, projectOf(body) ?? '', featureOf(route.access))))
          : null
      if (member) {
        wantPlan(route, member)
        wantPlanFor(route, member, body)
        await wantChangeable(route, member, params, body)
      }
      const visitor = lookup && (await visitorOf(lookup, params, request))
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
 * Answers with data that is already a JSON text: parsing and checking such a large answer again would block the event
 * loop.
 * @returns the return value for a route that has answered by itself
 */
export function answerAsIs<Answer>(reply: FastifyReply, data: string): Answer {
  return reply.type('application/json; charset=utf-8').send(`{"success":true,"data":${data}}`) as Answer
}

/**
 * Runs a registered route for a caller who did not come over HTTP: checks the same rights, parses the input with the
 * same schemas, and checks the answer.
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
  const params = readInput(route.params, sent.params, () => new ApiError('not_found'))
  const caller = await memberOf(context, user, projectOf(params) ?? '', featureOf(route.access))
  wantPlan(route, caller)
  await createLimit(context, route)('user', user.id)
  const query = readInput(route.query, sent.query ?? {}, invalidInput)
  const body = readInput(route.body, sent.body ?? {}, invalidInput)
  wantPlanFor(route, caller, body)
  await wantChangeable(route, caller, params, body)
  const origin = originOf(context, request, { projectId: caller.project.id, userId: caller.user.id })
  const answer = await inItsPlace(context, route, params, request, (place) =>
    handler({ params, query, body, caller, origin, request, reply, place }),
  )
  return route.answer.parse(answer)
}

/** Runs an expensive handler when its tenant has a free place. */
function inItsPlace<Result>(
  context: ServerContext,
  { load }: Pick<AnyRoute, 'load'>,
  params: unknown,
  request: FastifyRequest,
  run: (place?: GatePlace) => Promise<Result> | Result,
): Promise<Result> | Result {
  if (load === undefined) return run()
  return context.admission.run(load, params, (place) => {
    // the caller disconnected while waiting
    if (request.raw.socket?.destroyed) throw new ApiError('overloaded')
    return run(place)
  })
}

/** Applies the route's rate limit. The result throws `too_many_requests`. */
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

/** Throws `plan_limit` if the project's plan lacks the feature that the route needs. */
function wantPlan({ plan }: Pick<AnyRoute, 'plan'>, { project }: ProjectCaller): void {
  if (plan !== undefined && !hasFeature(project, plan)) throw new ApiError('plan_limit')
}

/** Throws `plan_limit` if the project's plan lacks a feature that this body needs. */
function wantPlanFor<Body>(
  route: Pick<Route<unknown, unknown, Body, unknown>, 'planFor'>,
  { project }: ProjectCaller,
  body: Body,
): void {
  if (route.planFor?.(body).some((feature) => !hasFeature(project, feature))) throw new ApiError('plan_limit')
}

/** Throws `over_limit` if a call changes a chatbot, named by its id, that is over the plan's limit. */
async function wantChangeable(
  { method, access, overLimit }: Pick<AnyRoute, 'method' | 'access' | 'overLimit'>,
  member: ProjectCaller,
  params: unknown,
  body: unknown,
): Promise<void> {
  if (method === 'GET' || overLimit === 'allowed') return
  const cgid = idOf(params, 'cgid') ?? idOf(body, 'cgid')
  if (cgid !== undefined) await wantWithinLimit(member, featureOf(access), cgid)
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
  if (limit?.by === 'user' && access !== 'user' && access !== 'operator' && !feature) {
    throw new Error(`${method} ${path} counts the calls of accounts, and has none`)
  }
}

/**
 * Authenticates by session cookie or API key (`keyOf`: the key's project); null for a visitor or guest. Throws ApiError
 * if the caller may not call at all.
 */
async function admit(
  context: ServerContext,
  route: Pick<AnyRoute, 'access' | 'method' | 'path' | 'apiKey'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ user: CallerUser | null; keyOf: string | null }> {
  const nobody = { user: null, keyOf: null }
  // a public route grants nothing to the session, so a forged call gains nothing there
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
  if (user?.viewer && route.method !== 'GET' && !whileViewing.has(route.path)) throw new ApiError('viewing_only')
  if (user && route.access === 'operator' && !(await isOperator(context, user))) throw new ApiError('not_found')
  return { user, keyOf: null }
}

/**
 * A route for callers who know a secret: the body is read as bytes, and parsed as JSON after its signature is verified.
 */
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
        const params = readInput(route.params, request.params, () => new ApiError('not_found'))
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const secret = await secretOf(params)
        const isFree = secret === unsigned && signature.optional === true
        const known = secret === unsigned ? null : secret
        const isRight = isRightlySigned(bytes, request.headers, signature, known, context.clock())
        if (!isFree && !isRight)
          throw new ApiError('unauthenticated', {
            message: `The header ${signature.header} does not hold the signature.`,
          })
        const query = readInput(route.query, request.query, invalidInput)
        const body = readInput(route.body, route.bytes ? bytes : parsed(bytes), invalidInput)
        const nobody = { caller: null as CallerOf<Who>, origin: null as OriginOf<Who> }
        const answer = await inItsPlace(context, route, params, request, (place) =>
          handler({ params, query, body, ...nobody, request, reply, place }),
        )
        if (reply.sent || reply.raw.headersSent) return reply
        route.answer.parse(answer)
        return reply.send({ success: true, data: answer })
      },
    })
  })
}

function isRightlySigned(
  bytes: Buffer,
  headers: FastifyRequest['headers'],
  { timestamp, within, ...rule }: SignatureRule,
  secret: string | null,
  now: Date,
): boolean {
  if (timestamp !== undefined) return isSignedByKey(bytes, headers, { ...rule, timestamp }, secret)
  const given = headers[rule.header]
  return within === undefined
    ? isSigned(bytes, given, rule, secret)
    : isSignedInTime(bytes, given, { ...rule, within }, secret, now)
}

function parsed(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  // longer ones are those of who signs all of them: a mail
  const read = bytes.length > SIGNED_BODY ? parsedLong(bytes) : parseJson(bytes)
  if ('refused' in read) throw new ApiError(read.refused)
  return read.value
}

function parsedLong(bytes: Buffer): ParsedJson {
  const text = bytes.toString()
  if (jsonDepth(text) > MAX_DEPTH) return { refused: 'nested_too_deeply' }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { refused: 'malformed' }
  }
}

const accessParts = (access: Access): { feature?: Feature; signature?: SignatureRule } =>
  typeof access === 'object' ? access : {}

async function visitorOf<Params>(lookup: VisitorLookup<Params>, params: Params, request: FastifyRequest) {
  const token = visitorToken(request)
  return { conversation: await lookup(params, token, request), token }
}

/** @throws ApiError `not_found` without a token, so that the existence of conversations is not revealed */
function visitorToken({ headers, query }: FastifyRequest): string {
  const [scheme, bearer] = (headers.authorization ?? '').split(' ')
  // an EventSource can send no headers
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

const projectOf = (input: unknown): string | undefined => idOf(input, 'pgid')

function idOf(input: unknown, name: 'pgid' | 'cgid'): string | undefined {
  const id = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : undefined
  return typeof id === 'string' ? id : undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    contract?: AnyRoute
  }
}
