import { EngineError } from '../errors'
import { flowCaps } from '../flow/schema'

/** The depth cap of a flow plus the file's own level. */
export const MAX_DEPTH = flowCaps.depth + 1

/**
 * Parses the text of a JSON file; readFile.ts has checked its size. Throws IMPORT_UNREADABLE (not JSON) or
 * FLOW_TOO_DEEP, with line and column if known. Depth is measured on the text first, so that no nesting can overflow
 * the stack.
 */
export function readJson(text: string): unknown {
  refuseDeep(text)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EngineError('IMPORT_UNREADABLE', `It is not JSON${jsonFault(text, cause)}.`, { cause })
  }
}

const QUOTE = 34
const BACKSLASH = 92

function refuseDeep(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at++
      while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
    } else if (code === 91 || code === 123) {
      if (++depth > MAX_DEPTH) {
        throw new EngineError('FLOW_TOO_DEEP', `${place(text, at)} is deeper than ${MAX_DEPTH} levels.`)
      }
    } else if (code === 93 || code === 125) depth--
  }
}

/** Parser messages differ between engines and quote the file: only the position is used. */
function jsonFault(text: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ''
  const position = /position (\d+)/.exec(message)?.[1]
  if (position) return `: ${place(text, Number(position))}`
  return /end of JSON|Unterminated/.test(message) ? ': it stops in the middle' : ''
}

function place(text: string, at: number): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return `line ${line}, column ${at - before.lastIndexOf('\n')}`
}
