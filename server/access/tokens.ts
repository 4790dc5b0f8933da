import { createHash, randomBytes } from 'node:crypto'

/** A secret token: 256 random bits, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database stores of a token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
