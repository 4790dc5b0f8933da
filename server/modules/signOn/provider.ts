import * as client from 'openid-client'
import type { ServerContext } from '../../platform/context'
import { OutboundError } from '../../platform/outbound/errors'
import { createOutboundFetch } from '../../platform/outbound/outboundFetch'
import { networksOf } from '../../platform/outbound/projectNetworks'

/** A project as its identity provider knows it. */
export interface ProviderClient {
  projectId: string
  issuer: string
  clientId: string
  clientSecret: string
  redirectAddress: string
}

/** What the provider says of a person, verified to come from it; values are still foreign. */
export type Claims = Readonly<Record<string, unknown>> & { sub: string }

/** Thrown where a provider can't be used: its message is for who set it up. */
export class ProviderProblem extends Error {
  override readonly name = 'ProviderProblem'
  constructor(
    /** the setting that is to be changed */
    readonly field: 'issuer' | 'client_secret',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options)
  }
}

const TIMEOUT = 10_000
/** Of discovery documents, keys, tokens and claims. */
const MOST_BYTES = 500_000
const BODILESS = new Set([204, 205, 304])

/**
 * Creates what speaks OpenID Connect with projects' providers: the code flow with PKCE, state and nonce, the ID token's
 * signature, issuer, audience and times verified by openid-client. Every call goes through the guarded fetch, without
 * redirects, since it may hold the client's secret.
 */
export function createProvider(context: Pick<ServerContext, 'db' | 'config'>) {
  const fetchOutbound = createOutboundFetch()

  const fetchFor =
    (projectId: string): client.CustomFetch =>
    async (url, { method, headers, body }) => {
      const answer = await fetchOutbound({
        ...{ url, method, headers: Object.entries(headers), timeoutMs: TIMEOUT, maxBytes: MOST_BYTES },
        body: body === undefined || body === null ? null : String(body),
        ...({ maxRedirects: 0, larger: 'fail' } as const),
        allowed: await networksOf(context, projectId),
      })
      const { 'content-encoding': _, 'content-length': __, ...plain } = answer.headers
      const bytes = BODILESS.has(answer.status) ? null : new Uint8Array(answer.body)
      return new Response(bytes, { status: answer.status, headers: plain })
    }

  /** Reads the provider's metadata anew, so that its keys and addresses are those of now. @throws ProviderProblem */
  async function configure(given: ProviderClient): Promise<client.Configuration> {
    const issuer = readIssuer(given.issuer)
    const isLocal = issuer.protocol === 'http:'
    const fetch = fetchFor(given.projectId)
    try {
      const found = await client.discovery(issuer, given.clientId, {}, client.None(), {
        ...{ [client.customFetch]: fetch, timeout: TIMEOUT / 1_000 },
        execute: isLocal ? [client.allowInsecureRequests] : [],
      })
      const server = found.serverMetadata()
      wantEndpoints(server, isLocal)
      const byPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
      const auth = (byPost ? client.ClientSecretPost : client.ClientSecretBasic)(given.clientSecret)
      const config = new client.Configuration(server, given.clientId, {}, auth)
      config[client.customFetch] = fetch
      config.timeout = TIMEOUT / 1_000
      if (isLocal) client.allowInsecureRequests(config)
      // the ID token's signature as well, though it comes over TLS from the provider
      client.enableNonRepudiationChecks(config)
      return config
    } catch (error) {
      throw explained(error)
    }
  }

  return {
    /**
     * Asks a provider whether it is one, and whether it knows the client: a code that nobody was given is exchanged, of
     * which it says that the code is wrong, or that the client is.
     * @throws ProviderProblem
     */
    async check(given: ProviderClient): Promise<void> {
      const config = await configure(given)
      const form = { code: 'parley-checks-its-client', redirect_uri: given.redirectAddress }
      const verifier = client.randomPKCECodeVerifier()
      try {
        await client.genericGrantRequest(config, 'authorization_code', { ...form, code_verifier: verifier })
      } catch (error) {
        if (error instanceof client.ResponseBodyError || error instanceof client.WWWAuthenticateChallengeError)
          return wantKnownClient(error)
        throw explained(error)
      }
    },

    /** The provider's page for a person, and what is kept until they come back. @throws ProviderProblem */
    async begin(given: ProviderClient, { state, email, claim }: { state: string; email: string; claim: string }) {
      const config = await configure(given)
      const verifier = client.randomPKCECodeVerifier()
      const nonce = client.randomNonce()
      const known = config.serverMetadata().scopes_supported ?? []
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: given.redirectAddress,
        // groups are often behind a scope of the claim's name
        scope: ['openid', 'email', 'profile', ...(claim !== '' && known.includes(claim) ? [claim] : [])].join(' '),
        ...{ state, nonce, login_hint: email, code_challenge_method: 'S256' },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
      })
      return { url: url.href, verifier, nonce }
    },

    /**
     * Exchanges the code that a person came back with.
     * @param query of the address they came back to
     * @param claim the one with their groups
     * @returns what the ID token says, with what the provider's other answer about the person adds
     * @throws ProviderProblem, and openid-client's errors for an answer that is not the one that was begun
     */
    async finish(
      given: ProviderClient,
      query: Readonly<Record<string, string>>,
      { state, verifier, nonce, claim }: { state: string; verifier: string; nonce: string; claim: string },
    ): Promise<Claims> {
      const config = await configure(given)
      const address = new URL(given.redirectAddress)
      address.search = new URLSearchParams(query).toString()
      const tokens = await client.authorizationCodeGrant(config, address, {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
      })
      const claims = tokens.claims()
      if (!claims) throw new ProviderProblem('issuer', 'The provider sent no ID token.')
      const lacks = claims.email === undefined || (claim !== '' && claims[claim] === undefined)
      if (!lacks || !config.serverMetadata().userinfo_endpoint) return claims
      return { ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
    },
  }
}
export type Provider = ReturnType<typeof createProvider>

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** @throws ProviderProblem for what is no address of a provider: https, or http of this machine */
export function readIssuer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))
  if (!url || !isSafe || url.username || url.password || url.search || url.hash)
    throw new ProviderProblem('issuer', 'Enter the provider’s issuer address, such as https://login.example.com')
  return url
}

/** The browser is sent to one of these: an address of another kind must not be followed. */
function wantEndpoints(server: client.ServerMetadata, isLocal: boolean): void {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = server[name]
    const protocol = url && URL.canParse(url) ? new URL(url).protocol : ''
    if (protocol !== 'https:' && !(isLocal && protocol === 'http:'))
      throw new ProviderProblem('issuer', `The provider’s description names no usable ${name}.`)
  }
}

function wantKnownClient(error: client.ResponseBodyError | client.WWWAuthenticateChallengeError): void {
  const code = error instanceof client.ResponseBodyError ? error.error : 'invalid_client'
  if (code !== 'invalid_client' && code !== 'unauthorized_client') return
  const said = error instanceof client.ResponseBodyError ? error.error_description : undefined
  const detail = `${code}${said ? `: ${said.slice(0, 300)}` : ''}`
  throw new ProviderProblem('client_secret', `The provider refuses this client (${detail}).`, { cause: error })
}

/** Foreign texts are cut: they are shown beside a field. */
function explained(error: unknown): ProviderProblem {
  if (error instanceof ProviderProblem) return error
  const cause = error instanceof Error && error.cause instanceof OutboundError ? error.cause : error
  if (cause instanceof OutboundError) return new ProviderProblem('issuer', cause.message, { cause: error })
  const said = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
  return new ProviderProblem('issuer', `No OpenID Connect provider answers at this address (${said}).`, {
    cause: error,
  })
}
