import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** What the provider says of a person, by the person's id there. */
export type Directory = Record<string, Record<string, unknown>>

export interface IdentityProvider {
  issuer: string
  client: { id: string; secret: string }
  directory: Directory
  /** who sits before the browser, by the id of the directory */
  who: string
  /** Goes the way of a browser from the provider's page to the address that leads back. */
  visit(url: string): Promise<URL>
  close(): Promise<void>
}

const SCOPES = 'openid email profile groups'
const LIFE = { AccessToken: 600, IdToken: 600, AuthorizationCode: 60 }
const signingKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  ...{ use: 'sig', alg: 'RS256', kid: 'of-a-test' },
})

/**
 * A real OpenID Connect provider (oidc-provider) on this machine, whose log-in page lets in whoever `who` names.
 * @param redirects where it may send people back to
 */
export async function startIdentityProvider(
  redirects: string[],
  { thin = false }: { /** its ID tokens hold the id alone, and the rest is asked for */ thin?: boolean } = {},
): Promise<IdentityProvider> {
  let handle: ReturnType<Provider['callback']> | null = null
  let provider: Provider | null = null
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/log-in'))
      void provider?.interactionFinished(request, response, { login: { accountId: idp.who } })
    else void handle?.(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { id: 'parley', secret: `secret-of-${issuer.slice(-5)}-${'s'.repeat(20)}` }
  const idp: IdentityProvider = {
    ...{ issuer, client, directory: {}, who: '' },
    async visit(start) {
      const jar = new Map<string, string>()
      let url = new URL(start)
      for (let hop = 0; hop < 10; hop++) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
        await answer.arrayBuffer()
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          jar.set(name, value)
        }
        const next = answer.headers.get('location')
        if (!next) throw new Error(`The provider led nowhere: ${answer.status}`)
        url = new URL(next, url)
        if (url.origin !== issuer) return url
      }
      throw new Error('The provider leads in a circle')
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  provider = new Provider(issuer, {
    clients: [
      { client_id: client.id, client_secret: client.secret, redirect_uris: redirects, response_types: ['code'] },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'], groups: ['groups'] },
    conformIdTokenClaims: thin,
    scopes: SCOPES.split(' '),
    ttl: { ...LIFE, Interaction: 600, Session: 600, Grant: 600 },
    jwks: { keys: [signingKey()] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/log-in' },
    cookies: { keys: ['of a test'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...idp.directory[id] }),
    }),
    async loadExistingGrant({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) {
      const { clientId } = oidc.client
      const grant = new (provider as Provider).Grant({ clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope(SCOPES)
      await grant.save()
      return grant
    },
  })
  handle = provider.callback()
  return idp
}
