import { featuresOf, foldAll } from './features'
import { wordsOf } from './words'

/** A feature of a question: as it was typed, and without marks. Which of them counts is for what the index knows. */
export interface Asked {
  kind: number
  typed: number
  folded: number
  /** how often it was said */
  times: number
}

/** Beyond this many words a question is a text: its beginning is asked. */
const MOST_WORDS = 128

/** What is looked up for a question, each feature once. */
export function askedOf(question: string): Asked[] {
  const words = wordsOf(question).slice(0, MOST_WORDS)
  const typed = featuresOf(words)
  const bare = foldAll(words)
  const folded = bare.every((word, at) => word === words[at]) ? typed : featuresOf(bare)
  const asked = new Map<number, Asked>()
  for (const [kind, list] of typed.entries())
    for (const [at, feature] of list.entries()) {
      const known = asked.get(feature)
      // letters that fold to two make more pieces: those that have no counterpart are as they were typed
      if (known) known.times++
      else asked.set(feature, { kind, typed: feature, folded: folded[kind]?.[at] ?? feature, times: 1 })
    }
  return [...asked.values()]
}
