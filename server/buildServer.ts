import { randomBytes } from 'node:crypto'
import { registry } from '../blocks/registry'
import { createIdSource } from '../engine/flow/ids'
import { buildApp } from './app'
import { setupLink } from './modules/accounts/auth/setup'
import { domains } from './modules/domains/module'
import { moveOpenSecrets } from './modules/flows/secrets/moveOpenSecrets'
import { archiveLog } from './platform/backup/archiveLog'
import { scheduleBackups } from './platform/backup/scheduleBackups'
import { type Config, localUrl } from './platform/config/config'
import { createContext, type ServerContext } from './platform/context'
import type { Storage } from './platform/database/openStorage'
import { StartError } from './platform/database/startError'
import { limitConnections, lowLimitNotice, openFileLimit } from './platform/descriptors'
import { drainOnClose } from './platform/http/drain'
import { measureProcess } from './platform/metrics/measureProcess'

export interface ServerParts {
  config: Config
  log: ServerContext['log']
  storage: Storage
  /** prints a line for the operator */
  say: (text: string) => void
}

export interface BuiltServer {
  /** opens the ports, and prints the address and, on a first start, the link for the owner */
  listen: () => Promise<void>
  /** answers what is under way; the database stays open */
  close: () => Promise<void>
}

/** Builds the server on an open database. A module of its own, read while the database starts: see main.ts. */
export async function buildServer({ config, log, storage, say }: ServerParts): Promise<BuiltServer> {
  const fileLimit = openFileLimit()
  const endTraces = config.traces ? await startTraces(log) : null
  const context = createContext(
    { db: storage.db, config, registry, clock: () => new Date(), ids: createIdSource(randomBytes), log },
    // loaded only for a sandbox: nobody else needs the stand-ins
    { openStandIns: async (clock) => (await import('./sandbox/openStandIns')).openStandIns(clock) },
  )
  measureProcess(context.metrics)
  await moveOpenSecrets(context)
  const app = await buildApp(context)
  drainOnClose(app)
  const { sandbox } = config.vendors
  const backups = storage.url && !sandbox ? scheduleBackups(config, { connectionString: storage.url }, context) : null
  const archive = storage.url && !sandbox ? await archiveLog(config, { connectionString: storage.url }, context) : null
  if (config.backup.archiveMinutes !== null && !archive)
    say('BACKUP_LOG_MINUTES is left aside: it is for an embedded database that is no sandbox')
  if (config.backup.schedule && !backups)
    say('BACKUP_SCHEDULE is left aside: it is for an embedded database that is no sandbox')
  return {
    async listen() {
      await listen(app, config)
      const servers = [app.server, ...(await listenForDomains(app, config))]
      for (const server of servers) limitConnections(server, fileLimit / servers.length, log)
      const link = await setupLink(context)
      say(`Parley runs at ${config.publicUrl}`)
      if (config.redisUrl && storage.url) say(`More processes join with DATABASE_URL=${shellQuote(storage.url)}`)
      const low = lowLimitNotice(fileLimit)
      if (low) say(low)
      if (sandbox) say(`Vendors are stand-ins: see what they hold at ${sandbox}`)
      if (link) say(`Create the owner's account: ${link}`)
    },
    close() {
      backups?.stop()
      archive?.stop()
      // what was answered last, too
      return app
        .close()
        .then(() => archive?.run())
        .finally(endTraces)
    },
  }
}

/** Loaded only where a collector is named. */
async function startTraces(log: ServerContext['log']) {
  const { exportTraces } = await import('./platform/tracing/exportTraces')
  return exportTraces((reason) => log.warn({ reason }, 'traces can not be sent'))
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
