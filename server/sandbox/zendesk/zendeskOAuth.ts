import { consentRoutes } from '../oauth/consent'
import type { Grant } from '../oauth/grants'
import { answerToken, clientOf, oauthRefusal, type TokenDialect, textsOf } from '../oauth/tokens'
import type { Route } from '../routes'
import type { ZendeskState } from './state'

/** The scopes that Parley may ask for, in plain words. */
export const ZENDESK_SCOPES: Readonly<Record<string, string>> = {
  read: 'See everything in your account',
  write: 'Change everything in your account',
  'tickets:read': 'See tickets',
  'tickets:write': 'Create and change tickets',
  'users:read': 'See people',
  'hc:read': 'See articles of the Help Center',
  'hc:write': 'Change articles of the Help Center',
}

/** What an application may ask for: its tokens live at least and at most so many seconds. */
const ACCESS = { least: 300, most: 172_800 }
const REFRESH = { least: 604_800, most: 7_776_000 }

export function zendeskOAuth(state: ZendeskState, home: string | undefined): Route[] {
  const { client, grants, people, clock } = state
  const secondsUntil = (time: number | null) => (time === null ? null : Math.round((time - clock().getTime()) / 1_000))
  const present = (grant: Grant) => ({
    access_token: grant.accessToken,
    token_type: 'bearer',
    scope: grant.scopes.join(' '),
    expires_in: secondsUntil(grant.accessUntil),
    ...(grant.refreshToken !== null && {
      refresh_token: grant.refreshToken,
      refresh_token_expires_in: secondsUntil(grant.refreshUntil),
    }),
  })
  const refuseGrant = () =>
    oauthRefusal(
      400,
      'invalid_grant',
      'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI, or was issued to another client.',
    )
  const dialect: TokenDialect = {
    clients: [client],
    grants,
    refuseCode: refuseGrant,
    refuseRefresh: refuseGrant,
    refuseClient: () => oauthRefusal(401, 'invalid_client', 'Client authentication failed.'),
    present,
    lifetimes: ({ expires_in, refresh_token_expires_in }) => ({
      accessSeconds: lifetime('expires_in', expires_in, ACCESS),
      refreshSeconds: lifetime('refresh_token_expires_in', refresh_token_expires_in, REFRESH),
    }),
  }
  const tokens: Route = {
    method: 'POST',
    path: '/oauth/tokens',
    handle(call) {
      const form = textsOf(call.body)
      if (form.grant_type !== 'client_credentials') return answerToken(dialect, call)
      clientOf(dialect, call, form)
      const scopes = (form.scope ?? '').split(/\s+/).filter((scope) => Object.hasOwn(ZENDESK_SCOPES, scope))
      if (scopes.length === 0) throw oauthRefusal(400, 'invalid_scope', 'The requested scope is invalid.')
      const [person] = people
      if (!person) throw refuseGrant()
      return { status: 200, body: present(grants.issue(person, client.id, scopes, false, dialect.lifetimes?.(form))) }
    },
  }
  const consent = consentRoutes({
    vendor: 'Zendesk',
    path: '/oauth/authorizations/new',
    clients: [client],
    people,
    grants,
    scopes: ZENDESK_SCOPES,
    scopesCanBeLeftOut: false,
    home,
  })
  return [...consent, tokens]
}

function lifetime(name: string, value: string | undefined, { least, most }: typeof ACCESS): number | undefined {
  if (value === undefined) return undefined
  const seconds = Number(value)
  if (seconds >= least && seconds <= most) return seconds
  throw oauthRefusal(400, 'invalid_request', `${name} must be from ${least} to ${most}`)
}
