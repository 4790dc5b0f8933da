import { Cron } from 'croner'
import type { Config } from '../config/config'
import type { ServerContext } from '../context'
import type { Connection } from '../database/database'
import { PARTS } from './manifest'
import { openBackups } from './openBackups'

export interface Schedule {
  /** when the next one begins */
  next(): Date | null
  /** Makes one now; nothing while one is being made. It never throws: failures are in the log. */
  run(): Promise<void>
  /** No further ones. One that is being made ends with the database, and leaves nothing under a backup's name. */
  stop(): void
}

/** Makes backups by `BACKUP_SCHEDULE`, in the process that started the embedded server. @returns null: there is none */
export function scheduleBackups(
  config: Pick<Config, 'backup' | 'dataDir' | 'secretKeys' | 'bucket'>,
  connection: Connection,
  { log, clock }: Pick<ServerContext, 'log' | 'clock'>,
): Schedule | null {
  const { schedule } = config.backup
  if (schedule === null) return null
  let making: Promise<void> | null = null
  const make = async () => {
    const { to, service, keep, passphrase } = config.backup
    try {
      const { folder, manifest } = await openBackups(to, service).make({ config, connection, passphrase, keep, clock })
      log.info({ folder, bytes: manifest.database.bytes, files: manifest.files.count }, 'a backup was made')
      if (manifest.key === 'left out')
        log.warn({ folder }, `the backup lacks the key: without BACKUP_PASSPHRASE there is no ${PARTS.key} in it`)
    } catch (error) {
      log.error({ err: error, to }, 'the scheduled backup failed')
    }
  }
  const run = () => {
    making ??= make().finally(() => {
      making = null
    })
    return making
  }
  const cron = new Cron(schedule, { unref: true }, run)
  return {
    next: () => cron.nextRun(),
    run,
    stop: () => cron.stop(),
  }
}
