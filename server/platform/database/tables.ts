import type { Generated } from 'kysely'
import type { EventConsumersTable, EventFailuresTable, EventsTable } from '../events/tables'
import type { FilesTable, UploadsTable } from '../files/tables'
import type { JobsTable } from '../jobs/tables'

/**
 * Rows as Kysely sees them, table by table; bigint ids are strings, as the driver gives them. Here stand the platform's own; each module
 * adds its tables where it describes their rows (`tables.ts`: `declare module`), so that the platform knows no module.
 */
export interface Database {
  installation: InstallationTable
  jobs: JobsTable
  files: FilesTable
  uploads: UploadsTable
  events: EventsTable
  event_consumers: EventConsumersTable
  event_failures: EventFailuresTable
}

/** One row: who may make the first account, and what the installation's processes call it among themselves. */
export interface InstallationTable {
  id: Generated<number>
  setup_token_hash: Buffer | null
  bus_name: Generated<string>
  /** how often its transaction numbers began anew, and whose they are (platform/events) */
  event_epoch: Generated<number>
  event_server: Generated<string | null>
}
