import { type Lexicon, noConcepts } from '../lexicon/lexicon'
import { featuresOf, foldAll, KINDS } from './features'
import { keepsMarks } from './fold'
import { tokenize } from './words'

/** The indexed parts of a chunk. */
export interface ChunkText {
  /** headings above it; for an FAQ entry the question and its other phrasings, one per line */
  heading: string
  body: string
  isFaq: boolean
  /** ISO 639-1 if known */
  language: string | null
}

/** Number of words, pairs and n-grams. */
type Totals = [number, number, number, number]

/** A field of a chunk: the number of features per kind, and which. */
export interface TokenField {
  totals: Totals
  /** by kind, ascending */
  hashes: [Uint32Array, Uint32Array, Uint32Array, Uint32Array]
  /** frequency of each, up to 255 */
  counts: [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
}

/**
 * The version of the records: their format and, since they hold concepts, the lexicon. Increase it when the lexicon
 * changes much: `renewRecords.ts` makes older ones anew. Those of version 1 have no concepts; 2 and 3 are read alike.
 */
export const FORM = 3
/** bytes of a field's header: numbers of features and of distinct ones per kind */
const TABLE = 4 * KINDS
/** bytes: version, number of fields, then the header of the passage, or of the questions and of the answer */
export const TOKENS_HEAD = 4 + 2 * TABLE

/** Number of kinds of features in a record of a version. */
const kindsOf = (form: number | undefined): number => (form === 1 ? KINDS - 1 : KINDS)
const MOST = 0xffff
const MOST_FIELDS = 255

/**
 * A chunk's record for the index (`knowledge_chunks.tokens`), some 3 KB, so that its text need not be read again. A
 * passage is one field: its headings and text. An FAQ entry has a field per phrasing, then one for its answer; if these
 * are more than two, the head sums up the phrasings, and a header of each field follows.
 */
export function tokensOf({ heading, body, isFaq, language }: ChunkText, lexicon: Lexicon = noConcepts): Buffer {
  const texts = isFaq ? [...heading.split('\n').slice(0, MOST_FIELDS - 1), body] : [`${heading}\n${body}`]
  const fields = texts.map((text) => fieldOf(text, language, lexicon))
  const lists = fields.flatMap(({ hashes }) => hashes)
  const distinct = lists.reduce((sum, { length }) => sum + length, 0)
  const tables = fields.map(({ totals, hashes }) => totals.flatMap((total, kind) => [total, hashes[kind]?.length ?? 0]))
  if (fields.length > 2) tables.unshift(sumOf(tables.slice(0, -1)), tables.at(-1) ?? [])
  const start = Math.max(TOKENS_HEAD, 4 + tables.length * TABLE)
  const record = Buffer.alloc(start + distinct * 5)
  record[0] = FORM
  record[1] = fields.length
  for (const [at, number] of tables.flat().entries()) record.writeUInt16LE(number, 4 + at * 2)
  let at = start
  for (const list of lists) for (const hash of list) at = record.writeUInt32LE(hash, at)
  for (const { counts } of fields) for (const list of counts) at += record.set(list, at) ?? list.length
  return record
}

const sumOf = (tables: readonly number[][]): number[] =>
  Array.from({ length: TABLE / 2 }, (_, column) =>
    Math.min(
      tables.reduce((sum, table) => sum + (table[column] ?? 0), 0),
      MOST,
    ),
  )

/** The fields of a record; none if it is unreadable. */
export function readTokens(record: Buffer): TokenField[] {
  if (!isReadable(record)) return []
  const kinds = kindsOf(record[0])
  const table = 4 * kinds
  const length = record[1] ?? 0
  const from = length > 2 ? 4 + 2 * table : 4
  const tables = Array.from({ length }, (_, field) => readTable(record, from + field * table, kinds))
  let at = Math.max(4 + 2 * table, from + length * table)
  // a record from the database may be unaligned
  const bytes = record.byteOffset % 4 === 0 ? record : Buffer.from(new Uint8Array(record).buffer)
  const hashes = tables.map(({ distinct }) =>
    distinct.map((length) => {
      const list = new Uint32Array(bytes.buffer, bytes.byteOffset + at, length)
      at += length * 4
      return list
    }),
  )
  const counts = tables.map(({ distinct }) =>
    distinct.map((length) => {
      const list = new Uint8Array(bytes.buffer, bytes.byteOffset + at, length)
      at += length
      return list
    }),
  )
  return tables.map(({ totals }, field) => ({ totals, hashes: hashes[field], counts: counts[field] }) as TokenField)
}

/**
 * The lengths of a passage, or of all phrasings together and of the answer; needs only the first `TOKENS_HEAD` bytes.
 */
export function readTotals(head: Buffer): { totals: Totals; fields: number }[] {
  if (!isReadable(head)) return []
  const kinds = kindsOf(head[0])
  const length = head[1] ?? 0
  return Array.from({ length: Math.min(length, 2) }, (_, row) => ({
    totals: readTable(head, 4 + row * 4 * kinds, kinds).totals,
    fields: row === 0 && length > 1 ? length - 1 : 1,
  }))
}

const isReadable = (head: Buffer): boolean =>
  (head[0] ?? 0) >= 1 && (head[0] ?? 0) <= FORM && head.length >= 4 + 8 * kindsOf(head[0])

/** Numbers of features and of distinct ones; kinds that the record does not have are empty. */
function readTable(record: Buffer, at: number, kinds: number): { totals: Totals; distinct: Totals } {
  const read = (column: number) =>
    Array.from({ length: KINDS }, (_, kind) => (kind < kinds ? record.readUInt16LE(at + kind * 4 + column) : 0))
  return { totals: read(0) as Totals, distinct: read(2) as Totals }
}

function fieldOf(text: string, language: string | null, lexicon: Lexicon): TokenField {
  const words = tokenize(text)
  const features = featuresOf(keepsMarks(text, language) ? words : foldAll(words), lexicon)
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
