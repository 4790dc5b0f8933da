import { setImmediate } from 'node:timers/promises'
import { chunkFaq } from '../chunks/chunkFaq'
import { type Chunk, chunksOfMarkdown, plainText } from '../chunks/chunkMarkdown'
import { languageOf } from '../retrieval/language'
import { tokensOf } from '../retrieval/tokens'
import type { Content } from './readSource'

/** Passages between two looks at what else there is to do: some 10 ms. */
const SLICE = 20

/** Characters that tell a language as well as the whole would. */
const ENOUGH = 10_000

export interface MadeChunks {
  chunks: (Chunk & { tokens: Buffer })[]
  language: string | null
  /** what training is charged for */
  characters: number
}

/** Cuts a content into passages and makes their records for the index, in slices: other work goes on meanwhile. */
export async function makeChunks(content: Content, isFaq: boolean, signal: AbortSignal): Promise<MadeChunks> {
  const language = content.language ?? (await languageOf(plainText(textOf(content).slice(0, ENOUGH))))
  const cut = content.faq ? chunkFaq(content.faq) : chunksOfMarkdown(content.markdown, content.title)
  const chunks: MadeChunks['chunks'] = []
  for (const chunk of cut) {
    if (chunks.length % SLICE === SLICE - 1) await setImmediate()
    signal.throwIfAborted()
    chunks.push({ ...chunk, tokens: tokensOf({ ...chunk, body: plainText(chunk.body), isFaq, language }) })
  }
  return { chunks, language, characters: textOf(content).length }
}

const textOf = ({ faq, markdown }: Content): string =>
  faq ? [faq.question, ...faq.phrasings, faq.answer].join('\n') : markdown
