import { cleanText } from '../../../../engine/values/cleanText'
import { featuresOf, foldAll, PAIRS, PIECES, WORDS } from './features'
import { wordsOf } from './words'

/** A feature of a question: as it was typed, and without marks. Which of them counts is for what the index knows. */
export interface Asked {
  kind: number
  typed: number
  folded: number
  /** how much it was said, by the word (as it was typed) that it is a piece of; other features are their own */
  said: Map<number, number>
}

/**
 * Characters of a question that are looked at to find passages, sentences, its language: all that `MOST_WORDS` words take, in any language.
 * What a visitor sends may be ten times as long (SPEC.md 9); a model is given all of it.
 */
export const MOST_CHARACTERS = 2_000

/** What of a question is looked at: cut before anything else is done with it. */
export const beginningOf = (question: string): string =>
  question.length > MOST_CHARACTERS ? cleanText(question.slice(0, MOST_CHARACTERS)) : question

/** Beyond this many words a question is a text: its beginning is asked. */
const MOST_WORDS = 128
/** How much one of so many pieces says of its word: a long word counts more than a short one, but not by as much as it has pieces. */
const shareOf = (pieces: number): number => pieces ** -0.2

/** What is looked up for a question, each feature once. */
export function askedOf(question: string): Asked[] {
  const words = wordsOf(beginningOf(question)).slice(0, MOST_WORDS)
  const bare = foldAll(words)
  const asked = new Map<number, Asked>()
  const say = (kind: number, typed: number, folded = typed, word = typed, share = 1) => {
    const one = asked.get(typed) ?? { kind, typed, folded, said: new Map<number, number>() }
    one.said.set(word, (one.said.get(word) ?? 0) + share)
    asked.set(typed, one)
  }
  for (const [at, word] of words.entries()) {
    const [[typed = 0], , pieces] = featuresOf([word])
    const [[folded], , barePieces] = featuresOf([bare[at] ?? word])
    say(WORDS, typed, folded)
    // letters that fold to two make more pieces: those that have no counterpart are as they were typed
    for (const [place, piece] of pieces.entries()) say(PIECES, piece, barePieces[place], typed, shareOf(pieces.length))
  }
  const barePairs = featuresOf(bare)[PAIRS]
  for (const [at, pair] of featuresOf(words)[PAIRS].entries()) say(PAIRS, pair, barePairs[at])
  return [...asked.values()]
}
