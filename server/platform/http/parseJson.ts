import { parse } from 'secure-json-parse'

/** Deeper than callers write by hand: a flow is sent as text. */
const MAX_DEPTH = 64

/** What a body holds, or why it is not read. */
export type ParsedJson = { value: unknown } | { refused: 'malformed' | 'nested_too_deeply' }

/** Reads JSON from somebody foreign: nothing that is nested deeply, and nothing that writes to a prototype. */
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

/** Counted on the text: a parser, or a schema that descends, would be the first to suffer. */
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
