import { Cron } from 'croner'
import { z } from 'zod'

export interface BackupSettings {
  /** the folder of the backups, as given */
  to: string
  /** when backups are made, a cron expression in the machine's time zone; null: by command alone */
  schedule: string | null
  /** how many stay; null: all */
  keep: number | null
  /** seals the key of `DATA_DIR`; null: the key is left out */
  passphrase: string | null
}

/** The variables about backups, for the table of all settings. */
export const backupVariables = {
  BACKUP_TO: z.string().default('backups'),
  BACKUP_SCHEDULE: z
    .string()
    .max(200)
    .refine(isSchedule, 'give a cron expression of five fields, such as "30 3 * * *" for half past three each night')
    .optional(),
  BACKUP_KEEP: z
    .string()
    .refine((text) => /^[1-9]\d{0,3}$/.test(text), 'give how many backups stay, from 1 to 9999')
    .optional(),
  BACKUP_PASSPHRASE: z.string().optional(),
} as const

export const readBackupSettings = (given: z.output<z.ZodObject<typeof backupVariables>>): BackupSettings => ({
  to: given.BACKUP_TO,
  schedule: given.BACKUP_SCHEDULE ?? null,
  keep: given.BACKUP_KEEP ? Number(given.BACKUP_KEEP) : null,
  passphrase: given.BACKUP_PASSPHRASE ?? null,
})

function isSchedule(text: string): boolean {
  try {
    return text.trim().split(/\s+/).length === 5 && new Cron(text, { paused: true }).nextRun() !== null
  } catch {
    return false
  }
}
