import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../database/startError'
import { PARTS } from './manifest'

/** SHA-256 by path in the backup, with `/` between its parts. */
export type Checksums = Map<string, string>

/** In the form that `sha256sum --check` reads. */
export const writeChecksums = (sums: Checksums): string => [...sums].map(([path, sum]) => `${sum}  ${path}\n`).join('')

export const sha256Of = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const LINE = /^([0-9a-f]{64}) {2}(.+)$/
/** A path that stays in the folder it is joined to. */
const INSIDE = /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))/

/**
 * Reads the list of a backup's files.
 * @param expected its own checksum, of the manifest
 * @throws StartError if it was changed
 */
export async function readChecksums(folder: string, expected: string): Promise<Checksums> {
  const path = join(folder, PARTS.checksums)
  const text = await readFile(path, 'utf8').catch(() => '')
  if (sha256Of(text) !== expected) throw damaged(path)
  return parseChecksums(text, path)
}

/** @param path of the list, in messages. @throws StartError if it can't be understood */
export function parseChecksums(text: string, path: string): Checksums {
  const sums: Checksums = new Map()
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sum, file] = LINE.exec(line) ?? []
    if (!sum || !file || !INSIDE.test(file)) throw damaged(path)
    sums.set(file, sum)
  }
  return sums
}

/** Compares all files of a backup with its list. @throws StartError that names the first that differs or is missing */
export async function checkChecksums(folder: string, sums: Checksums): Promise<void> {
  for (const [file, sum] of sums) {
    const path = join(folder, file)
    const hash = createHash('sha256')
    try {
      for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
    } catch (error) {
      throw damaged(path, error)
    }
    if (hash.digest('hex') !== sum) throw damaged(path)
  }
}

const damaged = (path: string, cause?: unknown) =>
  new StartError(`${path} is missing or not as it was written: this copy is damaged. Use another one`, { cause })
