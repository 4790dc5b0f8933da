import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { join, resolve } from 'node:path'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import fastify, {
  type ConnectionError,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify'
import { eventConsumers } from './consumers'
import { registerApiKeys } from './modules/accounts/api-keys/routes'
import { registerAuth } from './modules/accounts/auth/routes'
import { registerInvitations } from './modules/accounts/invitations/routes'
import { registerMembers } from './modules/accounts/members/routes'
import { registerPasswordReset } from './modules/accounts/password-reset/routes'
import { registerProfile } from './modules/accounts/profile/routes'
import { registerActions } from './modules/agents/actions/routes'
import { createAnswering } from './modules/agents/answering/createAnswering'
import { registerAnswers } from './modules/agents/answering/routes'
import { registerGolden } from './modules/agents/evaluations/routes'
import { registerInstructions } from './modules/agents/instructions/routes'
import { registerToolServers } from './modules/agents/toolServers/routes'
import { registerFlowList } from './modules/chatbots/flowList'
import { registerChatbots } from './modules/chatbots/routes'
import { registerContacts } from './modules/contacts/routes'
import { registerChat } from './modules/conversations/chat/routes'
import { registerConversations } from './modules/conversations/conversations/routes'
import { registerFiles } from './modules/conversations/files/routes'
import { createHost } from './modules/conversations/runtime/createHost'
import { createSentFiles } from './modules/conversations/runtime/sentFiles'
import { attachCollab } from './modules/flows/collab/attach'
import { createDocuments } from './modules/flows/collab/documents'
import { registerComments } from './modules/flows/comments/routes'
import { registerFlows } from './modules/flows/flows/routes'
import { registerHttpTest } from './modules/flows/httpRequest/routes'
import { registerSecrets } from './modules/flows/secrets/routes'
import { registerVariables } from './modules/flows/variables/routes'
import { registerVersions } from './modules/flows/versions/routes'
import { handleAdded } from './modules/handOff/added'
import { registerCrawls } from './modules/knowledge/crawls/routes'
import { createKnowledge } from './modules/knowledge/createKnowledge'
import { createPages, type PageOptions } from './modules/knowledge/page/readPage'
import { registerSources } from './modules/knowledge/sources/routes'
import { createMailer } from './modules/mails/createMailer'
import { registerMails } from './modules/mails/routes'
import { attachMcp } from './modules/mcp/attach'
import { registerAi } from './modules/models/routes'
import { handleCreditNotices } from './modules/notifications/notices'
import { registerNotifications } from './modules/notifications/routes'
import { registerJobs } from './modules/operations/jobs/routes'
import { registerProbes } from './modules/operations/probes/routes'
import { registerAccount } from './modules/projects/account/routes'
import { registerProjects } from './modules/projects/routes'
import { registerStatistics } from './modules/statistics/routes'
import { registerTemplates } from './modules/templates/routes'
import { registerPlayground } from './modules/testing/playground/routes'
import { registerRecordings } from './modules/testing/recordings/routes'
import { readableUrl, servePages } from './pages'
import { createBus } from './platform/bus/bus'
import { trustOf } from './platform/config/trustProxy'
import type { ServerContext } from './platform/context'
import type { Service } from './platform/effects/service'
import { ApiError, retryAfter, toApiError } from './platform/errors'
import { createConsumers } from './platform/events/createConsumers'
import { createFileStore } from './platform/files/files'
import { createAdmission, type GateLimits, type Load } from './platform/http/admission'
import { separateChatOrigin } from './platform/http/chatOrigin'
import { shareConnections } from './platform/http/connections'
import { readJsonOnly } from './platform/http/jsonBody'
import { refuseWhenOverloaded } from './platform/http/overload'
import { rawAnswer, refusalHeaders } from './platform/http/rawAnswer'
import { createJobs } from './platform/jobs/createJobs'
import { createServices } from './services'
import { createSweeps } from './sweeps'

const REQUEST_TIMEOUT = 5 * 60_000
const HEADERS_TIMEOUT = 15_000
const printLine = (text: string) => void process.stdout.write(`${text}\n`)

export interface AppOptions {
  /** the built interface; `build/client` unless said */
  clientDir?: string
  /** instead of what blocks call outside by those names */
  services?: Readonly<Record<string, Service>>
  /** shows something to who runs the server; the standard output unless said */
  print?: (text: string) => void
  /** how pages of the web are read: tests don't wait between two of them */
  pages?: PageOptions
  /** how many calls are worked on at once; those of admission.ts unless said */
  admission?: Readonly<Record<Load, GateLimits>>
  /** ms until whoever connects and says nothing is cut off: tests don't wait as long as strangers may */
  headersTimeout?: number
  /** told of each route as it is registered */
  onRoute?: (route: RouteOptions) => void
}

/** Builds the server, which doesn't listen yet: main.ts and tests do that. `app.close()` ends what it started. */
export async function buildApp(context: ServerContext, options: AppOptions = {}): Promise<FastifyInstance> {
  const { headersTimeout = HEADERS_TIMEOUT } = options
  const app = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: trustOf(context.config.trustProxy),
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    frameworkErrors: answerError,
    // whoever sends a request byte by byte doesn't hold a connection for ever; a file on a slow line arrives in that time
    requestTimeout: REQUEST_TIMEOUT,
    // whoever connects and says nothing is cut off soon
    http: { headersTimeout, connectionsCheckingInterval: headersTimeout / 3 },
    // drain.ts and the error table answer what comes while the server stops
    return503OnClosing: false,
    clientErrorHandler: answerUnreadable,
  })
  shareConnections(app.server, context.config.trustProxy, context.log)
  app.setErrorHandler(answerError)
  const admission = createAdmission(context, options.admission)
  if (options.onRoute) app.addHook('onRoute', options.onRoute)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  // before all that is done for a call: in a flood, most of the work is refusing
  app.addHook('onRequest', async ({ routeOptions, params }, reply) => {
    const load = routeOptions.config.contract?.load
    if (!load) return
    // helmet, which comes after this, replaces them by those of pages
    reply.headers(refusalHeaders)
    await admission.shed(load, params)
  })
  await app.register(helmet, security(context.config.publicUrl.startsWith('https:')))
  refuseWhenOverloaded(app)
  separateChatOrigin(app, context.config)
  await app.register(cookie)
  readJsonOnly(app)

  const documents = createDocuments(context)
  const files = createFileStore(join(context.config.dataDir, 'files'), context.config.freeSpace)
  registerProbes(app, context)
  registerAuth(app, context, documents)
  registerPasswordReset(app, context, documents, options.print ?? printLine)
  registerProfile(app, context, documents, options.print ?? printLine)
  registerAccount(app, context)
  registerProjects(app, context, documents, files)
  registerMembers(app, context, documents)
  registerInvitations(app, context)
  registerChatbots(app, context, documents)
  registerTemplates(app, context, documents)
  registerFlows(app, context, documents)
  registerVariables(app, context, documents)
  registerVersions(app, context, documents)
  registerFlowList(app, context, documents)
  registerComments(app, context, documents)
  registerFiles(app, context, files)
  registerJobs(app, context)
  registerMails(app, context)
  registerConversations(app, context)
  registerStatistics(app, context)
  registerContacts(app, context)
  if (options.pages) createPages(context, options.pages)
  registerCrawls(app, context)
  registerHttpTest(app, context)
  registerAnswers(app, context, createAnswering(context))
  registerGolden(app, context, createAnswering(context))
  registerAi(app, context)
  registerActions(app, context)
  registerInstructions(app, context)
  registerSources(app, context, files, createKnowledge(context))
  attachCollab(app, context, documents)
  handleCreditNotices(context)
  handleAdded(context, createMailer(context))
  registerApiKeys(app, context)
  registerNotifications(app, context)
  registerToolServers(app, context)
  registerSecrets(app, context, documents)
  attachMcp(app, context, documents)

  const host = createHost(context, { ...createServices(context), ...options.services })
  const sentFiles = createSentFiles(context, files)
  registerPlayground(app, context, host, documents, sentFiles)
  registerRecordings(app, context, host, documents)
  registerChat(app, context, host, sentFiles)
  const sweeps = createSweeps(context, createJobs(context))
  const consumers = createConsumers(context, eventConsumers)
  app.addHook('onListen', async () => {
    sweeps.schedule().catch((error) => context.log.error({ err: error }, 'the sweeps were not begun'))
    consumers.start()
    host.open().catch((error) => context.log.error({ err: error }, 'turns that were cut could not be resumed'))
  })
  app.addHook('onClose', async () => {
    await consumers.close()
    await createJobs(context).close()
    await host.close()
    await createBus(context).close()
  })

  await servePages(app, context, resolve(options.clientDir ?? 'build/client'))
  return app
}

/** Mantine writes style attributes; what flows show (pictures, films, embedded pages) comes from anywhere. Scripts are ours alone. */
function security(https: boolean) {
  return {
    strictTransportSecurity: https,
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
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
      },
    },
  }
}

/** What is no HTTP, or more than it may be, never becomes a request: the socket is answered. */
function answerUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  socket.end(rawAnswer(new ApiError(error.code === 'HPE_HEADER_OVERFLOW' ? 'too_large' : 'malformed')))
}

function answerError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const error = toApiError(thrown)
  // a query may hold a conversation's secret
  const path = request.url.split('?', 1)[0]
  // of calls that are refused there may be thousands in a second: admission.ts tells of them together
  if (error.status >= 500 && error.code !== 'overloaded')
    request.log.error({ err: error, cause: error.cause, path }, 'a call failed')
  const seconds = error.retryAfter ?? retryAfter[error.status]
  if (seconds !== undefined) reply.header('retry-after', String(seconds))
  reply.status(error.status).send(error.envelope)
}
