import type { FastifyBaseLogger } from 'fastify'
import type { IdSource } from '../../engine/flow/ids'
import type { Registry } from '../../engine/flow/registry'
import type { Config } from './config/config'
import type { RootDb } from './database/database'

/** What the starter of the server provides: main.ts, or a test with its own database and clock. */
export interface Installation {
  db: RootDb
  config: Config
  registry: Registry
  clock: () => Date
  ids: IdSource
  log: FastifyBaseLogger
}
