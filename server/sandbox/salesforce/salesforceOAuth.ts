import { createHash } from 'node:crypto'
import { Refusal } from '../call'
import { consentRoutes } from '../oauth/consent'
import { answerToken, bearerOf, oauthRefusal, type TokenDialect, textsOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { refuseAsSalesforce } from './errors'
import { makeId } from './ids'
import type { SalesforceState } from './state'

/** The scopes that Parley may ask for, in plain words. */
export const SALESFORCE_SCOPES: Readonly<Record<string, string>> = {
  api: 'See and change your data',
  refresh_token: 'Stay connected while you are away',
  offline_access: 'Stay connected while you are away',
  id: 'Know who you are',
  openid: 'Know who you are',
}

export const ORGANIZATION = makeId('00D', 1)

export function salesforceOAuth(state: SalesforceState, home: string | undefined): Route[] {
  const { client, grants, people } = state
  const dialect: TokenDialect = {
    clients: [client],
    grants,
    refuseCode(why) {
      if (why === 'redirectUri')
        return oauthRefusal(400, 'redirect_uri_mismatch', 'redirect_uri must match configuration')
      if (why === 'verifier') return oauthRefusal(400, 'invalid_request', 'invalid code verifier')
      if (why === 'noVerifier') return oauthRefusal(400, 'invalid_grant', 'code verifier required')
      return oauthRefusal(
        400,
        'invalid_grant',
        why === 'expired' ? 'expired authorization code' : 'invalid authorization code',
      )
    },
    refuseRefresh: () => oauthRefusal(400, 'invalid_grant', 'expired access/refresh token'),
    refuseClient: () => oauthRefusal(400, 'invalid_client', 'invalid client credentials'),
    present(grant, isRefresh) {
      const issued_at = String(state.clock().getTime())
      const id = `${state.origin()}/id/${ORGANIZATION}/${grant.person.id}`
      const hasRefresh = grant.refreshToken !== null && (!isRefresh || grants.rules.rotates)
      return {
        access_token: grant.accessToken,
        ...(hasRefresh && { refresh_token: grant.refreshToken }),
        // there is no expires_in: the org's policy says how long a session lives
        instance_url: state.origin(),
        id,
        token_type: 'Bearer',
        issued_at,
        signature: createHash('sha256').update(`${id}${issued_at}`).digest('base64'),
        scope: grant.scopes.join(' '),
      }
    },
  }
  return [
    ...consentRoutes({
      vendor: 'Salesforce',
      path: '/services/oauth2/authorize',
      clients: [client],
      people,
      grants,
      scopes: SALESFORCE_SCOPES,
      scopesCanBeLeftOut: false,
      scopesAreOptional: true,
      isOffline: ({ scope }) => scope === undefined || /\b(refresh_token|offline_access)\b/.test(String(scope)),
      home,
    }),
    { method: 'POST', path: '/services/oauth2/token', handle: (call) => answerToken(dialect, call) },
    {
      method: 'POST',
      path: '/services/oauth2/revoke',
      handle: (call) => {
        const grant = grants.holderOf(textsOf(call.body).token ?? '')
        if (!grant || grant.revoked)
          throw new Refusal({
            status: 400,
            body: [{ errorCode: 'unsupported_token_type', message: 'this token type is not supported' }],
          })
        grants.revoke(grant)
        return { status: 200 }
      },
    },
    {
      method: 'GET',
      path: '/services/oauth2/userinfo',
      handle: (call) => {
        const grant = grants.grantOf(bearerOf(call))
        if (!grant) throw new Refusal(refuseAsSalesforce('unauthorized'))
        const { id, name, email } = grant.person
        return { status: 200, body: { user_id: id, organization_id: ORGANIZATION, name, email } }
      },
    },
  ]
}
