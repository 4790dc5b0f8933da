import { createHash, randomBytes } from 'node:crypto'

/** What only its holder knows: 256 random bits, fit for an address. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
