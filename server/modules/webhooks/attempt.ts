import type { Selectable } from 'kysely'
import { cleanText } from '../../../engine/values/cleanText'
import { webhookCaps } from '../../contracts/webhooks'
import type { ServerContext } from '../../platform/context'
import { OutboundError } from '../../platform/outbound/errors'
import type { OutboundFetch } from '../../platform/outbound/outboundFetch'
import { networksOf } from '../../platform/outbound/projectNetworks'
import { createSecrets } from '../../platform/secrets/secrets'
import { messageId } from './recordMessages'
import { askedWait } from './schedule'
import { secretPlace, signedHeaders } from './sign'
import type { WebhookEndpointsTable } from './tables'

/** A receiver answers within this time, or its attempt has failed. */
const TIMEOUT = 15_000

export interface Outgoing
  extends Pick<Selectable<WebhookEndpointsTable>, 'url' | 'sealed_secret' | 'sealed_old_secret' | 'old_secret_until'> {
  project_id: string
  /** the endpoint's gid */
  endpoint: string
  /** the message's gid */
  message: string
  body: string
}

/** What came of an attempt. */
export interface Attempted {
  at: Date
  duration: number
  status: number | null
  answer: string
  /** null: it was delivered */
  error: string | null
  /** milliseconds that the receiver asks to wait */
  asked: number | null
}

/**
 * Makes what sends a message once: signed by the present secret and, for a day, by the one before it. Redirects are not
 * followed: a receiver's address is the one that somebody entered.
 */
export function createAttempts(context: Pick<ServerContext, 'db' | 'config' | 'clock'>, fetch: OutboundFetch) {
  const { clock } = context
  const secrets = createSecrets(context.config)

  return async (outgoing: Outgoing, signal?: AbortSignal): Promise<Attempted> => {
    const at = clock()
    const place = secretPlace(outgoing.project_id, outgoing.endpoint)
    const { old_secret_until: until } = outgoing
    const sealed = [outgoing.sealed_secret, until && until > at ? outgoing.sealed_old_secret : null]
    const keys = sealed
      .flatMap((each) => (each === null ? [] : [secrets.open(each, place)]))
      .filter((key) => key !== null)
    const failed = (error: string): Attempted => ({ at, duration: 0, status: null, answer: '', error, asked: null })
    if (keys.length === 0) return failed('The endpoint’s secret can’t be read: make a new one.')
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    try {
      const { status, body, headers } = await fetch({
        url: outgoing.url,
        method: 'POST',
        headers: [
          ['content-type', 'application/json'],
          ...signedHeaders(keys, messageId(outgoing.message), at, outgoing.body),
        ],
        body: outgoing.body,
        timeoutMs: TIMEOUT,
        maxBytes: webhookCaps.answer,
        maxRedirects: 0,
        allowed: await networksOf(context, outgoing.project_id),
        ...(signal && { signal }),
      })
      const error = status >= 200 && status < 300 ? null : problemOf(status)
      const answer = cleanText(new TextDecoder().decode(body)).slice(0, webhookCaps.answer)
      return { at, duration: took(), status, answer, error, asked: askedWait(headers['retry-after'], at) }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return { ...failed(error.message), duration: took() }
    }
  }
}

function problemOf(status: number): string {
  if (status >= 300 && status < 400) return `The receiver redirects (${status}). Enter its final URL.`
  if (status === 401 || status === 403) return `The receiver refused the message (${status}). Check its secret.`
  return `The receiver answered ${status} instead of 2xx.`
}
