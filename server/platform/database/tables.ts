import type { Generated } from 'kysely'
import type { EventConsumersTable, EventFailuresTable, EventsTable } from '../events/tables'
import type { FilesTable, UploadsTable } from '../files/tables'
import type { JobsTable } from '../jobs/tables'

/**
 * Row types for Kysely by table; bigint ids are strings, as the driver returns them. These are the platform's own
 * tables; each module adds its tables beside its code (`tables.ts`: `declare module`), so that the platform knows no
 * module.
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

/** One row: who may create the first account, and the installation's name among its processes. */
export interface InstallationTable {
  id: Generated<number>
  setup_token_hash: Buffer | null
  bus_name: Generated<string>
  /** how often transaction numbers have restarted, and in which server (platform/events) */
  event_epoch: Generated<number>
  event_server: Generated<string | null>
  /** the account that was made by the printed link; null: there is none yet, or it is gone */
  owner_id: Generated<string | null>
  /** what operators tell everybody; null: nothing */
  announcement: Generated<string | null>
  announcement_warns: Generated<boolean>
  announced_at: Generated<Date | null>
  /** what the feed of UPDATE_CHECK named, and when it was asked */
  newest_version: Generated<string | null>
  newest_asked_at: Generated<Date | null>
}
