import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../database/startError'

/** What a backup says of itself, in `backup.json`. */
export type Manifest = z.infer<typeof manifestSchema>

const count = z.int().min(0)
const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** when it was complete: all that was acknowledged before is in it */
  ended_at: z.iso.datetime(),
  began_at: z.iso.datetime(),
  /** of `installation.bus_name` */
  installation: z.string(),
  /** the last migration that had run */
  migration: z.string(),
  /** of the server, such as 18.4: its major version can start it */
  postgres: z.string(),
  database: z.strictObject({
    /** positions in the write-ahead log */
    from: z.string(),
    to: z.string(),
    /** before compression */
    bytes: count,
  }),
  files: z.strictObject({ count, bytes: count }),
  /** `environment`: SECRET_KEYS held the keys, and no file is there to be kept; `left out`: no passphrase was given */
  key: z.enum(['sealed', 'left out', 'environment']),
  /** SHA-256 of `checksums.txt` */
  checksums: z.string(),
})

/** The parts of a backup's folder. */
export const PARTS = {
  manifest: 'backup.json',
  checksums: 'checksums.txt',
  database: 'database.tar.gz',
  files: 'files',
  key: 'secret.key.sealed',
} as const

/** The name of a backup's folder; names sort by time. */
export const nameOf = (at: Date): string => `parley-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
const NAME = /^parley-\d{8}T\d{6}Z$/
export const isBackup = (name: string): boolean => NAME.test(name)

/** @throws StartError if the folder holds no backup, or one that another version made */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string
  try {
    text = await readFile(join(folder, PARTS.manifest), 'utf8')
  } catch (error) {
    throw new StartError(
      `${folder} is no backup: ${PARTS.manifest} can't be read there. Give one of "parley backup list"`,
      {
        cause: error,
      },
    )
  }
  return parseManifest(text, join(folder, PARTS.manifest))
}

/** @param path of the manifest, in messages. @throws StartError if it can't be understood */
export function parseManifest(text: string, path: string): Manifest {
  const parsed = manifestSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new StartError(`${path} can't be understood: a newer Parley made it, or it was changed`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The names of complete backups in a folder, the oldest first; none if there is no such folder. */
export async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter(isBackup).sort()
}
