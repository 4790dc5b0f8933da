import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../config/config'
import { StartError } from '../database/startError'
import { type Checksums, sha256Of } from './checksums'
import { writeSynced } from './copyFiles'
import { type Manifest, PARTS } from './manifest'

/** The least length of a passphrase, in characters. */
const LEAST_PASSPHRASE = 12

const ALGORITHM = 'aes-256-gcm'
/** scrypt's cost: 128 MB and some tenths of a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }
const FORM = /^parley-key\.1\.([\w-]+)\.([\w-]+)\.([\w-]+)\.([\w-]+)\n$/

/** @throws StartError for a passphrase that could be guessed */
export function refuseShort(passphrase: string | null): void {
  if (passphrase !== null && [...passphrase].length < LEAST_PASSPHRASE)
    throw new StartError(`BACKUP_PASSPHRASE is too short: give at least ${LEAST_PASSPHRASE} characters`)
}

/**
 * Writes the key of `DATA_DIR`, sealed, into a folder.
 * @returns what became of it; without a passphrase it is left out
 */
export async function keepKey(
  { dataDir, secretKeys }: Pick<Config, 'dataDir' | 'secretKeys'>,
  folder: string,
  passphrase: string | null,
  sums: Checksums,
): Promise<Manifest['key']> {
  if (secretKeys.length > 0) return 'environment'
  if (passphrase === null) return 'left out'
  const sealed = await sealKey(await readFile(join(dataDir, 'secret.key'), 'utf8'), passphrase)
  await writeSynced(join(folder, PARTS.key), sealed)
  sums.set(PARTS.key, sha256Of(sealed))
  return 'sealed'
}

/** Opens what `keepKey` wrote. @throws StartError if the passphrase is missing or another one */
export async function readKey(folder: string, passphrase: string | null): Promise<string> {
  if (passphrase === null)
    throw new StartError(
      'The key is sealed: set BACKUP_PASSPHRASE, or give --without-key and enter keys and connections anew',
    )
  return openKey(await readFile(join(folder, PARTS.key), 'utf8'), passphrase)
}

/** Encrypts the content of `secret.key`, which opens all secrets of the database, by a passphrase. */
async function sealKey(content: string, passphrase: string): Promise<string> {
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv(ALGORITHM, await stretch(passphrase, salt), iv)
  const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()])
  const parts = [salt, iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))
  return `parley-key.1.${parts.join('.')}\n`
}

/** @throws StartError if the passphrase is another one, or the text was changed */
async function openKey(text: string, passphrase: string): Promise<string> {
  const [, ...parts] = FORM.exec(text) ?? []
  const [salt, iv, tag, sealed] = parts.map((part) => Buffer.from(part, 'base64url'))
  try {
    if (!salt || !iv || !tag || !sealed) throw new Error('it has another form')
    const decipher = createDecipheriv(ALGORITHM, await stretch(passphrase, salt), iv, { authTagLength: 16 })
    decipher.setAuthTag(tag)
    return decipher.update(sealed, undefined, 'utf8') + decipher.final('utf8')
  } catch (error) {
    throw new StartError(
      "The passphrase does not open this backup's key: set BACKUP_PASSPHRASE to the one it was made with",
      {
        cause: error,
      },
    )
  }
}

const stretch = (passphrase: string, salt: Buffer) =>
  promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)(passphrase.normalize('NFKC'), salt, 32, COST)
