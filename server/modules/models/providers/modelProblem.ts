import { OutboundError } from '../../../platform/outbound/errors'
import { hostOf, type ProviderAccess } from './access'
import { pauseOf } from './pauses'

/**
 * Why a model failed, in a sentence with the cause and the remedy, without the key and the prompt.
 * @param waited ms after which it timed out; null: it did not
 */
export function modelProblem(error: unknown, access: ProviderAccess, model: string, waited: number | null): string {
  const { names, apiKey } = access
  const host = hostOf(access)
  if (waited !== null) return `The model did not answer within ${waited / 1000} seconds.`
  const cause = causeOf(error)
  if (cause instanceof OutboundError) return cause.message
  const status = statusOf(cause)
  const words = short(cause.message, apiKey)
  if (isKeyRefused(status, words)) return `${host} refused the key: check ${names.key}.`
  if (status === 404)
    return `${host} has no model "${model}", or no models at this address: check ${names.model} and ${names.baseUrl}.`
  if (status === 429)
    return `${host} takes no more questions now (429). Try again ${whenOf(cause)}, or raise the limit there.`
  if (status !== null && status >= 500) return `${host} failed (${status}). Try again later.`
  if (status !== null && status >= 400) return `${host} refused the question (${status}): ${words}`
  if (status === null && isOffline(cause)) return `${host} can't be reached: check ${names.baseUrl} and that it runs.`
  return `What ${host} answered can't be used: ${words}`
}

/** Google answers 400 to a wrong key. */
export const isKeyRefused = (status: number | null, message: string): boolean =>
  status === 401 || status === 403 || (status === 400 && /api[ _-]?key/i.test(message))

/** The last error of failed retries. */
function causeOf(error: unknown): Error {
  const thrown = error instanceof Error ? error : new Error(textOf(error))
  if ('lastError' in thrown && thrown.lastError instanceof Error) return causeOf(thrown.lastError)
  // the guard's refusal is the cause of the SDK's error
  return thrown.cause instanceof OutboundError ? thrown.cause : thrown
}

/** The server's own message. */
function whenOf(error: Error): string {
  const headers = 'responseHeaders' in error ? (error.responseHeaders as Record<string, string> | undefined) : undefined
  const seconds = Math.ceil((pauseOf(headers) ?? 0) / 1_000)
  return seconds > 1 ? `in ${seconds} seconds` : 'later'
}

const statusOf = (error: Error): number | null =>
  'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null

/** Errors of a stream are what the server sent: usually objects with a message. */
const textOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)

const isOffline = (error: Error): boolean => error.name === 'AI_APICallError' || error instanceof TypeError

const short = (text: string, key: string | null): string =>
  (key ? text.replaceAll(key, '…') : text).replace(/\s+/g, ' ').slice(0, 200)
