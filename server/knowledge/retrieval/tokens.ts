import { featuresOf, foldAll, KINDS } from './features'
import { keepsMarks } from './fold'
import { wordsOf } from './words'

/** What of a chunk the index is made from. */
export interface ChunkText {
  /** headings above it; of an FAQ entry the question and its other phrasings, a line each */
  heading: string
  body: string
  isFaq: boolean
  /** ISO 639-1 where it is known */
  language: string | null
}

/** One field of a chunk: how many features of each kind it has, and which. */
export interface TokenField {
  totals: [number, number, number]
  /** by kind, ascending */
  hashes: [Uint32Array, Uint32Array, Uint32Array]
  /** how often each stands there, up to 255 */
  counts: [Uint8Array, Uint8Array, Uint8Array]
}

/** A record of another form is not read: its chunk is found again after its next training. */
const FORM = 1
/** bytes: form, fields, then a total and a number of distinct features a kind and field */
export const TOKENS_HEAD = 28
const MOST = 0xffff

/**
 * The record of a chunk for the index (`knowledge_chunks.tokens`), some 3 KB: no text is read again for it. A passage is one field,
 * its headings with its text; an FAQ entry two, what is asked and what is answered.
 */
export function tokensOf({ heading, body, isFaq, language }: ChunkText): Buffer {
  const fields = (isFaq ? [heading, body] : [`${heading}\n${body}`]).map((text) => fieldOf(text, language))
  const lists = fields.flatMap(({ hashes }) => hashes)
  const distinct = lists.reduce((sum, { length }) => sum + length, 0)
  const record = Buffer.alloc(TOKENS_HEAD + distinct * 5)
  record[0] = FORM
  record[1] = fields.length
  let at = 4
  for (const { totals, hashes } of fields)
    for (let kind = 0; kind < KINDS; kind++) {
      record.writeUInt16LE(totals[kind] ?? 0, at)
      record.writeUInt16LE(hashes[kind]?.length ?? 0, at + 2)
      at += 4
    }
  at = TOKENS_HEAD
  for (const list of lists) for (const hash of list) at = record.writeUInt32LE(hash, at)
  for (const { counts } of fields) for (const list of counts) at += record.set(list, at) ?? list.length
  return record
}

/** The fields of a record; none where it can't be read. */
export function readTokens(record: Buffer): TokenField[] {
  const heads = readTotals(record)
  let at = TOKENS_HEAD
  // a record of the database may begin at any byte
  const bytes = record.byteOffset % 4 === 0 ? record : Buffer.from(new Uint8Array(record).buffer)
  const hashes = heads.map(({ distinct }) =>
    distinct.map((length) => {
      const list = new Uint32Array(bytes.buffer, bytes.byteOffset + at, length)
      at += length * 4
      return list
    }),
  )
  const counts = heads.map(({ distinct }) =>
    distinct.map((length) => {
      const list = new Uint8Array(bytes.buffer, bytes.byteOffset + at, length)
      at += length
      return list
    }),
  )
  return heads.map(({ totals }, field) => ({ totals, hashes: hashes[field], counts: counts[field] }) as TokenField)
}

/** The lengths alone: the first `TOKENS_HEAD` bytes are enough. */
export function readTotals(head: Buffer): { totals: [number, number, number]; distinct: number[] }[] {
  if (head[0] !== FORM || head.length < TOKENS_HEAD) return []
  return Array.from({ length: head[1] ?? 0 }, (_, field) => {
    const read = (kind: number, second: number) => head.readUInt16LE(4 + field * 12 + kind * 4 + second)
    return { totals: [read(0, 0), read(1, 0), read(2, 0)], distinct: [read(0, 2), read(1, 2), read(2, 2)] }
  })
}

function fieldOf(text: string, language: string | null): TokenField {
  const words = wordsOf(text)
  const features = featuresOf(keepsMarks(text, language) ? words : foldAll(words))
  const lists = features.map(counted)
  return {
    totals: features.map(({ length }) => Math.min(length, MOST)),
    hashes: lists.map(({ hashes }) => hashes),
    counts: lists.map(({ counts }) => counts),
  } as unknown as TokenField
}

function counted(features: readonly number[]) {
  const sorted = Uint32Array.from(features).sort()
  const hashes = new Uint32Array(sorted.length)
  const counts = new Uint8Array(sorted.length)
  let length = 0
  for (const hash of sorted) {
    if (length > 0 && hashes[length - 1] === hash) counts[length - 1] = Math.min((counts[length - 1] ?? 0) + 1, 255)
    else if (length < MOST) {
      hashes[length] = hash
      counts[length++] = 1
    }
  }
  return { hashes: hashes.slice(0, length), counts: counts.slice(0, length) }
}
