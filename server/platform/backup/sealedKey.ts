import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { StartError } from '../database/startError'

/** The least length of a passphrase, in characters. */
export const LEAST_PASSPHRASE = 12

const ALGORITHM = 'aes-256-gcm'
/** scrypt's cost: 128 MB and some tenths of a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }
const FORM = /^parley-key\.1\.([\w-]+)\.([\w-]+)\.([\w-]+)\.([\w-]+)\n$/

/** Encrypts the content of `secret.key`, which opens all secrets of the database, by a passphrase. */
export async function sealKey(content: string, passphrase: string): Promise<string> {
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv(ALGORITHM, await stretch(passphrase, salt), iv)
  const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()])
  const parts = [salt, iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))
  return `parley-key.1.${parts.join('.')}\n`
}

/** @throws StartError if the passphrase is another one, or the text was changed */
export async function openKey(text: string, passphrase: string): Promise<string> {
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
