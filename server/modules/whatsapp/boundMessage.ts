import type { Json } from '../../../engine/values/json'

/** Longer than any text that WhatsApp lets people write. */
const LONGEST_TEXT = 20_000
const MOST_ITEMS = 200
/** Characters and values of a message in all. */
const MOST_ALL = 100_000

/**
 * What is stored of a person's message: texts and lists are cut, and what comes after too much of all is left out.
 * WhatsApp's own limits are far below; whoever knows an app's secret could sign anything.
 */
export function boundMessage(message: Json): Json {
  let left = MOST_ALL

  function bound(value: Json): Json {
    left -= 1
    if (typeof value === 'string') {
      const kept = value.slice(0, Math.max(0, Math.min(LONGEST_TEXT, left)))
      left -= kept.length
      return kept
    }
    if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).flatMap((item) => (left > 0 ? [bound(item)] : []))
    if (typeof value !== 'object' || value === null) return value
    const kept: Record<string, Json> = {}
    for (const [name, item] of Object.entries(value).slice(0, MOST_ITEMS)) {
      left -= name.length
      if (left > 0 && item !== undefined) kept[name] = bound(item)
    }
    return kept
  }

  return bound(message)
}
