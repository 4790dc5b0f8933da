import { parse } from 'secure-json-parse'

/** Deeper than hand-written calls: a flow is sent as text. */
const MAX_DEPTH = 64

/** The parsed body, or why it was refused. */
export type ParsedJson = { value: unknown } | { refused: 'malformed' | 'nested_too_deeply' }

/** Parses untrusted JSON: refuses deep nesting, and keys that write to a prototype. */
export function parseJson(body: Uint8Array): ParsedJson {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
  if (depthOf(text) > MAX_DEPTH) return { refused: 'nested_too_deeply' }
  try {
    return { value: parse(text, { protoAction: 'error', constructorAction: 'error' }) }
  } catch (error) {
    if (error instanceof SyntaxError) return { refused: 'malformed' }
    throw error
  }
}

/** Measured on the text: a recursive parser or schema would overflow first. */
function depthOf(json: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === ']' || char === '}') depth--
  }
  return deepest
}
