import type { Json } from '../../../engine/values/json'
import { jsonDepth } from '../jsonDepth'
import type { OutboundResponse } from './outboundFetch'

/** Deeper JSON stays text, so that no recursive code overflows the stack. */
const DEEPEST = 64

/** A body as a value: JSON parsed, other texts as text of at most `max` characters, nothing for binary data. */
export function readContent(
  { headers, body, cut }: Pick<OutboundResponse, 'headers' | 'body' | 'cut'>,
  max: number,
): { body: Json; note?: string } {
  if (body.length === 0) return { body: null }
  const type = headers['content-type']?.toLowerCase() ?? ''
  const media = type.split(';')[0]?.trim() ?? ''
  if (!isText(media, body))
    return { body: null, note: `The answer is a file (${media || 'of unknown type'}): it was not kept.` }
  const whole = decode(body, /charset="?([^";\s]+)/.exec(type)?.[1])
  const text = whole.slice(0, max)
  if (cut || text.length < whole.length) {
    return { body: text, note: `The answer was too large: the first ${text.length} characters were kept, as text.` }
  }
  const json = /[/+]json$/.test(media) || /^\s*[[{]/.test(text) ? parseJson(text) : undefined
  return { body: json === undefined ? text : json }
}

function isText(media: string, body: Uint8Array): boolean {
  if (media === '') return !body.subarray(0, 1000).includes(0)
  return /^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded|yaml|x-ndjson|graphql)$/.test(media)
}

function decode(body: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

function parseJson(text: string): Json | undefined {
  if (jsonDepth(text) > DEEPEST) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
