import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { registry as realRegistry } from '../../blocks/registry'
import { createIdSource } from '../../engine/flow/ids'
import type { Registry } from '../../engine/flow/registry'
import { type AppOptions, buildApp } from '../../server/app'
import { updateSettings } from '../../server/contracts/account'
import { login, register, type User } from '../../server/contracts/auth'
import { listProjects } from '../../server/contracts/projects'
import { createUser } from '../../server/modules/accounts/auth/createUser'
import { setupLink } from '../../server/modules/accounts/auth/setup'
import type { AgentActions } from '../../server/modules/agents/actions/createAgentActions'
import type { Answering } from '../../server/modules/agents/answering/answering'
import { agents } from '../../server/modules/agents/module'
import type { Documents } from '../../server/modules/flows/collab/documents'
import type { Drafts } from '../../server/modules/flows/drafts/createDrafts'
import { flows } from '../../server/modules/flows/module'
import type { Knowledge } from '../../server/modules/knowledge/knowledge'
import { knowledge } from '../../server/modules/knowledge/module'
import type { Models } from '../../server/modules/models/models'
import { models } from '../../server/modules/models/module'
import { type Config, parseConfig } from '../../server/platform/config/config'
import { createContext, type ServerContext } from '../../server/platform/context'
import { type Connection, createDatabase } from '../../server/platform/database/database'
import { bindFiles } from '../../server/platform/database/installation'
import { placeOfFiles } from '../../server/platform/files/openFiles'
import type { GateLimits, Load } from '../../server/platform/http/admission'
import { drainOnClose } from '../../server/platform/http/drain'
import type { OpenStandIns } from '../../server/platform/standIns'
import { createClient, type TestClient } from './client'
import { createTestDatabase, type TestDatabase } from './database'

export interface TestServer {
  url: string
  app: FastifyInstance
  context: ServerContext
  /** what its modules provide */
  parts: {
    drafts: Drafts
    documents: Documents
    models: Models
    knowledge: Knowledge
    actions: AgentActions
    answering: Answering
  }
  /** to its database */
  connection: Connection
  /** a client without login */
  guest(): Promise<TestClient>
  /** a new account, logged in, with its default project */
  register(person?: Partial<Person>): Promise<Registered>
  close(): Promise<void>
}

export interface Registered extends TestClient {
  user: User
  password: string
  pgid: string
}

interface Person {
  first_name: string
  last_name: string
  email: string
  password: string
}

export interface TestServerOptions extends AppOptions {
  config?: Partial<Config>
  clock?: () => Date
  /** replaces the real kinds */
  registry?: Registry
  log?: ServerContext['log']
  /** limits of concurrent calls; default: those of admission.ts */
  admission?: Readonly<Record<Load, GateLimits>>
  /** shows a text to the operator */
  print?: (text: string) => void
  openStandIns?: OpenStandIns
  /** whether its close drains keep-alive connections, as in main.ts */
  drains?: boolean
  /** registers additional routes */
  plant?: (app: FastifyInstance, context: ServerContext) => void
  /** another server whose database and files it shares: the second of several processes */
  beside?: TestServer
}

/** A server on a free port with a new database. Call `close` in afterAll. */
export async function startTestServer({
  config,
  clock,
  registry = realRegistry,
  log = pino({ level: process.env.TEST_LOG ?? 'silent' }),
  beside,
  drains = false,
  admission,
  plant,
  print,
  openStandIns,
  ...options
}: TestServerOptions = {}): Promise<TestServer> {
  const database = beside ? shareDatabase(beside.connection) : await createTestDatabase()
  const dataDir = beside?.context.config.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-files-')))
  const context = createContext(
    {
      db: database.db,
      config: {
        ...parseConfig({ REGISTRATION: 'open', FREE_SPACE_MB: '0', LOG_LEVEL: process.env.TEST_LOG ?? 'silent' }),
        dataDir,
        ...config,
      },
      registry,
      clock: clock ?? (() => new Date()),
      ids: createIdSource(randomBytes),
      log,
    },
    { ...(admission && { admission }), ...(print && { print }), ...(openStandIns && { openStandIns }) },
  )
  await bindFiles({
    connection: database.connection,
    files: placeOfFiles(context.config),
    database: 'the database of a test',
    adopt: false,
  })
  // the test's own work, which may take long on a slow machine, goes on in the same event loop
  const app = await buildApp(context, { mostDelay: Number.POSITIVE_INFINITY, ...options })
  plant?.(app, context)
  if (drains) drainOnClose(app)
  else endStreamsOnClose(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { documents } = app.modules.provided(flows)
  let people = 0

  return {
    url,
    app,
    context,
    parts: {
      drafts: documents.drafts,
      documents,
      models: app.modules.provided(models),
      knowledge: app.modules.provided(knowledge),
      ...app.modules.provided(agents),
    },
    connection: database.connection,
    guest: () => createClient(url),
    async register(person) {
      const password = person?.password ?? 'correct horse battery'
      const names = { first_name: 'Ada', last_name: `Person ${++people}`, email: `person${people}@example.com` }
      const setup_token = new URL((await setupLink(context)) ?? url).searchParams.get('setup_token') ?? undefined
      const client = await createClient(url)
      const body = { ...names, ...person, password }
      const { user } = await (context.config.smtpUrl && !setup_token
        ? // registration by mail has its own tests
          createUser(context, body, 'test').then(({ email }) => client.call(login, { body: { email, password } }))
        : client.call(register, { body: { ...body, setup_token } }))
      if (!user) throw new Error('a new account is asked for no code')
      // the builder's pop-up lies over the canvas: its own test shows it
      await client.call(updateSettings, { body: { hide_builder_tutorial_video_popup: true } })
      const { projects } = await client.call(listProjects)
      return Object.assign(client, { user, password, pgid: projects[0]?.gid ?? '' })
    },
    async close() {
      await app.close()
      await database.close()
      if (!beside) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * What would hold a plain close for ever: a stream that a failed test left open, and a connection that a browser made in
 * reserve, over which nothing was asked yet (Node counts it as busy). main.ts drains, which takes a second.
 */
function endStreamsOnClose(app: FastifyInstance): void {
  const answers = new Set<ServerResponse>()
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.prependListener('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    silent.delete(socket)
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  })
  app.addHook('preClose', async () => {
    // one that asked to be upgraded is another's
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy()
    for (const answer of answers) if (answer.headersSent && !answer.writableEnded) answer.socket?.destroySoon()
  })
}

function shareDatabase(connection: Connection): Omit<TestDatabase, 'url'> {
  const db = createDatabase(connection, { max: 8 })
  return { db, connection, close: () => db.destroy() }
}
