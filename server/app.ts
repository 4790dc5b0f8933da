import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
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
import { createAdmission, type GateLimits, type Load } from './admission'
import { createAnswering } from './ai/answering/createAnswering'
import { registerAccount } from './api/account/routes'
import { registerActions } from './api/actions/routes'
import { registerAi } from './api/ai/routes'
import { registerAnswers } from './api/answers/routes'
import { registerApiKeys } from './api/api-keys/routes'
import { registerAuth } from './api/auth/routes'
import { registerChat } from './api/chat/routes'
import { registerChatbots } from './api/chatbots/routes'
import { registerComments } from './api/comments/routes'
import { registerContacts } from './api/contacts/routes'
import { registerConversations } from './api/conversations/routes'
import { registerCrawls } from './api/crawls/routes'
import { registerFiles } from './api/files/routes'
import { registerFlowList } from './api/flows/listRoutes'
import { registerFlows } from './api/flows/routes'
import { registerGolden } from './api/golden/routes'
import { registerHttpTest } from './api/http-test/routes'
import { registerInstructions } from './api/instructions/routes'
import { registerInvitations } from './api/invitations/routes'
import { registerJobs } from './api/jobs/routes'
import { registerMails } from './api/mails/routes'
import { registerMembers } from './api/members/routes'
import { registerNotifications } from './api/notifications/routes'
import { registerPasswordReset } from './api/password-reset/routes'
import { registerPlayground } from './api/playground/routes'
import { registerProbes } from './api/probes/routes'
import { registerProfile } from './api/profile/routes'
import { registerProjects } from './api/projects/routes'
import { registerRecordings } from './api/recordings/routes'
import { registerSecrets } from './api/secrets/routes'
import { registerSources } from './api/sources/routes'
import { registerStatistics } from './api/statistics/routes'
import { registerTemplates } from './api/templates/routes'
import { registerToolServers } from './api/tool-servers/routes'
import { registerVariables } from './api/variables/routes'
import { registerVersions } from './api/versions/routes'
import { handleCreditNotices } from './billing/notices'
import { createBus } from './bus/bus'
import { separateChatOrigin } from './chatOrigin'
import { attachCollab } from './collab/attach'
import { createDocuments } from './collab/documents'
import type { ServerContext } from './context'
import { ApiError, retryAfter, toApiError } from './errors'
import { handleAdded } from './handOff/added'
import { createHost } from './host/createHost'
import { createSentFiles } from './host/sentFiles'
import type { Service } from './host/service'
import { createJobs } from './jobs/createJobs'
import { readJsonOnly } from './jsonBody'
import { createKnowledge } from './knowledge/createKnowledge'
import { createPages, type PageOptions } from './knowledge/page/readPage'
import { createMailer } from './mail/createMailer'
import { attachMcp } from './mcp/attach'
import { refuseWhenOverloaded } from './overload'
import { readableUrl, servePages } from './pages'
import { createServices } from './services'
import { createFileStore } from './storage/files'
import { trustOf } from './trustProxy'

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
  app.setErrorHandler(answerError)
  createAdmission(context, options.admission)
  if (options.onRoute) app.addHook('onRoute', options.onRoute)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
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
  app.addHook('onListen', async () => {
    host.open().catch((error) => context.log.error({ err: error }, 'turns that were cut could not be resumed'))
  })
  app.addHook('onClose', async () => {
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
  const { status, envelope } = new ApiError(error.code === 'HPE_HEADER_OVERFLOW' ? 'too_large' : 'malformed')
  const body = JSON.stringify(envelope)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
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
