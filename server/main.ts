import { billingVariables } from './platform/config/billingSettings'
import { parseConfig } from './platform/config/config'
import { mailVariables } from './platform/config/mailSettings'
import { vendorVariables } from './platform/config/vendorSettings'
import { openStorage } from './platform/database/openStorage'
import { StartError } from './platform/database/startError'
import { limitHeapGrowth } from './platform/heapGrowth'
import { createLog } from './platform/log'

/** A longer stop is ended hard: the sender of the signal waits at most 10 s. */
const STOP_LIMIT = 9_000
/** Binds the files in DATA_DIR to this database: see platform/database/installation.ts. */
const ADOPT_DATA = '--adopt-data'

/** Talks to stand-ins of vendors, on data of its own: see server/sandbox. */
const SANDBOX = '--sandbox'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Starts everything in order, listens, and on a signal stops it in reverse order. */
async function main(): Promise<void> {
  const sandbox = process.argv.includes(SANDBOX) ? await startSandbox() : null
  const config = parseConfig(sandbox?.env ?? process.env)
  config.vendors.sandbox = sandbox?.url ?? null
  const { log, stopping: stopLogging } = createLog(config.logLevel)
  const opening = openStorage(
    config,
    say,
    (error) => log.warn({ err: error }, 'a connection to the database broke'),
    process.argv.includes(ADOPT_DATA),
  )
  // most of a start is reading the program, on this core: the database begins on another one meanwhile
  const [storage, { buildServer }] = await Promise.all([opening, import('./buildServer')])

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
    const server = await buildServer({ config, log, storage, say })
    close = () => server.close().finally(storage.close)
    await server.listen()
    const { loadAhead } = await import('./loadAhead')
    await loadAhead()
    // not before: while the program is read, the heap grows anyway, and each small step would be a collection
    limitHeapGrowth()
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

main().catch((error: unknown) => {
  const known = error instanceof StartError
  process.stderr.write(`Parley can't start: ${known ? error.message : error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
})
