import type { APICallError, LanguageModelMiddleware } from 'ai'

/** ms: longer pauses fail at once, since somebody waits for an answer */
const LONGEST_PAUSE = 10_000

/** The pause in ms that a busy server demands; null if none. */
export function pauseOf(headers: Record<string, string> | undefined): number | null {
  const precise = Number.parseFloat(headers?.['retry-after-ms'] ?? '')
  if (!Number.isNaN(precise)) return precise
  const given = headers?.['retry-after']
  if (given === undefined) return null
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now()
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

/** Keeps the SDK from retrying after a pause that is longer than anybody waits. */
export function withoutLongPauses({
  APICallError: Refusal,
}: {
  APICallError: typeof APICallError
}): LanguageModelMiddleware {
  async function soon<Value>(call: () => PromiseLike<Value>): Promise<Value> {
    try {
      return await call()
    } catch (error) {
      if (!Refusal.isInstance(error) || (pauseOf(error.responseHeaders) ?? 0) <= LONGEST_PAUSE) throw error
      const { message, url, requestBodyValues, statusCode, responseHeaders, responseBody, cause } = error
      throw new Refusal({
        ...{ message, url, requestBodyValues, cause, isRetryable: false },
        ...(statusCode !== undefined && { statusCode }),
        ...(responseHeaders && { responseHeaders }),
        ...(responseBody !== undefined && { responseBody }),
      })
    }
  }
  return {
    specificationVersion: 'v3',
    wrapGenerate: ({ doGenerate }) => soon(doGenerate),
    wrapStream: ({ doStream }) => soon(doStream),
  }
}
