import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { registry } from '../../blocks/registry'
import { createIdSource } from '../../engine/flow/ids'
import { buildApp } from '../../server/app'
import { parseConfig } from '../../server/platform/config/config'
import { createContext } from '../../server/platform/context'
import { createDatabase } from '../../server/platform/database/database'
import { drainOnClose } from '../../server/platform/http/drain'

/**
 * The app as a process for tests to kill during edits, over the database in CONNECTION. Sends its address to the
 * parent.
 */
const config = parseConfig(process.env)
const db = createDatabase(JSON.parse(process.env.CONNECTION ?? '{}'))
const ids = createIdSource(randomBytes)
const context = createContext({
  db,
  config,
  registry,
  clock: () => new Date(),
  ids,
  log: pino({ level: config.logLevel }),
})
const app = await buildApp(context)
drainOnClose(app)
process.send?.(await app.listen({ host: config.host, port: config.port }))
// Ends with its parent.
process.on('disconnect', () => app.close().finally(() => db.destroy()))
