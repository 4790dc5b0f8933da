import { consentRoutes } from '../oauth/consent'
import { answerToken, clientOf, oauthRefusal, type TokenDialect, textsOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { type CalendlyState, uris } from './state'

/** The scopes that Parley may ask for, in plain words. */
export const CALENDLY_SCOPES: Readonly<Record<string, string>> = {
  'users:read': 'Know who you are',
  'event_types:read': 'See which kinds of events you offer',
  'availability:read': 'See when you are free',
  'scheduled_events:read': 'See bookings',
  'scheduled_events:write': 'Make and cancel bookings',
  'scheduling_links:write': 'Make links for one booking',
  'webhooks:read': 'See who is told of bookings',
  'webhooks:write': 'Be told of bookings',
}

export function calendlyOAuth(state: CalendlyState, home: string | undefined): Route[] {
  const { client, grants, people } = state
  const refuseGrant = () =>
    oauthRefusal(400, 'invalid_grant', 'The provided authorization grant is invalid, expired or revoked.')
  const dialect: TokenDialect = {
    clients: [client],
    grants,
    refuseCode: refuseGrant,
    refuseRefresh: refuseGrant,
    refuseClient: () => oauthRefusal(401, 'invalid_client', 'Client authentication failed'),
    present: (grant) => ({
      token_type: 'Bearer',
      access_token: grant.accessToken,
      refresh_token: grant.refreshToken,
      expires_in: grants.rules.accessSeconds,
      scope: grant.scopes.join(' '),
      created_at: Math.floor(state.clock().getTime() / 1_000),
      owner: uris(state.origin()).user(grant.person),
      organization: uris(state.origin()).organization,
    }),
  }
  return [
    ...consentRoutes({
      vendor: 'Calendly',
      path: '/oauth/authorize',
      clients: [client],
      people,
      grants,
      scopes: CALENDLY_SCOPES,
      scopesCanBeLeftOut: false,
      home,
    }),
    { method: 'POST', path: '/oauth/token', handle: (call) => answerToken(dialect, call) },
    {
      method: 'POST',
      path: '/oauth/revoke',
      handle: (call) => {
        const form = textsOf(call.body)
        clientOf(dialect, call, form)
        const grant = grants.holderOf(form.token ?? '')
        if (grant) grants.revoke(grant)
        return { status: 200, body: {} }
      },
    },
  ]
}
