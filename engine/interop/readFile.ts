import { EngineError } from '../errors'
import { flowCaps } from '../flow/schema'
import { isYaml } from './isYaml'
import { readJson } from './readJson'
import { readYaml } from './readYaml'

/**
 * Parses the text of an import file: JSON, or YAML, which some products write. Refuses oversized text before parsing.
 * Throws IMPORT_UNREADABLE or FLOW_TOO_DEEP, with line and column if known.
 */
export function readFile(source: string): unknown {
  if (source.length > flowCaps.bytes) {
    throw new EngineError('IMPORT_UNREADABLE', `It is larger than ${flowCaps.bytes / 1e6} MB.`)
  }
  const text = source.charCodeAt(0) === BYTE_ORDER_MARK ? source.slice(1) : source
  if (isBlank(text)) throw new EngineError('IMPORT_UNREADABLE', 'It is empty.')
  if (text.startsWith('PK\u0003\u0004'))
    throw new EngineError('IMPORT_UNREADABLE', 'It is an archive (zip): unpack it, and choose the flow in it.')
  return isYaml(text) ? readYaml(text) : readJson(text)
}

const BYTE_ORDER_MARK = 0xfeff

const isBlank = (text: string): boolean => !/\S/.test(text)
