import type { RunOptions } from '../../../platform/workers/createThreads'
import { runTask } from '../../../platform/workers/runTask'
import type { Chunk } from '../chunks/chunkMarkdown'
import { cutContent } from '../tasks'
import type { Content } from './content'

/** ms: the longest source takes some ten seconds on an idle processor. */
const TIME = 120_000

export interface MadeChunks {
  hash: string
  chunks: (Chunk & { tokens: Buffer })[]
  language: string | null
  /** the number that training is charged for */
  characters: number
  /** what is left out, in a sentence */
  note: string | null
  /** what speaks to assistants */
  planted: string[]
  /** hashes of all its blocks */
  blocks: number[]
}

const MORE = 'It makes more passages than a source may have: the rest is left out. Split it to have all of it.'

/**
 * Splits a content into passages with their index records, in a worker thread.
 * @param known the hash of the last trained content @param repeated hashes of blocks that are left out
 * @returns null if it equals that @throws TaskError if it takes too much time or memory
 */
export async function makeChunks(
  content: Content,
  isFaq: boolean,
  known: string | null,
  repeated: readonly number[],
  options: Pick<RunOptions, 'owner' | 'signal'>,
): Promise<MadeChunks | null> {
  const cut = await runTask(cutContent, { content, isFaq, known, repeated }, { ...options, timeMs: TIME })
  if (cut.chunks === null) return null
  const { hash, chunks, tokens, ends, language, characters, more, planted, blocks } = cut
  const records = Buffer.from(tokens.buffer)
  return {
    hash,
    chunks: chunks.map((chunk, at) => ({ ...chunk, tokens: records.subarray(ends[at - 1] ?? 0, ends[at]) })),
    language,
    characters,
    note: more ? MORE : null,
    planted,
    blocks,
  }
}
