import type { FindMeaning } from '../../../../engine/intents/meaning'
import { fold } from '../retrieval/fold'
import { loadWordVectors } from './loadWordVectors'

/** Unknown words from this length on may be compounds; shorter ones are mistyped, and their parts mislead. */
const COMPOUND = 9

/** Looks up lower-case words as visitors type them. @throws if the file of vectors is missing or damaged */
export async function loadFindMeaning(): Promise<FindMeaning> {
  const vectors = await loadWordVectors()
  return (word) => {
    const plain = fold(word)
    return plain.length >= COMPOUND || vectors.has(plain) ? vectors.find(plain) : null
  }
}
