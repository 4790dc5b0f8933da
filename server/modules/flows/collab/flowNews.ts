import { createDecoder, readUint8, readVarString, readVarUint8Array } from 'lib0/decoding'
import { createEncoder, toUint8Array, writeUint8, writeVarString, writeVarUint8Array } from 'lib0/encoding'
import type { FlowRef } from './store'

/**
 * What processes that have a flow open tell each other of it. Its content is not among it: that is read from the
 * database.
 */
export type FlowNews =
  /** a row was appended; without an id: look how it stands, also whether the flow is still there */
  | { type: 'stored'; id: string | null }
  | { type: 'presence'; update: Uint8Array }
  /** somebody looks around: say who is with you, and look as well */
  | { type: 'whoIsThere' }

const TYPES = ['stored', 'presence', 'whoIsThere'] as const

export const flowChannel = (flow: FlowRef): string => `flow:${flow.id}`

export function encodeNews(news: FlowNews): Uint8Array {
  const encoder = createEncoder()
  writeUint8(encoder, TYPES.indexOf(news.type))
  if (news.type === 'stored') writeVarString(encoder, news.id ?? '')
  if (news.type === 'presence') writeVarUint8Array(encoder, news.update)
  return toUint8Array(encoder)
}

/** Null for what a later version of Parley says. */
export function decodeNews(message: Uint8Array): FlowNews | null {
  const decoder = createDecoder(message)
  const type = TYPES[readUint8(decoder)]
  if (type === 'stored') return { type, id: readVarString(decoder) || null }
  if (type === 'presence') return { type, update: readVarUint8Array(decoder) }
  return type ? { type } : null
}
