import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../database/startError'

export interface SecretKey {
  /** stored in what it encrypted, so that the right key decrypts it */
  id: string
  /** 32 bytes */
  bytes: Buffer
}

/** 43 digits of base64 are 32 bytes. */
const FORM = /^([A-Za-z0-9_-]{1,16}):([A-Za-z0-9+/_-]{43}=?)$/
const REMEDY =
  'give keys as name:key with commas between them, each key 32 bytes in base64 (openssl rand -base64 32), the one that seals first'

/**
 * Parses `SECRET_KEYS`. Error messages never show the value.
 * @throws StartError
 */
export function parseSecretKeys(text: string): SecretKey[] {
  const keys = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part, position) => {
      const key = readKey(part)
      if (!key) throw new StartError(`SECRET_KEYS can't be read at key ${position + 1}: ${REMEDY}`)
      return key
    })
  if (new Set(keys.map(({ id }) => id)).size < keys.length)
    throw new StartError('SECRET_KEYS has two keys of one name: give each a name of its own')
  return keys
}

/** @returns null if the text is no key */
function readKey(text: string): SecretKey | null {
  const [, id, encoded] = FORM.exec(text) ?? []
  return id && encoded ? { id, bytes: Buffer.from(encoded, 'base64') } : null
}

/**
 * The installation's own key, created at the first start in a file that only its owner can read. Processes that start
 * at the same time agree on one.
 * @throws StartError if the file has other content
 */
export function keyOfFolder(dataDir: string): SecretKey {
  const path = join(dataDir, 'secret.key')
  try {
    return readFile(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  try {
    // a hard link appears completely or not at all, and never replaces another process's file
    linkSync(draft, path)
  } catch (error) {
    if (!isExisting(error)) throw error
  } finally {
    rmSync(draft)
  }
  return readFile(path)
}

function readFile(path: string): SecretKey {
  const key = readKey(readFileSync(path, 'utf8').trim())
  if (!key) throw new StartError(`${path} holds no key: put back the file that was there, or give SECRET_KEYS`)
  return key
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
const isMissing = (error: unknown) => codeOf(error) === 'ENOENT'
const isExisting = (error: unknown) => codeOf(error) === 'EEXIST'
