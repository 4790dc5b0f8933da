import type { AiSettings } from '../config'

/**
 * Why a model gave nothing, in a sentence that names the cause and the remedy. Neither the key nor what was asked stands in it.
 * @param waited ms after which it was given up; null when that was not why
 */
export function modelProblem(error: unknown, { baseUrl, model }: AiSettings, waited: number | null): string {
  const host = new URL(baseUrl).host
  if (waited !== null) return `The model did not answer within ${waited / 1000} seconds.`
  const cause = causeOf(error)
  const status = 'statusCode' in cause && typeof cause.statusCode === 'number' ? cause.statusCode : null
  if (status === 401 || status === 403) return `${host} refused the key: check AI_API_KEY.`
  if (status === 404)
    return `${host} has no model "${model}", or no models at this address: check AI_MODEL and AI_BASE_URL.`
  if (status === 429) return `${host} takes no more questions now (429). Try again later, or raise the limit there.`
  if (status !== null && status >= 500) return `${host} failed (${status}). Try again later.`
  if (status !== null && status >= 400) return `${host} refused the question (${status}): ${short(cause.message)}`
  if (status === null && isOffline(cause)) return `${host} can't be reached: check AI_BASE_URL and that it runs.`
  return `What ${host} answered can't be used: ${short(cause.message)}`
}

/** Of tries that all failed, the last one's error. */
function causeOf(error: unknown): Error {
  const thrown = error instanceof Error ? error : new Error(String(error))
  return 'lastError' in thrown && thrown.lastError instanceof Error ? thrown.lastError : thrown
}

const isOffline = (error: Error): boolean => error.name === 'AI_APICallError' || error instanceof TypeError

const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200)
