import { randomBytes } from 'node:crypto'
import { registry } from '../blocks/registry'
import { createIdSource } from '../engine/flow/ids'
import { buildApp } from './app'
import { loadAhead } from './loadAhead'
import { setupLink } from './modules/accounts/auth/setup'
import { domains } from './modules/domains/module'
import { moveOpenSecrets } from './modules/flows/secrets/moveOpenSecrets'
import { scheduleBackups } from './platform/backup/scheduleBackups'
import { billingVariables } from './platform/config/billingSettings'
import { type Config, localUrl, parseConfig } from './platform/config/config'
import { mailVariables } from './platform/config/mailSettings'
import { vendorVariables } from './platform/config/vendorSettings'
import { createContext } from './platform/context'
import { openStorage } from './platform/database/openStorage'
import { StartError } from './platform/database/startError'
import { limitConnections, lowLimitNotice, openFileLimit } from './platform/descriptors'
import { limitHeapGrowth } from './platform/heapGrowth'
import { drainOnClose } from './platform/http/drain'
import { createLog } from './platform/log'
import { measureProcess } from './platform/metrics/measureProcess'

/** A longer stop is ended hard: the sender of the signal waits at most 10 s. */
const STOP_LIMIT = 9_000
/** Binds the files in DATA_DIR to this database: see platform/database/installation.ts. */
const ADOPT_DATA = '--adopt-data'

/** Talks to stand-ins of vendors, on data of its own: see server/sandbox. */
const SANDBOX = '--sandbox'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Starts everything in order, listens, and on a signal stops it in reverse order. */
async function main(): Promise<void> {
  limitHeapGrowth()
  const sandbox = process.argv.includes(SANDBOX) ? await startSandbox() : null
  const config = parseConfig(sandbox?.env ?? process.env)
  config.vendors.sandbox = sandbox?.url ?? null
  const { log, stopping: stopLogging } = createLog(config.logLevel)
  const fileLimit = openFileLimit()
  const opening = openStorage(
    config,
    say,
    (error) => log.warn({ err: error }, 'a connection to the database broke'),
    process.argv.includes(ADOPT_DATA),
  )
  const [storage] = await Promise.all([opening, loadAhead()])
  const context = createContext(
    {
      db: storage.db,
      config,
      registry,
      clock: () => new Date(),
      ids: createIdSource(randomBytes),
      log,
    },
    // loaded only for a sandbox: nobody else needs the stand-ins
    { openStandIns: async (clock) => (await import('./sandbox/openStandIns')).openStandIns(clock) },
  )
  measureProcess(context.metrics)

  let stopping = false
  let close = storage.close
  const stop = async (exitCode: number) => {
    // npm passes Ctrl-C on, so this process gets it twice: the second one does not force the stop.
    if (stopping) return
    stopping = true
    stopLogging()
    setTimeout(() => process.exit(exitCode || 1), STOP_LIMIT).unref()
    await close().catch((error) => log.error({ err: error }, 'stopping failed'))
    process.exit(exitCode)
  }
  const fail = (error: unknown) => {
    log.fatal({ err: error }, 'Parley stops after an error that nothing handled')
    stop(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
  process.on('uncaughtException', fail).on('unhandledRejection', fail)
  storage.onLost((reason) => {
    process.stderr.write(`Parley stops: its database ended. ${reason}\n`)
    stop(1)
  })

  try {
    await moveOpenSecrets(context)
    const app = await buildApp(context)
    drainOnClose(app)
    const backups = storage.url && !sandbox ? scheduleBackups(config, { connectionString: storage.url }, context) : null
    if (config.backup.schedule && !backups)
      say('BACKUP_SCHEDULE is left aside: it is for an embedded database that is no sandbox')
    close = () => {
      backups?.stop()
      return app.close().finally(storage.close)
    }
    await listen(app, config)
    const servers = [app.server, ...(await listenForDomains(app, config))]
    for (const server of servers) limitConnections(server, fileLimit / servers.length, log)
    const link = await setupLink(context)
    say(`Parley runs at ${config.publicUrl}`)
    if (config.redisUrl && storage.url) say(`More processes join with DATABASE_URL=${shellQuote(storage.url)}`)
    const low = lowLimitNotice(fileLimit)
    if (low) say(low)
    if (sandbox) say(`Vendors are stand-ins: see what they hold at ${sandbox.url}`)
    if (link) say(`Create the owner's account: ${link}`)
  } catch (error) {
    if (stopping) return
    await close().catch(() => {})
    throw error
  }
}

/** Loaded only for a sandbox: nobody else needs the stand-ins. */
async function startSandbox() {
  const { openSandbox } = await import('./sandbox/openSandbox')
  return openSandbox(
    process.env,
    () => new Date(),
    new Set(Object.keys({ ...vendorVariables, ...mailVariables, ...billingVariables })),
  )
}

/** Quotes a text as one word for a shell, whatever the data folder's path contains. */
const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The queue of unaccepted connections: beyond it the client retries after one second, then after three. */
const BACKLOG = 4_096

async function listen(app: Awaited<ReturnType<typeof buildApp>>, config: Config): Promise<void> {
  try {
    await app.listen({ host: config.host, port: config.port, backlog: BACKLOG })
  } catch (error) {
    throw explainListen(error, config)
  }
  const address = app.server.address()
  if (config.port !== 0 || address === null || typeof address === 'string') return
  if (config.publicUrl === localUrl(config.host, 0)) config.publicUrl = localUrl(config.host, address.port)
}

/** Opens the ports of custom domains, where Parley ends their TLS itself. */
async function listenForDomains(app: Awaited<ReturnType<typeof buildApp>>, { host }: Config) {
  const { listeners } = app.modules.provided(domains)
  return (
    (await listeners?.open(app).catch((error: unknown) => {
      throw explainListen(error, { host, port: (error as { port?: number }).port ?? 0 }, 'HTTP_PORT or HTTPS_PORT')
    })) ?? []
  )
}

function explainListen(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>, name = 'PORT'): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} of ${host} is in use: stop what uses it, or set ${name} to another`)
  if (code === 'EACCES')
    return new StartError(`Port ${port} may not be opened by this user: set ${name} to one above 1023`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new StartError(`HOST is "${host}", which is no address of this machine: set it to 127.0.0.1 or 0.0.0.0`)
  }
  return error
}

main().catch((error: unknown) => {
  const known = error instanceof StartError
  process.stderr.write(`Parley can't start: ${known ? error.message : error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
})
