import { Cron } from 'croner'
import { z } from 'zod'
import { address, type BucketSettings } from './bucketSettings'

export interface BackupSettings {
  /** the folder of the backups, as given; or `s3://<bucket>/<prefix>` */
  to: string
  /** the service of a bucket, and the keys of an account that may use it; null: there are no keys */
  service: Pick<BucketSettings, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'> | null
  /** when backups are made, a cron expression in the machine's time zone; null: by command alone */
  schedule: string | null
  /** how many stay; null: all */
  keep: number | null
  /** how often the write-ahead log is archived beside the backups; null: never */
  archiveMinutes: number | null
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
  BACKUP_LOG_MINUTES: z
    .string()
    .refine((text) => /^([1-9]|[1-5]\d)$/.test(text), 'give minutes from 1 to 59')
    .optional(),
  BACKUP_PASSPHRASE: z.string().optional(),
  BACKUP_S3_ENDPOINT: address.optional(),
  BACKUP_S3_REGION: z
    .string()
    .refine((name) => /^[a-z0-9-]{1,40}$/.test(name), 'give the name of a region, such as eu-central-1')
    .optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
} as const

/** @param files the bucket of uploaded files: backups may go to its service by its keys */
export function readBackupSettings(
  given: z.output<z.ZodObject<typeof backupVariables>>,
  files: BucketSettings | null,
): BackupSettings {
  const accessKeyId = given.BACKUP_S3_ACCESS_KEY_ID ?? files?.accessKeyId
  const secretAccessKey = given.BACKUP_S3_SECRET_ACCESS_KEY ?? files?.secretAccessKey
  const region = given.BACKUP_S3_REGION ?? files?.region ?? 'us-east-1'
  const endpoint = given.BACKUP_S3_ENDPOINT ?? files?.endpoint ?? `https://s3.${region}.amazonaws.com`
  return {
    to: given.BACKUP_TO,
    service: accessKeyId && secretAccessKey ? { endpoint, region, accessKeyId, secretAccessKey } : null,
    schedule: given.BACKUP_SCHEDULE ?? null,
    keep: given.BACKUP_KEEP ? Number(given.BACKUP_KEEP) : null,
    archiveMinutes: given.BACKUP_LOG_MINUTES ? Number(given.BACKUP_LOG_MINUTES) : null,
    passphrase: given.BACKUP_PASSPHRASE ?? null,
  }
}

function isSchedule(text: string): boolean {
  try {
    return text.trim().split(/\s+/).length === 5 && new Cron(text, { paused: true }).nextRun() !== null
  } catch {
    return false
  }
}
