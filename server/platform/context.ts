import type { FastifyBaseLogger } from 'fastify'
import type { IdSource } from '../../engine/flow/ids'
import type { Registry } from '../../engine/flow/registry'
import type { Config } from './config/config'
import type { Db } from './database/database'

/** What every part of the server is given: made once by main.ts, or by a test with its own database and clock. */
export interface ServerContext {
  db: Db
  config: Config
  registry: Registry
  clock: () => Date
  ids: IdSource
  log: FastifyBaseLogger
}
