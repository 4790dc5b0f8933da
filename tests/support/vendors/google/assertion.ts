import { createSign } from 'node:crypto'
import type { ServiceAccountKey } from '../../../../server/sandbox/google/serviceAccount'

/** @returns what a service account sends for a token: claims signed with its key, alive for an hour */
export function signAssertion(key: ServiceAccountKey, claims: { scope: string; aud: string }, at: Date): string {
  const iat = Math.floor(at.getTime() / 1_000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = part({ alg: 'RS256', typ: 'JWT', kid: key.private_key_id })
  const body = part({ iss: key.client_email, iat, exp: iat + 3_600, ...claims })
  const signature = createSign('RSA-SHA256').update(`${head}.${body}`).sign(key.private_key, 'base64url')
  return `${head}.${body}.${signature}`
}
