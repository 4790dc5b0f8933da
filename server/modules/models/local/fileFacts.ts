import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { LocalModel } from '../../../contracts/localModels'

/** What a model's files turned out to be. */
export interface PackedFacts {
  kind: NonNullable<LocalModel['kind']>
  sha256: string
  dimension: number
  tokens: number
  licence: string | null
}

/** A file's hash, hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** As the model's page states it: `license:` among the lines between `---` at the start of README.md. */
export async function licenceOf(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'README.md'), 'utf8').catch(() => '')
  const lines = text.split('\n', 500)
  if (lines[0]?.trim() !== '---') return null
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === '---')
  const line = lines.slice(1, Math.max(1, end)).find((each) => each.startsWith('license:'))
  const named = line
    ?.slice('license:'.length)
    .trim()
    .replace(/^["']|["']$/g, '')
  return named ? named.slice(0, 100) : null
}
