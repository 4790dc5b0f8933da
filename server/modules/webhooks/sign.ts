import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const BYTES = 32

/** A new secret, as receivers' libraries want it: 32 random bytes in base64. */
export const newSecret = (): string => PREFIX + randomBytes(BYTES).toString('base64')

/** The place of an endpoint's secrets, for sealing them. */
export const secretPlace = (projectId: string, gid: string) => ({ projectId, row: `webhook_endpoints/${gid}/secret` })

/**
 * The headers of Standard Webhooks (standardwebhooks.com): HMAC-SHA-256 over id, time and body, one signature for each
 * secret, so that a receiver with either of two accepts it.
 * @param secrets as `newSecret` makes them
 * @param at of this attempt: receivers refuse old ones
 */
export function signedHeaders(secrets: readonly string[], id: string, at: Date, body: string) {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return [
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signatures.join(' ')],
  ] as const
}
