import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { join, resolve } from 'node:path'
import cookie from '@fastify/cookie'
import fastify, {
  type ConnectionError,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify'
import { builtPages } from './builtPages'
import { sendCspReports } from './contracts/cspReports'
import { API_PATH } from './contracts/publicApi'
import { answerFromDocs } from './docsAnswers'
import { serveDocs } from './docsPages'
import { serveEmbed } from './embedPages'
import { modules } from './modules'
import { answerProblem } from './modules/api/problem'
import { domains } from './modules/domains/module'
import { serveHosts } from './modules/domains/serveHosts'
import { readableUrl, servePages } from './pages'
import type { Config } from './platform/config/config'
import { trustOf } from './platform/config/trustProxy'
import type { ServerContext } from './platform/context'
import type { EffectHandler } from './platform/effects/handleEffect'
import { ApiError, retryAfter, toApiError } from './platform/errors'
import { separateChatOrigin } from './platform/http/chatOrigin'
import { readJsonOnly } from './platform/http/jsonBody'
import { observeCalls } from './platform/http/observeCalls'
import { refuseWhenOverloaded } from './platform/http/overload'
import { rawAnswer, refusalHeaders } from './platform/http/rawAnswer'
import { securityHeaders } from './platform/http/securityHeaders'
import { type Composition, composeModules } from './platform/modules/composeModules'
import { traceCalls } from './platform/tracing/traceCalls'

const REQUEST_TIMEOUT = 5 * 60_000
const HEADERS_TIMEOUT = 15_000
/** The policy's name for where its violations are reported. */
const REPORTS = 'csp'

export interface AppOptions {
  /** the built interface; default: where the build puts it (builtPages.ts) */
  clientDir?: string
  /** the built documentation; default: `docs` beside the built interface */
  docsDir?: string
  /** effect handlers that replace the modules' own */
  effects?: readonly EffectHandler[]
  /** ms until a silent connection is closed; shorter in tests */
  headersTimeout?: number
  /** ms that the event loop may lag before calls are refused, in the mean of a second; overload.ts's unless said */
  mostDelay?: number
  /** told of each route as it is registered */
  onRoute?: (route: RouteOptions) => void
}

/** Builds the server without listening: main.ts and tests do that. `app.close()` ends what it started. */
export async function buildApp(context: ServerContext, options: AppOptions = {}): Promise<FastifyInstance> {
  const { headersTimeout = HEADERS_TIMEOUT } = options
  const app = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: trustOf(context.config.trustProxy),
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    frameworkErrors: answerUnrouted,
    // bounds requests sent byte by byte; long enough for a file on a slow line
    requestTimeout: REQUEST_TIMEOUT,
    // silent connections are closed soon
    http: { headersTimeout, connectionsCheckingInterval: headersTimeout / 3 },
    // drain.ts and the error table answer calls while the server stops
    return503OnClosing: false,
    clientErrorHandler: answerUnreadable,
  })
  app.setErrorHandler(answerError)
  if (context.config.traces) traceCalls(app)
  observeCalls(app, context)
  if (options.onRoute) app.addHook('onRoute', options.onRoute)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  // before any other work: in a flood, most of the work is refusing
  app.addHook('onRequest', async ({ routeOptions, params }, reply) => {
    const load = routeOptions.config.contract?.load
    if (!load) return
    // those of pages, which come later, replace them
    reply.headers(refusalHeaders)
    await context.admission.shed(load, params)
  })
  const pageHeaders = { ...securityHeaders(security(context.config)), ...reportingEndpoints(context.config) }
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(pageHeaders)
  })
  refuseWhenOverloaded(app, options.mostDelay)
  serveHosts(app, context, () => app.modules.provided(domains).hosts)
  separateChatOrigin(app, context.config)
  await app.register(cookie)
  readJsonOnly(app)

  app.decorate('modules', composeModules(app, context, modules, options.effects))
  const folder = resolve(options.clientDir ?? builtPages())
  await serveEmbed(app, context, folder)
  await servePages(app, context, folder)
  const docs = resolve(options.docsDir ?? join(folder, '../docs'))
  await serveDocs(app, docs)
  answerFromDocs(app, context, docs)
  return app
}

/**
 * Mantine writes style attributes; content of flows (images, videos, embedded pages) comes from anywhere. Scripts are
 * only ours.
 */
function security({ publicUrl, bucket }: Pick<Config, 'publicUrl' | 'bucket'>) {
  const isSecure = publicUrl.startsWith('https:')
  return {
    strictTransportSecurity: isSecure,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'https:', 'http:', 'data:', 'blob:'],
        mediaSrc: ["'self'", 'https:', 'http:', 'blob:'],
        frameSrc: ["'self'", 'https:', 'http:'],
        fontSrc: ["'self'", 'data:'],
        // files are downloaded from where their address leads
        connectSrc: ["'self'", ...(bucket?.browserUrl ? [new URL(bucket.browserUrl).origin] : [])],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        reportUri: [sendCspReports.path],
        ...(isSecure && { reportTo: [REPORTS] }),
      },
    },
  }
}

/**
 * Where `report-to` leads. Browsers take it for pages by https alone, and leave `report-uri` unread where a policy has
 * both (Reporting API, 3.2; CSP level 3, 5.5): by http there is none.
 */
const reportingEndpoints = ({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> =>
  publicUrl.startsWith('https:') ? { 'reporting-endpoints': `${REPORTS}="${sendCspReports.path}"` } : {}

/** Invalid or oversized HTTP never becomes a request: the socket is answered directly. */
function answerUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  socket.end(rawAnswer(new ApiError(error.code === 'HPE_HEADER_OVERFLOW' ? 'too_large' : 'malformed')))
}

/** An address that can't be read belongs to no route, whose own way of answering errors would be the right one. */
function answerUnrouted(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (request.url.startsWith(`${API_PATH}/`)) answerProblem(thrown, request, reply)
  else answerError(thrown, request, reply)
}

function answerError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const error = toApiError(thrown)
  // a query may contain a conversation's secret
  const path = request.url.split('?', 1)[0]
  // thousands of refusals may occur per second: admission.ts logs them together
  if (error.status >= 500 && error.code !== 'overloaded')
    request.log.error({ err: error, cause: error.cause, path }, 'a call failed')
  const seconds = error.retryAfter ?? retryAfter[error.status]
  if (seconds !== undefined) reply.header('retry-after', String(seconds))
  reply.status(error.status).send(error.envelope)
}

declare module 'fastify' {
  interface FastifyInstance {
    modules: Composition
  }
}
