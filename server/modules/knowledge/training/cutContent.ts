import { createHash } from 'node:crypto'
import { chunkFaq } from '../chunks/chunkFaq'
import { type Chunk, chunksOfMarkdown, plainText } from '../chunks/chunkMarkdown'
import { plantedIn } from '../evidence/quarantine'
import { loadLexicon } from '../lexicon/loadLexicon'
import { blockHashes, withoutBlocks } from '../page/blockHashes'
import { languageOf } from '../retrieval/language'
import { tokensOf } from '../retrieval/tokens'
import type { Content } from './content'

/** Characters that are enough to detect a language. */
const ENOUGH = 10_000
/** The most passages of a source: a book has some thousand, endless headings would make millions. */
const MOST = 20_000

export interface CutInput {
  content: Content
  isFaq: boolean
  /** the hash of the last trained content */
  known: string | null
  /** hashes of blocks that are left out (page/blockHashes.ts) */
  repeated?: readonly number[]
}

export interface CutContent {
  /** equal if training again would change nothing */
  hash: string
  chunks: Chunk[]
  /** the passages' records for the index, concatenated, and the end of each, so that one buffer is transferred */
  tokens: Uint8Array<ArrayBuffer>
  ends: Uint32Array<ArrayBuffer>
  language: string | null
  /** the number that training is charged for */
  characters: number
  /** whether passages were dropped */
  more: boolean
  /** what speaks to assistants */
  planted: string[]
  /** hashes of all its blocks */
  blocks: number[]
}

/**
 * Splits a content into passages with their index records. A book takes seconds: call it in a worker thread.
 * @returns no passages if it equals the last trained content
 */
export async function cutContent({
  content: whole,
  isFaq,
  known,
  repeated = [],
}: CutInput): Promise<CutContent | { hash: string; chunks: null }> {
  const content = { ...whole, markdown: withoutBlocks(whole.markdown, new Set(repeated)) }
  const hash = hashOf(content)
  if (hash === known) return { hash, chunks: null }
  const language = content.language ?? (await languageOf(plainText(textOf(content).slice(0, ENOUGH))))
  const lexicon = await loadLexicon()
  const chunks: Chunk[] = []
  const records: Buffer[] = []
  let more = false
  for (const chunk of content.faq ? chunkFaq(content.faq) : chunksOfMarkdown(content.markdown, content.title)) {
    more = chunks.length === MOST
    if (more) break
    chunks.push(chunk)
    records.push(tokensOf({ ...chunk, body: plainText(chunk.body), isFaq, language }, lexicon))
  }
  const planted = plantedIn(chunks)
  let end = 0
  const ends = Uint32Array.from(records, ({ length }) => {
    end += length
    return end
  })
  const tokens = new Uint8Array(end)
  for (const [at, record] of records.entries()) tokens.set(record, (ends[at] ?? 0) - record.length)
  return {
    hash,
    chunks,
    tokens,
    ends,
    language,
    characters: textOf(content).length,
    more,
    planted,
    blocks: blockHashes(whole.markdown),
  }
}

/** Increase it when the same content would give other passages. */
const FORM = 1

const hashOf = ({ title, markdown, faq, language }: Content): string =>
  createHash('sha256')
    .update(JSON.stringify([FORM, title, markdown, faq, language]))
    .digest('hex')

const textOf = ({ faq, markdown }: Content): string =>
  faq ? [faq.question, ...faq.phrasings, faq.answer].join('\n') : markdown
