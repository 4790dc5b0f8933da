import { OutboundError } from '../../../platform/outbound/errors'
import { hostOf, type ProviderAccess } from './access'
import { isKeyRefused } from './modelProblem'

/** A connection's problem, with the field that fixes it. */
export interface ConnectionProblem {
  field: 'key' | 'base_url'
  message: string
}

/** ms; a person waits for it */
const TIMEOUT = 10_000

/**
 * Tests a provider's address and key by listing its models, which costs nothing. A server without a list is asked for
 * one token of `model`. @returns the problem in a sentence without the key; null: none
 */
export async function tryConnection(
  access: ProviderAccess,
  model: string | null,
  timeout = TIMEOUT,
): Promise<ConnectionProblem | null> {
  const fetch = access.fetch ?? globalThis.fetch
  // without an own address only the key can be wrong
  const there = access.fetch ? 'base_url' : 'key'
  const host = hostOf(access)
  try {
    const signal = AbortSignal.timeout(timeout)
    const listed = await fetch(listOf(access), { headers: headersOf(access), redirect: 'manual', signal })
    const answer = { status: listed.status, text: await listed.text() }
    const keepsNone = answer.status === 404 || answer.status === 405
    if (keepsNone && model !== null && access.provider === 'openai-compatible') {
      const asked = await fetch(`${access.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { ...headersOf(access), 'content-type': 'application/json' },
        body: JSON.stringify({ model, max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }),
        redirect: 'manual',
        signal,
      })
      return problemOf({ status: asked.status, text: await asked.text() })
    }
    return problemOf(answer)
  } catch (error) {
    if (error instanceof OutboundError) return { field: there, message: error.message }
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const message = isLate
      ? `${host} did not answer within ${timeout / 1000} seconds. Try again, or check the address.`
      : `${host} can't be reached from this server: check the address, and that it runs.`
    return { field: there, message }
  }

  function problemOf({ status, text }: { status: number; text: string }): ConnectionProblem | null {
    if (isKeyRefused(status, text)) {
      const message = access.apiKey
        ? `${host} refused the key: check that it is whole and still valid there.`
        : `${host} wants a key: enter one.`
      return { field: 'key', message }
    }
    // the key is valid, but the server is busy
    if (status === 429) return null
    if (status >= 500) return { field: there, message: `${host} failed (${status}). Try again later.` }
    if (status >= 200 && status < 300 && isJson(text)) return null
    const message = `${host} has no models at this address (${status}): give it up to the part before /models, such as https://${host}/v1.`
    return { field: there, message }
  }
}

const listOf = ({ provider, baseUrl }: ProviderAccess): string =>
  `${baseUrl}/models${provider === 'google' ? '?pageSize=1' : provider === 'anthropic' ? '?limit=1' : ''}`

function headersOf({ provider, apiKey }: ProviderAccess): Record<string, string> {
  if (apiKey === null) return {}
  if (provider === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
  if (provider === 'google') return { 'x-goog-api-key': apiKey }
  return { authorization: `Bearer ${apiKey}` }
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
