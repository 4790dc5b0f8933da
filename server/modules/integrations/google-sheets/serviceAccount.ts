import { createPrivateKey, createSign } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../../platform/http/parseJson'
import { VendorError } from '../calls/vendorError'
import type { ByHand } from '../connections/filled'

/** What is used of the file. Its `token_uri` is not: an assertion goes to the address of the settings alone. */
const keySchema = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(3).max(320),
  private_key: z.string().min(1).max(10_000),
})

/** How long an assertion lives, in seconds: the longest that Google takes. */
const LIFETIME = 3_600

/**
 * Connects as a service account, by the JSON key that Google lets one download: each token is got by a signed assertion
 * (RFC 7523). Spreadsheets are shared with its address.
 */
export const byServiceAccount = (scopes: readonly string[]): ByHand => ({
  way: 'google-key',
  fields: [{ name: 'key', max: 10_000, isSecret: true, isLong: true, problem: problemOf }],
  renews: true,
  fieldOf: () => 'key',
  async grant({ key = '' }, { settings: { google }, now, exchange }) {
    const read = readKey(key)
    if (!read) throw new VendorError('reconnect', 'Google Sheets')
    const url = `${google.tokenUrl}/token`
    const at = Math.floor(now.getTime() / 1_000)
    const claims = { iss: read.client_email, scope: scopes.join(' '), aud: url, iat: at, exp: at + LIFETIME }
    const granted = await exchange(url, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: signed(claims, read.private_key),
    })
    return { ...granted, scopes: granted.scopes ?? [...scopes] }
  },
})

function problemOf(text: string): string | null {
  const key = readKey(text)
  if (!key) return 'Paste the whole JSON file of a service account’s key, from the first { to the last }'
  try {
    if (createPrivateKey(key.private_key).asymmetricKeyType === 'rsa') return null
  } catch {
    // told below
  }
  return 'The private key in this file can’t be read. Create a new key, and paste its file unchanged'
}

function readKey(text: string) {
  const parsed = parseJson(Buffer.from(text))
  return 'refused' in parsed ? null : (keySchema.safeParse(parsed.value).data ?? null)
}

function signed(claims: object, privateKey: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
}
