import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import type { Person } from '../oauth/grants'
import { oauthRefusal } from '../oauth/tokens'

/** An account of a program, which proves itself with a signature instead of a consent. */
export interface ServiceAccount {
  person: Person
  publicKey: string
}

/** The file that Google lets one download for a service account. */
export interface ServiceAccountKey {
  type: 'service_account'
  project_id: string
  private_key_id: string
  private_key: string
  client_email: string
  client_id: string
  token_uri: string
}

export function createServiceAccount(
  name: string,
  origin: string,
): { account: ServiceAccount; key: ServiceAccountKey } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const email = `${name}@stand-in.iam.gserviceaccount.com`
  return {
    account: { person: { id: email, name, email }, publicKey },
    key: {
      type: 'service_account',
      project_id: 'stand-in',
      private_key_id: 'stand-in-key',
      private_key: privateKey,
      client_email: email,
      client_id: '100000000000000000001',
      token_uri: `${origin}/token`,
    },
  }
}

/** The longest that an assertion may live. */
const LONGEST = 3_600
/** How far clocks may be apart. */
const SKEW = 300

/**
 * @returns whose assertion it is, and the scopes that it names.
 * @throws a Refusal unless it is signed with the account's key, meant for this server, and lives
 */
export function readAssertion(
  assertion: string,
  accounts: readonly ServiceAccount[],
  audiences: readonly string[],
  at: Date,
): { account: ServiceAccount; scopes: string[] } {
  const refuse = (description: string) => oauthRefusal(400, 'invalid_grant', description)
  const [head = '', claims = '', signature = ''] = assertion.split('.')
  const header = parsePart(head)
  const { iss, aud, exp, iat, scope } = parsePart(claims)
  const account = accounts.find(({ person }) => person.email === iss)
  if (!account) throw refuse('Invalid grant: account not found')
  const isSigned =
    header.alg === 'RS256' &&
    verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      createPublicKey(account.publicKey),
      Buffer.from(signature, 'base64url'),
    )
  if (!isSigned) throw refuse('Invalid JWT Signature.')
  if (!audiences.includes(String(aud))) throw refuse(`Invalid JWT: the audience ${aud} is not this server`)
  const now = at.getTime() / 1_000
  const isTimely = Number(iat) <= now + SKEW && Number(exp) > now - SKEW && Number(exp) - Number(iat) <= LONGEST
  if (!isTimely)
    throw refuse('Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.')
  const scopes = String(scope ?? '')
    .split(' ')
    .filter(Boolean)
  if (scopes.length === 0) throw oauthRefusal(400, 'invalid_scope', 'Empty or missing scope not allowed.')
  return { account, scopes }
}

function parsePart(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  } catch {
    return {}
  }
}
