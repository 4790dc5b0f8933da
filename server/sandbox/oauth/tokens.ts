import { type Answer, type Call, fieldsOf, one, Refusal } from '../call'
import type { Client, Grant, Grants, Lifetimes, Refused } from './grants'

/** What differs from vendor to vendor at the token endpoint. */
export interface TokenDialect {
  clients: readonly Client[]
  grants: Grants
  /** why a code is refused, in the vendor's words; default: 400 `invalid_grant` */
  refuseCode?: (why: Refused['refused']) => Refusal
  /** a refresh token that is not alive */
  refuseRefresh: () => Refusal
  /** an application that is unknown, or has another secret */
  refuseClient: () => Refusal
  /** the answer's body, for a code and for a refresh */
  present: (grant: Grant, isRefresh: boolean) => Record<string, unknown>
  /** how long an application wants its tokens to live, where it may say so */
  lifetimes?: (form: Record<string, string>) => Lifetimes
  /** grants of other types, such as an application's own */
  others?: Readonly<Record<string, (form: Record<string, string>) => Answer>>
}

/** Reads a token request and answers it: a code for tokens, or a refresh. */
export function answerToken(dialect: TokenDialect, call: Call): Answer {
  const form = textsOf(call.body)
  const type = form.grant_type ?? ''
  const other = Object.hasOwn(dialect.others ?? {}, type) ? dialect.others?.[type] : undefined
  if (other) return other(form)
  const client = clientOf(dialect, call, form)
  const lifetimes = dialect.lifetimes?.(form)
  if (type === 'refresh_token') {
    const grant = dialect.grants.refresh(form.refresh_token ?? '', client.id, call.answeredTwice, lifetimes)
    if (!grant) throw dialect.refuseRefresh()
    return { status: 200, body: dialect.present(grant, true) }
  }
  if (type !== 'authorization_code') throw oauthRefusal(400, 'unsupported_grant_type', `Invalid grant_type: ${type}`)
  const found = dialect.grants.redeem(
    form.code ?? '',
    client.id,
    form.redirect_uri ?? '',
    form.code_verifier,
    lifetimes,
  )
  if ('refused' in found) throw dialect.refuseCode?.(found.refused) ?? oauthRefusal(400, 'invalid_grant', 'Bad Request')
  return { status: 200, body: dialect.present(found, false) }
}

/** @returns which application calls, by HTTP Basic or in the body */
export function clientOf(
  dialect: Pick<TokenDialect, 'clients' | 'refuseClient'>,
  call: Call,
  form: Record<string, string>,
): Client {
  const [id, secret] = basicOf(call.headers.authorization) ?? [form.client_id, form.client_secret]
  const client = dialect.clients.find((known) => known.id === id && known.secret === secret)
  if (!client) throw dialect.refuseClient()
  return client
}

/** @returns the texts of a form or of JSON */
export const textsOf = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(body)).map(([name, value]) => [name, String(Array.isArray(value) ? one(value) : value)]),
  )

/** The way that OAuth 2.0 says no. */
export const oauthRefusal = (status: number, error: string, description?: string): Refusal =>
  new Refusal({
    status,
    body: description === undefined ? { error } : { error, error_description: description },
  })

export const bearerOf = ({ headers }: Call): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]

function basicOf(header: string | undefined): [string, string] | null {
  const encoded = /^Basic (.+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  return [decodeURIComponent(id), decodeURIComponent(secret.join(':'))]
}
