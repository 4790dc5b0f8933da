import { parse } from 'secure-json-parse'
import { jsonDepth } from '../jsonDepth'

/** Deeper than hand-written calls: a flow is sent as text. */
export const MAX_DEPTH = 64

/** The parsed body, or why it was refused. */
export type ParsedJson = { value: unknown } | { refused: 'malformed' | 'nested_too_deeply' }

/** Parses untrusted JSON: refuses deep nesting, and keys that write to a prototype. */
export function parseJson(body: Uint8Array): ParsedJson {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
  if (jsonDepth(text) > MAX_DEPTH) return { refused: 'nested_too_deeply' }
  try {
    return { value: parse(text, { protoAction: 'error', constructorAction: 'error' }) }
  } catch (error) {
    if (error instanceof SyntaxError) return { refused: 'malformed' }
    throw error
  }
}
