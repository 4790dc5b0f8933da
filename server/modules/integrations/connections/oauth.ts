import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import { newToken } from '../../../access/tokens'
import type { ConnectionWay } from '../../../contracts/integrations'
import { VendorError } from '../calls/vendorError'
import type { VendorFetch } from '../calls/vendorFetch'
import type { OAuthSettings, Vendor } from '../defineVendor'
import type { Filled } from './filled'
import type { Access, Granted } from './granted'

/** What lets us in, and how it was got: stored sealed. */
export interface Tokens extends Access {
  /** null: by the vendor's page */
  way: ConnectionWay | null
  filled: Filled
}

const grantedSchema = z.object({
  access_token: z.string().min(1).max(10_000),
  refresh_token: z.string().min(1).max(10_000).optional(),
  expires_in: z.coerce.number().min(0).max(1e9).optional(),
  scope: z.string().max(10_000).optional(),
  /** as HubSpot names it */
  scopes: z.array(z.string()).max(200).optional(),
})
const problemSchema = z.object({ error: z.string(), error_description: z.string().catch('') })

/** A random word that a person takes to the vendor, and what proves in the end that we gave it (RFC 7636). */
export const newVerifier = (): string => newToken()

/** The page where the person consents. */
export function authorizeUrl(
  { client, authorizeUrl: page, scopes, extra }: OAuthSettings,
  { state, verifier, callback }: { state: string; verifier: string; callback: string },
): string {
  const url = new URL(page)
  const params = {
    response_type: 'code',
    client_id: client?.id ?? '',
    redirect_uri: callback,
    scope: scopes.join(' '),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...extra,
  }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}

/** Exchanges codes and tokens at vendors. */
export function createTokenCalls(fetch: VendorFetch) {
  async function post(vendor: Vendor, url: string, form: Record<string, string>, basic?: string) {
    return fetch(vendor.name, {
      method: 'POST',
      url,
      headers: [
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ['Accept', 'application/json'],
        ...(basic === undefined ? [] : [['Authorization', `Basic ${basic}`] as const]),
      ],
      body: new URLSearchParams(form).toString(),
      maxBytes: 100_000,
    })
  }

  async function grant(vendor: Vendor, oauth: OAuthSettings, form: Record<string, string>) {
    const { client, tokenUrl, clientByBasic, hostOf } = oauth
    if (!client) throw new VendorError('unset', vendor.name)
    const { id, secret } = client
    return clientByBasic
      ? exchangeForm(vendor, tokenUrl, form, { hostOf, basic: Buffer.from(`${id}:${secret}`).toString('base64') })
      : exchangeForm(vendor, tokenUrl, { ...form, client_id: id, client_secret: secret }, { hostOf })
  }

  async function exchangeForm(
    vendor: Vendor,
    url: string,
    form: Record<string, string>,
    { hostOf, basic }: Pick<OAuthSettings, 'hostOf'> & { basic?: string } = {},
  ) {
    const answer = await post(vendor, url, form, basic)
    if (answer.status >= 300) throw problemOf(vendor, answer.status, answer.body)
    const read = grantedSchema.safeParse(answer.body)
    if (!read.success) throw new VendorError('unreadable', vendor.name)
    const { access_token, refresh_token = null, expires_in = null, scope, scopes } = read.data
    const host = hostOf?.(answer.body ?? null) ?? null
    return {
      access: { access: access_token, refresh: refresh_token, host },
      expiresIn: expires_in,
      scopes: scopes ?? scope?.split(/[\s,]+/).filter((one) => one !== '') ?? null,
      answer: answer.body ?? null,
    } satisfies Granted
  }

  /** Only a token that is alive ends its consent: one that has run out is renewed for that. */
  async function deleteToken(vendor: Vendor, oauth: OAuthSettings, url: string, { access, refresh }: Access) {
    const remove = async (token: string) => {
      const headers = [['Authorization', `Bearer ${token}`]] as const
      return (await fetch(vendor.name, { method: 'DELETE', url, headers, body: null, maxBytes: 100_000 })).status
    }
    const status = await remove(access)
    if (status !== 401 || refresh === null) return status < 300
    const renewed = await grant(vendor, oauth, { grant_type: 'refresh_token', refresh_token: refresh })
    return (await remove(renewed.access.access)) < 300
  }

  return {
    /** @throws VendorError */
    exchange: (vendor: Vendor, oauth: OAuthSettings, given: { code: string; verifier: string; callback: string }) =>
      grant(vendor, oauth, {
        grant_type: 'authorization_code',
        code: given.code,
        redirect_uri: given.callback,
        code_verifier: given.verifier,
      }),

    /** @throws VendorError reconnect, if the vendor lets us in no more */
    refresh: (vendor: Vendor, oauth: OAuthSettings, token: string) =>
      grant(vendor, oauth, { grant_type: 'refresh_token', refresh_token: token }),

    /** Asks a token endpoint otherwise than a consent does. @throws VendorError */
    exchangeForm: (vendor: Vendor, url: string, form: Record<string, string>) => exchangeForm(vendor, url, form),

    /** Tells the vendor that we need the tokens no more. @returns whether it heard of it */
    async revoke(vendor: Vendor, oauth: OAuthSettings, tokens: Access): Promise<boolean> {
      const { client, revokeUrl, revokesAsClient, revokesByDelete } = oauth
      const { access, refresh } = tokens
      if (revokeUrl === null) return false
      if (revokesByDelete) return deleteToken(vendor, oauth, revokeUrl, tokens).catch(() => false)
      // brought by hand, where the installation has no client
      if (revokesAsClient && !client) return false
      const by: Record<string, string> =
        revokesAsClient && client ? { client_id: client.id, client_secret: client.secret } : {}
      return post(vendor, revokeUrl, { token: refresh ?? access, ...by }).then(
        ({ status }) => status < 300,
        () => false,
      )
    },
  }
}
export type TokenCalls = ReturnType<typeof createTokenCalls>

function problemOf(vendor: Vendor, status: number, body: Json | undefined): VendorError {
  const known = vendor.tokenProblem?.(body ?? null)
  if (known instanceof VendorError) return known
  if (known) return new VendorError(known, vendor.name)
  const { error, error_description: detail } = problemSchema.safeParse(body).data ?? {
    error: '',
    error_description: '',
  }
  if (error === 'invalid_grant') return new VendorError('reconnect', vendor.name)
  if (error === 'invalid_client' || error === 'unauthorized_client') return new VendorError('client', vendor.name)
  if (status >= 500 || status === 429) return new VendorError('unavailable', `status ${status}`)
  return new VendorError('refused', detail || error || `status ${status}`)
}
