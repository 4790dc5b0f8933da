import { createHash } from 'node:crypto'
import { chunkFaq } from '../chunks/chunkFaq'
import { type Chunk, chunksOfMarkdown, plainText } from '../chunks/chunkMarkdown'
import { languageOf } from '../retrieval/language'
import { tokensOf } from '../retrieval/tokens'
import type { Content } from './content'

/** Characters that tell a language as well as the whole would. */
const ENOUGH = 10_000
/** Passages of one source: a book has some thousand. Headings without end would make millions. */
const MOST = 20_000

export interface CutInput {
  content: Content
  isFaq: boolean
  /** the hash of what was trained before */
  known: string | null
}

export interface CutContent {
  /** the same while training it anew would change nothing */
  hash: string
  chunks: Chunk[]
  /** the passages' records for the index, one behind the other, and where each ends: so all of them are handed over at once */
  tokens: Uint8Array<ArrayBuffer>
  ends: Uint32Array<ArrayBuffer>
  language: string | null
  /** what training is charged for */
  characters: number
  /** there would be more passages */
  more: boolean
}

/**
 * Cuts a content into passages and makes their records for the index. A book takes seconds: it is called in a thread.
 * @returns no passages where that says the same as what was trained before
 */
export async function cutContent({
  content,
  isFaq,
  known,
}: CutInput): Promise<CutContent | { hash: string; chunks: null }> {
  const hash = hashOf(content)
  if (hash === known) return { hash, chunks: null }
  const language = content.language ?? (await languageOf(plainText(textOf(content).slice(0, ENOUGH))))
  const chunks: Chunk[] = []
  const records: Buffer[] = []
  let more = false
  for (const chunk of content.faq ? chunkFaq(content.faq) : chunksOfMarkdown(content.markdown, content.title)) {
    more = chunks.length === MOST
    if (more) break
    chunks.push(chunk)
    records.push(tokensOf({ ...chunk, body: plainText(chunk.body), isFaq, language }))
  }
  let end = 0
  const ends = Uint32Array.from(records, ({ length }) => {
    end += length
    return end
  })
  const tokens = new Uint8Array(end)
  for (const [at, record] of records.entries()) tokens.set(record, (ends[at] ?? 0) - record.length)
  return { hash, chunks, tokens, ends, language, characters: textOf(content).length, more }
}

/** Raised when the same content would make other passages. */
const FORM = 1

const hashOf = ({ title, markdown, faq, language }: Content): string =>
  createHash('sha256')
    .update(JSON.stringify([FORM, title, markdown, faq, language]))
    .digest('hex')

const textOf = ({ faq, markdown }: Content): string =>
  faq ? [faq.question, ...faq.phrasings, faq.answer].join('\n') : markdown
