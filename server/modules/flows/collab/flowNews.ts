import { createDecoder, readUint8, readVarString, readVarUint8Array } from 'lib0/decoding'
import { createEncoder, toUint8Array, writeUint8, writeVarString, writeVarUint8Array } from 'lib0/encoding'
import type { FlowRef } from './store'

/** Messages between processes that have a flow open. They contain no content, which is read from the database. */
export type FlowNews =
  /** a row was appended; without an id: check the state, also whether the flow still exists */
  | { type: 'stored'; id: string | null }
  | { type: 'presence'; update: Uint8Array }
  /** somebody asks who is present in the other processes, which ask as well */
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

/** Null for messages of a later version of Parley. */
export function decodeNews(message: Uint8Array): FlowNews | null {
  const decoder = createDecoder(message)
  const type = TYPES[readUint8(decoder)]
  if (type === 'stored') return { type, id: readVarString(decoder) || null }
  if (type === 'presence') return { type, update: readVarUint8Array(decoder) }
  return type ? { type } : null
}
