import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Config } from '../config/config'
import { keyOfFolder, type SecretKey } from './keys'

/** Where a secret belongs: moved to another row or project, it does not decrypt. */
export interface SecretPlace {
  projectId: string
  /** the row that holds it, such as `ai_connections/` with its gid */
  row: string
}

export interface Secrets {
  /** Encrypts. @returns `v1.<key's id>.<iv>.<tag>.<text>`, the last three in base64url */
  seal(text: string, place: SecretPlace): string
  /** Decrypts; null if its key is gone, or it was encrypted for another place, or changed. */
  open(sealed: string, place: SecretPlace): string | null
  /** What begins with this was encrypted with the current key. */
  freshPrefix: string
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts what must not be readable in the database or its copies, with `SECRET_KEYS` or the key created at the first
 * start.
 */
export function createSecrets({ secretKeys, dataDir }: Pick<Config, 'secretKeys' | 'dataDir'>): Secrets {
  const [first = keyOfFolder(dataDir), ...others] = secretKeys
  const keys = new Map<string, SecretKey>([...others, first].map((key) => [key.id, key]))
  return {
    seal(text, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, first.bytes, iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(aadOf(first.id, place))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return ['v1', first.id, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.')
    },
    open(sealed, place) {
      const [version, id = '', ...parts] = sealed.split('.')
      const [iv, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
      const key = keys.get(id)
      if (version !== 'v1' || parts.length !== 3 || !key || !iv || !tag || !text) return null
      try {
        const decipher = createDecipheriv(ALGORITHM, key.bytes, iv, { authTagLength: TAG_BYTES })
        decipher.setAAD(aadOf(id, place)).setAuthTag(tag)
        return decipher.update(text, undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
    freshPrefix: `v1.${first.id}.`,
  }
}

const aadOf = (keyId: string, { projectId, row }: SecretPlace) => Buffer.from(JSON.stringify([keyId, projectId, row]))
