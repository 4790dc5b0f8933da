import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../database/startError'

/** What an export says of itself, in `export.json`. */
export type ExportManifest = z.infer<typeof manifestSchema>
export type ExportedTable = ExportManifest['tables'][number]

const count = z.int().min(0)
/** Names of tables and columns become names of files and parts of statements. */
const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)
const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** all that was committed before it is in the export */
  made_at: z.iso.datetime(),
  /** of `installation.bus_name` */
  installation: z.string().min(1).max(100),
  /** of the server that it came from, to be read by people */
  postgres: z.string(),
  /** the migrations that made its tables */
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.strictObject({ name, columns: z.array(name).min(1), rows: count })),
  /** what the next id of a table follows */
  sequences: z.array(z.strictObject({ name, last: z.string().regex(/^\d{1,19}$/) })),
  files: z.strictObject({ count, bytes: count }),
  /** as in a backup */
  key: z.enum(['sealed', 'left out', 'environment']),
  /** SHA-256 of `checksums.txt` */
  checksums: z.string(),
})

/** The part of an export's folder that says what it is; the others are named as in a backup. */
export const EXPORT_MANIFEST = 'export.json'
/** Where the rows of a table are, in an export's folder. */
export const partOf = (table: string): string => `tables/${table}.gz`

/** @throws StartError if the folder holds no export, or one that another version made */
export async function readExportManifest(folder: string): Promise<ExportManifest> {
  const path = join(folder, EXPORT_MANIFEST)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new StartError(`${folder} is no export: ${EXPORT_MANIFEST} can't be read there`, { cause })
  })
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
