import type { Json } from '../../engine/values/json'

/** What was sent, for picking values from; null: nothing, or it was too long to be kept whole. */
export function sampleOf(text: string | null): Json {
  if (text === null) return null
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}
