import { one, Refusal } from '../call'
import { consentRoutes } from '../oauth/consent'
import { answerToken, oauthRefusal, type TokenDialect, textsOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { readAssertion } from './serviceAccount'
import type { GoogleState } from './state'

const API = 'https://www.googleapis.com/auth/'

/** The scopes that Parley may ask for, in plain words. */
export const GOOGLE_SCOPES: Readonly<Record<string, string>> = {
  [`${API}spreadsheets`]: 'See and change all your spreadsheets',
  [`${API}spreadsheets.readonly`]: 'See all your spreadsheets',
  [`${API}drive.file`]: 'See and change the files that you open with this application',
  [`${API}drive.readonly`]: 'See all your files in Drive',
  [`${API}drive.metadata.readonly`]: 'See the names of your files in Drive',
  [`${API}drive`]: 'See and change all your files in Drive',
  openid: 'Know who you are',
  email: 'See your email address',
  profile: 'See your name',
  [`${API}userinfo.email`]: 'See your email address',
  [`${API}userinfo.profile`]: 'See your name',
}

/** @returns Google's consent page, token endpoint and revocation */
export function googleOAuth(state: GoogleState, home: string | undefined): Route[] {
  const { client, grants, people } = state
  const dialect: TokenDialect = {
    clients: [client],
    grants,
    refuseCode: (why) =>
      why === 'redirectUri'
        ? oauthRefusal(400, 'redirect_uri_mismatch', 'Bad Request')
        : oauthRefusal(
            400,
            'invalid_grant',
            why === 'verifier' || why === 'noVerifier' ? `Missing or wrong code verifier.` : 'Malformed auth code.',
          ),
    refuseRefresh: () => oauthRefusal(400, 'invalid_grant', 'Token has been expired or revoked.'),
    refuseClient: () => oauthRefusal(401, 'invalid_client', 'The OAuth client was not found.'),
    present: (grant, isRefresh) => ({
      access_token: grant.accessToken,
      expires_in: grants.rules.accessSeconds,
      // kept by the application: a refresh gives no other one
      ...(!isRefresh && grant.refreshToken !== null && { refresh_token: grant.refreshToken }),
      scope: grant.scopes.join(' '),
      token_type: 'Bearer',
    }),
    others: {
      'urn:ietf:params:oauth:grant-type:jwt-bearer': (form) => {
        const audiences = [`${state.origin()}/token`, 'https://oauth2.googleapis.com/token']
        const { account, scopes } = readAssertion(form.assertion ?? '', state.serviceAccounts, audiences, state.clock())
        const grant = grants.issue(account.person, account.person.email, scopes, false)
        return {
          status: 200,
          body: { access_token: grant.accessToken, expires_in: grants.rules.accessSeconds, token_type: 'Bearer' },
        }
      },
    },
  }
  return [
    ...consentRoutes({
      vendor: 'Google',
      path: '/o/oauth2/v2/auth',
      clients: [client],
      people,
      grants,
      scopes: GOOGLE_SCOPES,
      scopesCanBeLeftOut: true,
      isOffline: (query) => one(query.access_type) === 'offline' && givesRefreshToken(state, query),
      home,
    }),
    { method: 'POST', path: '/token', handle: (call) => answerToken(dialect, call) },
    {
      method: 'POST',
      path: '/revoke',
      handle: (call) => {
        const grant = grants.holderOf(textsOf(call.body).token ?? '')
        if (!grant || grant.revoked)
          throw new Refusal({
            status: 400,
            body: { error: 'invalid_token', error_description: 'Token expired or revoked' },
          })
        grants.revoke(grant)
        return { status: 200 }
      },
    },
  ]
}

/** Only the first consent gives a refresh token, unless `prompt=consent` asks for another. */
const givesRefreshToken = ({ grants, client }: GoogleState, query: Record<string, string | string[]>): boolean =>
  (one(query.prompt) ?? '').split(' ').includes('consent') ||
  !grants.all.some(({ clientId, revoked }) => clientId === client.id && !revoked)
