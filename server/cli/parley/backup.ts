import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { BackupPlace } from '../../platform/backup/backupPlace'
import type { Manifest } from '../../platform/backup/manifest'
import { openBackups } from '../../platform/backup/openBackups'
import { restoreBackup } from '../../platform/backup/restoreBackup'
import { verifyBackup } from '../../platform/backup/verifyBackup'
import { parseConfig } from '../../platform/config/config'
import { CliError } from './cliError'
import { connectionOf } from './connection'
import { readOptions } from './options'
import { usages } from './usage'

const options = { to: { type: 'string' }, keep: { type: 'string' }, scratch: { type: 'string' } } as const

/** `parley backup …`: makes, lists and verifies backups of the embedded installation. */
export async function backupCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions('backup', args, options, { least: 0, most: 2 })
  const [act = 'make', name] = files
  const config = parseConfig(process.env)
  const place = openBackups(values.to ?? config.backup.to, config.backup.service)
  if (act === 'make' && name === undefined)
    return make(place, values.keep ? wholeNumber(values.keep) : config.backup.keep)
  if (act === 'list' && name === undefined) return list(place)
  if (act === 'verify' && name !== undefined) return verify(place, name, resolve(values.scratch ?? tmpdir()))
  throw new CliError(usages.backup)
}

/** `parley restore <backup>`: makes a new data folder of a backup. */
export async function restoreCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions(
    'restore',
    args,
    {
      to: { type: 'string' },
      from: { type: 'string' },
      scratch: { type: 'string' },
      at: { type: 'string' },
      'without-key': { type: 'boolean' },
    },
    { least: 1, most: 1 },
  )
  const { backup, dataDir } = parseConfig(process.env)
  const into = resolve(values.to ?? dataDir)
  const given = {
    dataDir: into,
    passphrase: backup.passphrase,
    withoutKey: values['without-key'] ?? false,
    at: momentOf(values.at),
  }
  const place = openBackups(values.from ?? backup.to, backup.service)
  const { manifest, segments } = await place.during(files[0], resolve(values.scratch ?? tmpdir()), (folder) =>
    restoreBackup({ backup: folder, ...given }),
  )
  const moment = given.at?.toISOString() ?? (segments > 0 ? 'the end of the archived log' : manifest.ended_at)
  print(`${into} holds what was there at ${moment}. The backup: ${contentOf(manifest)}; log: ${segments} segments.`)
  if (manifest.key === 'environment') print('Its keys were in SECRET_KEYS: give the same ones at the start.')
  else if (manifest.key === 'left out' || given.withoutKey)
    print('The key is not in it: keys and connections of projects have to be entered anew.')
  print(`Start it with DATA_DIR=${into} npm start`)
  return 0
}

async function make(place: BackupPlace, keep: number | null): Promise<number> {
  const config = parseConfig(process.env)
  if (config.databaseUrl)
    throw new CliError(
      'DATABASE_URL names a server of its own: back it up with pg_dump, and copy files and secret.key of DATA_DIR afterwards',
    )
  const { folder, manifest, deleted } = await place.make({
    config,
    connection: await connectionOf(),
    passphrase: config.backup.passphrase,
    keep,
    clock: () => new Date(),
  })
  print(`${folder}: ${contentOf(manifest)}.`)
  for (const name of deleted) print(`${name} is deleted: ${keep} are kept.`)
  if (manifest.key === 'left out')
    print(
      `The key (secret.key in ${config.dataDir}) is left out: set BACKUP_PASSPHRASE to keep it sealed, or copy it apart.`,
    )
  return 0
}

async function list(place: BackupPlace): Promise<number> {
  const backups = await place.list()
  if (backups.length === 0) print(`There are no backups in ${place.name}.`)
  for (const { name, manifest } of backups) print(`${name}  ${contentOf(manifest)}, key ${manifest.key}`)
  return 0
}

async function verify(place: BackupPlace, name: string, scratch: string): Promise<number> {
  const { manifest, tables, rows, files } = await place.during(name, scratch, (folder) => verifyBackup(folder, scratch))
  print(`${name} can be restored: ${tables} tables with ${rows} rows were read, ${files} files are there.`)
  print(`It holds what was there at ${manifest.ended_at}.`)
  return 0
}

const contentOf = ({ database, files }: Manifest) =>
  `database of ${megabytes(database.bytes)}, ${files.count} ${files.count === 1 ? 'file' : 'files'} of ${megabytes(files.bytes)}`

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

function momentOf(text: string | undefined): Date | null {
  if (text === undefined) return null
  // without its zone, a time means another moment on another machine
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(text)
  throw new CliError(`--at: ${text} is no moment with its zone, such as 2026-12-01T10:00:00Z.\n\n${usages.restore}`)
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new CliError(`--keep: ${text} is not a number from 1 to 9999.\n\n${usages.backup}`)
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
