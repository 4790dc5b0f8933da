import { consentRoutes } from '../oauth/consent'
import { answerToken, clientOf, type TokenDialect, textsOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { refuseHubspot } from './errors'
import type { HubspotState } from './state'

/** The scopes that Parley may ask for, in plain words. */
export const HUBSPOT_SCOPES: Readonly<Record<string, string>> = {
  oauth: 'Connect to your account',
  'crm.objects.contacts.read': 'See contacts',
  'crm.objects.contacts.write': 'Create and change contacts',
  'crm.objects.companies.read': 'See companies',
  'crm.objects.companies.write': 'Create and change companies',
  tickets: 'See, create and change tickets',
  'crm.schemas.contacts.read': 'See which properties contacts have',
  'crm.schemas.companies.read': 'See which properties companies have',
  'crm.objects.owners.read': 'See who owns records',
}

const TOKEN = '/oauth/2026-09/token'

export function hubspotOAuth(state: HubspotState, home: string | undefined): Route[] {
  const { client, grants, people } = state
  const dialect: TokenDialect = {
    clients: [client],
    grants,
    refuseCode: (why) =>
      why === 'redirectUri'
        ? refuseHubspot(400, 'BAD_REDIRECT_URI', 'redirect_uri does not match the one of the authorization')
        : refuseHubspot(400, 'BAD_AUTH_CODE', 'missing or unknown auth code'),
    refuseRefresh: () => refuseHubspot(400, 'BAD_REFRESH_TOKEN', 'missing or invalid refresh token'),
    refuseClient: () => refuseHubspot(400, 'BAD_CLIENT_ID', 'missing or unknown client id, or a wrong client secret'),
    present: (grant) => ({
      token_type: 'bearer',
      access_token: grant.accessToken,
      refresh_token: grant.refreshToken,
      expires_in: grants.rules.accessSeconds,
      hub_id: state.hubId,
      scopes: grant.scopes,
    }),
  }
  return [
    ...consentRoutes({
      vendor: 'HubSpot',
      path: '/oauth/authorize',
      clients: [client],
      people,
      grants,
      scopes: HUBSPOT_SCOPES,
      scopesCanBeLeftOut: false,
      home,
    }),
    { method: 'POST', path: TOKEN, handle: (call) => answerToken(dialect, call) },
    {
      method: 'POST',
      path: `${TOKEN}/introspect`,
      handle: (call) => {
        const form = textsOf(call.body)
        clientOf(dialect, call, form)
        const token = form.token ?? ''
        const grant = grants.grantOf(token) ?? grants.holderOf(token)
        const isAccess = grants.grantOf(token) !== null
        const active = grant !== null && !grant.revoked && (isAccess || grant.refreshToken === token)
        const token_use = isAccess || grant?.refreshToken !== token ? 'access_token' : 'refresh_token'
        if (!active) return { status: 200, body: { active, token_use } }
        const user = { hub_id: state.hubId, user: grant.person.email, user_id: Number(grant.person.id) }
        return { status: 200, body: { active, token_use, ...user, client_id: grant.clientId, scopes: grant.scopes } }
      },
    },
    {
      method: 'POST',
      path: `${TOKEN}/revoke`,
      handle: (call) => {
        const form = textsOf(call.body)
        clientOf(dialect, call, form)
        const grant = grants.holderOf(form.token ?? '')
        if (grant) grants.revoke(grant)
        return { status: 204 }
      },
    },
  ]
}
